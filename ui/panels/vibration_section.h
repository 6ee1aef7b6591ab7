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
  struct Solved {
    Truss truss;
    LinearSystem system;
    VibrationModes modes;
    std::string reason;  ///< why there are no modes
  };
  static std::shared_ptr<const Solved> solve(const Object& object, const Solved* last,
                                             const std::function<bool()>& cancelled);
  void show_modes(const Object& object);
  void show_spring(const Object& object, std::uint32_t spring);
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

  std::string shape_, values_;  ///< what is solved or being solved
  /// Number of the newest task; others of the same shape are passed over.
  std::shared_ptr<std::atomic<std::uint64_t>> newest_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  /// What was solved last, for the worker alone.
  std::shared_ptr<std::shared_ptr<const Solved>> last_ = std::make_shared<std::shared_ptr<const Solved>>();
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
