// Fills the frame cache in a thread of its own. The interface hands in a scene snapshot and the first frame that is out
// of date and never waits: start() tells the worker to drop what it does and returns at once. Compile, step, mapping all
// happen in the worker. Undo finds frames of earlier runs again (kept by simulation signature). All frames and what runs keep to go on
// from share one budget of memory, and beyond it one of the disk (frame_store.h); when both are used up, earlier runs are given up,
// the oldest first, and then the fill stops: what a person has seen computed stays.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/shared.h"
#include "core/playback/frame_cache.h"
#include "core/playback/overlaps.h"
#include "core/playback/simulator.h"
#include "core/playback/skins.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// Which bodies overlap at the start of a run.
struct StartReport {
  std::uint64_t signature = 0;         ///< simulation_signature of the scene
  std::vector<Overlap> overlaps;       ///< ascending
  std::shared_ptr<const Model> model;  ///< for move_apart(); null when nothing overlaps
};

struct FillStatus {
  /// preparing: metaballs are polygonised, then compiling.
  enum class Phase { idle, preparing, compiling, running, complete, stopped } phase = Phase::idle;
  int prepared = 0, to_prepare = 0;          ///< phase preparing: groups of metaballs
  int computed = 0;                          ///< frames in the cache
  int wanted = 0;                            ///< last frame wanted + 1
  double frames_per_second = 0;              ///< of the computation, smoothed
  std::optional<Diagnostic> failure;         ///< phase stopped: object, reason, remedies
  std::shared_ptr<const StartReport> start;  ///< null: not known yet of this scene
};

/// A state of a run, with the model that it is of; both null: there is none.
using StateTaker = std::function<void(std::shared_ptr<const Model>, std::shared_ptr<const State>)>;

class BackgroundFill {
 public:
  /// `notify` is called from the worker after every frame and phase change (throttle and forward to your own thread).
  /// `meshes`: the store of the program; without it one of its own.
  BackgroundFill(FrameCache& cache, int threads, std::function<void()> notify,
                 std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>());
  ~BackgroundFill();  ///< stops the worker; waits at most one sub-step, or a fraction of a second for a polygoniser

  /// Another document: nothing of the runs before is of use any more, all that they have is given back. Then start().
  void forget();
  /// New scene version; frames ≥ first_frame are out of date (kNoFrame: none; then only the wanted range changes).
  void start(Shared<Scene> scene, int first_frame, int last_frame);
  /// The same, of a scene that takes the place of the present one for good: nobody comes back to that, as while a hand moves.
  void go_on(Shared<Scene> scene, int last_frame);
  void pause(bool paused);
  FillStatus status() const;
  std::shared_ptr<const RunLog> log() const;  ///< snapshot of the log so far; never null
  /// Of the last model that was made, which may be of an earlier scene.
  std::shared_ptr<const std::vector<SkinShape>> skins() const;
  int first_frame(const Cause& cause) const;  ///< for diff(): 0 when nothing is known
  /// Calls `take` once, from any thread, with the state at a frame of the present scene: exact, where frames are rounded for eyes.
  /// With null when another scene came, a new wish replaced this one, it was cancelled, or the run stops before. Waits while paused;
  /// not at all when the fill ends before.
  void want_state(int frame, StateTaker take, std::function<bool()> cancelled = {});
  /// Holds at once: frames go to the disk, runs that undo would find are given up, a fill that had no room goes on.
  void set_limits(FrameLimits limits);

 private:
  void take(Shared<Scene> scene, int first_frame, int last_frame, bool keep);
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
