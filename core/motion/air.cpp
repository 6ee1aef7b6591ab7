#include "core/motion/air.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/felt.h"
#include "core/scene/derived/following.h"
#include "core/sim/fields/immersed.h"
#include "core/sim/fields/surface.h"

namespace hazumi {

std::shared_ptr<const SketchAir> SketchAir::round(const Scene& scene, const Object& object, const MeshMeasure& mesh,
                                                  double mass, double film) {
  const BodySettings& body = object.body;
  if (!(mass > 0) || (scene.fields.empty() && !(body.drag_linear > 0) && !(body.drag_quadratic > 0))) return nullptr;
  auto air = std::make_shared<SketchAir>();
  for (const auto& field : KeyedFields(scene).at(film)) {
    const auto felt = who_feels(scene, *field);
    if (!field->on || !std::binary_search(felt.begin(), felt.end(), object.id)) continue;
    std::shared_ptr<const CurveWay> way;
    if (field->shape == FieldShape::curve)
      for (const auto& curve : scene.curves)
        if (curve->id.value == field->curve) way = way_of(curve);
    air->fields_.emplace_back(*field, way, scene.settings.seed);
  }
  if (air->fields_.empty() && !(body.drag_linear > 0) && !(body.drag_quadratic > 0)) return nullptr;
  air->film_ = film;
  air->linear_ = body.drag_linear;
  air->quadratic_ = body.drag_quadratic;
  air->mass_ = mass;
  air->volume_ = mesh.volume > 0 ? mesh.volume : mass / std::max(1e-9, object.material.substance.density);
  const double ball = kPi * std::pow(6 * air->volume_ / kPi, 2.0 / 3);
  air->across_ = body.air * (!(mesh.area > 0) ? ball / 8 : mesh.area / (mesh.exact ? 8 : 4));
  return air;
}

/// One step; `velocity` at its start, back comes that at its end.
Vec3 SketchAir::after(const Start& start, double time, double h, Vec3& place, const Vec3& velocity) const {
  const Vec3 middle = place + 0.5 * h * velocity;
  Medium air;
  Vec3 other = start.gravity;
  for (const FieldNow& field : fields_) {
    if (field.field().kind != FieldKind::water) field.add_air(middle, film_ + time, air);
    other += start.share * field.acceleration(middle);
  }
  for (const FieldNow& field : fields_) {
    if (field.field().kind != FieldKind::water) continue;
    const Water water = field.water(middle);
    const double below = water.weight * immersed_part_of_ball(std::cbrt(3 * volume_ / (4 * kPi)), water.depth(middle));
    other -= start.share * below * water.density * volume_ / mass_ * start.gravity;
    air.velocity *= 1 - below;
    air.density = (1 - below) * air.density + below * water.density;
    air.linear = (1 - below) * air.linear + below * water.linear;
    air.quadratic = (1 - below) * air.quadratic + below * water.quadratic;
  }
  const auto rate = [&](const Vec3& u) {
    const double speed = (air.velocity - u).norm();
    return start.share *
           (air.linear + linear_ + (air.quadratic + quadratic_ + across_ * air.density * 0.5 / mass_) * speed);
  };
  const double first = rate(velocity);
  const Vec3 half = (velocity + 0.5 * h * (other + first * air.velocity)) / (1 + 0.5 * h * first);
  const Vec3 end = velocity + h * (other + mean_drag(rate(half), h, velocity, air.velocity, other));
  place += 0.5 * h * (velocity + end);
  return end;
}

std::vector<Vec3> SketchAir::flown(const Start& start, std::span<const double> times) const {
  constexpr double kLongestStep = 1.0 / 60;  // s
  std::vector<Vec3> out;
  Vec3 place = start.place, velocity = start.velocity;
  double now = 0;
  for (const double time : times) {
    const int steps = std::max(1, static_cast<int>(std::ceil((time - now) / kLongestStep)));
    const double h = (time - now) / steps;
    for (int k = 0; k < steps && h > 0; ++k) velocity = after(start, now + k * h, h, place, velocity);
    now = time;
    if (!place.allFinite() || !velocity.allFinite()) break;
    out.push_back(place);
  }
  return out;
}

}  // namespace hazumi
