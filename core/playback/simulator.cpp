// Order of a run: state 0, sub-steps of frame 0, state 1, sub-steps of frame 1, … What is logged under frame k happened
// between state k and state k + 1. `logged` says how far the log is complete, so that running a stretch again (after a
// seek) logs nothing twice.
#include "core/playback/simulator.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <typeinfo>
#include <utility>

#include "core/playback/collision_shape.h"
#include "core/scene/diff.h"
#include "core/sim/constraint/sleep.h"

namespace hazumi {

int RunLog::first_frame(const Cause& cause) const {
  const std::int64_t substep = causes.first(cause);
  return substep == CauseLog::kNever ? kNoFrame : static_cast<int>(substep / substeps);
}

void RunLog::drop_from(int frame) {
  const auto begins = [](const auto& entry, int wanted) { return entry.first < wanted; };
  contacts.erase(std::lower_bound(contacts.begin(), contacts.end(), frame, begins), contacts.end());
  gifts.erase(std::lower_bound(gifts.begin(), gifts.end(), frame, begins), gifts.end());
  measures.erase(std::lower_bound(measures.begin(), measures.end(), frame, begins), measures.end());
  causes.drop_from(std::int64_t{frame} * substeps);
  if (failure && failure->first >= frame) failure.reset();
}

void RunLog::add_frame(const RunLog& other, int frame) {
  const auto copy = [frame](const auto& from, auto& to) {
    const auto begins = [](const auto& entry, int wanted) { return entry.first < wanted; };
    for (auto it = std::lower_bound(from.begin(), from.end(), frame, begins); it != from.end() && it->first == frame;
         ++it)
      to.push_back(*it);
  };
  copy(other.contacts, contacts);
  copy(other.gifts, gifts);
  copy(other.measures, measures);
  substeps = other.substeps;
  const std::int64_t first = std::int64_t{frame} * substeps;
  causes.note_from(other.causes, first, first + substeps);
}

std::vector<std::optional<ContactMeasure>> RunLog::measured() const {
  std::vector<std::optional<ContactMeasure>> latest(contacts.size());
  for (const auto& [frame, measure] : measures) latest[measure.event] = measure;
  return latest;
}

namespace {

bool in_order(const ContactMark& x, const ContactMark& y) { return x.key < y.key; }

/// Adds what held in a sub-step to what held in those before it; both ascending.
void add_marks(std::vector<ContactMark> now, std::vector<ContactMark>& sum) {
  if (sum.empty()) return sum.swap(now);
  std::vector<ContactMark> merged;
  merged.reserve(std::max(sum.size(), now.size()));
  auto before = sum.begin();
  for (ContactMark& mark : now) {
    while (before != sum.end() && in_order(*before, mark)) merged.push_back(*before++);
    if (before != sum.end() && !in_order(mark, *before)) mark.impulse += before++->impulse;
    merged.push_back(mark);
  }
  merged.insert(merged.end(), before, sum.end());
  sum.swap(merged);
}

/// Rows of what sleeps (constraint/sleep.h) stay where they were, with the λ that holds them.
void add_sleepers(const State& state, int substeps, const std::vector<ContactMark>& before,
                  std::vector<ContactMark>& sum) {
  std::vector<ContactMark> asleep;
  for (const RowMemory& row : state.rows) {
    if ((row.unloading & kAsleep) == 0) continue;
    ContactMark wanted;
    wanted.key = row.key;
    for (const std::vector<ContactMark>* known : {&std::as_const(sum), &before})
      if (const auto at = std::lower_bound(known->begin(), known->end(), wanted, in_order);
          at != known->end() && at->key == row.key) {
        asleep.push_back(*at);
        asleep.back().impulse = substeps * row.impulse;
        break;
      }
  }
  if (asleep.empty()) return;
  std::vector<ContactMark> awake;
  std::set_difference(sum.begin(), sum.end(), asleep.begin(), asleep.end(), std::back_inserter(awake), in_order);
  sum.clear();
  std::merge(awake.begin(), awake.end(), asleep.begin(), asleep.end(), std::back_inserter(sum), in_order);
}

/// Contacts give back no more than they took (constraint/account.h). Where HAZUMI_CHECK_ACCOUNTS is set, as it is in the tests, a run
/// that breaks this ends the program, whoever it is that runs.
void check_accounts(const StepReport& report, std::int64_t substep) {
  static const bool wanted = std::getenv("HAZUMI_CHECK_ACCOUNTS") != nullptr;
  if (!wanted || report.figures.least_account >= 0) return;
  std::fprintf(stderr, "Sub-step %lld: an account of contacts is overdrawn by %g J.\n", static_cast<long long>(substep),
               -report.figures.least_account);
  std::abort();
}

/// Where a run can go on: the state at a frame, and what held since the frame before.
struct Moment {
  State state;
  std::vector<ContactMark> marks;
  std::size_t bytes() const { return memory_use(state) + marks.size() * sizeof(ContactMark); }
};

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
  std::vector<ContactMark> marks;                            ///< that held in the last whole frame
  std::vector<ContactMark> running;                          ///< in the frame being stepped
  std::map<int, std::shared_ptr<const Moment>> checkpoints;  ///< always holds frame 0
  std::size_t bytes = 0;                                     ///< of the checkpoints
  std::size_t budget = std::size_t{256} << 20;
  int stride = 1;  ///< checkpoints are taken at multiples of it

  RunLog log;
  int logged = 0;                     ///< frames whose sub-steps are in the log
  std::vector<ContactEvent> pending;  ///< of the frame being stepped
  std::vector<ContactGift> pending_gifts;
  CauseLog pending_causes;
  Measures measures, pending_measures;                        ///< at the end of the log; in the frame being stepped
  std::shared_ptr<const std::vector<CollisionShape>> shapes;  ///< for frames; made with the first of them

  Data(std::shared_ptr<const Model> m, int threads) : model(std::move(m)), executor(std::max(threads, 1)) {
    log.substeps = model->substeps;
  }

  int frame_of(const State& state) const { return static_cast<int>(state.substep / model->substeps); }
  bool at_frame_start(const State& state) const { return state.substep % model->substeps == 0; }

  void keep(int frame, std::shared_ptr<const Moment> moment) {
    if (!checkpoints.emplace(frame, moment).second) return;
    bytes += moment->bytes();
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
        bytes -= it->second->bytes();
        it = checkpoints.erase(it);
      }
    }
  }

  void commit(int frame) {
    if (frame >= logged) {
      for (const ContactEvent& event : pending) log.contacts.emplace_back(frame, event);
      for (const ContactGift& gift : pending_gifts) log.gifts.emplace_back(frame, gift);
      measures = pending_measures;
      measures.end_frame(frame, log.measures);
      for (const auto& [cause, substep] : pending_causes.all()) log.causes.note(cause, substep);
      logged = frame + 1;
    }
    forget_pending();
  }
  void forget_pending() {
    pending.clear();
    pending_gifts.clear();
    pending_causes = {};
  }

  void go_to(const Moment& moment) {
    current = moment.state;
    marks = moment.marks;
    running.clear();
    forget_pending();
  }
  /// A frame has been stepped through.
  void end_frame() {
    add_sleepers(current, model->substeps, marks, running);
    marks.swap(running);
    running.clear();
  }

  /// The position from which `frame` is reached soonest: where the run stands, or a checkpoint.
  void go_to_start(int frame) {
    auto it = std::prev(checkpoints.upper_bound(frame));
    const std::int64_t target = static_cast<std::int64_t>(frame) * model->substeps;
    const std::int64_t from = static_cast<std::int64_t>(it->first) * model->substeps;
    if (current.substep <= target && current.substep >= from) return;
    go_to(*it->second);
  }
};

Simulator::Simulator(std::shared_ptr<const Model> model, int threads)
    : data_(std::make_unique<Data>(std::move(model), threads)) {
  data_->current = initial_state(*data_->model);
  data_->keep(0, std::make_shared<const Moment>(Moment{data_->current, {}}));
}

Simulator::~Simulator() = default;

const Model& Simulator::model() const { return *data_->model; }
std::shared_ptr<const Model> Simulator::shared_model() const { return data_->model; }
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
    if (d.at_frame_start(d.current)) d.pending_measures = d.measures;
    const auto touched = [&](Id a, Id b) {
      for (const Id id : {a, b}) d.pending_causes.note({id, Reading::contact}, substep);
    };
    StepReport report = step(*d.model, d.current, d.workspace, d.executor);
    if (!report.ok) {
      Diagnostic why = report.failure.value_or(Diagnostic{Severity::error, "", "The simulation could not be continued.",
                                                          "Raise the number of sub-steps per frame."});
      d.log.failure.emplace(running, std::move(why));
      // The state is somewhere inside the frame, its log is gone: start over at a checkpoint the next time.
      d.go_to(*std::prev(d.checkpoints.upper_bound(running))->second);
      return nullptr;
    }
    check_accounts(report, substep);
    if (running >= d.logged) d.pending_measures.add(*d.model, d.current, substep, report);
    for (ContactEvent& event : report.contacts) {
      touched(event.a, event.b);
      d.pending.push_back(std::move(event));
    }
    for (const ContactGift& gift : report.gifts) d.pending_gifts.push_back(gift);
    for (const auto& [a, b] : report.touching) touched(a, b);
    add_marks(std::move(report.marks), d.running);
    if (d.at_frame_start(d.current)) {
      d.commit(running);
      d.end_frame();
      if ((running + 1) % d.stride == 0 && !d.checkpoints.contains(running + 1))
        d.keep(running + 1, std::make_shared<const Moment>(Moment{d.current, d.marks}));
    }
  }
  return &d.current;
}

Frame Simulator::frame_at(int frame) {
  const State* state = state_at(frame);
  assert(state != nullptr);
  Data& d = *data_;
  Frame out = make_frame(*d.model, *state, frame, d.executor);
  if (!d.shapes) d.shapes = std::make_shared<const std::vector<CollisionShape>>(collision_shapes(*d.model));
  out.shapes = d.shapes;
  const double time = d.model->substeps * d.model->step;
  out.contacts.reserve(d.marks.size());
  for (const ContactMark& mark : d.marks)
    out.contacts.push_back(
        {mark.a, mark.b, mark.point.cast<float>(), mark.normal.cast<float>(), Vec3(mark.impulse / time).cast<float>()});
  return out;
}

void Simulator::set_checkpoint_budget(std::size_t bytes) {
  data_->budget = bytes;
  data_->thin();
}

std::size_t Simulator::checkpoint_bytes() const { return data_->bytes; }

void Simulator::adopt(const Simulator& other, int frame) {
  Data& d = *data_;
  const Data& from = *other.data_;
  // State `frame` may differ, so the sub-steps that lead to it (logged under frame − 1) may differ too.
  const int same = std::min(frame - 1, from.logged);
  if (same < 1 || !same_layout(*d.model, *from.model)) return;
  d.log = from.log;
  d.log.drop_from(same);
  d.logged = same;
  d.measures.resume(same, d.log.contacts, d.log.measures);
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
  data_->keep(frame, std::make_shared<const Moment>(Moment{std::move(state), {}}));
}

}  // namespace hazumi
