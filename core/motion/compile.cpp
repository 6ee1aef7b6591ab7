#include "core/motion/compile.h"

#include <algorithm>

#include "core/motion/check.h"
#include "core/motion/director.h"
#include "core/motion/tracks.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/diff.h"

namespace hazumi {

Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshStore& meshes, const Model* before) {
  auto made = compile_bodies(scene, meshes, before);
  if (!made.ok()) return made.diagnostics();
  const std::shared_ptr<Model> model = *made;
  model->director = make_motion_director(scene, *model, make_track_director(scene, *model));
  Diagnostics said = made.diagnostics();
  for (Diagnostic& warning : motion_warnings(scene)) said.push_back(std::move(warning));
  return Result<std::shared_ptr<const Model>>(model, std::move(said));
}

std::shared_ptr<const Model> retold(const Model& model, const Scene& scene) {
  auto next = std::make_shared<Model>(model);
  next->signature = simulation_signature(scene);
  next->director = make_motion_director(scene, *next, make_track_director(scene, *next));
  return next;
}

bool only_pulls_differ(const Scene& before, const Scene& after) {
  if (before.joints.empty() || before.joints.size() != after.joints.size()) return false;
  const ChangeSet change = diff(before, after, {});
  if (change.settings || !change.simulation) return false;
  const auto keys_of_pull = [](const Scene& scene, Id id) {
    const auto at = std::find_if(scene.tracks.begin(), scene.tracks.end(), [id](const auto& t) { return t->id == id; });
    const Joint* joint = at == scene.tracks.end() ? nullptr : find_joint(scene, Id{(*at)->target});
    return joint && joint->kind == JointKind::pull;
  };
  for (const Id id : change.objects)
    if (!keys_of_pull(before, id) || !keys_of_pull(after, id)) return false;
  for (std::size_t j = 0; j < before.joints.size(); ++j) {
    if (before.joints[j]->kind != JointKind::pull) continue;
    // Whether it is part of a run at all.
    const JointTracks was = tracks_of_joint(before, before.joints[j]), is = tracks_of_joint(after, after.joints[j]);
    if ((was.hasty != nullptr) != (is.hasty != nullptr) || !ever_on(before, *before.joints[j]) ||
        !ever_on(after, *after.joints[j]))
      return false;
  }
  return true;
}

}  // namespace hazumi
