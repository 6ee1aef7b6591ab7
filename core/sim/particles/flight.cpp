#include "core/sim/particles/flight.h"

#include <cmath>

#include "core/base/random.h"
#include "core/sim/fields/surface.h"

namespace hazumi {

double particle_draw(std::uint64_t seed, Id source, std::uint64_t number, ParticleDraw what) {
  return random_unit(seed, source, number, static_cast<std::uint64_t>(what));
}

double particle_value(double value, double spread, std::uint64_t seed, Id source, std::uint64_t number,
                      ParticleDraw what) {
  return spread > 0 ? value * (1 + spread * (2 * particle_draw(seed, source, number, what) - 1)) : value;
}

namespace {

struct Half {
  std::array<Vec3, kParticlesAtOnce> places, pulls;
  std::array<Medium, kParticlesAtOnce> media;
};

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
  const Medium still;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = first + i;
    const Medium& m = blown ? half.media[i] : still;
    const Vec3& b = pulled ? half.pulls[i] : flight.gravity;
    const Vec3 velocity(p.u[k], p.v[k], p.w[k]);
    double push = 0;
    if (m.density > 0 && s.air > 0) {
      const double d = particle_value(s.size, s.size_spread, flight.seed, s.id, p.number[k], ParticleDraw::size);
      const double mass = particle_value(s.mass, s.mass_spread, flight.seed, s.id, p.number[k], ParticleDraw::mass);
      push = 0.125 * kPi * m.density * s.air * d * d / mass;
    }
    const double linear = m.linear + s.linear, quadratic = m.quadratic + s.quadratic + push;
    double rate = linear + quadratic * (m.velocity - velocity).norm();
    const double t = out.step[i];
    const Vec3 middle = (velocity + 0.5 * t * (b + rate * m.velocity)) / (1 + 0.5 * t * rate);
    rate = linear + quadratic * (m.velocity - middle).norm();
    const Vec3 next = velocity + t * (b + mean_drag(rate, t, velocity, m.velocity, b));
    out.u[i] = next.x();
    out.v[i] = next.y();
    out.w[i] = next.z();
  }
}

}  // namespace hazumi
