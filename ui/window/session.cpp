#include "ui/window/session.h"

#include <algorithm>
#include <thread>

#include "ui/model/commands.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

int simulation_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

Session::Session(int threads)
    : playback(document, threads), actions(command_tables()), autosave(document, autosave_folder()) {
  connect(&document, &DocumentController::changed, &ears_, [this](const ChangeSet& change) {
    if (change.structure) drop_missing(document.scene(), selection);
    actions.refresh();
  });
  connect(&document, &DocumentController::document_replaced, &ears_, [this] {
    selection.clear();
    actions.refresh();
  });
  const auto refresh = [this] { actions.refresh(); };
  connect(document.undo_stack(), &QUndoStack::indexChanged, &ears_, refresh);
  connect(&selection, &Selection::changed, &ears_, refresh);
  connect(&elements, &ElementSelection::changed, &ears_, refresh);
  connect(&elements, &ElementSelection::mode_changed, &ears_, refresh);
  connect(&playback, &PlaybackController::playing_changed, &ears_, refresh);
  connect(&playback, &PlaybackController::looping_changed, &ears_, refresh);
  document.reset(make_new_scene(), {});
  actions.attend(context, *this);
}

}  // namespace hazumi
