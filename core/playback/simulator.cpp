// Order of a run: state 0, sub-steps of frame 0, state 1, sub-steps of frame 1, … What is logged under frame k happened
// between state k and state k + 1. `logged` says how far the log is complete, so that running a stretch again (after a
// seek) logs nothing twice.
#include "core/playback/simulator.h"

#include <algorithm>
#include <cassert>
#include <typeinfo>

#include "core/scene/diff.h"

namespace hazumi {

int RunLog::first_frame(const Cause& cause) const {
  const std::int64_t substep = causes.first(cause);
  return substep == CauseLog::kNever ? kNoFrame : static_cast<int>(substep / substeps);
}

void RunLog::drop_from(int frame) {
  const auto begins = [](const std::pair<int, ContactEvent>& entry, int wanted) { return entry.first < wanted; };
  contacts.erase(std::lower_bound(contacts.begin(), contacts.end(), frame, begins), contacts.end());
  causes.drop_from(std::int64_t{frame} * substeps);
  if (failure && failure->first >= frame) failure.reset();
}

namespace {

/// States of one model mean something for the other: same bodies in the same places. (Which past is shared is for the
/// caller to know; this only keeps a wrong answer from reading the numbers of another body.)
bool same_layout(const Model& a, const Model& b) {
  const auto same_body = [](const Body& x, const Body& y) {
    return x.id == y.id && typeid(x) == typeid(y) && x.state_size() == y.state_size();
  };
  return a.substeps == b.substeps && a.step == b.step &&
         std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), same_body);
}

}  // namespace

struct Simulator::Data {
  std::shared_ptr<const Model> model;
  Executor executor;
  StepWorkspace workspace;

  State current;
  std::map<int, std::shared_ptr<const State>> checkpoints;  ///< always holds frame 0
  std::size_t bytes = 0;                                    ///< of the checkpoints
  std::size_t budget = std::size_t{256} << 20;
  int stride = 1;  ///< checkpoints are taken at multiples of it

  RunLog log;
  int logged = 0;                     ///< frames whose sub-steps are in the log
  std::vector<ContactEvent> pending;  ///< of the frame being stepped
  CauseLog pending_causes;

  Data(std::shared_ptr<const Model> m, int threads) : model(std::move(m)), executor(std::max(threads, 1)) {
    log.substeps = model->substeps;
  }

  int frame_of(const State& state) const { return static_cast<int>(state.substep / model->substeps); }
  bool at_frame_start(const State& state) const { return state.substep % model->substeps == 0; }

  void keep(int frame, std::shared_ptr<const State> state) {
    if (!checkpoints.emplace(frame, state).second) return;
    bytes += memory_use(*state);
    thin();
  }

  /// Evenly spaced: when the budget is used up every second one goes. A seek then costs at most `stride` frames, and
  /// which are kept depends on nothing but the order of frames and their sizes.
  void thin() {
    while (bytes > budget && checkpoints.size() > 1) {
      stride *= 2;
      for (auto it = checkpoints.begin(); it != checkpoints.end();) {
        if (it->first % stride == 0) {
          ++it;
          continue;
        }
        bytes -= memory_use(*it->second);
        it = checkpoints.erase(it);
      }
    }
  }

  void commit(int frame) {
    if (frame >= logged) {
      for (const ContactEvent& event : pending) log.contacts.emplace_back(frame, event);
      for (const auto& [cause, substep] : pending_causes.all()) log.causes.note(cause, substep);
      logged = frame + 1;
    }
    forget_pending();
  }
  void forget_pending() {
    pending.clear();
    pending_causes = {};
  }

  /// The position from which `frame` is reached soonest: where the run stands, or a checkpoint.
  void go_to_start(int frame) {
    auto it = std::prev(checkpoints.upper_bound(frame));
    const std::int64_t target = static_cast<std::int64_t>(frame) * model->substeps;
    const std::int64_t from = static_cast<std::int64_t>(it->first) * model->substeps;
    if (current.substep <= target && current.substep >= from) return;
    current = *it->second;
    forget_pending();
  }
};

Simulator::Simulator(std::shared_ptr<const Model> model, int threads)
    : data_(std::make_unique<Data>(std::move(model), threads)) {
  data_->current = initial_state(*data_->model);
  data_->keep(0, std::make_shared<const State>(data_->current));
}

Simulator::~Simulator() = default;

const Model& Simulator::model() const { return *data_->model; }
const RunLog& Simulator::log() const { return data_->log; }

const State* Simulator::state_at(int frame, const std::function<bool()>& cancelled) {
  Data& d = *data_;
  if (frame < 0 || (d.log.failure && frame > d.log.failure->first)) return nullptr;
  d.go_to_start(frame);
  const std::int64_t target = static_cast<std::int64_t>(frame) * d.model->substeps;
  while (d.current.substep < target) {
    if (cancelled && cancelled()) return nullptr;
    const int running = d.frame_of(d.current);
    const std::int64_t substep = d.current.substep;
    const auto touched = [&](Id a, Id b) {
      for (const Id id : {a, b}) d.pending_causes.note({id, Reading::contact}, substep);
    };
    StepReport report = step(*d.model, d.current, d.workspace, d.executor);
    if (!report.ok) {
      Diagnostic why = report.failure.value_or(Diagnostic{Severity::error, "", "The simulation could not be continued.",
                                                          "Raise the number of sub-steps per frame."});
      d.log.failure.emplace(running, std::move(why));
      d.forget_pending();
      // The state is somewhere inside the frame, its log is gone: start over at a checkpoint the next time.
      d.current = *std::prev(d.checkpoints.upper_bound(running))->second;
      return nullptr;
    }
    for (ContactEvent& event : report.contacts) {
      touched(event.a, event.b);
      d.pending.push_back(std::move(event));
    }
    for (const auto& [a, b] : report.touching) touched(a, b);
    if (d.at_frame_start(d.current)) {
      d.commit(running);
      if ((running + 1) % d.stride == 0 && !d.checkpoints.contains(running + 1))
        d.keep(running + 1, std::make_shared<const State>(d.current));
    }
  }
  return &d.current;
}

Frame Simulator::frame_at(int frame) {
  const State* state = state_at(frame);
  assert(state != nullptr);
  return make_frame(*data_->model, *state, frame, data_->executor);
}

void Simulator::set_checkpoint_budget(std::size_t bytes) {
  data_->budget = bytes;
  data_->thin();
}

void Simulator::adopt(const Simulator& other, int frame) {
  Data& d = *data_;
  const Data& from = *other.data_;
  // State `frame` may differ, so the sub-steps that lead to it (logged under frame − 1) may differ too.
  const int same = std::min(frame - 1, from.logged);
  if (same < 1 || !same_layout(*d.model, *from.model)) return;
  d.log = from.log;
  d.log.drop_from(same);
  d.logged = same;
  d.stride = std::max(d.stride, from.stride);
  for (auto it = from.checkpoints.begin(); it != from.checkpoints.end() && it->first <= same; ++it)
    d.keep(it->first, it->second);
}

std::vector<int> Simulator::checkpoints() const {
  std::vector<int> frames;
  for (const auto& [frame, state] : data_->checkpoints) frames.push_back(frame);
  return frames;
}

void Simulator::add_checkpoint(int frame, State state) {
  assert(state.substep == static_cast<std::int64_t>(frame) * data_->model->substeps);
  data_->keep(frame, std::make_shared<const State>(std::move(state)));
}

}  // namespace hazumi
