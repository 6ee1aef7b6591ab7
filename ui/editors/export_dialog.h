// Export of frames in any format of the table (core/export/format.h): range, format and its options, names; then a progress
// bar with time left. The files are made by a worker from a snapshot of the scene, so that work goes on meanwhile. Cancel and
// failures leave whole files only.
#pragma once

#include <memory>
#include <optional>
#include <thread>

#include <QDialog>

#include "core/export/format.h"
#include "ui/model/context.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QGridLayout;

namespace hazumi {

class ExportOptionRows;
class NumberField;

/// What the dialog asks for, apart from its widgets.
struct ExportChoice {
  FrameRange range;
  QString folder, name, format;  ///< format: its name, "png"
  int padding = 4;
  ExportValues values;       ///< of the format's options; what is missing stays as the dialog has it
  std::optional<Id> object;  ///< of models and data: only this one; else all visible ones
  Id camera = {};            ///< of pictures: this one; none: the scene's, with its cuts
  bool keep_existing = false;

  struct Problem {
    QString control;  ///< "range", "name" or "folder"
    QString sentence;
  };
  const ExportFormatInfo& info() const;  ///< PNG when there is no format of this name
  QString pattern() const;               ///< "folder/name.####.png"; "folder/name.glb" when one file has all frames
  /// Why this cannot be exported; nothing when it can.
  std::optional<Problem> problem() const;
};

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ExportDialog(UiContext& context, QWidget* parent = nullptr);
  ~ExportDialog() override;  ///< cancels and waits for the frame that is being written

  ExportChoice choice() const;
  void set_choice(const ExportChoice& choice);
  bool running() const { return running_; }

 public slots:
  void start();
  void cancel();
  void reject() override;

 signals:
  void export_ended(bool complete);

 private:
  struct Job;
  void build_form(QGridLayout* grid);
  void validate();
  void on_edited();
  void choose_folder();
  void show_format();
  void showEvent(QShowEvent* event) override;
  void reserve_room();
  void show_progress();
  void end();
  void show_running(bool running);

  UiContext context_;
  NumberField *first_, *last_, *step_, *padding_;
  QComboBox *format_, *object_, *camera_;
  ExportOptionRows* options_;
  QLineEdit *folder_, *name_;
  QCheckBox* keep_;
  QLabel *object_label_, *camera_label_, *digits_label_, *range_note_, *format_note_, *name_note_, *folder_note_,
      *example_, *message_, *progress_text_, *thumbnail_;
  QProgressBar* bar_;
  QPushButton *export_, *close_, *open_folder_;
  QWidget *form_, *progress_box_;

  std::shared_ptr<Job> job_;  ///< shared with the worker
  std::thread worker_;
  bool running_ = false, of_another_scene_ = false, failed_ = false;
  QString written_to_;
  int room_ = 0;  ///< height that any format needs
};

}  // namespace hazumi
