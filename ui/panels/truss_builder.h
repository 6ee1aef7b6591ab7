// Analysis models made from the display model: a catalogue shape fitted to it, its own decimated vertices, or a tetrahedral
// fill. The two that take time run in the background behind a small dialog with a Cancel button; each is one undo step.
// The commands analysis.* speak to the builder.
#pragma once

#include <atomic>
#include <memory>

#include <QDialog>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace hazumi {

class NumberField;
class ObjectBinding;

enum class TrussSource { decimation, tetrahedra, voronoi, cloth };

/// Asks for a number, computes, edits, closes; a refusal stays to be read.
class TrussDialog : public QDialog {
  Q_OBJECT
 public:
  /// `closed`: whether the surface of the object's display model is.
  TrussDialog(UiContext& context, TrussSource source, Id object, bool closed, QWidget* parent);
  ~TrussDialog() override;

  NumberField* count() const { return count_; }
  QCheckBox* per_part() const { return per_part_; }
  NumberField* relaxation() const { return relaxation_; }  ///< of Voronoi cells, else null, as the next
  NumberField* seed() const { return seed_; }
  QCheckBox* keeps_volume() const { return keeps_volume_; }  ///< of a cloth of a closed surface, else null
  QPushButton* start_button() const { return start_; }
  QLabel* message() const { return message_; }
  bool running() const { return stop_ != nullptr; }

 public slots:
  void start();
  /// While it computes: calls that off. Else closes.
  void reject() override;

 private:
  struct Outcome {
    std::shared_ptr<const StrungTruss> truss;
    QString sentence;  ///< why there is none
  };
  void take(const Outcome& outcome, double seconds);
  void show_running(bool running);
  void count_seconds();

  UiContext context_;
  TrussSource source_;
  Id object_;
  NumberField* count_;
  NumberField *relaxation_ = nullptr, *seed_ = nullptr;
  QCheckBox *per_part_ = nullptr, *keeps_volume_ = nullptr;
  QLabel* message_;
  QProgressBar* progress_;
  QPushButton *start_, *cancel_;
  QElapsedTimer clock_;
  QTimer timer_;
  std::shared_ptr<std::atomic<bool>> stop_;  ///< null: nothing runs
  Worker worker_;                            ///< last: ends before what it delivers to
};

class TrussBuilder : public QWidget {
  Q_OBJECT
 public:
  TrussBuilder(UiContext& context, ObjectBinding* binding, QWidget* parent);
  /// Selection, object or its mesh is another one now.
  void refresh();

  // Commands, and why they cannot be done now ("" when they can).
  void string();
  void fit();
  void fit_axes();
  void open(TrussSource source);
  QString why_not_string() const;
  QString why_not_fit() const;
  QString why_not_mesh() const;  ///< of what is made from the display model
  QString why_not_fill() const;

  QPushButton* fit_axes_button() const { return fit_axes_; }
  QPushButton* decimate_button() const { return decimate_; }
  QPushButton* fill_button() const { return fill_; }
  QPushButton* cells_button() const { return cells_; }
  QPushButton* cloth_button() const { return cloth_; }
  /// The dialog that is open now; null: none.
  TrussDialog* dialog() const { return dialog_; }

 private:
  void look_at(const Object& object);

  UiContext context_;
  ObjectBinding* binding_;
  QPushButton *fit_axes_, *decimate_, *fill_, *cells_, *cloth_;
  QPointer<TrussDialog> dialog_;
  std::shared_ptr<const DisplayMesh> looked_at_;  ///< mesh whose surface is known, or being looked at
  enum class Surface { unknown, closed, open } surface_ = Surface::unknown;
  Worker worker_;  ///< last: ends before what it delivers to
};

}  // namespace hazumi
