#include "ui/window/session.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <thread>

#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/last_operation.h"
#include "ui/model/markers.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

/// What an edit took out of the selection with what it took out of the scene: selected again when an undo brings it back,
/// unless something else has been selected since.
class LostSelection {
 public:
  void on_structure(const Scene& scene, Selection& selection) {
    const std::set<Id> before = selection.ids();
    const Id active = selection.active();
    drop_missing(scene, selection);
    if (selection.ids() != before) {
      *this = LostSelection{before, selection.ids(), active};
      return;
    }
    const auto there = [&](Id id) { return visit_thing(scene, id, [](const auto&, const auto&) {}); };
    if (ids_.empty() || selection.ids() != left_ || !std::all_of(ids_.begin(), ids_.end(), there)) return;
    selection.set(ids_, active_);
    *this = {};
  }
  LostSelection() = default;

 private:
  LostSelection(std::set<Id> ids, std::set<Id> left, Id active)
      : ids_(std::move(ids)), left_(std::move(left)), active_(active) {}

  std::set<Id> ids_, left_;  ///< selected before, and after
  Id active_;
};

}  // namespace

int simulation_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

Session::Session(int threads)
    : playback(document, threads), actions(command_tables()), autosave(document, autosave_folder()) {
  const auto lost = std::make_shared<LostSelection>();
  connect(&document, &DocumentController::changed, &ears_, [this, lost](const ChangeSet& change) {
    if (change.structure) lost->on_structure(document.scene(), selection);
    actions.refresh();
  });
  connect(&document, &DocumentController::document_replaced, &ears_, [this, lost] {
    *lost = {};
    selection.clear();
    actions.refresh();
  });
  const auto refresh = [this] { actions.refresh(); };
  connect(document.undo_stack(), &QUndoStack::indexChanged, &ears_, refresh);
  connect(&document.last_operation(), &LastOperation::replaced, &ears_, refresh);
  connect(&selection, &Selection::changed, &ears_, refresh);
  connect(&isolation, &Isolation::changed, &ears_, refresh);
  connect(&keys, &KeySelection::changed, &ears_, refresh);
  connect(&elements, &ElementSelection::changed, &ears_, refresh);
  connect(&elements, &ElementSelection::mode_changed, &ears_, refresh);
  connect(&playback, &PlaybackController::playing_changed, &ears_, refresh);
  connect(&playback, &PlaybackController::manner_changed, &ears_, refresh);
  connect(&keying, &Keying::shown_changed, &ears_, refresh);
  connect(&keying, &Keying::automatic_changed, &ears_, refresh);
  connect(&keying, &Keying::active_set_changed, &ears_, refresh);
  // What overlaps at the start is known some time after an edit; the fill tells of itself thirty times a second.
  const auto told = std::make_shared<std::shared_ptr<const StartReport>>();
  connect(&playback, &PlaybackController::fill_changed, &ears_, [this, told] {
    if (const auto start = playback.status().start; start != *told) {
      *told = start;
      actions.refresh();
    }
  });
  // A later frame that is computed can be started from.
  const auto later = std::make_shared<bool>(false);
  connect(&playback, &PlaybackController::shown_changed, &ears_, [this, later] {
    if (const bool now = playback.frame() > 0 && playback.frame() < playback.cache().size(); now != *later) {
      *later = now;
      actions.refresh();
    }
  });
  // At a marker there is none to be set; before the first one none to go back to.
  const auto near = std::make_shared<std::array<bool, 3>>();
  const auto markers = [this, near] {
    const std::array<bool, 3> now{next_marker(context, -1) != nullptr,
                                  marker_at_frame(context, playback.frame()) != nullptr,
                                  next_marker(context, 1) != nullptr};
    if (now == *near) return;
    *near = now;
    actions.refresh();
  };
  connect(&playback, &PlaybackController::frame_changed, &ears_, markers);
  connect(&document, &DocumentController::changed, &ears_, markers);
  connect(&document, &DocumentController::document_replaced, &ears_, markers);
  playback.set_frame_limits(settings.frame_limits());
  const auto habits = [this] { autosave.set_on(preferences.now().autosave); };
  connect(&preferences, &PresentPreferences::changed, &ears_, habits);
  habits();
  // What cannot be put back when the dialog is cancelled.
  const auto for_good = [this] {
    document.set_undo_limit(preferences.now().undo_steps);
    autosave.set_trash_limits({preferences.now().trash_days, preferences.now().trash_size * 1'000'000LL});
  };
  connect(&preferences, &PresentPreferences::confirmed, &ears_, for_good);
  for_good();
  document.reset(make_new_scene(), {});
  actions.attend(context, *this);
}

}  // namespace hazumi
