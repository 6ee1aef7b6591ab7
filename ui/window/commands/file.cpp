// Files: new, open, save, import, export.
#include "ui/model/context.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"
#include "ui/window/main_window.h"

namespace hazumi {

const CommandTable& commands_file() {
  static const Command rows[] = {
      {"file.new", "&New", "new", "Ctrl+N", "File", "Start a scene with a floor and a light.",
       [](MainWindow& w) {
         if (w.confirm_leaving()) w.new_scene();
       }},
      {"file.open", "&Open…", "open", "Ctrl+O", "File", "Open a scene file.", [](MainWindow& w) { w.choose_file(); }},
      {"file.gallery", "&Gallery", "gallery", "Ctrl+Shift+O", "File", "Shipped scenes and the files you used last.",
       [](MainWindow& w) { w.show_start_page(); }},
      {"file.recovery", "&Unsaved Work…", "", "", "File",
       "Scenes that were not saved when Hazumi ended unexpectedly, and those that were discarded.",
       [](MainWindow& w) { w.show_recovery(); }},
      {"file.save", "&Save", "save", "Ctrl+S", "File", "Write the scene to its file.",
       [](MainWindow& w) { (void)w.save(); }, nullptr, nullptr, true},
      {"file.save_as", "Save &As…", "", "Ctrl+Shift+S", "File", "Write the scene to another file.",
       [](MainWindow& w) { (void)w.save_as(); }},
      {"file.import", "&Import Mesh…", "import", "Ctrl+Shift+I", "File",
       "Bring in a mesh file: OBJ, PLY, STL, OFF, glTF, FBX or Collada.", [](MainWindow& w) { w.choose_mesh(); },
       nullptr, nullptr, true},
      {"file.import_sound", "Import So&und…", "sound", "", "File",
       "Bring in a sound that is heard while the motion plays: WAV, FLAC, OGG or MP3; it begins at the play head.",
       [](MainWindow& w) { w.choose_sound(); }},
      {"file.append", "Append from S&cene…", "append", "", "File", "Bring in objects and lights of another scene file.",
       [](MainWindow& w) { w.choose_append(); }},
      {"file.export_images", "&Export…", "export", "Ctrl+E", "File",
       "Write pictures, models, animation or data as files.", [](MainWindow& w) { w.export_images(); }},
      {"file.quit", "&Quit", "", "Ctrl+Q", "File", "Close Hazumi.", [](MainWindow& w) { w.close(); }, nullptr, nullptr,
       true},
  };
  static const CommandTable table{1, rows};
  return table;
}

}  // namespace hazumi
