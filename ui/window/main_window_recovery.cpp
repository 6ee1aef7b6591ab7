// Nothing lost: what a crash left behind, and a file that another program changed.
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "core/scene/file/recovery_folder.h"
#include "ui/jobs/autosave.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/recovery_page.h"
#include "ui/window/start_page.h"

namespace hazumi {

namespace {

std::filesystem::path path_of(const QString& file) { return std::filesystem::path(file.toStdString()); }

}  // namespace

void MainWindow::make_recovery() {
  recovery_page_ = new RecoveryPage(autosave_folder(), session_.autosave, this);
  recovery_page_->hide();
  connect(recovery_page_, &RecoveryPage::wanted, this, &MainWindow::recover);
  connect(recovery_page_, &RecoveryPage::closed, this, &MainWindow::hide_recovery);
  connect(&session_.document, &DocumentController::file_changed, &ears_,
          [this] { on_disk_ = FileStamp::of(QString::fromStdString(session_.document.file().string())); });
  // Not for every command, and not drawn again: a million triangles take a processor a third of a second.
  connect(&session_.autosave, &Autosave::written, &ears_, [this] {
    if (session_.autosave.wants_picture() && viewport_->isVisible()) session_.autosave.keep_picture(viewport_->shown());
  });
}

/// At the start, before anything else.
void MainWindow::offer_recovery() {
  if (!Autosave::left_behind(autosave_folder()).empty()) show_recovery();
}

void MainWindow::show_recovery() {
  recovery_page_->refresh();
  recovery_page_->show();
  raise_recovery();
}

void MainWindow::raise_recovery() {
  recovery_page_->raise();
  recovery_page_->setFocus();
}

void MainWindow::hide_recovery() {
  recovery_page_->hide();
  start_page_shown() ? start_page_->setFocus() : viewport_->setFocus();
}

bool MainWindow::recovery_shown() const { return !recovery_page_->isHidden(); }

void MainWindow::recover(const QString& folder) {
  if (!confirm_leaving()) return;
  const Autosave::Remains remains = Autosave::read(folder);
  Result<Scene> result = recover_scene(path_of(folder), path_of(remains.origin).parent_path());
  if (!result.ok()) {
    recovery_page_->show_problem(folder, tr("It cannot be read. %1").arg(sentence_of(result.error())));
    return;
  }
  const Diagnostics warnings = result.diagnostics();
  session_.open_job.cancel();
  keep_viewpoint();
  session_.document.reset(std::move(result.value()), path_of(remains.origin));
  session_.document.mark_unsaved();
  session_.diagnostics.set_load_diagnostics(warnings);
  const bool file_is_older = QFileInfo(remains.origin).lastModified() <= remains.time;
  on_disk_ = file_is_older ? FileStamp::of(remains.origin) : FileStamp{};  // else saving asks first
  recovery_page_->hide();
  hide_start_page();
  restore_layout();
  restore_viewpoint();
  update_title();
  if (!session_.autosave.adopt(folder))
    session_.autosave.write_now();  // another program has it: in a folder of our own
  const auto others = Autosave::left_behind(autosave_folder()).size();
  if (!warnings.empty())
    messages_->show_message(Severity::warning, sentence_of(warnings.front()));
  else if (others > 0)
    messages_->show_message(Severity::info,
                            (others == 1 ? tr("Another unsaved scene is kept: File > Unsaved Work…")
                                         : tr("%1 more unsaved scenes are kept: File > Unsaved Work…").arg(others)));
}

bool MainWindow::file_changed_elsewhere() const {
  const QString file = QString::fromStdString(session_.document.file().string());
  if (file.isEmpty()) return false;
  const FileStamp now = FileStamp::of(file);
  return now.there() && now != on_disk_;
}

/// The window comes back: told once for each change, above the view.
void MainWindow::tell_of_changed_file() {
  if (!recovery_page_ || session_.save_job.busy() || !file_changed_elsewhere()) return;
  const QString file = QString::fromStdString(session_.document.file().string());
  const FileStamp now = FileStamp::of(file);
  if (now == told_stamp_) return;
  told_stamp_ = now;
  const auto keep = [this, now] {
    on_disk_ = now;
    session_.document.mark_unsaved();  // what is open differs from its file
    update_title();
  };
  messages_->offer(
      session_.document.modified()
          ? tr("%1 was changed by another program, and you have changes of your own.").arg(QFileInfo(file).fileName())
          : tr("%1 was changed by another program.").arg(QFileInfo(file).fileName()),
      {{tr("Reload"), [this] { reload(); }}, {tr("Keep Mine"), keep}, {tr("Save As…"), [this] { (void)save_as(); }}});
}

void MainWindow::reload() {
  // Not kept at once, but to be had: a person may have pressed the wrong one.
  if (session_.document.modified()) session_.autosave.keep_in_trash();
  open_file(QString::fromStdString(session_.document.file().string()));
}

/// True: the file is to be overwritten.
bool MainWindow::ask_before_overwriting() {
  const QString name = QFileInfo(QString::fromStdString(session_.document.file().string())).fileName();
  QMessageBox box(QMessageBox::Warning, tr("Changed by Another Program"),
                  tr("“%1” was changed by another program since it was opened.").arg(name), QMessageBox::Cancel, this);
  box.setObjectName(QStringLiteral("changed_file"));
  box.setInformativeText(tr("Reload shows the other's version; yours then is in File > Unsaved Work for %1 days.")
                             .arg(session_.autosave.trash_limits().days));
  QPushButton* other = box.addButton(tr("Reload"), QMessageBox::DestructiveRole);
  QPushButton* mine = box.addButton(tr("Keep Mine"), QMessageBox::AcceptRole);
  QPushButton* as = box.addButton(tr("Save As…"), QMessageBox::ActionRole);
  box.setDefaultButton(as);
  box.exec();
  if (box.clickedButton() == mine) return true;
  if (box.clickedButton() == other) reload();
  if (box.clickedButton() == as) (void)save_as();
  return false;
}

}  // namespace hazumi
