#include "core/export/tracked_skins.h"

#include <algorithm>
#include <thread>

#include "core/export/text_sink.h"
#include "core/playback/skins.h"

namespace hazumi {

TrackedSkins::TrackedSkins()
    : executor_(std::make_shared<Executor>(std::max(1, static_cast<int>(std::thread::hardware_concurrency())))) {}

bool TrackedSkins::any(const Scene& scene, const std::optional<Id>& wanted) {
  const auto objects = wanted_objects(scene, Frame{}, wanted);
  return std::any_of(objects.begin(), objects.end(), [](const auto& o) { return has_moving_metaballs(*o.first); });
}

TrackedSkins::Skin TrackedSkins::skin_of(Id object, SkinFrame frame) const {
  const auto mesh = trackers_.at(object).back().stretches()[frame.stretch].mesh;
  return {object, std::move(frame), mesh};
}

std::vector<TrackedSkins::Skin> TrackedSkins::add(const Scene& scene, const Frame& frame,
                                                  const std::optional<Id>& wanted) {
  std::vector<Skin> done;
  std::map<Id, bool> now;
  for (const auto& [object, moved] : wanted_objects(scene, frame, wanted)) {
    if (!has_moving_metaballs(*object) || moved == nullptr) continue;
    std::vector<SkinTracker>& own = trackers_[object->id];
    if (!there_[object->id]) own.emplace_back();
    now[object->id] = true;
    const Pose place{moved->position.cast<double>(), moved->rotation.cast<double>().normalized()};
    auto before = own.back().add(frame.index, frame.index / scene.settings.frame_rate,
                                 metaballs_in(scene, *object, frame), moved->surface, place, *executor_);
    if (before) done.push_back(skin_of(object->id, std::move(*before)));
  }
  for (const auto& [id, there] : there_)
    if (there && !now.contains(id))
      if (auto last = trackers_.at(id).back().last()) done.push_back(skin_of(id, std::move(*last)));
  std::sort(done.begin(), done.end(), [](const Skin& a, const Skin& b) { return a.object < b.object; });
  there_ = std::move(now);
  return done;
}

std::vector<TrackedSkins::Skin> TrackedSkins::finish() {
  std::vector<Skin> done;
  for (const auto& [id, there] : there_)
    if (auto last = there ? trackers_.at(id).back().last() : std::nullopt)
      done.push_back(skin_of(id, std::move(*last)));
  there_.clear();
  return done;
}

std::vector<MeshChange> TrackedSkins::changes() const {
  std::vector<MeshChange> all;
  for (const auto& [id, trackers] : trackers_)
    for (const SkinTracker& tracker : trackers)
      for (const SkinStretch& stretch : tracker.stretches())
        if (stretch.cut != SkinCut::beginning)
          all.push_back({id, stretch.first, stretch.cut == SkinCut::topology, cut_reason(stretch)});
  return all;
}

Diagnostics notes_of(const std::vector<MeshChange>& changes, const Scene& scene) {
  Diagnostics notes;
  for (const MeshChange& change : changes) {
    const Object* object = find_object(scene, change.object);
    notes.push_back({Severity::info, object ? object->name : "",
                     "A new mesh from frame " + std::to_string(change.frame) + ": " + change.what + ".", ""});
  }
  return notes;
}

}  // namespace hazumi
