#include "core/sim/particles/flight.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/math/clones.h"
#include "core/sim/particles/immersion.h"

namespace hazumi {

ParticleDice::ParticleDice(std::uint64_t seed, Id source) { begun_.add(seed).add(source.value); }

double ParticleDice::draw(std::uint64_t number, ParticleDraw what) const {
  return random_unit(begun_, number, static_cast<std::uint64_t>(what));
}

namespace {

/// Half-way, side by side.
struct alignas(64) Half {
  using List = double[kParticleList];
  List velocity[3], place[3], pull[3], air[3];  // as the sub-step begins, m/s; m, m/s², m/s
  List density, linear, quadratic;              // kg/m³, 1/s, 1/m
  List drag;                                    // out: K h
  List taken;                                   // kg, of water that goes with it

  Media media(std::size_t count) {
    return {count, {place[0], place[1], place[2]}, {air[0], air[1], air[2]}, density, linear, quadratic};
  }
};

constexpr double kSeries = 1.0 / 16;  // of K h: below, 1 − φ is its series to the last digit
constexpr std::size_t kLanes = 8;

/// Velocities at the end, where K h is below kSeries; K h of all. φ = (1 − e^−x)/x = 1 − x/2! + x²/3! − …
HAZUMI_WIDE_CLONES void brake(Half& all, const double* step, std::size_t count, double* const* out) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Eight u[3], b[3], air[3], linear, quadratic, h;
    for (int k = 0; k < 3; ++k) {
      __builtin_memcpy(&u[k], &all.velocity[k][i], sizeof u[k]);
      __builtin_memcpy(&b[k], &all.pull[k][i], sizeof b[k]);
      __builtin_memcpy(&air[k], &all.air[k][i], sizeof air[k]);
    }
    __builtin_memcpy(&linear, &all.linear[i], sizeof linear);
    __builtin_memcpy(&quadratic, &all.quadratic[i], sizeof quadratic);
    __builtin_memcpy(&h, &step[i], sizeof h);
    Eight rate = {}, square = {};
    for (int k = 0; k < 3; ++k) square += (air[k] - u[k]) * (air[k] - u[k]);
    for (std::size_t k = 0; k < kLanes; ++k) rate[k] = std::sqrt(square[k]);
    rate = linear + quadratic * rate;
    square = Eight{};
    for (int k = 0; k < 3; ++k) {
      const Eight middle = (u[k] + 0.5 * h * (b[k] + rate * air[k])) / (1 + 0.5 * h * rate);
      square += (air[k] - middle) * (air[k] - middle);
    }
    for (std::size_t k = 0; k < kLanes; ++k) rate[k] = std::sqrt(square[k]);
    rate = linear + quadratic * rate;
    const Eight x = rate * h;
    Eight less = 1.0 / 3628800 * x - 1.0 / 362880;
    less = less * x + 1.0 / 40320;
    less = less * x - 1.0 / 5040;
    less = less * x + 1.0 / 720;
    less = less * x - 1.0 / 120;
    less = less * x + 1.0 / 24;
    less = less * x - 1.0 / 6;
    less = (less * x + 0.5) * x;  // 1 − φ
    for (int k = 0; k < 3; ++k) {
      const Eight next = u[k] + h * (b[k] + (1 - less) * rate * (air[k] - u[k]) - less * b[k]);
      __builtin_memcpy(out[k] + i, &next, sizeof next);
    }
    __builtin_memcpy(&all.drag[i], &x, sizeof x);
  }
}

/// Places half a step on. What is behind the last particle is at rest there.
HAZUMI_WIDE_CLONES void begin(const double* const* place, const double* const* velocity, const double* gravity,
                              const double* step, std::size_t count, std::size_t whole, Half& half) {
  for (int k = 0; k < 3; ++k) {
    double *const x = half.place[k], *const u = half.velocity[k], *const b = half.pull[k];
    const double pull = gravity[k], *const from = place[k], *const moves = velocity[k];
    for (std::size_t i = 0; i < count; ++i) {
      u[i] = moves[i];
      x[i] = from[i] + 0.5 * step[i] * moves[i];
    }
    for (std::size_t i = count; i < whole; ++i) x[i] = u[i] = 0;
    for (std::size_t i = 0; i < whole; ++i) b[i] = pull;
  }
}

/// Air's push on balls.
HAZUMI_WIDE_CLONES void add_push(const ParticleSource& s, const double* size, const double* mass, std::size_t count,
                                 Half& half) {
  double *const linear = half.linear, *const quadratic = half.quadratic;
  const double* const density = half.density;
  const double own = s.linear, own_quadratic = s.quadratic, air = s.air;
  for (std::size_t i = 0; i < count; ++i) {
    const double push = 0.125 * kPi * density[i] * air * size[i] * size[i] / mass[i];
    linear[i] += own;
    quadratic[i] = quadratic[i] + own_quadratic + (density[i] > 0 && air > 0 ? push : 0);
  }
}

Vec3 at(const double (*list)[kParticleList], std::size_t i) { return {list[0][i], list[1][i], list[2][i]}; }

void add_water(const FieldNow& field, const Flight& flight, const Flown& flown, const double* mass, std::size_t count,
               Half& half) {
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 place = at(half.place, i);
    const Water water = field.water(place);
    if (!(water.weight > 0)) continue;
    Vec3 pull = at(half.pull, i);
    // x'' = c a is x'' = a in a time that goes √c times as fast.
    const double faster = flight.speed ? std::sqrt(flown.whole[i]) : 1;
    const double in =
        immerse({place, faster * at(half.velocity, i), faster * flown.step[i], 0.5 * flown.size[i], mass[i]}, water,
                flight.weight, pull, half.taken[i]);
    if (!(in > 0)) continue;
    for (int k = 0; k < 3; ++k) half.pull[k][i] = pull[k];
    for (auto& air : half.air) air[i] *= 1 - in;
    half.density[i] = (1 - in) * half.density[i] + in * water.density;
    half.linear[i] = (1 - in) * half.linear[i] + in * water.linear;
    half.quadratic[i] = (1 - in) * half.quadratic[i] + in * water.quadratic;
  }
}

/// Forces move the water that goes with a particle, too.
void share_with_water(const double* mass, std::size_t count, Half& half) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!(half.taken[i] > 0)) continue;
    half.linear[i] *= mass[i] / (mass[i] + half.taken[i]);
    half.quadratic[i] *= mass[i] / (mass[i] + half.taken[i]);
  }
}

void add_pull(const FieldNow& field, std::size_t count, Half& half) {
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 pull = field.acceleration(at(half.place, i));
    for (int k = 0; k < 3; ++k) half.pull[k][i] += pull[k];
  }
}

/// Where it is half-way, of one whose speed goes over its life.
void pace(const double* const* place, const double* step, const double* whole, std::size_t count, Half& half) {
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < count; ++i)
      half.place[k][i] = place[k][i] + 0.5 * step[i] * whole[i] * half.velocity[k][i];
}

/// True: there is something that brakes or blows.
bool add_fields_of(const Flight& flight, const Flown& flown, const double* mass, std::size_t count, Half& half) {
  bool any = false;
  for (const FieldNow* field : flight.fields) {
    if (!field->acts()) continue;
    switch (field->field().kind) {
      case FieldKind::wind:
      case FieldKind::vortex:
      case FieldKind::drag:
        any = true;
        field->add_airs(flight.time, half.media(count));
        break;
      case FieldKind::water:
        break;
      default:
        add_pull(*field, count, half);
    }
  }
  for (const FieldNow* field : flight.fields)
    if (field->acts() && field->field().kind == FieldKind::water) {
      any = true;
      add_water(*field, flight, flown, mass, count, half);
    }
  return any;
}

/// Of those behind the last what the source says.
void masses_of(const Flight& flight, const ParticleMemory& p, std::size_t first, std::size_t count,
               std::array<double, kParticleList>& mass) {
  const ParticleSource& s = *flight.source;
  mass.fill(s.mass);
  if (!(s.mass_spread > 0)) return;
  for (std::size_t i = 0; i < count; ++i)
    mass[i] = flight.dice.value(s.mass, s.mass_spread, p.number[first + i], ParticleDraw::mass);
}

/// Means over the life, of the sub-step.
void put_pace(const Flight& flight, const ParticleMemory& p, std::size_t first, std::size_t count, std::size_t whole,
              Flown& out) {
  std::fill_n(out.whole.begin(), whole, 1);
  std::fill_n(out.late.begin(), whole, 0.5);
  if (!flight.speed) return;
  for (std::size_t i = 0; i < count; ++i) {
    const LifeCurve::Means means = pace_of(flight, p, first + i, out.step[i]);
    out.whole[i] = means.whole;
    out.late[i] = means.late;
  }
}

LifeCurve::Means means_of(const LifeCurve& curve, const Flight& flight, const ParticleMemory& p, std::size_t i,
                          double left) {
  const double age = flight.end - p.birth[i];
  return curve.means((age - left) / p.life[i], age / p.life[i]);
}

void brake_over_life(const Flight& flight, const ParticleMemory& p, std::size_t first, std::size_t count,
                     const double* step, Half& half) {
  for (std::size_t i = 0; i < count; ++i) {
    const double times = means_of(*flight.drag, flight, p, first + i, step[i]).whole;
    half.linear[i] *= times;
    half.quadratic[i] *= times;
  }
}

}  // namespace

LifeCurve::Means pace_of(const Flight& flight, const ParticleMemory& p, std::size_t at, double left) {
  return flight.speed ? means_of(*flight.speed, flight, p, at, left) : LifeCurve::Means{};
}

void fly(const Flight& flight, const ParticleMemory& p, std::size_t first, std::size_t count, Flown& out) {
  const ParticleSource& s = *flight.source;
  const std::size_t whole = (count + kLanes - 1) / kLanes * kLanes;
  const double h = flight.end - flight.begin;
  for (std::size_t i = 0; i < count; ++i)
    out.step[i] = p.birth[first + i] <= flight.begin ? h : flight.end - p.birth[first + i];
  for (std::size_t i = 0; i < count; ++i)
    out.size[i] = flight.dice.value(s.size, s.size_spread, p.number[first + i], ParticleDraw::size);
  for (std::size_t i = count; i < whole; ++i) out.step[i] = out.size[i] = 0;
  put_pace(flight, p, first, count, whole, out);
  Half half;
  const double* const place[3] = {&p.x[first], &p.y[first], &p.z[first]};
  const double* const velocity[3] = {&p.u[first], &p.v[first], &p.w[first]};
  begin(place, velocity, flight.gravity.data(), out.step.data(), count, whole, half);
  if (flight.speed) pace(place, out.step.data(), out.whole.data(), count, half);
  for (auto* list :
       {&half.air[0], &half.air[1], &half.air[2], &half.density, &half.linear, &half.quadratic, &half.taken})
    std::fill_n(*list, whole, 0);
  const bool own_drag = s.linear > 0 || s.quadratic > 0;
  alignas(64) std::array<double, kParticleList> mass;
  if (!flight.fields.empty() || own_drag) masses_of(flight, p, first, count, mass);
  const bool blown = !flight.fields.empty() && add_fields_of(flight, out, mass.data(), count, half);
  double* const next[3] = {out.u.data(), out.v.data(), out.w.data()};
  if (!blown && !own_drag) {
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < whole; ++i) next[axis][i] = half.velocity[axis][i] + out.step[i] * half.pull[axis][i];
    return;
  }
  add_push(s, out.size.data(), mass.data(), count, half);
  if (flight.drag) brake_over_life(flight, p, first, count, out.step.data(), half);
  share_with_water(mass.data(), count, half);
  brake(half, out.step.data(), whole, next);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = half.drag[i];
    if (x < kSeries) continue;
    const double less = 1 + std::expm1(-x) / x;
    for (int axis = 0; axis < 3; ++axis) {
      const double u = half.velocity[axis][i], b = half.pull[axis][i];
      next[axis][i] = u + (1 - less) * x * (half.air[axis][i] - u) + out.step[i] * (1 - less) * b;
    }
  }
}

}  // namespace hazumi
