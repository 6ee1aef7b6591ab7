// Where what keys lead asks for what nothing can do: a rigid box between jaws that close, or under a plate that comes down on the floor.
// No λ is then great enough, and what a solver stops at throws the box out at any speed, if only its faces are not quite parallel.
//
// As seen from one thing that leads, at V, contacts add no energy: what it meets, M of mass and v fast, ends with ½ M (2 V + v)² at
// most, and takes M (2 V + v) of impulse. Where led bodies do more work or push harder than that, beside pushing as they did
// before, each of their rows yields for this sub-step: it is led by a mass of kHeavy M that pushes with λ⁻ already,
//
//   u_n + (λ − λ⁻)/(kHeavy M) ≥ b
//
// which brings in ½ kHeavy M V² at most. As long as the two are in each other they go on so (kGrips): what is squeezed is held by what
// squeezed it. Nothing else meets this: a hit, a lift, a stack on a lift, a
// spring that is pressed stay exact.
#include <algorithm>
#include <cmath>

#include "core/sim/advance.h"
#include "core/sim/constraint/island.h"

namespace hazumi {
namespace {

constexpr double kHeavy = 8;
constexpr double kHarder = 2;  // times M (2 V + v): mobility of a row that is off the centre is not 1/M

}  // namespace

/// What led bodies did on the others, and whether it is more than it can have been.
IslandSolver::LedWork IslandSolver::led_work(const Substep& s) const {
  LedWork led;
  double leads = 0, fast = 0, pressed = 0, done = 0, harder = 0;
  led.mass = mass_;
  for (std::size_t i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    for (const auto& [b, grip, sign] : {std::tuple(row.body_a, &row.a, -1.0), std::tuple(row.body_b, &row.b, 1.0)}) {
      const BodyMotion& m = s.motions[b];
      const Vec3 before = start_velocity(m, *grip, row.point);
      if (!m.led) {
        if (m.moves) fast = std::max(fast, before.norm());
        continue;
      }
      const Vec3 mean = mean_velocity(m, *grip, row.point, s.model.step);
      done += sign * row.impulse.dot(mean);
      leads = std::max({leads, mean.norm(), before.norm()});
      pressed += std::abs(row.memory.impulse.dot(mean));
      harder = std::max(harder, row.impulse.norm() - row.memory.impulse.norm());
      // Of what bends, what resists is its springs.
      if (const double yields = row.normal.dot(mobility_.own(i) * row.normal); !rigid_ && yields > 0)
        led.mass += 1 / yields;
    }
  }
  for (const std::uint32_t i : bodies_)
    fast = std::max(fast, acceleration_of(s.model, s.forces[i], s.model.bodies[i]).norm() * s.model.step);
  const double speed = 2 * leads + fast;
  led.too_much = done > pressed + 0.5 * led.mass * speed * speed || harder > kHarder * led.mass * speed;
  return led;
}

void IslandSolver::let_yield(const Substep& s, const LedWork& led) {
  ++figures.yielded;
  yields_.assign(with_turns(), 0);
  for (std::size_t i = 0; i < count(); ++i)
    if (s.motions[rows_[i].body_a].led || s.motions[rows_[i].body_b].led) yields_[i] = 1 / (kHeavy * led.mass);
  mobility_.yield(yields_);
}

/// Solved anew, where it must be.
void IslandSolver::yield(const Substep& s) {
  if (!led_ || !yields_.empty()) return;
  const LedWork led = led_work(s);
  if (!led.too_much) return;
  let_yield(s, led);
  for (Row& row : rows_) row.impulse = row.memory.impulse;
  for (TurnRow& turn : turns_) turn.impulse.setZero();
  frozen_ = false;
  if (!react(s)) {
    failed_.reset();
    for (Row& row : rows_) row.impulse.setZero();
    if (!react(s)) return;
  }
  settle(s);
}

}  // namespace hazumi
