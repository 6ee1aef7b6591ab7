#include "ui/model/key_selection.h"

#include <algorithm>

#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostRemembered = 100;  // steps of undo

bool has(const KeyTimes& keys, const KeyRef& key) {
  const auto at = keys.find(key.track);
  return at != keys.end() && std::binary_search(at->second.begin(), at->second.end(), key.time);
}

}  // namespace

KeySelection::KeySelection(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document_, &DocumentController::changed, this, &KeySelection::on_change);
  connect(document_.undo_stack(), &QUndoStack::indexChanged, this, &KeySelection::on_step);
  connect(&document_, &DocumentController::document_replaced, this, [this] {
    before_ = document_.scene().tracks;
    remembered_.clear();
    step_ = 0;
    touched_ = false;
    set_tracks({});
    take({});
  });
  before_ = document_.scene().tracks;
}

std::size_t KeySelection::count() const {
  std::size_t count = 0;
  for (const auto& [track, times] : now_.keys) count += times.size();
  return count;
}

bool KeySelection::contains(const KeyRef& key) const { return has(now_.keys, key); }

void KeySelection::set(KeyTimes keys, std::optional<KeyRef> active) {
  take({std::move(keys), active ? active : now_.active});
  remember();
}

void KeySelection::add(const KeyTimes& keys, std::optional<KeyRef> active) {
  set(joined_keys(now_.keys, keys), active);
}

void KeySelection::remove(const KeyTimes& keys) {
  KeyTimes left;
  for (const auto& [track, times] : now_.keys)
    for (const double time : times)
      if (!has(keys, {track, time})) left[track].push_back(time);
  set(std::move(left));
}

void KeySelection::set_tracks(std::set<Id> tracks) {
  std::erase_if(tracks, [&](Id id) {
    return std::none_of(document_.scene().tracks.begin(), document_.scene().tracks.end(),
                        [&](const auto& track) { return track->id == id; });
  });
  if (tracks == tracks_) return;
  tracks_ = std::move(tracks);
  emit tracks_changed();
}

void KeySelection::set_shown(const QObject* editor, std::optional<std::set<Id>> tracks) {
  shown_[editor] = std::move(tracks);
  const std::size_t before = count();
  take(now_);
  if (count() != before) remember();
}

void KeySelection::set_hidden(const QObject* editor) { shown_.erase(editor); }

void KeySelection::leave_unseen(KeyTimes& keys) const {
  if (shown_.empty()) return;
  std::erase_if(keys, [&](const auto& of) {
    return std::none_of(shown_.begin(), shown_.end(),
                        [&](const auto& editor) { return !editor.second || editor.second->count(of.first) != 0; });
  });
}

void KeySelection::take(Chosen chosen) {
  chosen.keys = existing_keys(document_.scene(), chosen.keys);
  leave_unseen(chosen.keys);
  if (chosen.active && !has(chosen.keys, *chosen.active)) chosen.active.reset();
  if (!chosen.active && !chosen.keys.empty()) {
    const auto& [track, times] = *chosen.keys.rbegin();
    chosen.active = KeyRef{track, times.back()};
  }
  if (chosen.keys == now_.keys && chosen.active == now_.active) return;
  now_ = std::move(chosen);
  emit changed();
}

void KeySelection::on_change() {
  const auto& tracks = document_.scene().tracks;
  if (is_unchanged(before_, tracks)) return;
  before_ = tracks;
  touched_ = true;
  set_tracks(tracks_);
  take(now_);
}

/// The stack tells after the scene: what was done, taken back or done again stands at `step - 1` or `step`.
void KeySelection::on_step(int step) {
  step_ = step;
  const auto known = remembered_.find(step);
  if (!std::exchange(touched_, false)) return;
  if (known != remembered_.end() && known->second.step == last_step(step)) return take(*known->second.chosen);
  remember();
}

const QUndoCommand* KeySelection::last_step(int step) const {
  return step > 0 ? document_.undo_stack()->command(step - 1) : nullptr;
}

void KeySelection::remember() {
  // While a step is being pushed the stack does not count it yet: what is selected then belongs to it, and on_step() comes.
  if (touched_) return;
  remembered_[step_] = {last_step(step_), std::make_shared<const Chosen>(now_)};
  while (remembered_.size() > kMostRemembered)
    remembered_.erase(step_ - remembered_.begin()->first > remembered_.rbegin()->first - step_
                          ? remembered_.begin()
                          : std::prev(remembered_.end()));
}

}  // namespace hazumi
