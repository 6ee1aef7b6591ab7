#include "ui/editors/export_dialog.h"

#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QUrl>
#include <QVBoxLayout>

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/tracks.h"
#include "render/picture_formats.h"
#include "ui/editors/dialog_parts.h"
#include "ui/editors/export_notes.h"
#include "ui/editors/export_options.h"
#include "ui/editors/export_worker.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/settings.h"
#include "ui/model/surface_changes.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

NumberField* whole_number(const QString& name, int low, int high, QWidget* parent) {
  auto* field = new NumberField(parent);
  field->set_name(name);
  field->set_range(low, high);
  field->set_integer(true);
  field->setAccessibleName(name);
  field->setMinimumWidth(72);
  return field;
}

QLabel* note(QWidget* parent, const QString& name) {
  QLabel* label = plain_label(name, parent);
  label->setWordWrap(true);
  return label;
}

/// The formats under the headings of what they hold.
void fill_formats(QComboBox* box) {
  static const char* const kHeadings[] = {QT_TRANSLATE_NOOP("hazumi::ExportDialog", "Pictures"),
                                          QT_TRANSLATE_NOOP("hazumi::ExportDialog", "Models"),
                                          QT_TRANSLATE_NOOP("hazumi::ExportDialog", "Data")};
  auto* items = qobject_cast<QStandardItemModel*>(box->model());
  int headed = -1;
  for (const ExportFormatInfo* format : all_export_formats()) {
    if (const int kind = static_cast<int>(format->kind); kind != headed) {
      headed = kind;
      auto* heading = new QStandardItem(ExportDialog::tr(kHeadings[kind]));
      heading->setFlags(Qt::NoItemFlags);
      items->appendRow(heading);
    }
    box->addItem(QString::fromUtf8(format->label.data(), static_cast<qsizetype>(format->label.size())),
                 QString::fromUtf8(format->name.data(), static_cast<qsizetype>(format->name.size())));
  }
}

/// One of these things of the scene, or what stands for none of them alone.
template <class Thing>
QComboBox* one_of(const char* name, const QString& none, const std::vector<Shared<Thing>>& things, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setObjectName(name);
  box->addItem(none, QVariant::fromValue<qulonglong>(0));
  for (const auto& each : things)
    box->addItem(QString::fromStdString(each->name), QVariant::fromValue<qulonglong>(each->id.value));
  return box;
}

/// Of a scene that has no file yet: where a person looks for pictures, and not among everything in the home folder.
QString folder_of_unsaved() {
  for (const auto place : {QStandardPaths::PicturesLocation, QStandardPaths::DocumentsLocation})
    if (const QString folder = QStandardPaths::writableLocation(place);
        folder != QDir::homePath() && QFileInfo(folder).isDir())
      return QDir(folder).filePath(QStringLiteral("Hazumi"));
  return QDir(QDir::homePath()).filePath(QStringLiteral("Hazumi"));
}

/// The innermost folder above `info` that is there.
QString nearest_folder(const QFileInfo& info) {
  QDir parent = info.dir();
  while (!parent.exists() && parent.cdUp()) {
  }
  return parent.absolutePath();
}

/// Permissions do not say all: nobody can make a folder in /proc. So one is made, and taken away again.
bool takes_folders(const QString& folder) {
  return QFileInfo(folder).isWritable() && QTemporaryDir(QDir(folder).filePath(".hazumi-XXXXXX")).isValid();
}

void set_note(QLabel* label, const QString& text, bool problem) {
  label->setText(text);
  label->setStyleSheet(
      QStringLiteral("color: %1;").arg((problem ? theme_colours().error : theme_colours().quiet_text).name()));
  label->setVisible(!text.isEmpty());
}

}  // namespace

const ExportFormatInfo& ExportChoice::info() const {
  const ExportFormatInfo* found = find_any_format(format.toStdString());
  return found ? *found : *find_any_format("png");
}

QString ExportChoice::pattern() const {
  const std::string_view extension = info().extension;
  const QString number = info().one_file ? QString() : "." + QString(padding, '#');
  return QDir(folder).filePath(name + number +
                               QString::fromUtf8(extension.data(), static_cast<qsizetype>(extension.size())));
}

std::optional<ExportChoice::Problem> ExportChoice::problem() const {
  const auto tr = [](const char* text) { return ExportDialog::tr(text); };
  const bool pictures = info().kind == ExportKind::pictures;
  if (range.last < range.first) return Problem{"range", tr("The last frame must not be before the first.")};
  if (name.isEmpty())
    return Problem{"name", pictures          ? tr("Give the pictures a name.")
                           : info().one_file ? tr("Give the file a name.")
                                             : tr("Give the files a name.")};
  for (const QChar c : name)
    if (QStringLiteral("/\\#:*?\"<>|").contains(c) || c.unicode() < 32)
      return Problem{"name", tr("A name cannot contain %1.").arg(c.unicode() < 32 ? tr("line breaks") : QString(c))};
  if (name.startsWith('.')) return Problem{"name", tr("A name cannot begin with a point: the files would be hidden.")};
  if (name.toUtf8().size() > 200) return Problem{"name", tr("This name is too long for a file.")};
  if (folder.isEmpty())
    return Problem{"folder", pictures          ? tr("Choose a folder for the pictures.")
                             : info().one_file ? tr("Choose a folder for the file.")
                                               : tr("Choose a folder for the files.")};
  const QFileInfo info(folder);
  if (info.exists() && !info.isDir()) return Problem{"folder", tr("This is a file; choose a folder.")};
  if (info.exists() && !info.isWritable())
    return Problem{"folder", tr("This folder cannot be written to; choose another.")};
  if (const QString parent = info.exists() ? QString() : nearest_folder(info);
      !parent.isEmpty() && !takes_folders(parent))
    return Problem{"folder", tr("This folder cannot be made in %1; choose another.").arg(parent)};
  return std::nullopt;
}

ExportDialog::ExportDialog(UiContext& context, QWidget* parent) : QDialog(parent), context_(context) {
  setWindowTitle(tr("Export"));
  setModal(false);
  setObjectName("export_dialog");
  form_ = new QWidget(this);
  build_form(dialog_grid(form_, 5));

  progress_box_ = new QWidget(this);
  bar_ = new QProgressBar(progress_box_);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(8);
  progress_text_ = note(progress_box_, "export_progress");
  progress_text_->setMinimumHeight(2 * fontMetrics().height());
  thumbnail_ = picture_label("export_thumbnail", QSize(160, 90), progress_box_);
  auto* progress_grid = new QGridLayout(progress_box_);
  progress_grid->setContentsMargins(0, 8, 0, 0);
  progress_grid->setHorizontalSpacing(12);
  progress_grid->addWidget(thumbnail_, 0, 0, 3, 1);
  progress_grid->addWidget(progress_text_, 0, 1);
  progress_grid->addWidget(bar_, 1, 1);
  progress_grid->setRowStretch(2, 1);
  progress_grid->setColumnStretch(1, 1);
  progress_box_->hide();

  message_ = note(this, "export_message");
  message_->hide();
  export_ = new QPushButton(theme_icon("export"), tr("Export"), this);
  export_->setObjectName("export_start");
  export_->setDefault(true);
  close_ = new QPushButton(tr("Close"), this);
  close_->setObjectName("export_close");
  open_folder_ = new QPushButton(theme_icon("open"), tr("Open Folder"), this);
  open_folder_->setObjectName("export_open_folder");
  open_folder_->hide();
  for (QPushButton* button : {close_, open_folder_}) button->setAutoDefault(false);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(open_folder_);
  buttons->addStretch(1);
  buttons->addWidget(close_);
  buttons->addWidget(export_);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(8);
  column->addWidget(form_);
  column->addStretch(1);
  column->addWidget(progress_box_);
  column->addWidget(message_);
  column->addLayout(buttons);
  resize(560, 0);

  connect(export_, &QPushButton::clicked, this, &ExportDialog::start);
  // What it says and offers is of the scene before. What is being written goes on: it has that one.
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    of_another_scene_ = true;
    if (!running_) close();
  });
  connect(close_, &QPushButton::clicked, this, [this] { running_ ? cancel() : reject(); });
  connect(open_folder_, &QPushButton::clicked, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(written_to_)); });

  ExportChoice choice;
  const SceneSettings& settings = context.document.scene().settings;
  QSettings saved(settings_file(), QSettings::IniFormat);
  const std::filesystem::path file = context.document.file();
  choice.range = {settings.first_frame, settings.last_frame, 1};
  choice.name = file.empty() ? QStringLiteral("frame") : QString::fromStdString(file.stem().string());
  choice.folder = saved.value("export/folder").toString();
  if (choice.folder.isEmpty() || !QFileInfo(choice.folder).isDir())
    choice.folder = file.empty()
                        ? folder_of_unsaved()
                        : QDir(own_folder(QString::fromStdString(file.parent_path().string()))).filePath("pictures");
  choice.format = saved.value("export/format", "png").toString();
  set_choice(choice);
}

ExportDialog::~ExportDialog() {
  cancel();
  if (worker_.joinable()) worker_.join();
}

/// Of the labels of all formats: nothing moves aside when another is chosen.
static void keep_width(QGridLayout* grid, int rows) {
  int widest = 0;
  for (int i = 0; i < rows; ++i)
    if (const QLayoutItem* item = grid->itemAtPosition(i, 0))
      widest = std::max(widest, item->widget() ? item->widget()->sizeHint().width() : 0);
  grid->setColumnMinimumWidth(0, widest);
}

void ExportDialog::build_form(QGridLayout* grid) {
  int row = 0;
  const auto label = [&](const QString& text) { grid->addWidget(make_row_label(text, {}, form_), row, 0); };
  const auto line = [&](std::initializer_list<QWidget*> widgets) {
    auto* box = new QHBoxLayout;
    box->setSpacing(6);
    for (QWidget* widget : widgets) box->addWidget(widget);
    if (widgets.size() > 1) box->addStretch(1);
    grid->addLayout(box, row++, 1);
  };
  const auto below = [&](QLabel* text) { grid->addWidget(text, row++, 1); };

  first_ = whole_number(tr("First frame"), 0, 10000000, form_);
  last_ = whole_number(tr("Last frame"), 0, 10000000, form_);
  step_ = whole_number(tr("Step"), 1, 100000, form_);
  label(tr("Frames"));
  line({first_, new QLabel(tr("to")), last_, new QLabel(tr("every")), step_});
  below(range_note_ = note(form_, "export_range_note"));

  format_ = new QComboBox(form_);
  format_->setObjectName("export_format");
  fill_formats(format_);
  label(tr("Format"));
  line({format_, new QLabel});
  below(format_note_ = note(form_, "export_format_note"));
  options_ = new ExportOptionRows(grid, row, form_);
  const Scene& scene = context_.document.scene();
  // One row: models and data have objects, pictures a camera.
  object_ = one_of("export_object", tr("All that are visible"), scene.objects, form_);
  grid->addWidget(object_label_ = make_row_label(tr("Objects"), {}, form_), row, 0);
  const bool cuts = find_track(scene, 0, kCutField) != nullptr;
  camera_ = one_of("export_camera", cuts ? tr("The scene's cuts") : tr("The scene's camera"), scene.cameras, form_);
  camera_->setToolTip(tr("The scene's camera, from one cut to the next, or one camera for all pictures."));
  grid->addWidget(camera_label_ = make_row_label(tr("Camera"), {}, form_), row, 0);
  line({object_, camera_, new QLabel});

  name_ = new QLineEdit(form_);
  name_->setObjectName("export_name");
  padding_ = whole_number(tr("Digits"), 1, 12, form_);
  label(tr("Name"));
  auto* name_line = new QHBoxLayout;
  name_line->setSpacing(6);
  name_line->addWidget(name_, 1);
  name_line->addWidget(digits_label_ = new QLabel(tr("digits"), form_));
  padding_->setFixedWidth(64);
  name_line->addWidget(padding_);
  grid->addLayout(name_line, row++, 1);
  below(name_note_ = note(form_, "export_name_note"));

  folder_ = new QLineEdit(form_);
  folder_->setObjectName("export_folder");
  auto* choose = new QPushButton(theme_icon("open"), tr("Choose…"), form_);
  choose->setAutoDefault(false);
  label(tr("Folder"));
  auto* box = new QHBoxLayout;
  box->setSpacing(6);
  box->addWidget(folder_, 1);
  box->addWidget(choose);
  grid->addLayout(box, row++, 1);
  below(folder_note_ = note(form_, "export_folder_note"));
  keep_ = new QCheckBox(form_);
  keep_->setObjectName("export_keep");
  label({});
  line({keep_, new QLabel});
  example_ = note(form_, "export_example");
  example_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label(tr("Writes"));
  below(example_);
  grid->setColumnStretch(1, 1);
  keep_width(grid, row);

  for (NumberField* field : {first_, last_, step_, padding_})
    connect(field, &NumberField::edited, this, &ExportDialog::on_edited);
  for (QLineEdit* edit : {name_, folder_}) connect(edit, &QLineEdit::textChanged, this, &ExportDialog::on_edited);
  connect(options_, &ExportOptionRows::edited, this, &ExportDialog::on_edited);
  connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_format);
  connect(choose, &QPushButton::clicked, this, &ExportDialog::choose_folder);
}

ExportChoice ExportDialog::choice() const {
  ExportChoice choice;
  const auto whole = [](const NumberField* field) { return static_cast<int>(std::lround(field->value())); };
  choice.range = {whole(first_), whole(last_), whole(step_)};
  choice.folder = folder_->text().trimmed();
  choice.name = name_->text().trimmed();
  choice.format = format_->currentData().toString();
  choice.padding = whole(padding_);
  choice.values = options_->values(choice.info());
  const auto object = object_->currentData().toULongLong();
  if (object != 0 && choice.info().kind != ExportKind::pictures) choice.object = Id{object};
  if (choice.info().kind == ExportKind::pictures) choice.camera = Id{camera_->currentData().toULongLong()};
  choice.keep_existing = keep_->isChecked();
  return choice;
}

void ExportDialog::set_choice(const ExportChoice& choice) {
  first_->set_value(choice.range.first);
  last_->set_value(choice.range.last);
  step_->set_value(choice.range.step);
  padding_->set_value(choice.padding);
  folder_->setText(choice.folder);
  name_->setText(choice.name);
  const auto name = choice.info().name;
  format_->setCurrentIndex(format_->findData(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))));
  options_->set_values(choice.values);
  const qulonglong object = choice.object ? choice.object->value : 0;
  object_->setCurrentIndex(std::max(0, object_->findData(QVariant::fromValue(object))));
  camera_->setCurrentIndex(std::max(0, camera_->findData(QVariant::fromValue<qulonglong>(choice.camera.value))));
  keep_->setChecked(choice.keep_existing);
  show_format();
}

void ExportDialog::show_format() {
  const ExportFormatInfo& info = choice().info();
  QString about = QString::fromUtf8(info.description.data(), static_cast<qsizetype>(info.description.size()));
  if (!context_.document.scene().sounds.empty())
    about += find_option(info.options, "sound")
                 ? tr(" Its sound goes into a WAV file beside them, where Sound is ticked.")
                 : tr(" Sound is not written with it: take the files into the film.");
  format_note_->setText(about);
  options_->show_format(info);
  const bool pictures = info.kind == ExportKind::pictures;
  for (QWidget* each : std::initializer_list<QWidget*>{object_label_, object_}) each->setVisible(!pictures);
  for (QWidget* each : std::initializer_list<QWidget*>{camera_label_, camera_, thumbnail_}) each->setVisible(pictures);
  digits_label_->setVisible(!info.one_file);
  padding_->setVisible(!info.one_file);
  keep_->setText(info.one_file ? tr("Keep the file if it exists already") : tr("Keep frames that exist already"));
  keep_->setToolTip(
      info.one_file ? tr("When the file is there, nothing is written.")
                    : tr("Frames whose file is there are skipped: an export that was stopped goes on where it ended."));
  for (QLayout* each : {form_->layout(), layout()}) {  // rows that came or went are told of later
    each->invalidate();
    each->activate();
  }
  resize(width(), std::max(room_, minimumSizeHint().height()));
  on_edited();
}

/// Only what is shown knows how high it is.
void ExportDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  if (room_ == 0) reserve_room();
}

/// As high as the format that asks for most: the buttons stay under the mouse when another one is chosen.
void ExportDialog::reserve_room() {
  const int chosen = format_->currentIndex();
  // What may be said below the fields, and how far it is, take their room from the beginning.
  progress_box_->show();
  progress_text_->setText(QStringLiteral(" \n "));
  for (QLabel* each : {range_note_, name_note_, folder_note_, message_}) set_note(each, QStringLiteral(" "), false);
  for (int i = 0; i < format_->count(); ++i) {
    if (!format_->itemData(i).isValid()) continue;  // a heading
    format_->setCurrentIndex(i);
    for (QLabel* each : {range_note_, name_note_, folder_note_, message_}) set_note(each, QStringLiteral(" "), false);
    layout()->activate();
    room_ = std::max(room_, minimumSizeHint().height());
  }
  format_->setCurrentIndex(chosen);
  progress_box_->setVisible(running_);
  message_->hide();
  show_format();
}

/// Why the last export ended is about what was asked for then.
void ExportDialog::on_edited() {
  if (failed_) message_->hide();
  failed_ = false;
  validate();
}

void ExportDialog::validate() {
  const ExportChoice now = choice();
  const auto problem = now.problem();
  const auto sentence = [&](const char* control) {
    return problem && problem->control == control ? problem->sentence : QString();
  };
  const int count = now.range.count();
  // From the first picture to the last one: one frame is a moment, and lasts no time.
  const double seconds = (count - 1) * now.range.step / std::max(1.0, context_.document.scene().settings.frame_rate);
  const bool pictures = now.info().kind == ExportKind::pictures;
  QString counted = now.info().one_file ? (count == 1 ? tr("1 frame in 1 file") : tr("%1 frames in 1 file").arg(count))
                    : count == 1        ? (pictures ? tr("1 picture") : tr("1 file"))
                                        : (pictures ? tr("%1 pictures") : tr("%1 files")).arg(count);
  if (count > 1)
    counted += tr(", frames %1 to %2: %3 s of motion")
                   .arg(now.range.first)
                   .arg(now.range.first + (count - 1) * now.range.step)
                   .arg(seconds, 0, 'f', 2);
  const QString wrong = sentence("range");
  set_note(range_note_, wrong.isEmpty() ? counted : wrong, !wrong.isEmpty());
  set_note(name_note_, sentence("name"), true);
  const bool makes = !now.folder.isEmpty() && !QFileInfo::exists(now.folder);
  set_note(folder_note_,
           !sentence("folder").isEmpty() ? sentence("folder")
           : makes                       ? tr("The folder will be made.")
                                         : QString(),
           !sentence("folder").isEmpty());
  const auto path_of = [&](int frame) {
    const auto path = output_path(now.info(), QFileInfo(now.pattern()).fileName().toStdString(), frame);
    return path ? QString::fromStdString(path->string()) : QString();
  };
  if (problem && problem->control == "name")
    example_->clear();
  else if (count <= 1 || now.info().one_file)
    example_->setText(path_of(now.range.first));
  else
    example_->setText(
        tr("%1 … %2").arg(path_of(now.range.first), path_of(now.range.first + (count - 1) * now.range.step)));
  export_->setEnabled(!problem);
}

void ExportDialog::choose_folder() {
  // The folder may be yet to be made: then where it will be.
  QFileInfo start(folder_->text());
  while (!start.isDir() && !start.isRoot()) start = QFileInfo(start.absolutePath());
  FileDialog dialog(FileDialog::For::folder, tr("Folder for the Files"), QStringLiteral("export"), {}, this,
                    start.absoluteFilePath());
  const QString folder = dialog.ask();
  if (!folder.isEmpty()) folder_->setText(folder);
}

struct ExportDialog::Job : ExportWorkerState {
  Shared<Scene> scene;  ///< that is written
};

void ExportDialog::start() {
  validate();
  const ExportChoice now = choice();
  if (running_ || now.problem()) return;
  if (worker_.joinable()) worker_.join();
  message_->hide();
  open_folder_->hide();
  QDir().mkpath(now.folder);
  QSettings saved(settings_file(), QSettings::IniFormat);
  saved.setValue("export/folder", now.folder);
  saved.setValue("export/format", now.format);
  options_->remember(now.info());

  written_to_ = now.folder;
  job_ = std::make_shared<Job>();
  job_->progress.total = now.range.count();
  ExportTask task{context_.document.snapshot(),
                  &now.info(),
                  {now.pattern().toStdString(), now.object, now.values, context_.document.mesh_store(), now.camera},
                  {now.range, now.keep_existing, 2, context_.document.mesh_store()},
                  context_.playback.cache().snapshot()};
  job_->scene = task.scene;
  thumbnail_->clear();
  show_running(true);
  show_progress();
  // The two calls are queued to this dialog; when it is gone, the destructor has joined the thread before.
  worker_ = std::thread([this, task = std::move(task), job = job_] {
    run_export_task(task, *job,
                    [this] { QMetaObject::invokeMethod(this, &ExportDialog::show_progress, Qt::QueuedConnection); });
    QMetaObject::invokeMethod(this, &ExportDialog::end, Qt::QueuedConnection);
  });
}

void ExportDialog::cancel() {
  if (!job_ || !running_) return;
  job_->cancelled = true;
  progress_text_->setText(choice().info().one_file
                              ? tr("Cancelling; nothing is written.")
                              : tr("Cancelling; the frame that is being written is finished first."));
}

void ExportDialog::reject() {
  if (running_) {
    hide();  // goes on; opening the dialog again shows how far it is
    return;
  }
  QDialog::reject();
}

void ExportDialog::show_running(bool running) {
  running_ = running;
  form_->setEnabled(!running);
  export_->setVisible(!running && !of_another_scene_);
  close_->setText(running ? tr("Cancel") : tr("Close"));
  progress_box_->setVisible(running);
  if (running) message_->hide();
}

void ExportDialog::show_progress() {
  if (!job_ || !running_) return;
  const ExportWorkerState::Snapshot now = job_->read();
  bar_->setMaximum(std::max(1, now.progress.total));
  bar_->setValue(now.progress.done);
  if (!job_->cancelled) {
    QString text = tr("%1 of %2 frames").arg(now.progress.done).arg(now.progress.total);
    if (now.progress.skipped > 0) text += tr(", %1 kept").arg(now.progress.skipped);
    const QString left = time_left_text(now.progress.seconds_left);
    progress_text_->setText(left.isEmpty() ? text : text + "\n" + left);
  }
  if (!now.thumbnail.isNull()) {
    QImage picture = now.thumbnail;
    const double ratio = devicePixelRatioF();
    picture = picture.scaled(thumbnail_->size() * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    thumbnail_->setPixmap(QPixmap::fromImage(picture));
  }
}

void ExportDialog::end() {
  if (!running_) return;
  show_progress();
  if (worker_.joinable()) worker_.join();
  const ExportResult result = job_->read().result;
  show_running(false);
  if (result.end == ExportEnd::complete && !of_another_scene_)
    context_.surfaces.keep_exported(job_->scene, result.changes);
  const ExportChoice asked = choice();  // the form could not be changed meanwhile
  const bool one_file = asked.info().one_file;
  const QString place = QDir::toNativeSeparators(one_file ? asked.pattern() : written_to_);
  const QString frames = result.written == 1 ? tr("1 frame") : tr("%1 frames").arg(result.written);
  const QString kept = result.skipped > 0 ? tr(" %1 that existed were kept.").arg(result.skipped) : QString();
  QString reason;
  if (!result.diagnostics.empty()) {
    const Diagnostic& why = result.diagnostics.front();
    reason = QString::fromStdString(why.hint.empty() ? why.message : why.message + " " + why.hint);
  }
  const bool complete = result.end == ExportEnd::complete;
  failed_ = !complete && result.end != ExportEnd::cancelled;
  switch (result.end) {
    case ExportEnd::complete:
      set_note(message_,
               one_file && result.written == 0 ? tr("%1 exists already and was kept.").arg(place)
                                               : tr("%1 written to %2.").arg(frames, place) + kept + told_notes(result),
               false);
      break;
    case ExportEnd::cancelled:
      set_note(message_,
               one_file ? tr("Cancelled. Nothing was written.")
                        : tr("Cancelled. %1 written to %2; all of them are whole.").arg(frames, place) + kept,
               false);
      break;
    case ExportEnd::failed:
    case ExportEnd::diverged:
      set_note(message_,
               reason + " " + (one_file ? tr("Nothing was written.") : tr("%1 written before that.").arg(frames)),
               true);
      break;
  }
  open_folder_->setVisible(result.written + result.skipped > 0);
  validate();
  if (!isVisible()) show();
  emit export_ended(complete);
}

}  // namespace hazumi
