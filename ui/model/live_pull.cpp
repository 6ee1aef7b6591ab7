#include "ui/model/live_pull.h"

#include <algorithm>

#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/elastic/pins.h"
#include "ui/model/document_controller.h"
#include "ui/model/joint_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

QString name_of_object(const Scene& scene, std::uint64_t id) {
  const Object* object = find_object(scene, Id{id});
  return object ? QString::fromStdString(object->name) : QString();
}

Key key_at(double time, const Vec3& place) {
  Key key;
  key.time = time;
  key.value = {place.x(), place.y(), place.z(), 0};
  key.shape = KeyShape::linear;
  return key;
}

Key switch_at(double time, bool on) {
  Key key;
  key.time = time;
  key.value = {on ? 1.0 : 0.0, 0, 0, 0};
  key.shape = KeyShape::step;
  return key;
}

void add_track(Scene& scene, Id joint, const char* field, std::vector<Key> keys) {
  Track track;
  track.id = next_id(scene);
  track.name = track_field(scene, joint.value, field)->range.label;
  track.target = joint.value;
  track.field = field;
  track.keys = std::move(keys);
  scene.tracks.push_back(Shared<Track>(std::move(track)));
}

}  // namespace

LivePull::LivePull(DocumentController& document, PlaybackController& playback, Selection& selection)
    : document_(document), playback_(playback), selection_(selection) {
  connect(&playback_, &PlaybackController::frame_changed, this, &LivePull::on_frame);
  connect(&playback_, &PlaybackController::beside_ended, this, &LivePull::forget);
}

/// The document with what was pulled in the run that is shown. Where the mouse rests its keys are two: that tells a run the same.
Scene LivePull::with_pulls() const {
  Scene scene = document_.scene();
  const double frame = 1 / scene.settings.frame_rate;
  for (const Pull& pull : pulls_) {
    Joint joint = pull.joint;
    joint.id = next_id(scene);
    joint.name = unique_name(scene, joint.name);
    scene.joints.push_back(Shared<Joint>(joint));
    std::vector<Key> places, on;
    for (std::size_t k = 0; k < pull.places.size(); ++k) {
      const bool rests = k > 0 && k + 1 < pull.places.size() && pull.places[k - 1] == pull.places[k] &&
                         pull.places[k] == pull.places[k + 1];
      if (!rests) places.push_back(key_at((pull.from + static_cast<int>(k)) * frame, pull.places[k]));
    }
    if (pull.from > 0) on.push_back(switch_at(0, false));
    on.push_back(switch_at(pull.from * frame, true));
    if (pull.until >= 0) on.push_back(switch_at(pull.until * frame, false));
    add_track(scene, joint.id, "on", std::move(on));
    add_track(scene, joint.id, "b.place", std::move(places));
  }
  return scene;
}

QString LivePull::take(Id object, const Vec3& place, const Vec3& at) {
  if (holds_) return {};
  const Scene& scene = document_.scene();
  const Object* of = find_object(scene, object);
  const int frame = playback_.frame();
  if (!of) return hazumi::tr("There is nothing to pull here.");
  const QString name = QString::fromStdString(of->name);
  if (!playback_.shown())
    return hazumi::tr("This frame has not been computed yet; wait a moment to pull %1.").arg(name);
  if (frame >= playback_.range().last) return hazumi::tr("This is the last frame; go back to pull %1.").arg(name);
  for (const LedTracks& led : led_objects(scene))
    if (led.object == object && !led.led && body_kind(of->body.kind).moves)
      return hazumi::tr("%1 goes where its keys lead it; delete its keys to pull it.").arg(name);
  if (is_stiff(of->body)) {
    const Truss truss = object_truss(*of, *document_.meshes().mesh(*of));
    if (pin_frame(truss.nodes, truss.pinned).kind == PinKind::held)
      return hazumi::tr("%1 hangs on its pins and cannot turn; take some of them away to pull it.").arg(name);
  }
  Pull pull;
  pull.joint.kind = JointKind::pull;
  pull.joint.name = hazumi::tr("Pull %1").arg(name).toStdString();
  pull.joint.a = {object.value, place};
  pull.joint.b.place = at;
  pull.from = frame;
  pull.places = {at, at};
  pulls_.push_back(std::move(pull));
  const Scene next = with_pulls();
  for (const FaultyJoint& fault : joint_faults(next))
    if (fault.joint == next.joints.back()->id) {
      pulls_.pop_back();
      const bool still = fault.fault == JointFault::still;
      return still ? hazumi::tr("%1 does not move; make it rigid or flexible to pull it.").arg(name)
                   : QString::fromStdString(fault.message);
    }
  holds_ = true;
  at_ = at;
  run();
  playback_.play(true);
  emit changed();
  return {};
}

void LivePull::run() {
  const int last = document_.scene().settings.last_frame;
  const Pull& now = pulls_.back();
  const int told = now.from + static_cast<int>(now.places.size()) - 1;
  playback_.run_beside(Shared<Scene>(with_pulls()), holds_ ? std::min(told, last) : last);
}

void LivePull::move(const Vec3& at) {
  if (!holds_ || at == at_) return;
  const Vec3& last = pulls_.back().places.back();
  if ((at - last).norm() * document_.scene().settings.frame_rate > 0.999 * kFastestTarget) {
    emit told(hazumi::tr("A hand pulls at up to 10,000 m/s; move the mouse more slowly, or come nearer."));
    return;
  }
  at_ = at;
  emit changed();
}

void LivePull::on_frame(int frame) {
  if (!holds_) return;
  Pull& pull = pulls_.back();
  const int told = pull.from + static_cast<int>(pull.places.size()) - 1;
  if (frame < told) return;
  if (frame >= playback_.range().last) return let_go();
  pull.places.push_back(at_);
  run();
}

void LivePull::let_go() {
  if (!holds_) return;
  holds_ = false;
  Pull& pull = pulls_.back();
  pull.until = pull.from + static_cast<int>(pull.places.size()) - 1;
  run();
  if (records_)
    keep();
  else
    emit changed();
}

bool LivePull::keep() {
  if (pulls_.empty()) return false;
  if (holds_) let_go();
  if (pulls_.empty()) return true;  // recorded
  const Scene next = with_pulls();
  const std::size_t count = pulls_.size();
  const QString what = count == 1 ? name_of_object(next, pulls_.front().joint.a.object) : QString();
  std::set<Id> made;
  for (std::size_t k = next.joints.size() - count; k < next.joints.size(); ++k) made.insert(next.joints[k]->id);
  const QString text = count == 1 ? hazumi::tr("Pull %1").arg(what) : hazumi::tr("Keep %1 Pulls").arg(count);
  const bool kept = playback_.adopt_beside([&] { return document_.edit(text, next).ok(); });
  if (kept) {
    pulls_.clear();
    selection_.set(made);
  }
  emit changed();
  return kept;
}

void LivePull::give_up() {
  if (pulls_.empty()) return;
  forget();
  playback_.end_beside();
}

void LivePull::forget() {
  if (pulls_.empty()) return;
  pulls_.clear();
  holds_ = false;
  emit changed();
}

void LivePull::set_records(bool on) {
  if (records_ == on) return;
  records_ = on;
  emit changed();
}

}  // namespace hazumi
