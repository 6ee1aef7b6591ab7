#include "core/motion/air.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/felt.h"
#include "core/scene/derived/following.h"

namespace hazumi {

std::shared_ptr<const SketchAir> SketchAir::round(const Scene& scene, const Object& object, const DisplayMesh* mesh,
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
  const MeshMeasure surface = mesh ? measure(*mesh) : MeshMeasure();
  FlyingBall& ball = air->ball_;
  ball.mass = mass;
  ball.volume = surface.volume > 0 ? surface.volume : mass / std::max(1e-9, object.material.substance.density);
  ball.radius =
      surface.area > 0 ? radius_of_surface(surface.area, surface.exact) : std::cbrt(3 * ball.volume / (4 * kPi));
  ball.air = body.air;
  ball.linear = body.drag_linear;
  ball.quadratic = body.drag_quadratic;
  return air;
}

std::vector<Vec3> SketchAir::flown(const Start& start, std::span<const double> times) const {
  constexpr double kLongestStep = 1.0 / 60;  // s
  std::vector<Vec3> out;
  Vec3 place = start.place, velocity = start.velocity;
  double now = 0;
  std::vector<const FieldNow*> fields;
  for (const FieldNow& field : fields_) fields.push_back(&field);
  const auto go = [&](double from, double h) {
    const Vec3 felt =
        felt_by_ball(fields, ball_, {place, velocity, start.gravity, start.gravity, film_ + from + 0.5 * h, h});
    const Vec3 after = velocity + h * (start.gravity + start.share * felt);
    place += 0.5 * h * (velocity + after);
    velocity = after;
  };
  for (const double time : times) {
    const int steps = std::max(1, static_cast<int>(std::ceil((time - now) / kLongestStep)));
    const double h = (time - now) / steps;
    for (int k = 0; k < steps && h > 0; ++k) go(now + k * h, h);
    now = time;
    if (!place.allFinite() || !velocity.allFinite()) break;
    out.push_back(place);
  }
  return out;
}

}  // namespace hazumi
