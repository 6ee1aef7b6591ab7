// Opening, saving, leaving.
#include <algorithm>

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>

#include "core/import/mesh_file.h"
#include "core/scene/file/scene_io.h"
#include "ui/editors/append_dialog.h"
#include "ui/editors/import_dialog.h"
#include "ui/jobs/mesh_job.h"
#include "ui/model/commands.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/sentence.h"
#include "ui/model/sounds.h"
#include "ui/panels/time_strip.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/file_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/recovery_page.h"
#include "ui/window/start_page.h"

namespace hazumi {

namespace {

const QString kScenes = QStringLiteral("scene");  // of file dialogs

QString sentence(const Diagnostic& diagnostic) {
  const QString text = sentence_of(diagnostic);
  if (diagnostic.path.empty()) return text;
  QString place = QString::fromStdString(diagnostic.path);
  if (place.startsWith(QLatin1String("line "))) place[0] = QLatin1Char('L');  // it begins a sentence here
  return place + QStringLiteral(": ") + text;
}

std::filesystem::path to_path(const QString& file) { return std::filesystem::path(file.toStdString()); }

/// The one file of a drop that can be opened as a scene or added as a mesh or a sound; empty when there is none.
QString dropped_file(const QMimeData* data) {
  if (!data->hasUrls() || data->urls().size() != 1) return {};
  const QString file = data->urls().first().toLocalFile();
  const bool known = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) || is_mesh_file_name(to_path(file)) ||
                     is_sound_file_name(file);
  return known && QFileInfo(file).isFile() ? file : QString();
}

}  // namespace

void MainWindow::new_scene() {
  session_.open_job.cancel();
  keep_viewpoint();
  session_.document.reset(make_new_scene(), {});
  hide_start_page();
}

void MainWindow::open_file(const QString& file, bool play) {
  const QString path = QFileInfo(file).absoluteFilePath();
  messages_->show_message(Severity::info, tr("Opening %1…").arg(QFileInfo(path).fileName()));
  session_.open_job.open(path, play);
}

void MainWindow::take_loaded(const QString& file, Result<Scene> result, bool play) {
  if (!result.ok()) {
    session_.settings.remove_recent_file(file);
    messages_->show_message(Severity::error,
                            tr("%1 was not opened. %2").arg(QFileInfo(file).fileName(), sentence(result.error())));
    start_page_->show_problem(messages_->text());
    emit open_failed(file);
    return;
  }
  const Diagnostics warnings = result.diagnostics();
  keep_viewpoint();
  session_.document.reset(std::move(result.value()), to_path(file));
  session_.diagnostics.set_load_diagnostics(warnings);
  if (!warnings.empty()) messages_->show_message(Severity::warning, sentence(warnings.front()));
  session_.settings.add_recent_file(file);
  const bool own = !is_shipped_scene(file);
  if (own) session_.settings.set_last_folder(QFileInfo(file).absolutePath(), kScenes);
  hide_start_page();
  restore_layout();
  restore_viewpoint();
  if (play || (own && session_.preferences.now().play_own)) session_.playback.play(true);
  emit opened(file);
}

void MainWindow::restore_layout() {
  const QByteArray saved = QByteArray::fromBase64(QByteArray::fromStdString(session_.document.scene().layout));
  own_layout_ = !saved.isEmpty() && restoreState(saved);
  if (own_layout_) return;
  const QByteArray mine = session_.settings.window_state();
  own_layout_ = !mine.isEmpty() && restoreState(mine);
  if (!own_layout_) restoreState(default_state_);
}

/// Shipped scenes are always seen as they were made to be.
void MainWindow::restore_viewpoint() {
  const QString file = QString::fromStdString(session_.document.file().string());
  if (file.isEmpty() || is_shipped_scene(file)) return;
  viewport_->take_viewpoint(session_.settings.viewpoint(file));
  const QStringList part = session_.settings.played_part(file).split(QLatin1Char(' '));
  bool first = false, last = false;
  const PlayRange range{part.value(0).toInt(&first), part.value(1).toInt(&last)};
  if (first && last) session_.playback.set_part(range);
}

void MainWindow::keep_viewpoint() {
  const QString file = QString::fromStdString(session_.document.file().string());
  if (file.isEmpty() || is_shipped_scene(file)) return;
  session_.settings.set_viewpoint(file, viewport_->viewpoint());
  const auto part = session_.playback.part();
  session_.settings.set_played_part(file, part ? QStringLiteral("%1 %2").arg(part->first).arg(part->last) : QString());
}

bool MainWindow::save_to(const QString& file) {
  if (session_.save_job.busy()) return false;
  if (is_shipped_scene(file)) {
    messages_->show_message(Severity::error,
                            tr("%1 is a shipped scene and stays as it is: keep yours under another name "
                               "or in another folder with Save As.")
                                .arg(QFileInfo(file).fileName()));
    return false;
  }
  session_.document.set_layout(saveState().toBase64().toStdString());
  const Shared<Scene> saved = session_.document.snapshot();
  const std::optional<Status> ended = session_.save_job.save(session_.document.as_saved(), file);
  if (!ended) {
    update_hint(tr("Saving was called off."));
    return false;
  }
  const Status& status = *ended;
  if (!status.ok()) {
    messages_->show_message(Severity::error, tr("The scene was not saved. %1").arg(sentence(status.error())));
    return false;
  }
  session_.document.mark_saved(to_path(file));
  const bool whole = saved.same_as(session_.document.snapshot());
  if (!whole) session_.document.mark_unsaved();  // something that was under way came in meanwhile
  session_.settings.add_recent_file(file);
  session_.settings.set_last_folder(QFileInfo(file).absolutePath(), kScenes);
  keep_viewpoint();  // a program that is killed later has kept it too
  // What could not be copied is in the folder of recovery only.
  const auto bad = [](const Diagnostic& d) { return d.severity != Severity::info; };
  if (whole && std::none_of(status.diagnostics().begin(), status.diagnostics().end(), bad)) session_.autosave.forget();
  messages_->withdraw();
  messages_->dismiss();
  session_.diagnostics.set_save_diagnostics(status.diagnostics());
  if (!status.diagnostics().empty())
    messages_->show_message(status.diagnostics().front().severity,
                            tr("The scene was saved. %1").arg(sentence(status.diagnostics().front())));
  update_hint(tr("Saved %1").arg(QDir::toNativeSeparators(file)));
  return true;
}

bool MainWindow::save() {
  if (session_.document.file().empty()) return save_as();
  const QString file = QString::fromStdString(session_.document.file().string());
  if (is_shipped_scene(file)) {
    messages_->show_message(
        Severity::info,
        tr("%1 is a shipped scene and stays as it is; Save As keeps yours.").arg(QFileInfo(file).fileName()));
    return save_as();
  }
  if (file_changed_elsewhere() && !ask_before_overwriting()) return !session_.document.modified();
  return save_to(file);
}

bool MainWindow::save_as() {
  // Not among the shipped scenes, where one careless click replaces one of them.
  const QString file = QString::fromStdString(session_.document.file().string());
  const QString own =
      own_folder(file.isEmpty() ? session_.settings.last_folder(kScenes) : QFileInfo(file).absolutePath());
  const QString start = QDir(own).filePath(file.isEmpty() ? session_.document.title() + QStringLiteral(".json")
                                                          : QFileInfo(file).fileName());
  FileDialog dialog(FileDialog::For::save, tr("Save Scene"), kScenes, scene_filter(), this, start);
  dialog.setDefaultSuffix(QStringLiteral("json"));
  const QString chosen = dialog.ask();
  return !chosen.isEmpty() && save_to(chosen);
}

void MainWindow::choose_file() {
  if (!confirm_leaving()) return;
  FileDialog dialog(FileDialog::For::open, tr("Open Scene"), kScenes, scene_filter(), this);
  if (const QString chosen = dialog.ask(); !chosen.isEmpty()) open_file(chosen);
}

bool MainWindow::confirm_leaving() {
  if (session_.save_job.busy()) return false;
  if (!session_.document.modified()) return true;
  QMessageBox box(QMessageBox::Question, tr("Unsaved Changes"),
                  tr("Save the changes to “%1”?").arg(session_.document.title()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setObjectName(QStringLiteral("unsaved_changes"));
  box.setInformativeText(tr("They are lost when they are discarded."));
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return save();
    case QMessageBox::Discard:
      return true;
    default:
      return false;
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!confirm_leaving()) {
    event->ignore();
    return;
  }
  session_.playback.play(false);
  keep_viewpoint();
  session_.settings.set_window_geometry(saveGeometry());
  session_.settings.set_window_state(saveState());
  session_.autosave.forget();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_file(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString file = dropped_file(event->mimeData());
  if (file.isEmpty()) return;
  event->acceptProposedAction();
  if (is_sound_file_name(file)) {
    // Onto a ruler or a strip of time: at that frame.
    const QPoint place = event->position().toPoint();
    const auto* strip = qobject_cast<const TimeStrip*>(childAt(place));
    const double x = strip ? strip->mapFrom(this, place).x() : 0;
    import_sound(file, strip ? std::max(0, strip->frame_at(x)) : session_.playback.frame());
  } else if (is_mesh_file_name(to_path(file)))
    import_mesh(file);
  else if (confirm_leaving())
    open_file(file);
}

void MainWindow::choose_mesh() {
  FileDialog dialog(FileDialog::For::open, tr("Import Mesh"), QStringLiteral("mesh"), mesh_filter(), this);
  if (const QString chosen = dialog.ask(); !chosen.isEmpty()) import_mesh(chosen);
}

void MainWindow::choose_sound() {
  FileDialog dialog(FileDialog::For::open, tr("Import Sound"), QStringLiteral("sound"), sound_filter(), this);
  if (const QString chosen = dialog.ask(); !chosen.isEmpty()) import_sound(chosen, session_.playback.frame());
}

void MainWindow::import_sound(const QString& file, int frame) {
  hide_start_page();
  add_sound(session_.context, file, frame / session_.document.scene().settings.frame_rate);
}

void MainWindow::choose_append() {
  FileDialog chooser(FileDialog::For::open, tr("Append from Scene"), kScenes, scene_filter(), this);
  const QString chosen = chooser.ask();
  if (chosen.isEmpty()) return;
  hide_start_page();
  session_.elements.leave();  // whole objects come in
  auto* dialog = new AppendDialog(session_.context, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->read(chosen);
  dialog->open();
}

ImportDialog& MainWindow::fresh_import_dialog() {
  delete import_dialog_;  // another file was dropped while one was looked at
  import_dialog_ = new ImportDialog(session_.context, this);
  import_dialog_->setAttribute(Qt::WA_DeleteOnClose);
  return *import_dialog_;
}

void MainWindow::import_mesh(const QString& file) {
  hide_start_page();
  ImportDialog& dialog = fresh_import_dialog();
  dialog.read(QFileInfo(file).absoluteFilePath());
  dialog.open();
}

void MainWindow::adjust_mesh() {
  const Object* object = find_object(session_.document.scene(), session_.selection.active());
  if (!object || object->display.mesh.source.empty()) return;
  ImportDialog& dialog = fresh_import_dialog();
  dialog.adjust(*object);
  dialog.open();
}

void MainWindow::tell_of_mesh(const Diagnostic& problem, Id object) {
  if (object) session_.diagnostics.add_load_diagnostic(problem, object);
  messages_->show_message(object ? Severity::warning : Severity::error, sentence(problem));
}

void MainWindow::show_start_page() {
  place_start_page();
  start_page_->refresh();
  start_page_->show();
  start_page_->raise();
  start_page_->setFocus();
  if (recovery_shown()) raise_recovery();
}

void MainWindow::hide_start_page() {
  if (!start_page_->isHidden()) {
    start_page_->stop();
    start_page_->hide();
    session_.playback.tidy();
  }
  viewport_->setFocus();
  if (recovery_shown()) raise_recovery();
}

bool MainWindow::start_page_shown() const { return !start_page_->isHidden(); }

void MainWindow::place_start_page() {
  // It covers docks and view, not the menu bar: everything else would show an empty scene.
  const int top = menuWidget() ? menuWidget()->height() : 0;
  start_page_->setGeometry(0, top, width(), height() - top);
  recovery_page_->setGeometry(rect());  // the menu bar too: nothing else comes first
}

}  // namespace hazumi
