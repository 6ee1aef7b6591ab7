// Runs a model and answers "what is the state at frame f": from the nearest checkpoint at or before f. Not thread-safe;
// owned by one worker (or by the command line). Checkpoints are thinned to stay within a memory budget.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/playback/cause_log.h"
#include "core/playback/frame.h"
#include "core/playback/measures.h"
#include "core/sim/step.h"

namespace hazumi {

/// What happened in a run; kept apart from the state because no step reads it.
struct RunLog {
  RunClock clock{0, 1};                                ///< which sub-steps are of which frame
  std::vector<std::pair<int, ContactEvent>> contacts;  ///< (frame in which it began, event)
  std::vector<std::pair<int, ContactGift>> gifts;      ///< (frame, what an overlap at the start was given)
  std::vector<std::pair<int, MotionMark>> motion;      ///< (frame, what boxes of motion graphs did)
  std::vector<std::pair<int, CopyDenied>> denied;      ///< (frame, of each the first)
  std::vector<std::pair<int, CopiesWaiting>>
      waiting;          ///< (frame, from which on it is so), of each source; none: no entry yet, or 0
  MeasureLog measures;  ///< of collisions with something that deforms
  CauseLog causes;      ///< from when on what an edit may change mattered
  std::optional<std::pair<int, Diagnostic>> failure;  ///< last good frame, why the run stopped
  /// Frame in which the cause was first there, for diff(); kNoFrame: in none that is logged.
  int first_frame(const Cause& cause) const;
  void drop_from(int frame);
  /// How many of the source wait as the last of the frames ends that are logged, and for what.
  CopiesWaiting waits(Id source) const;
  /// Takes over what another log has of the frame; failures not.
  void add_frame(const RunLog& other, int frame);
  /// What the director did at time 0 was this: of a run that goes on with what is the same of another one.
  void begin_with(const std::vector<MotionMark>& marks);
  /// Per collision what is known of it by now; nothing where both are rigid.
  std::vector<std::optional<ContactMeasure>> measured() const;
};

/// Frame to show for a state: display vertices mapped, poses of object frames.
Frame make_frame(const Model& model, const State& state, int index, Executor& executor);

class Simulator {
 public:
  Simulator(std::shared_ptr<const Model> model, int threads);
  ~Simulator();

  const Model& model() const;
  std::shared_ptr<const Model> shared_model() const;
  /// State at the start of frame f; nullptr when the run stopped before f (see log().failure). `cancelled`, when
  /// given, is asked at every sub-step; true gives nullptr.
  const State* state_at(int frame, const std::function<bool()>& cancelled = {});
  Frame frame_at(int frame);  ///< state_at must have succeeded for it
  const RunLog& log() const;
  const std::vector<MotionMark>& start_marks() const;  ///< what the director did at time 0

  void set_checkpoint_budget(std::size_t bytes);  ///< default 256 MiB
  std::size_t checkpoint_bytes() const;
  /// Takes over the checkpoints and log ≤ frame of another simulator whose model has the same past up to there (an
  /// edit whose first_frame is `frame`), so that work before an edit is not repeated.
  void adopt(const Simulator& other, int frame);
  /// Goes on with a model of the same bodies and joints that is told otherwise from sub-steps on whose first frame is `frame`: what
  /// was worked out before stays.
  void go_on_with(std::shared_ptr<const Model> model, int frame);
  std::vector<int> checkpoints() const;
  void add_checkpoint(int frame, State state);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
