#include "core/sim/particles/flight.h"

#include <cmath>

#include "core/base/random.h"
#include "core/math/clones.h"

namespace hazumi {

ParticleDice::ParticleDice(std::uint64_t seed, Id source) { begun_.add(seed).add(source.value); }

double ParticleDice::draw(std::uint64_t number, ParticleDraw what) const {
  return random_unit(begun_, number, static_cast<std::uint64_t>(what));
}

namespace {

struct Half {
  std::array<Vec3, kParticleList> places, pulls;
  std::array<Medium, kParticleList> media;
};

/// What brakes, side by side.
struct alignas(64) Braked {
  using List = double[kParticleList];
  List velocity[3], other[3], air[3];  // m/s, m/s², m/s
  List linear, quadratic, step;        // 1/s, 1/m, s
  List drag;                           // out: K h
};

constexpr double kSeries = 1.0 / 16;  // of K h: below, 1 − φ is its series to the last digit
constexpr std::size_t kLanes = 8;

/// Velocities at the end, where K h is below kSeries; K h of all. φ = (1 − e^−x)/x = 1 − x/2! + x²/3! − …
HAZUMI_WIDE_CLONES void brake(Braked& all, std::size_t count, double* const* out) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Eight u[3], b[3], air[3], linear, quadratic, h;
    for (int k = 0; k < 3; ++k) {
      __builtin_memcpy(&u[k], &all.velocity[k][i], sizeof u[k]);
      __builtin_memcpy(&b[k], &all.other[k][i], sizeof b[k]);
      __builtin_memcpy(&air[k], &all.air[k][i], sizeof air[k]);
    }
    __builtin_memcpy(&linear, &all.linear[i], sizeof linear);
    __builtin_memcpy(&quadratic, &all.quadratic[i], sizeof quadratic);
    __builtin_memcpy(&h, &all.step[i], sizeof h);
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

void add_water(const FieldNow& field, std::size_t count, Half& half) {
  for (std::size_t i = 0; i < count; ++i) {
    const Water water = field.water(half.places[i]);
    if (!(water.weight > 0) || water.depth(half.places[i]) <= 0) continue;
    const double in = water.weight;
    Medium& m = half.media[i];
    m.velocity *= 1 - in;
    m.density = (1 - in) * m.density + in * water.density;
    m.linear = (1 - in) * m.linear + in * water.linear;
    m.quadratic = (1 - in) * m.quadratic + in * water.quadratic;
  }
}

/// True: there is something that brakes or blows.
bool add_fields_of(const Flight& flight, std::size_t count, Half& half) {
  bool any = false;
  for (const FieldNow* field : flight.fields) {
    if (!field->acts()) continue;
    switch (field->field().kind) {
      case FieldKind::wind:
      case FieldKind::vortex:
      case FieldKind::drag:
        any = true;
        field->add_airs(std::span(half.places).first(count), flight.time, half.media);
        break;
      case FieldKind::water:
        break;
      default:
        for (std::size_t i = 0; i < count; ++i) half.pulls[i] += field->acceleration(half.places[i]);
    }
  }
  for (const FieldNow* field : flight.fields)
    if (field->acts() && field->field().kind == FieldKind::water) {
      any = true;
      add_water(*field, count, half);
    }
  return any;
}

}  // namespace

void fly(const Flight& flight, const ParticleMemory& p, std::size_t first, std::size_t count, Flown& out) {
  const ParticleSource& s = *flight.source;
  const double h = flight.end - flight.begin;
  for (std::size_t i = 0; i < count; ++i)
    out.step[i] = p.birth[first + i] <= flight.begin ? h : flight.end - p.birth[first + i];
  for (std::size_t i = 0; i < count; ++i)
    out.size[i] = flight.dice.value(s.size, s.size_spread, p.number[first + i], ParticleDraw::size);
  Half half;
  const bool pulled = !flight.fields.empty();
  if (pulled)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = first + i;
      half.places[i] = Vec3(p.x[k], p.y[k], p.z[k]) + 0.5 * out.step[i] * Vec3(p.u[k], p.v[k], p.w[k]);
      half.pulls[i] = flight.gravity;
      half.media[i] = Medium();
    }
  const bool blown = pulled && add_fields_of(flight, count, half);
  if (!blown && !(s.linear > 0) && !(s.quadratic > 0)) {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3& b = pulled ? half.pulls[i] : flight.gravity;
      out.u[i] = p.u[first + i] + out.step[i] * b.x();
      out.v[i] = p.v[first + i] + out.step[i] * b.y();
      out.w[i] = p.w[first + i] + out.step[i] * b.z();
    }
    return;
  }
  Braked all;
  const Medium still;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = first + i;
    const Medium& m = blown ? half.media[i] : still;
    const Vec3& b = pulled ? half.pulls[i] : flight.gravity;
    double push = 0;
    if (m.density > 0 && s.air > 0) {
      const double d = out.size[i];
      const double mass = flight.dice.value(s.mass, s.mass_spread, p.number[k], ParticleDraw::mass);
      push = 0.125 * kPi * m.density * s.air * d * d / mass;
    }
    const double velocity[3] = {p.u[k], p.v[k], p.w[k]};
    for (int axis = 0; axis < 3; ++axis) {
      all.velocity[axis][i] = velocity[axis];
      all.other[axis][i] = b[axis];
      all.air[axis][i] = m.velocity[axis];
    }
    all.linear[i] = m.linear + s.linear;
    all.quadratic[i] = m.quadratic + s.quadratic + push;
    all.step[i] = out.step[i];
  }
  const std::size_t whole = (count + kLanes - 1) / kLanes * kLanes;
  for (std::size_t i = count; i < whole; ++i) {
    for (int axis = 0; axis < 3; ++axis) all.velocity[axis][i] = all.other[axis][i] = all.air[axis][i] = 0;
    all.linear[i] = all.quadratic[i] = all.step[i] = 0;
  }
  double* const next[3] = {out.u.data(), out.v.data(), out.w.data()};
  brake(all, whole, next);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = all.drag[i];
    if (x < kSeries) continue;
    const double less = 1 + std::expm1(-x) / x;
    for (int axis = 0; axis < 3; ++axis) {
      const double u = all.velocity[axis][i], b = all.other[axis][i];
      next[axis][i] = u + (1 - less) * x * (all.air[axis][i] - u) + all.step[i] * (1 - less) * b;
    }
  }
}

}  // namespace hazumi
