#include "core/motion/compile.h"

#include "core/motion/tracks.h"

namespace hazumi {

Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshStore& meshes, const Model* before) {
  auto made = compile_bodies(scene, meshes, before);
  if (!made.ok()) return made.diagnostics();
  const std::shared_ptr<Model> model = *made;
  model->director = make_track_director(scene, *model);
  return Result<std::shared_ptr<const Model>>(model, made.diagnostics());
}

}  // namespace hazumi
