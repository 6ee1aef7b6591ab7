#include "core/sim/particles/stage.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/math/rotation.h"
#include "core/scene/derived/felt.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/sources.h"
#include "core/sim/model.h"
#include "core/sim/particles/births.h"
#include "core/sim/particles/copies.h"
#include "core/sim/particles/flight.h"
#include "core/sim/particles/obstacles.h"
#include "core/sim/particles/room.h"
#include "core/sim/particles/ways.h"

namespace hazumi {

namespace {

constexpr int kMeetings = 4;
constexpr std::size_t kBirthsAtOnce = 256;

/// A source as it does not change in a run.
struct Compiled {
  Id id;
  std::vector<std::size_t> fields;  // ascending
  std::shared_ptr<const CurveWay> way;
  std::optional<std::uint32_t> carrier;  // number of its body
  std::optional<BirthSurface> faces;
  std::vector<char> met;  // of each obstacle
  bool meets = false;
  Id into;                // none: of nothing
  LifeCurve speed, drag;  // over the life
  SourceCopies copies;    // of none: it gives particles
  bool idle = false;      // it lacks what it is born on
};

/// Everything of a sub-step but the particles.
struct Moment {
  double begin = 0, end = 0;            // s, of the run
  double film_begin = 0, film_end = 0;  // s
  std::vector<const FieldNow*> fields;
  std::vector<Shared<ParticleSource>> middle, first, last;
  Vec3 gravity = Vec3::Zero();
  std::int64_t substep = 0;
  std::span<const NumberTold> told;
};

/// One particle that meets things.
struct Mover {
  alignas(32) Vec3 place;  // a pair of numbers written across two of them would be waited for
  alignas(32) Vec3 velocity;
  alignas(32) Vec3 acceleration;
  double left = 0;  // s, of its sub-step
};

enum class Fate { goes, sticks, dies };

}  // namespace

struct ParticleWorkspace::Data {
  ObstaclesNow obstacles;
  std::vector<char> dead;
  std::vector<std::vector<ParticleBurst>> bursts;  // of each block
  std::vector<std::optional<FieldNow>> told;
};

ParticleWorkspace::ParticleWorkspace() : data_(std::make_unique<Data>()) {}
ParticleWorkspace::~ParticleWorkspace() = default;

namespace {

/// What a meeting makes of the velocity, and of what pulls on the particle until the end of the sub-step.
void bounce(const ParticleSource& s, double rest_speed, double step, const ParticleMeeting& meeting, Mover& mover) {
  const Vec3& n = meeting.normal;
  const Vec3 past = mover.velocity - meeting.velocity;
  const double towards = std::max(0.0, -past.dot(n)), pressed = std::max(0.0, -mover.acceleration.dot(n));
  const bool rests = towards < std::max(rest_speed, 2 * pressed * step);
  const double back = rests ? 0 : s.bounce;
  const Vec3 before = past - past.dot(n) * n;
  Vec3 along = before;
  double most = s.friction * (1 + back) * towards;
  if (rests) {
    most += s.friction * pressed * mover.left;
    along += mover.left * (mover.acceleration - mover.acceleration.dot(n) * n);
  }
  const double speed = along.norm();
  along *= speed > most ? 1 - most / speed : 0;
  const double out = towards > 0 ? back * towards : past.dot(n);
  mover.velocity = meeting.velocity + along + out * n;
  if (!rests) return;
  const bool pulled_in = mover.acceleration.dot(n) < 0;
  mover.acceleration = pulled_in ? Vec3(Vec3::Zero()) : Vec3(mover.acceleration.dot(n) * n);
  if (!(mover.left > 0)) return;
  mover.acceleration += (along - before) / mover.left;  // so that its way is that of the mean
  mover.velocity += before - along;
}

template <class Key, class Value>
LifeCurve life_curve(const std::vector<Key>& keys, const Value& value) {
  std::vector<LifeKnot> knots;
  for (const Key& key : keys) knots.push_back({key.age, value(key)});
  return LifeCurve(knots);
}

class Stage final : public ParticleStage {
 public:
  Stage(const Scene& scene, const Model& model, const ParticleStage* before, Diagnostics& problems)
      : keyed_(scene), keyed_fields_(scene), own_(keyed_.at(0)), own_fields_(keyed_fields_.at(0)), seed_(model.seed) {
    if (const Track* track = gravity_track(scene)) gravity_ = *track;
    settings_ = scene.settings;
    for (const auto& field : own_fields_) {
      const bool round = field->shape == FieldShape::curve;
      const Shared<Curve>* curve = round ? find_shared_curve(scene, field->curve) : nullptr;
      ways_.push_back(curve ? way_of(*curve) : nullptr);
      fixed_.emplace_back(*field, ways_.back(), seed_);
    }
    std::vector<std::vector<Id>> who;
    for (const auto& field : own_fields_) who.push_back(who_feels(scene, *find_force_field(scene, field->id)));
    bool any_meets = false;
    for (const auto& source : own_) any_meets = any_meets || source->collides;
    if (any_meets) obstacles_ = make_obstacles(model, before ? before->obstacles() : std::span<const Obstacle>());
    for (const auto& source : own_) {
      ids_.push_back(source->id);
      dice_.emplace_back(seed_, source->id);
    }
    for (const auto& source : own_) sources_.push_back(compiled(scene, model, *source, who));
    for (std::size_t i = 0; i < sources_.size(); ++i) note_buried(scene, model, i, problems);
  }

  std::span<const Id> sources() const override { return ids_; }
  double size(std::size_t source, std::uint64_t number) const override {
    const ParticleSource& s = *own_[source];
    return dice_[source].value(s.size, s.size_spread, number, ParticleDraw::size);
  }
  double mass(std::size_t source, std::uint64_t number) const override {
    const ParticleSource& s = *own_[source];
    return dice_[source].value(s.mass, s.mass_spread, number, ParticleDraw::mass);
  }

  double pace(std::size_t source, double age) const override {
    const LifeCurve& speed = sources_[source].speed;
    return speed.none() ? 1 : speed.at(age);
  }

  SourceCopies copies(std::size_t source) const override { return sources_[source].copies; }
  std::span<const Obstacle> obstacles() const override { return obstacles_; }

  CopyTurn advance(const Model& model, const State& before, State& after, std::span<const ParticleBurst> asked,
                   const NumbersTold& told, ParticleWorkspace& workspace, Executor& executor) const override {
    ParticleWorkspace::Data& w = workspace.data();
    const Moment now = moment(model, after.substep, told, w);
    bool any = false;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      keep_waiting(model, now, before, after, i);
      give_births(model, now, before, after, i, executor);
      any = any || (sources_[i].meets && after.particles[i].size() > 0);
    }
    if (any) w.obstacles.find(obstacles_, model, before, after);
    std::vector<ParticleBurst> bursts(asked.begin(), asked.end());
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].copies.count == 0) move(model, now, after.particles[i], i, w, executor, bursts);
    CopyRoom room(model, after, now.film_end);
    for (const ParticleBurst& burst : bursts) {
      const auto at = std::lower_bound(ids_.begin(), ids_.end(), burst.source);
      if (at == ids_.end() || *at != burst.source) continue;
      const auto number = static_cast<std::size_t>(at - ids_.begin());
      give(model, now, before, burst, number, after, room);
    }
    return copies_turn(model, now, before, after, room);
  }

 private:
  Compiled compiled(const Scene& scene, const Model& model, const ParticleSource& source,
                    const std::vector<std::vector<Id>>& who) const {
    Compiled out;
    out.id = source.id;
    out.speed = life_curve(source.speed_keys, [](const LifeSpeed& key) { return key.speed; });
    out.drag = life_curve(source.drag_keys, [](const LifeDrag& key) { return key.drag; });
    out.copies = copies_of(model, source.id);
    if (gives_copies(source) && out.copies.count == 0) out.idle = true;
    for (std::size_t f = 0; f < who.size(); ++f)
      if (std::binary_search(who[f].begin(), who[f].end(), source.id)) out.fields.push_back(f);
    if (source.shape == SourceShape::curve) {
      const Shared<Curve>* curve = find_shared_curve(scene, source.curve);
      if (curve) out.way = way_of(*curve);
      out.idle = out.idle || !out.way;
    } else if (source.carrier != 0) {
      const Id id{source.carrier};
      if (model.bodies.find(id)) out.carrier = model.bodies.number(id);
      out.idle = out.idle || !out.carrier;
    }
    if (source.shape == SourceShape::surface) {
      if (out.carrier) out.faces.emplace(model.bodies[*out.carrier]);
      out.idle = out.idle || !out.faces || out.faces->empty();
    }
    if (source.collides) {
      const std::vector<Id> met = who_is_met(scene, source);
      for (const Obstacle& obstacle : obstacles_)
        out.met.push_back(std::binary_search(met.begin(), met.end(), model.bodies[obstacle.body].made_from));
      out.meets = std::count(out.met.begin(), out.met.end(), 1) > 0;
      const auto into = std::lower_bound(ids_.begin(), ids_.end(), Id{source.into});
      if (source.hit == ParticleHit::split && into != ids_.end() && into->value == source.into) out.into = *into;
    }
    return out;
  }

  void note_buried(const Scene& scene, const Model& model, std::size_t number, Diagnostics& problems) const {
    const ParticleSource& s = *own_[number];
    const Compiled& c = sources_[number];
    if (!c.meets || c.faces || c.way || c.idle) return;
    Vec3 place = s.position;
    if (c.carrier) {
      const Body& carrier = model.bodies[*c.carrier];
      place = carrier.object_pose(carrier.start) * place;
    }
    for (std::size_t i = 0; i < obstacles_.size(); ++i)
      if (const Body& body = model.bodies[obstacles_[i].body];
          c.met[i] && !body.absent && body.id == body.made_from &&
          depth_at_start(model, obstacles_[i], place) > 0.5 * s.size) {
        problems.push_back({Severity::warning, find_source(scene, s.id)->name,
                            "It is inside " + body.name + ", which its particles leave as if it were not there.",
                            "Move it outside, or choose under Meet what its particles shall meet."});
        return;
      }
  }

  Moment moment(const Model& model, std::int64_t substep, const NumbersTold& told, ParticleWorkspace::Data& w) const {
    Moment now;
    now.begin = static_cast<double>(substep) * model.step;
    now.end = static_cast<double>(substep + 1) * model.step;
    now.film_begin = model.clock.film(substep);
    now.film_end = model.clock.film(substep + 1);
    const double film = middle_of(substep, model.clock);
    std::vector<Shared<ForceField>> values = keyed_fields_.at(film);
    put_told(told.now, values);
    w.told.clear();
    w.told.resize(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
      if (values[f].same_as(own_fields_[f])) {
        now.fields.push_back(&fixed_[f]);
        continue;
      }
      w.told[f].emplace(*values[f], ways_[f], seed_);
      now.fields.push_back(&*w.told[f]);
    }
    now.middle = keyed_.any_keys() ? keyed_.at(film) : own_;
    now.first = keyed_.any_keys() ? keyed_.at(now.film_begin) : own_;
    now.last = keyed_.any_keys() ? keyed_.at(now.film_end) : own_;
    now.substep = substep;
    now.told = told.now;
    now.gravity = model.gravity;
    if (gravity_) now.gravity += added_gravity(*gravity_, settings_, substep, model.clock);
    now.gravity = told_gravity(told.now, now.gravity);
    put_told(told.now, now.middle);
    put_told(told.before, now.first);
    put_told(told.now, now.last);
    return now;
  }

  void give_births(const Model& model, const Moment& now, const State& before, State& after, std::size_t number,
                   Executor& executor) const {
    const Compiled& c = sources_[number];
    const ParticleSource& s = *now.middle[number];
    ParticleMemory& p = after.particles[number];
    if (!is_there(model, now, c, after)) return;
    const Births births = births_of(s, now.film_begin, now.film_end, model.step, p.owed);
    const std::size_t live = p.size(), most = most_of(s, c, after);
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::uint64_t>(births.count(), most - std::min(live, most)));
    p.resize(live + count);
    if (count > 0) {
      const BirthPlace place = birth_place(model, now, before, after, number);
      executor.blocks(count, kBirthsAtOnce, [&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
          p.number[live + i] = p.born + i;
          const double part = births.part(i);
          p.birth[live + i] = now.begin + part * model.step;
          give_birth(place, part, live + i, p);
        }
      });
    }
    p.born += births.count();
  }

  /// How many may be alive, of copies: may wait.
  static std::size_t most_of(const ParticleSource& s, const Compiled& c, const State& state) {
    return c.copies.count > 0 ? free_copies(c.copies, state) : static_cast<std::size_t>(s.most);
  }

  BirthPlace birth_place(const Model& model, const Moment& now, const State& before, const State& after,
                         std::size_t number) const {
    const Compiled& c = sources_[number];
    BirthPlace place;
    place.source = &*now.middle[number];
    place.step = model.step;
    place.dice = dice_[number];
    place.way = c.way.get();
    place.faces = c.faces ? &*c.faces : nullptr;
    place.from = {now.first[number]->position, now.first[number]->rotation.normalized()};
    place.to = {now.last[number]->position, now.last[number]->rotation.normalized()};
    if (!c.carrier) return place;
    place.carrier = &model.bodies[*c.carrier];
    place.before = &before.bodies[*c.carrier].values;
    place.after = &after.bodies[*c.carrier].values;
    const auto on = [&](const State& state, const Pose& own) {
      const Pose pose = pose_of(model, state, *c.carrier);
      return Pose{pose * own.position, (pose.rotation * own.rotation).normalized()};
    };
    place.from = on(before, place.from);
    place.to = on(after, place.to);
    return place;
  }

  /// What waits goes on waiting where the source is then.
  void keep_waiting(const Model& model, const Moment& now, const State& before, State& after,
                    std::size_t number) const {
    const Compiled& c = sources_[number];
    ParticleMemory& waiting = after.particles[number];
    if (c.copies.count == 0 || waiting.size() == 0) return;
    if (!is_there(model, now, c, after)) return waiting.resize(0);
    std::vector<char> gone(waiting.size(), 0);
    const BirthPlace place = birth_place(model, now, before, after, number);
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      waiting.birth[k] = now.end;
      if (waiting.held[k] != 0) continue;
      gone[k] = now.middle[number]->on ? 0 : 1;
      give_birth(place, 1, k, waiting);
    }
    leave_particles(gone, waiting);
  }

  static bool is_there(const Model& model, const Moment& now, const Compiled& c, const State& after) {
    return !c.idle && (!c.carrier || model.bodies[*c.carrier].present(now.film_begin, after.bodies[*c.carrier].values));
  }

  CopyBirths to_be_born(const Model& model, const Moment& now, const State& before, const State& after,
                        std::size_t i) const {
    const Quat axes = birth_place(model, now, before, after, i).to.rotation;
    return {*now.middle[i], sources_[i].copies, dice_[i], axes, now.gravity, now.end, now.substep, now.told};
  }

  /// Births and ends of copies, as the sub-step ends.
  CopyTurn copies_turn(const Model& model, const Moment& now, const State& before, State& after, CopyRoom& room) const {
    CopyTurn turn;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Compiled& c = sources_[i];
      if (c.copies.count == 0) continue;
      ParticleMemory& waiting = after.particles[i];
      if (waiting.size() > 0) {
        wake_copies(model, to_be_born(model, now, before, after, i), after, waiting, room, turn);
      }
      end_copies(model, c.copies, now.end, after, turn);
    }
    return turn;
  }

  static Pose pose_of(const Model& model, const State& state, std::uint32_t number) {
    if (const CarriedBody* carried = find_carried(model, number)) return carried_pose(model, state, *carried);
    const Body& body = model.bodies[number];
    return body.object_pose(body.pose(state.bodies[number].values));
  }

  void move(const Model& model, const Moment& now, ParticleMemory& p, std::size_t number, ParticleWorkspace::Data& w,
            Executor& executor, std::vector<ParticleBurst>& bursts) const {
    const std::size_t n = p.size();
    if (n == 0) return;
    const Compiled& c = sources_[number];
    std::vector<const FieldNow*> fields;
    for (const std::size_t f : c.fields) fields.push_back(now.fields[f]);
    Flight flight;
    flight.source = &*now.middle[number];
    flight.fields = fields;
    flight.gravity = flight.source->gravity * now.gravity;
    flight.weight = now.gravity;
    flight.begin = now.begin;
    flight.end = now.end;
    flight.time = 0.5 * (now.begin + now.end);
    flight.dice = dice_[number];
    flight.speed = c.speed.none() ? nullptr : &c.speed;
    flight.drag = c.drag.none() ? nullptr : &c.drag;
    w.dead.assign(n, 0);
    w.bursts.assign(n / kParticlesAtOnce + 1, {});
    const Surroundings round = c.meets ? w.obstacles.surroundings(c.met) : Surroundings();
    executor.blocks(n, kParticlesAtOnce, [&](std::size_t first, std::size_t end) {
      Flown flown;
      fly(flight, p, first, end - first, flown);
      Nearness nearness;
      if (c.meets)
        go_freely(round, flown, first, end - first, p, nearness);
      else
        nearness.near.fill(1);
      std::array<std::uint8_t, kParticlesAtOnce> left;
      std::size_t count = 0;
      for (std::size_t k = 0; k < end - first; ++k) {
        left[count] = static_cast<std::uint8_t>(k);
        count += nearness.near[k] != 0 ? 1 : 0;
      }
      for (std::size_t at = 0; at < count; ++at) {
        const std::size_t k = left[at], i = first + k;
        if (c.meets && at + 2 < count) w.obstacles.ask_for(nearness.told.of(left[at + 2]));
        if (p.held[i] != 0)
          hold(flown.size[k], i, w, p);
        else if (c.meets)
          meet(model, flight, c, flown, nearness.told.of(k), first, i, w, p);
        else
          go(flown, k, i, p);
      }
      const double *const birth = &p.birth[first], *const life = &p.life[first], until = now.end;
      char* const dead = &w.dead[first];
      for (std::size_t k = 0; k < end - first; ++k) dead[k] |= birth[k] + life[k] <= until ? 1 : 0;
    });
    for (const std::vector<ParticleBurst>& some : w.bursts) bursts.insert(bursts.end(), some.begin(), some.end());
    leave_particles(w.dead, p);
  }

  static void go(const Flown& flown, std::size_t k, std::size_t i, ParticleMemory& p) {
    const double last = flown.late[k], first = flown.whole[k] - last;
    p.x[i] += flown.step[k] * (first * p.u[i] + last * flown.u[k]);
    p.y[i] += flown.step[k] * (first * p.v[i] + last * flown.v[k]);
    p.z[i] += flown.step[k] * (first * p.w[i] + last * flown.w[k]);
    p.u[i] = flown.u[k];
    p.v[i] = flown.v[k];
    p.w[i] = flown.w[k];
  }

  static double radius_of(double size) { return std::max(kLeastParticleRadius, 0.5 * size); }

  void hold(double size, std::size_t i, ParticleWorkspace::Data& w, ParticleMemory& p) const {
    Vec3 place(p.x[i], p.y[i], p.z[i]);
    const Vec3 own(p.u[i], p.v[i], p.w[i]);
    if (!w.obstacles.place_of(p.held[i] - 1, own, radius_of(size), place)) {
      p.held[i] = 0;
      p.u[i] = p.v[i] = p.w[i] = 0;
      return;
    }
    put(place, i, p);
  }

  static void put(const Vec3& place, std::size_t i, ParticleMemory& p) {
    p.x[i] = place.x();
    p.y[i] = place.y();
    p.z[i] = place.z();
  }

  void meet(const Model& model, const Flight& flight, const Compiled& c, const Flown& flown, const FacesAround& around,
            std::size_t first, std::size_t i, ParticleWorkspace::Data& w, ParticleMemory& p) const {
    const ParticleSource& s = *flight.source;
    const std::size_t k = i - first;
    const double step = flown.step[k], radius = radius_of(flown.size[k]);
    Mover mover;
    mover.place = Vec3(p.x[i], p.y[i], p.z[i]);
    mover.velocity = Vec3(p.u[i], p.v[i], p.w[i]);
    mover.left = step;
    mover.acceleration =
        step > 0 ? Vec3((flown.u[k] - p.u[i]) / step, (flown.v[k] - p.v[i]) / step, (flown.w[k] - p.w[i]) / step)
                 : Vec3(Vec3::Zero());
    LifeCurve::Means pace{flown.whole[k], flown.late[k]};
    Vec3 drift = Vec3::Zero();  // of what it met: that stands where it ends from then on
    for (int meeting = 0; meeting <= kMeetings && mover.left > 0; ++meeting) {
      const Vec3 way = mover.left * (pace.whole * mover.velocity - drift + pace.late * mover.left * mover.acceleration);
      const ParticleMeeting met =
          w.obstacles.meet(mover.place, mover.place + way, radius, c.met, meeting > 0, mover.left / model.step, around);
      if (met.at > 1) {
        mover.place += way;
        mover.velocity += mover.left * mover.acceleration;
        break;
      }
      if (s.hit != ParticleHit::bounce) return end_at(s, c, met, radius, i, w, p);
      mover.velocity += met.at * mover.left * mover.acceleration;
      mover.place = met.place;
      mover.left *= 1 - met.at;
      drift = met.velocity;
      if (flight.speed) pace = pace_of(flight, p, i, mover.left);
      bounce(s, model.rest_speed, model.step, met, mover);
    }
    put(mover.place, i, p);
    p.u[i] = mover.velocity.x();
    p.v[i] = mover.velocity.y();
    p.w[i] = mover.velocity.z();
  }

  void end_at(const ParticleSource& s, const Compiled& c, const ParticleMeeting& met, double radius, std::size_t i,
              ParticleWorkspace::Data& w, ParticleMemory& p) const {
    put(met.place, i, p);
    if (s.hit == ParticleHit::stick) {
      const Vec3 own = w.obstacles.stuck(met, radius);
      p.held[i] = 1 + obstacles_[met.obstacle].body;
      p.u[i] = own.x();
      p.v[i] = own.y();
      p.w[i] = own.z();
      return;
    }
    w.dead[i] = 1;
    if (s.hit == ParticleHit::split && c.into && s.pieces > 0)
      w.bursts[i / kParticlesAtOnce].push_back(
          {c.into, met.place, met.normal, met.velocity, static_cast<std::uint64_t>(s.pieces), true, -radius});
  }

  void give(const Model& model, const Moment& now, const State& before, const ParticleBurst& burst, std::size_t number,
            State& after, CopyRoom& room) const {
    const Compiled& c = sources_[number];
    const ParticleSource& s = *now.middle[number];
    if (burst.at_source ? !is_there(model, now, c, after) : c.idle && gives_copies(s)) return;
    ParticleMemory& p = after.particles[number];
    const std::size_t live = p.size(), most = most_of(s, c, after);
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(burst.count, most - std::min(live, most)));
    p.resize(live + count);
    BirthPlace place;
    if (burst.at_source) {
      place = birth_place(model, now, before, after, number);
    } else {
      place.source = &s;
      place.step = now.end - now.begin;
      place.dice = dice_[number];
      place.from = place.to = {burst.place, turn_onto(Vec3::UnitY(), burst.axis)};
    }
    place.velocity = burst.velocity;
    for (std::size_t i = 0; i < count; ++i) {
      p.number[live + i] = p.born + i;
      p.birth[live + i] = now.end;
      give_birth(place, 1, live + i, p);
      if (c.copies.count == 0 || burst.at_source) continue;
      p.held[live + i] = 1;  // it waits there
      if (burst.beside)
        put_beside(model, after, to_be_born(model, now, before, after, number), burst, live + i, p, room);
    }
    p.born += burst.count;
  }

  const KeyedSources keyed_;
  const KeyedFields keyed_fields_;
  std::vector<Shared<ParticleSource>> own_;  // at time 0
  std::vector<Shared<ForceField>> own_fields_;
  const std::uint64_t seed_;
  std::optional<Track> gravity_;
  SceneSettings settings_;
  std::vector<std::shared_ptr<const CurveWay>> ways_;
  std::vector<FieldNow> fixed_;  // of own_fields_
  std::vector<Id> ids_;
  std::vector<ParticleDice> dice_;
  std::vector<Obstacle> obstacles_;
  std::vector<Compiled> sources_;
};

}  // namespace

std::shared_ptr<const ParticleStage> make_particle_stage(const Scene& scene, const Model& model,
                                                         const ParticleStage* before, Diagnostics& problems) {
  if (scene.particles.empty()) return nullptr;
  return std::make_shared<Stage>(scene, model, before, problems);
}

}  // namespace hazumi
