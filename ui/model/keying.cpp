#include "ui/model/keying.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/following.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr int kRest = 100;  // ms, between two looks at fields while playing

bool says_place(std::string_view field) {
  return field == "transform.position" || field == "transform.rotation" || field == kAlong;
}

QString step_text(const QString& verb, const Scene& scene, const QString& whose, const std::vector<KeyPlace>& places,
                  QString what = {}) {
  std::set<std::string_view> fields;
  for (const KeyPlace& place : places) fields.insert(place.field);
  if (!what.isEmpty()) fields.clear();
  if (what.isEmpty()) what = QObject::tr("%1 fields").arg(places.size());
  if (fields.size() == 1)
    if (const auto field = track_field(scene, places.front().target, places.front().field))
      what = text_of(field->range.label);
  if (fields.size() == 2 && fields.contains("transform.position") && fields.contains("transform.rotation"))
    what = QObject::tr("Place and Rotation");
  const QString text = verb.arg(what);
  return whose.isEmpty() ? text : QObject::tr("%1 of %2").arg(text, whose);
}

}  // namespace

Keying::Keying(DocumentController& document, PlaybackController& playback)
    : document_(document), playback_(playback), tracks_(document.scene().tracks) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, &Keying::shown_changed);
  const auto on_tracks = [this] {
    if (is_unchanged(tracks_, document_.scene().tracks)) return;
    tracks_ = document_.scene().tracks;
    emit shown_changed();
  };
  connect(&document_, &DocumentController::changed, this, on_tracks);
  connect(&document_, &DocumentController::document_replaced, this, on_tracks);
  const auto on_sets = [this] {
    const auto& sets = document_.scene().keying_sets;
    const auto is_active = [this](const auto& set) { return set->id == active_set_.own; };
    if (active_set_.kind == ActiveSet::Kind::own && std::none_of(sets.begin(), sets.end(), is_active))
      set_active_set({});
  };
  connect(&document_, &DocumentController::changed, this, on_sets);
  // Another scene has other sets; one may have the number of ours.
  connect(&document_, &DocumentController::document_replaced, this, [this] {
    if (active_set_.kind == ActiveSet::Kind::own) set_active_set({});
  });
  connect(&playback_, &PlaybackController::frame_changed, this, &Keying::on_frame);
  connect(&playback_, &PlaybackController::playing_changed, this, &Keying::on_frame);
  connect(&playback_, &PlaybackController::shown_changed, this, &Keying::on_frame);
}

void Keying::on_frame() {
  if (document_.scene().tracks.empty() && !automatic_) return;
  if (!playback_.playing())
    emit shown_changed();
  else if (!rest_.isActive())
    rest_.start();
}

double Keying::time() const { return playback_.frame() / document_.scene().settings.frame_rate; }

Shared<Scene> Keying::snapshot() const {
  const Shared<Scene> now = document_.snapshot();
  if (now->tracks.empty() && !automatic_) {
    moved_.clear();
    of_.reset();
    return now;
  }
  const FramePtr seen = playback_.shown();
  if (!of_ || !of_->same_as(now) || frame_ != playback_.frame() || seen_ != seen) {
    const std::set<Id> led = placed();
    moved_ = in_frame([&](Id id) { return automatic_ || led.contains(id); });
    shown_ = Shared<Scene>(shown_at(*now, time(), moved_));
    of_ = now;
    frame_ = playback_.frame();
    seen_ = seen;
  }
  return *shown_;
}

Status Keying::edit(const QString& text, Scene next, quint64 merge_key) {
  const Shared<Scene> shown = snapshot();
  if (const QString why = unseen_change(*shown, next); !why.isEmpty()) {
    emit document_.refused(why);
    return Diagnostics{{Severity::error, "", why.toStdString(), ""}};
  }
  return document_.edit(text, keyed(document_.scene(), *shown, std::move(next), time(), automatic_, moved_), merge_key);
}

void Keying::set_automatic(bool on) {
  if (on == automatic_) return;
  automatic_ = on;
  of_.reset();
  emit automatic_changed(on);
  emit shown_changed();
}

void Keying::set_active_set(const ActiveSet& set) {
  if (set == active_set_) return;
  active_set_ = set;
  emit active_set_changed();
}

KeyState Keying::state(const std::vector<KeyPlace>& places) const {
  const Scene& scene = document_.scene();
  if (scene.tracks.empty() || places.empty()) return KeyState::none;
  const double now = time();
  bool any = false, all = true;
  for (const KeyPlace& place : places) {
    const Track* track = find_track(scene, place.target, place.field);
    any = any || track;
    all = all && track && std::any_of(track->keys.begin(), track->keys.end(), [now](const Key& key) {
            return std::abs(key.time - now) <= kSameTime;
          });
  }
  return all ? KeyState::here : any ? KeyState::elsewhere : KeyState::none;
}

/// What of these is moved by physics at the frame that is shown.
std::set<Id> Keying::physics_has(const std::function<bool(Id)>& asked) const {
  const Scene& scene = document_.scene();
  const std::vector<LedTracks> all = led_objects(scene);
  std::set<Id> ids;
  for (const auto& object : scene.objects) {
    if (!body_kind(object->body.kind).moves || !asked(object->id)) continue;
    const auto led = std::lower_bound(all.begin(), all.end(), object->id,
                                      [](const LedTracks& one, Id id) { return one.object < id; });
    if (led == all.end() || led->object != object->id || !led_now(*led, *object, time())) ids.insert(object->id);
  }
  return ids;
}

/// Where the frame that is shown has what physics has moved.
MovedPoses Keying::in_frame(const std::function<bool(Id)>& asked) const {
  MovedPoses poses;
  const FramePtr frame = playback_.shown();
  if (!frame || frame->index == 0) return poses;
  const std::set<Id> seen = physics_has(asked);
  for (const ObjectFrame& object : frame->objects)
    if (seen.contains(object.id) && object.present)
      poses.emplace(object.id, Pose{object.position.cast<double>(), object.rotation.cast<double>().normalized()});
  return poses;
}

QString Keying::unseen(const std::set<Id>& ids) const {
  if (playback_.frame() == 0 || playback_.shown()) return {};
  const std::set<Id> moved = physics_has([&](Id id) { return ids.contains(id); });
  if (moved.empty()) return {};
  return tr("Frame %1 is not computed yet, so nobody knows where %2 is in it: wait until it is seen, then key it.")
      .arg(playback_.frame())
      .arg(QString::fromStdString(find_object(document_.scene(), *moved.begin())->name));
}

/// With auto-key: of what an edit of the scene that is shown moves.
QString Keying::unseen_change(const Scene& shown, const Scene& next) const {
  if (!automatic_ || playback_.frame() == 0 || playback_.shown()) return {};
  std::set<Id> ids;
  for (const auto& object : next.objects)
    if (const Object* was = find_object(shown, object->id))
      if (was->transform.position != object->transform.position ||
          was->transform.rotation.coeffs() != object->transform.rotation.coeffs())
        ids.insert(object->id);
  return unseen(ids);
}

std::set<Id> Keying::placed() const {
  std::set<Id> ids;
  for (const auto& track : document_.scene().tracks)
    if (says_place(track->field)) ids.insert(Id{track->target});
  return ids;
}

MovedPoses Keying::seen(const std::set<Id>& ids) const {
  return in_frame([&](Id id) { return ids.contains(id); });
}

Status Keying::set_keys(const QString& whose, const std::vector<KeyPlace>& places, const QString& what) {
  Scene next = document_.scene();
  std::set<Id> targets;
  for (const KeyPlace& place : places) targets.insert(Id{place.target});
  const bool places_asked =
      std::any_of(places.begin(), places.end(), [](const auto& p) { return says_place(p.field); });
  if (const QString why = places_asked ? unseen(targets) : QString(); !why.isEmpty())
    return Diagnostics{{Severity::error, "", why.toStdString(), ""}};
  const MovedPoses moved = seen(targets);
  Scene seen = shown_at(next, time(), moved);
  seen.tracks.clear();  // its fields have the values
  std::string problem;
  bool any = false;
  std::set<std::uint64_t> taken;  // from physics
  for (const KeyPlace& place : places) {
    if (std::string why = key_problem(next, place.target, place.field); !why.empty()) {
      problem = std::move(why);
      continue;
    }
    any = true;
    if (const auto value = value_at(seen, place.target, place.field, time()))
      next = with_key(std::move(next), place.target, place.field, time(), *value);
    if (says_place(place.field) && moved.contains(Id{place.target})) taken.insert(place.target);
  }
  for (const std::uint64_t target : taken) next = led_from_then(document_.scene(), std::move(next), target, time());
  if (!any && !problem.empty()) return Diagnostics{{Severity::error, places.front().field, problem, ""}};
  const QString text = step_text(tr("Key %1"), next, whose, places, what);
  return document_.edit(text, std::move(next));
}

Status Keying::delete_keys(const QString& whose, const std::vector<KeyPlace>& places, const QString& what) {
  Scene next = document_.scene();
  const QString text = step_text(tr("Delete Key of %1"), next, whose, places, what);
  for (const KeyPlace& place : places) next = without_key(std::move(next), place.target, place.field, time());
  return document_.edit(text, std::move(next));
}

Status Keying::delete_tracks(const QString& whose, const std::vector<KeyPlace>& places) {
  Scene next = document_.scene();
  const QString text = step_text(tr("Delete All Keys of %1"), next, whose, places);
  for (const KeyPlace& place : places) next = without_track(std::move(next), place.target, place.field, time());
  return document_.edit(text, std::move(next));
}

std::vector<int> Keying::key_frames(const std::set<Id>& of) const {
  const Scene& scene = document_.scene();
  std::vector<int> frames;
  for (const auto& track : scene.tracks) {
    if (!of.empty() && !of.contains(Id{listed_with(scene, *track)})) continue;
    for (const Key& key : track->keys)
      frames.push_back(static_cast<int>(std::lround(key.time * scene.settings.frame_rate)));
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

std::optional<int> Keying::key_frame(int direction, const std::set<Id>& of) const {
  const std::vector<int> frames = key_frames(of);
  const int now = playback_.frame();
  if (direction > 0) {
    const auto at = std::upper_bound(frames.begin(), frames.end(), now);
    return at == frames.end() ? std::nullopt : std::optional(*at);
  }
  const auto at = std::lower_bound(frames.begin(), frames.end(), now);
  return at == frames.begin() ? std::nullopt : std::optional(*std::prev(at));
}

}  // namespace hazumi
