// What a crash leaves, made without one: the folder of a session that runs, copied without its lock.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/scene/file/recovery_folder.h"
#include "tests/support/full_disk.h"
#include "tests/ui/flow_support.h"
#include "ui/editors/import_dialog.h"
#include "ui/jobs/autosave.h"
#include "ui/window/recovery_page.h"

namespace hazumi::test {

/// What a scene is, whatever its meshes are called: its text without their names, and their contents.
inline std::string what_it_is(Scene scene) {
  std::string meshes;
  for (auto& object : scene.objects) {
    if (object->display.kind != DisplayKind::mesh) continue;
    meshes += " " + std::to_string(object->display.mesh.mesh ? object->display.mesh.content : 0);
    object = object.edited([](Object& o) { o.display.mesh.file = "mesh"; });
  }
  scene.layout.clear();
  return scene_to_text(scene) + meshes;
}

inline std::vector<Autosave::Remains> left_behind() { return Autosave::left_behind(autosave_folder()); }

/// All that the program has written of the present scene.
inline void kept(Session& session) {
  REQUIRE(wait_for([&] {
    const Result<Scene> there =
        recover_scene(session.autosave.folder().toStdString(), session.document.file().parent_path());
    return there.ok() && what_it_is(*there) == what_it_is(session.document.scene());
  }));
}

/// The session goes on; what a crash would leave now lies beside it under `name`.
inline QString crash(Session& session, const char* name) {
  kept(session);
  session.autosave.wait();
  const QString folder = autosave_folder() + '/' + name;
  std::filesystem::copy(session.autosave.folder().toStdString(), folder.toStdString(),
                        std::filesystem::copy_options::recursive);
  QFile::remove(folder + "/lock");
  return folder;
}

inline QString crashed(const char* name, const QString& origin, const Scene& scene = ball_scene()) {
  const QString folder = autosave_folder() + '/' + name;
  QDir().mkpath(folder);
  REQUIRE(keep_for_recovery(scene, folder.toStdString()).ok());
  write_file(folder + "/origin.txt", origin.toUtf8());
  return folder;
}

struct RecoveryFlow : Flow {
  ~RecoveryFlow() {
    window.settings().clear_recent_files();
    for (const char* kind : {"", "/trash"})
      for (const QFileInfo& info : QDir(autosave_folder() + kind).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (info.filePath() != session.autosave.folder()) QDir(info.filePath()).removeRecursively();
  }
  RecoveryPage& page() { return *window.findChild<RecoveryPage*>(); }
  QFrame* card(const QString& folder) {
    QTest::qWait(20);
    for (QFrame* frame : page().findChildren<QFrame*>("recovery_card"))
      if (frame->property("folder").toString() == folder) return frame;
    FAIL("no card for " << folder.toStdString());
    return nullptr;
  }
  /// Where a person sees it: through the window, so that what lies over it gets the click instead.
  void press(QPushButton* button) {
    REQUIRE(button);
    REQUIRE(button->isVisible());
    const QPoint at = button->mapTo(&window, button->rect().center());
    REQUIRE(window.childAt(at) == button);
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, at);
    QTest::qWait(30);
  }
  void press(const QString& folder, const char* name) { press(card(folder)->findChild<QPushButton*>(name)); }

  /// By the dialog, as it stands.
  void import(const QString& file) {
    window.import_mesh(file);
    QPointer<ImportDialog> dialog = window.findChild<ImportDialog*>();
    REQUIRE(dialog);
    REQUIRE(wait_for([&] { return dialog->ready(); }));
    auto* start = dialog->findChild<QPushButton*>("import_start");
    REQUIRE(wait_for([&] { return start->isEnabled(); }));
    click_in(start, start->rect().center());
    REQUIRE(wait_for([&] { return dialog.isNull(); }));
  }
};

}  // namespace hazumi::test
