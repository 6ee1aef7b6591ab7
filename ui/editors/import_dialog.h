// Import of a mesh file: what is in it, what is wrong with it, and what is to be done about it. All of it is computed in the
// background (ImportJob) as the controls change; Import takes over exactly what is shown, as one undo step.
#pragma once

#include <memory>
#include <optional>

#include <QDialog>

#include "core/base/id.h"
#include "core/import/mesh_settings.h"
#include "ui/jobs/import_job.h"
#include "ui/model/context.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QTimer;

namespace hazumi {

class ClipRows;
class NumberField;
struct Object;

class ImportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ImportDialog(UiContext& context, QWidget* parent = nullptr);
  ~ImportDialog() override;

  /// Starts reading a file that is to be imported (absolute path).
  void read(const QString& file);
  /// Starts reading the file of an object again, to change what is done to it; its materials stay.
  void adjust(const Object& object);
  /// Nothing is under way: what is shown is the file with the present settings, or the reason why it cannot be read.
  bool ready() const { return !job_.busy() && !waiting_; }
  MeshSettings settings() const;
  const ImportPreview* preview() const { return preview_.get(); }
  void done(int result) override;

 private:
  void build_form(QGridLayout* grid);
  void on_read(const MeshReport& report);
  void on_failed(const Diagnostic& problem);
  void on_prepared(const std::shared_ptr<const ImportPreview>& preview);
  void change();  ///< a control changed: prepare anew, after a moment
  void prepare();
  void show_state();
  void show_repairs();
  void take_over();
  void set_settings(const MeshSettings& settings);
  double unit_scale() const;

  UiContext context_;
  ImportJob job_;
  QString file_;
  MeshReport before_;
  bool read_ = false, failed_ = false, waiting_ = false;
  std::optional<MeshSettings> begin_with_;  ///< of the object whose mesh is adjusted; nothing: what suits the file
  std::shared_ptr<const ImportPreview> preview_;

  QLabel *name_, *contents_, *size_, *counts_, *state_, *warnings_, *unit_note_, *picture_;
  ClipRows* clips_;
  QComboBox *unit_, *up_, *as_;
  NumberField *fit_, *merge_distance_, *hole_edges_;
  QCheckBox *merge_, *orient_, *fill_, *textures_;
  QLabel *merge_effect_, *orient_effect_, *fill_effect_, *simplify_effect_;
  QSlider* simplify_;
  QProgressBar* bar_;
  QPushButton *import_, *cancel_;
  QWidget* form_;
  QTimer* later_;
};

/// "1.2 × 0.45 × 2 m", "12 × 8.1 × 5 mm": in the unit that suits the largest side.
QString size_text(const Vec3& metres);
/// What is wrong with the surface, as sentences; empty when nothing is.
QStringList surface_warnings(const MeshReport& report);

}  // namespace hazumi
