// The lines of `hazumi-cli simulate SCENE --frames 0-LAST --digest --threads N`, from the core alone: builds without Qt (the
// sanitizers', by the other compiler) compare them with tests/golden/runs too.
//   hazumi-digests SCENE LAST THREADS
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "core/motion/compile.h"
#include "core/playback/digest.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"

namespace {

using namespace hazumi;

int run(const char* file, int last, int threads) {
  const Result<Scene> scene = load_scene(file);
  if (!scene) return std::fprintf(stderr, "%s\n", scene.error().message.c_str()), 1;
  MeshStore meshes;
  const auto surfaces = meshes.prepare(scene.value(), threads);
  const auto model = compile(scene.value(), meshes);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().message.c_str()), 1;
  Simulator simulator(model.value(), threads);
  simulator.set_checkpoint_budget(0);
  for (int frame = 0; frame <= last; ++frame) {
    const State* state = simulator.state_at(frame);
    if (!state) return std::fprintf(stderr, "%s stops before frame %d\n", file, frame), 1;
    std::printf("frame %d %016" PRIx64 " %016" PRIx64 "\n", frame, digest(simulator.frame_at(frame)),
                observables_digest(*model.value(), *state));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: hazumi-digests SCENE LAST THREADS\n", stderr), 2;
  return run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
}
