#include "core/scene/derived/field_values.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hazumi {

namespace {

constexpr double kLeastCore = 1e-3;  // m: nothing pulls without bound

}  // namespace

FieldNow::FieldNow(const ForceField& field, std::shared_ptr<const CurveWay> way, std::uint64_t seed)
    : field_(field), way_(std::move(way)), axis_(field.rotation.normalized() * Vec3::UnitY()) {
  if (field.kind == FieldKind::wind) gusts_ = Gusts(seed, field.id, field.gust, field.gust_size, field.gust_period);
}

FieldNow::At FieldNow::at(const Vec3& place) const {
  At here{1, field_.position, axis_};
  double outside = 0;
  switch (field_.shape) {
    case FieldShape::everywhere:
      return here;
    case FieldShape::box: {
      const Vec3 own = field_.rotation.normalized().conjugate() * (place - field_.position);
      outside = (own.cwiseAbs() - 0.5 * field_.size).cwiseMax(0.0).norm();
      break;
    }
    case FieldShape::ball:
      outside = std::max(0.0, (place - field_.position).norm() - field_.radius);
      break;
    case FieldShape::curve: {
      if (!way_) return {0, place, axis_};
      const double along = way_->nearest(place);
      here.centre = way_->place(along);
      here.axis = way_->tangent(along);
      outside = std::max(0.0, (place - here.centre).norm() - field_.radius);
      break;
    }
  }
  if (outside > 0) {
    const double q = outside < field_.falloff ? outside / field_.falloff : 1;
    here.weight = 1 - q * q * (3 - 2 * q);
  }
  return here;
}

void FieldNow::add_air(const Vec3& place, double time, Medium& medium) const {
  add_with_gust(place, gusts_.any() ? gusts_.at(place, time) : Vec3(Vec3::Zero()), medium);
}

void FieldNow::add_airs(double time, const Media& media) const {
  if (!acts()) return;
  constexpr std::size_t kAtOnce = 128;
  double gust[3][kAtOnce] = {};
  for (std::size_t first = 0; first < media.count; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, media.count - first);
    if (gusts_.any())
      gusts_.at_many({media.place[0] + first, media.place[1] + first, media.place[2] + first}, count, time,
                     {gust[0], gust[1], gust[2]});
    if (field_.kind == FieldKind::wind && field_.shape == FieldShape::everywhere) {
      for (int k = 0; k < 3; ++k) {
        const double along = field_.speed * axis_[k];
        double* const velocity = media.velocity[k] + first;
        for (std::size_t i = 0; i < count; ++i) velocity[i] += along + gust[k][i];
      }
      double* const density = media.density + first;
      for (std::size_t i = 0; i < count; ++i) density[i] = std::max(density[i], field_.density);
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = first + i;
      Medium medium{{media.velocity[0][at], media.velocity[1][at], media.velocity[2][at]},
                    media.density[at],
                    media.linear[at],
                    media.quadratic[at]};
      add_with_gust({media.place[0][at], media.place[1][at], media.place[2][at]}, {gust[0][i], gust[1][i], gust[2][i]},
                    medium);
      for (int k = 0; k < 3; ++k) media.velocity[k][at] = medium.velocity[k];
      media.density[at] = medium.density;
      media.linear[at] = medium.linear;
      media.quadratic[at] = medium.quadratic;
    }
  }
}

void FieldNow::add_with_gust(const Vec3& place, const Vec3& gust, Medium& medium) const {
  const FieldKind kind = field_.kind;
  if (!acts() || (kind != FieldKind::wind && kind != FieldKind::vortex && kind != FieldKind::drag)) return;
  const At here = at(place);
  if (here.weight <= 0) return;
  if (kind == FieldKind::drag) {
    medium.linear += here.weight * field_.linear;
    medium.quadratic += here.weight * field_.quadratic;
    return;
  }
  Vec3 air = field_.speed * here.axis + gust;
  if (kind == FieldKind::vortex) {
    const Vec3 r = place - here.centre, across = r - r.dot(here.axis) * here.axis;
    const double square = across.squaredNorm() + field_.core * field_.core;
    air = field_.rise * here.axis;
    if (square > 0)
      air += 2 * field_.speed * field_.core / square * here.axis.cross(across) -
             field_.inflow / std::sqrt(square) * across;
  }
  medium.velocity += here.weight * air;
  medium.density = std::max(medium.density, here.weight * field_.density);
}

Vec3 FieldNow::acceleration(const Vec3& place) const {
  const FieldKind kind = field_.kind;
  const bool central = kind == FieldKind::attractor || kind == FieldKind::point_gravity;
  if (!acts() || (!central && kind != FieldKind::gravity)) return Vec3::Zero();
  const At here = at(place);
  const double strength = here.weight * field_.strength;
  if (!central) return -strength * here.axis;
  const Vec3 r = place - here.centre;
  const double far = std::sqrt(r.squaredNorm() + std::max(field_.core * field_.core, kLeastCore * kLeastCore));
  return -strength / (kind == FieldKind::attractor ? far : far * far * far) * r;
}

Water FieldNow::water(const Vec3& place) const {
  const double weight = acts() ? at(place).weight : 0;
  return {field_.position, axis_, weight, field_.water_density, field_.linear, field_.quadratic};
}

}  // namespace hazumi
