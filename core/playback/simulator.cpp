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

#include "core/base/hash.h"
#include "core/playback/between.h"
#include "core/playback/collision_shape.h"
#include "core/playback/skins.h"
#include "core/scene/derived/copies.h"
#include "core/scene/diff.h"
#include "core/sim/constraint/sleep.h"

namespace hazumi {

int RunLog::first_frame(const Cause& cause) const {
  const std::int64_t substep = causes.first(cause);
  if (substep == CauseLog::kNever) return kNoFrame;
  // What a box does in a sub-step is in no state before it; that of the start has what is armed then.
  const bool later = cause.reading == Reading::armed && substep > 0;
  return clock.last_without(substep) + (later ? 1 : 0);
}

void RunLog::drop_from(int frame) {
  const auto begins = [](const auto& entry, int wanted) { return entry.first < wanted; };
  contacts.erase(std::lower_bound(contacts.begin(), contacts.end(), frame, begins), contacts.end());
  gifts.erase(std::lower_bound(gifts.begin(), gifts.end(), frame, begins), gifts.end());
  measures.erase(std::lower_bound(measures.begin(), measures.end(), frame, begins), measures.end());
  motion.erase(std::lower_bound(motion.begin(), motion.end(), frame, begins), motion.end());
  denied.erase(std::lower_bound(denied.begin(), denied.end(), frame, begins), denied.end());
  waiting.erase(std::lower_bound(waiting.begin(), waiting.end(), frame, begins), waiting.end());
  causes.drop_from(clock.begin(frame));
  if (failure && failure->first >= frame) failure.reset();
}

CopiesWaiting RunLog::waits(Id source) const {
  const auto last =
      std::find_if(waiting.rbegin(), waiting.rend(), [&](const auto& entry) { return entry.second.source == source; });
  return last == waiting.rend() ? CopiesWaiting{source, 0, {}} : last->second;
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
  copy(other.motion, motion);
  copy(other.denied, denied);
  copy(other.waiting, waiting);
  clock = other.clock;
  causes.note_from(other.causes, clock.begin(frame), clock.begin(frame + 1));
}

void RunLog::begin_with(const std::vector<MotionMark>& marks) {
  const auto of_start = [](const auto& entry) {
    return entry.first == 0 && entry.second.substep == 0 && entry.second.moment == 0;
  };
  motion.erase(motion.begin(), std::find_if_not(motion.begin(), motion.end(), of_start));
  std::vector<std::pair<int, MotionMark>> begun;
  for (const MotionMark& mark : marks)
    if (mark.turn != MotionTurn::reached) begun.emplace_back(0, mark);
  motion.insert(motion.begin(), begun.begin(), begun.end());
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
void add_sleepers(const State& state, std::int64_t substeps, const std::vector<ContactMark>& before,
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
        asleep.back().impulse = static_cast<double>(substeps) * row.impulse;
        break;
      }
  }
  if (asleep.empty()) return;
  std::vector<ContactMark> awake;
  std::set_difference(sum.begin(), sum.end(), asleep.begin(), asleep.end(), std::back_inserter(awake), in_order);
  sum.clear();
  std::merge(awake.begin(), awake.end(), asleep.begin(), asleep.end(), std::back_inserter(sum), in_order);
}

/// What joints held with over some sub-steps: sums but for `way` and `broken`, which are of the last one. Both ascending by joint.
struct JointSum {
  JointReading reading;
  std::int64_t substeps = 0;  ///< in which it held
};
void add_readings(const std::vector<JointReading>& now, std::vector<JointSum>& sum) {
  auto at = sum.begin();
  for (const JointReading& one : now) {
    while (at != sum.end() && at->reading.joint < one.joint) ++at;
    if (at == sum.end() || at->reading.joint != one.joint) {
      at = sum.insert(at, JointSum{one, 1});
      continue;
    }
    JointReading& all = at->reading;
    all.force += one.force;
    all.torque += one.torque;
    all.pull += one.pull;
    all.work += one.work;
    all.way = one.way;
    ++at->substeps;
  }
}

/// Of all joints of a run; of those that do not hold, only whether they are broken.
std::shared_ptr<const FrameJoints> frame_joints(const Model& model, const State& state,
                                                const std::vector<JointSum>& sums, std::int64_t substeps) {
  if (model.joints.empty()) return nullptr;
  FrameJoints all;
  const auto is_pull = [&](Id id) {
    return std::any_of(model.joints.begin(), model.joints.end(),
                       [id](const ModelJoint& j) { return j.id == id && j.kind == JointKind::pull; });
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    FrameJoint joint;
    if (!model.joints[j].remembers()) break;  // pulls are there while they hold
    joint.joint = model.joints[j].id;
    joint.broken = state.joints[j].broken;
    all.push_back(joint);
  }
  for (const JointSum& sum : sums)
    if (is_pull(sum.reading.joint)) {
      FrameJoint joint;
      joint.joint = sum.reading.joint;
      all.push_back(joint);
    }
  if (all.empty()) return nullptr;
  // Gears are behind the others in a model, and pulls behind these.
  std::sort(all.begin(), all.end(), [](const FrameJoint& a, const FrameJoint& b) { return a.joint < b.joint; });
  auto at = all.begin();
  for (const JointSum& sum : sums) {
    at = std::lower_bound(at, all.end(), sum.reading.joint,
                          [](const FrameJoint& joint, Id wanted) { return joint.joint < wanted; });
    if (at == all.end() || at->joint != sum.reading.joint) continue;
    const double part = 1 / static_cast<double>(substeps);
    at->pull = Vec3(part * sum.reading.pull).cast<float>();
    at->force = static_cast<float>(part * sum.reading.force);
    at->torque = static_cast<float>(part * sum.reading.torque);
    at->power = static_cast<float>(part * sum.reading.work / model.step);
    at->way = static_cast<float>(sum.reading.way);
    at->holds = sum.substeps > 0;
  }
  return std::make_shared<const FrameJoints>(std::move(all));
}

/// Of what moves and is there. Bodies are independent: they are shared out in blocks.
std::shared_ptr<const FrameBodies> frame_bodies(const Model& model, const State& state, int frame,
                                                std::span<const int> passes, Executor& executor) {
  constexpr std::size_t kBlock = 4;
  const double time = model.clock.film_of_frame(frame);
  FrameBodies all;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < model.bodies.own(); ++i)
    if (model.bodies[i].moves && model.bodies[i].present(time, state.bodies[i].values)) numbers.push_back(i);
  if (numbers.empty()) return nullptr;
  all.resize(numbers.size());
  executor.blocks(numbers.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = numbers[k];
      const Observables seen = observe(model, state, i);
      FrameBody& body = all[k];
      body.object = model.bodies[i].id;
      body.centre = seen.centre.cast<float>();
      if (seen.mass > 0) body.velocity = Vec3(seen.momentum / seen.mass).cast<float>();
      body.kinetic = static_cast<float>(seen.kinetic_energy);
      body.elastic = static_cast<float>(seen.elastic_energy);
      body.strain = static_cast<float>(seen.max_strain);
      body.volume = static_cast<float>(seen.volume);
      body.passes = i < passes.size() ? passes[i] : 0;
      body.inverted = seen.inverted;
      body.deforms = model.bodies[i].deforms;
    }
  });
  std::sort(all.begin(), all.end(), [](const FrameBody& a, const FrameBody& b) { return a.object < b.object; });
  return std::make_shared<const FrameBodies>(std::move(all));
}

/// Of each body the most of both.
void add_passes(std::span<const int> now, std::vector<int>& most) {
  if (most.size() < now.size()) most.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) most[i] = std::max(most[i], now[i]);
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

/// What held since the frame before, over so many sub-steps.
struct Held {
  std::vector<ContactMark> marks;
  std::vector<JointSum> joints;
  std::vector<int> passes;  ///< StepReport::passes, the most of each body
  std::int64_t substeps = 1;
};

/// Where a run can go on: the state at a frame, and what held before it.
struct Moment {
  State state;
  Held held;
  std::size_t bytes() const {
    return memory_use(state) + held.marks.size() * sizeof(ContactMark) + held.joints.size() * sizeof(JointSum) +
           held.passes.size() * sizeof(int);
  }
};

/// States of one model mean something for the other: same bodies in the same places. (Which past is shared is for the
/// caller to know; this only keeps a wrong answer from reading the numbers of another body.)
bool same_layout(const Model& a, const Model& b) {
  const auto same_body = [](const Body& x, const Body& y) {
    return x.id == y.id && typeid(x) == typeid(y) && x.state_size() == y.state_size();
  };
  const auto sources = [](const Model& m) { return m.particles ? m.particles->sources() : std::span<const Id>(); };
  return a.substeps == b.substeps && a.step == b.step && std::ranges::equal(sources(a), sources(b)) &&
         std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(), same_body);
}

}  // namespace

struct Simulator::Data {
  std::shared_ptr<const Model> model;
  Executor executor;
  StepWorkspace workspace;

  State current;
  int at = 0;                                                ///< frame in which it is
  Held held;                                                 ///< in the last whole frame with sub-steps
  std::vector<ContactMark> running;                          ///< in the frame being stepped
  std::vector<JointSum> running_joints;                      ///< the same
  std::vector<int> running_passes;                           ///< the same
  std::map<int, std::shared_ptr<const Moment>> checkpoints;  ///< always holds frame 0
  std::size_t bytes = 0;                                     ///< of the checkpoints
  std::size_t budget = std::size_t{256} << 20;
  int stride = 1;  ///< checkpoints are taken at multiples of it

  RunLog log;
  std::vector<MotionMark> at_start;   ///< what the director did at time 0
  int logged = 0;                     ///< frames whose sub-steps are in the log
  std::vector<ContactEvent> pending;  ///< of the frame being stepped
  std::vector<ContactGift> pending_gifts;
  std::vector<MotionMark> pending_motion;
  std::vector<CopyDenied> pending_denied;
  CauseLog pending_causes;
  Measures measures, pending_measures;                        ///< at the end of the log; in the frame being stepped
  std::shared_ptr<const std::vector<CollisionShape>> shapes;  ///< for frames; made with the first of them

  Data(std::shared_ptr<const Model> m, int threads) : model(std::move(m)), executor(std::max(threads, 1)) {
    log.clock = model->clock;
  }

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

  /// What is armed, or runs, is read from then on.
  static void note(CauseLog& causes, const MotionMark& mark) {
    if (mark.turn != MotionTurn::disarmed && mark.turn != MotionTurn::ended)
      causes.note({mark.box, Reading::armed}, mark.substep);
  }

  void log_mark(int frame, const MotionMark& mark) {
    if (mark.turn != MotionTurn::reached) log.motion.emplace_back(frame, mark);
  }

  void commit(int frame) {
    if (frame >= logged) {
      for (const ContactEvent& event : pending) log.contacts.emplace_back(frame, event);
      for (const ContactGift& gift : pending_gifts) log.gifts.emplace_back(frame, gift);
      if (frame == 0)
        for (const MotionMark& mark : at_start) log_mark(0, mark);
      for (const MotionMark& mark : pending_motion) log_mark(frame, mark);
      for (const CopyDenied& one : pending_denied)
        if (std::none_of(log.denied.begin(), log.denied.end(), [&](const auto& had) { return had.second == one; }))
          log.denied.emplace_back(frame, one);
      log_waiting(frame);
      measures = pending_measures;
      measures.end_frame(frame, log.measures);
      for (const auto& [cause, substep] : pending_causes.all()) log.causes.note(cause, substep);
      logged = frame + 1;
    }
    forget_pending();
  }
  void log_waiting(int frame) {
    if (!model->particles) return;
    const std::span<const Id> sources = model->particles->sources();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (model->particles->copies(s).count == 0) continue;
      const CopiesWaiting before = log.waits(sources[s]);
      CopiesWaiting now{sources[s], static_cast<std::uint32_t>(current.particles[s].size()), before.by};
      for (const CopyDenied& one : pending_denied)
        if (one.source == sources[s]) now.by = one.by;
      if (now.count == 0) now.by = {};
      if (now != before) log.waiting.emplace_back(frame, now);
    }
  }
  void forget_pending() {
    pending.clear();
    pending_gifts.clear();
    pending_motion.clear();
    pending_denied.clear();
    pending_causes = {};
  }

  void go_to(int frame, const Moment& moment) {
    at = frame;
    current = moment.state;
    held = moment.held;
    running.clear();
    running_joints.clear();
    running_passes.clear();
    forget_pending();
  }
  /// A frame has been stepped through, in so many sub-steps; without any, what held goes on.
  void end_frame(std::int64_t substeps) {
    ++at;
    if (substeps == 0) return;
    add_sleepers(current, substeps, held.marks, running);
    held.marks.swap(running);
    held.joints.swap(running_joints);
    held.passes.swap(running_passes);
    held.substeps = substeps;
    running.clear();
    running_joints.clear();
    running_passes.clear();
  }

  /// A frame that is within the sub-step that comes: what is seen is a part of it, and what is led is where its keys are.
  void go_between(int frame, Frame& out);
  /// Sub-steps of frame `at`. False: cancelled, or the run stopped.
  bool run_to(std::int64_t end, const std::function<bool()>& cancelled);

  /// The position from which `frame` is reached soonest: where the run stands, or a checkpoint.
  void go_to_start(int frame) {
    auto it = std::prev(checkpoints.upper_bound(frame));
    const bool before = at < frame || (at == frame && current.substep == model->clock.begin(frame));
    if (before && at >= it->first) return;
    go_to(it->first, *it->second);
  }
};

Simulator::Simulator(std::shared_ptr<const Model> model, int threads)
    : data_(std::make_unique<Data>(std::move(model), threads)) {
  data_->current = initial_state(*data_->model, &data_->at_start);
  for (const MotionMark& mark : data_->at_start) data_->note(data_->log.causes, mark);
  data_->keep(0, std::make_shared<const Moment>(Moment{data_->current, {}}));
}

Simulator::~Simulator() = default;

const Model& Simulator::model() const { return *data_->model; }
std::shared_ptr<const Model> Simulator::shared_model() const { return data_->model; }
const RunLog& Simulator::log() const { return data_->log; }
const std::vector<MotionMark>& Simulator::start_marks() const { return data_->at_start; }

const State* Simulator::state_at(int frame, const std::function<bool()>& cancelled) {
  Data& d = *data_;
  if (frame < 0 || (d.log.failure && frame > d.log.failure->first)) return nullptr;
  d.go_to_start(frame);
  while (d.at < frame) {
    const int now = d.at;
    const std::int64_t begin = d.model->clock.begin(now), end = d.model->clock.begin(now + 1);
    if (d.current.substep == begin) d.pending_measures = d.measures;
    if (begin == end && cancelled && cancelled()) return nullptr;
    if (!d.run_to(end, cancelled)) return nullptr;
    d.commit(now);
    d.end_frame(end - begin);
    if ((now + 1) % d.stride == 0 && !d.checkpoints.contains(now + 1))
      d.keep(now + 1, std::make_shared<const Moment>(Moment{d.current, d.held}));
  }
  return &d.current;
}

bool Simulator::Data::run_to(std::int64_t end, const std::function<bool()>& cancelled) {
  const int frame = at;
  while (current.substep < end) {
    if (cancelled && cancelled()) return false;
    const std::int64_t substep = current.substep;
    const auto touched = [&](Id a, Id b) {  // what a copy touches, edits of its object change
      for (const Id id : {a, b})
        if (const Body* body = model->bodies.find(id))
          pending_causes.note({body->made_from, Reading::contact}, substep);
    };
    StepReport report = step(*model, current, workspace, executor);
    if (!report.ok) {
      Diagnostic why = report.failure.value_or(Diagnostic{Severity::error, "", "The simulation could not be continued.",
                                                          "Raise the number of sub-steps per frame."});
      log.failure.emplace(frame, std::move(why));
      // The state is somewhere inside the frame, its log is gone: start over at a checkpoint the next time.
      const auto back = std::prev(checkpoints.upper_bound(frame));
      go_to(back->first, *back->second);
      return false;
    }
    check_accounts(report, substep);
    if (frame >= logged) pending_measures.add(*model, current, substep, report);
    for (ContactEvent& event : report.contacts) {
      touched(event.a, event.b);
      pending.push_back(std::move(event));
    }
    for (const ContactGift& gift : report.gifts) pending_gifts.push_back(gift);
    for (const auto& [a, b] : report.touching) touched(a, b);
    for (const Id source : report.bore) pending_causes.note({source, Reading::born}, substep);
    for (const CopyDenied& one : report.denied) {
      pending_causes.note({one.source, Reading::no_room}, substep);
      pending_denied.push_back(one);
    }
    for (const MotionMark& mark : report.motion) note(pending_causes, mark);
    for (const JointReading& joint : report.joints) {
      if (joint.met) pending_causes.note({joint.joint, Reading::met}, substep);
      if (joint.broken) pending_causes.note({joint.joint, Reading::broke}, substep);
    }
    pending_motion.insert(pending_motion.end(), report.motion.begin(), report.motion.end());
    add_marks(std::move(report.marks), running);
    add_readings(report.joints, running_joints);
    add_passes(report.passes, running_passes);
  }
  return true;
}

void Simulator::Data::go_between(int frame, Frame& out) {
  if (const double part = model->clock.part(frame); part > 0) {
    State ahead = current;
    if (step(*model, ahead, workspace, executor).ok)
      out = between(out, make_frame(*model, ahead, frame, executor), part);
    out.state_hash = Hasher().add(out.state_hash).add(part).value();
  }
  put_led(*model, frame, out);
  place_skins(*model, out, executor);
}

Frame Simulator::frame_at(int frame) {
  const State* state = state_at(frame);
  assert(state != nullptr);
  Data& d = *data_;
  Frame out = make_frame(*d.model, *state, frame, d.executor);
  if (!d.model->clock.even()) d.go_between(frame, out);
  if (!d.shapes) d.shapes = std::make_shared<const std::vector<CollisionShape>>(collision_shapes(*d.model));
  out.shapes = d.shapes;
  const double time = static_cast<double>(d.held.substeps) * d.model->step;
  out.contacts.reserve(d.held.marks.size());
  for (const ContactMark& mark : d.held.marks)
    out.contacts.push_back({thing_of(mark.a), thing_of(mark.b), mark.point.cast<float>(), mark.normal.cast<float>(),
                            Vec3(mark.impulse / time).cast<float>()});
  out.bodies = frame_bodies(*d.model, *state, frame, d.held.passes, d.executor);
  if (frame > 0) out.joints = frame_joints(*d.model, *state, d.held.joints, d.held.substeps);
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
  d.log.clock = d.model->clock;
  // What waits for a moment to come may be something else (core/motion/look.cpp).
  d.log.begin_with(d.at_start);
  for (const MotionMark& mark : d.at_start) Data::note(d.log.causes, mark);
  d.logged = same;
  d.measures.resume(same, d.log.contacts, d.log.measures);
  d.stride = std::max(d.stride, from.stride);
  for (auto it = from.checkpoints.begin(); it != from.checkpoints.end() && it->first <= same; ++it)
    d.keep(it->first, it->second);
}

void Simulator::go_on_with(std::shared_ptr<const Model> model, int frame) {
  Data& d = *data_;
  d.model = std::move(model);
  // As in adopt(): what is logged under frame − 1 leads to state `frame`.
  const int same = std::max(frame - 1, 0);
  if (d.logged > same) {
    d.log.drop_from(same);
    d.logged = same;
    d.measures.resume(same, d.log.contacts, d.log.measures);
    for (const MotionMark& mark : d.at_start) Data::note(d.log.causes, mark);
  }
  d.log.clock = d.model->clock;
  for (auto it = d.checkpoints.upper_bound(same); it != d.checkpoints.end(); it = d.checkpoints.erase(it))
    d.bytes -= it->second->bytes();
  // Inside a frame, or behind what stays: back to a checkpoint.
  if (d.at > same || d.current.substep != d.model->clock.begin(d.at)) {
    const auto back = std::prev(d.checkpoints.upper_bound(same));
    d.go_to(back->first, *back->second);
  }
}

std::vector<int> Simulator::checkpoints() const {
  std::vector<int> frames;
  for (const auto& [frame, state] : data_->checkpoints) frames.push_back(frame);
  return frames;
}

void Simulator::add_checkpoint(int frame, State state) {
  assert(state.substep == data_->model->clock.begin(frame));
  data_->keep(frame, std::make_shared<const Moment>(Moment{std::move(state), {}}));
}

}  // namespace hazumi
