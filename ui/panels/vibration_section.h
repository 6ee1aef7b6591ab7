// How an object swings with the chosen k, c and m: its lowest modes as a list, the curve of one of them, and that mode swinging
// in the view. With one spring of a truss selected: the curve of that spring between its two nodes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "core/geometry/mapping/mapping.h"
#include "core/scene/values/scene.h"
#include "core/sim/elastic/modes.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QCheckBox;
class QLabel;
class QSlider;
class QToolButton;
class QTreeWidget;

namespace hazumi {

class ObjectBinding;
class VibrationPlot;
class VibrationPreview;

class VibrationSection : public QWidget {
  Q_OBJECT
 public:
  /// `mass`: of an object in kg, with what the panel knows of its volume.
  VibrationSection(UiContext& context, ObjectBinding* binding, std::function<double(const Object&)> mass,
                   QWidget* parent);
  ~VibrationSection() override;

  VibrationPlot* plot() const { return plot_; }
  QLabel* words() const { return words_; }
  QTreeWidget* list() const { return list_; }
  QToolButton* animate_button() const { return animate_; }
  QSlider* amplitude() const { return amplitude_; }
  bool animating() const { return preview_ != nullptr; }

  /// The object, its settings or the selection changed.
  void refresh();
  /// Nodes and springs of what is solved; empty as long as it is not.
  QString counts() const;

 signals:
  void solved();

 private:
  /// Solved for one geometry with k, c and m all one; other values of the same geometry only scale it.
  struct Solved {
    Truss truss;
    VibrationModes unit;
    std::string reason;  ///< why there are no modes
  };
  void show_modes(const Object& object);
  void show_spring(const Object& object, std::uint32_t spring);
  VibrationMode mode_of(const Object& object, std::size_t index) const;
  std::size_t chosen() const;
  void set_animating(bool on);
  void start_preview(const Object& object);
  void tick();

  UiContext context_;
  ObjectBinding* binding_;
  std::function<double(const Object&)> mass_;
  VibrationPlot* plot_;
  QLabel* words_;
  QTreeWidget* list_;
  QWidget* swing_row_;
  QToolButton* animate_;
  QSlider* amplitude_;

  std::string key_;  ///< geometry that is solved or being solved
  std::shared_ptr<const Solved> solved_;
  std::shared_ptr<std::atomic<bool>> stop_;

  std::shared_ptr<VibrationPreview> preview_;
  std::shared_ptr<double> swing_ = std::make_shared<double>(0);  ///< m, shared with the view
  Id previewed_;
  double frequency_ = 1;  ///< Hz, as it is shown
  QElapsedTimer clock_;
  QTimer timer_;
  Worker worker_;  ///< last: ends before what it delivers to
};

}  // namespace hazumi
