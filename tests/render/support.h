// Small scenes and pictures for the tests of render/.
#pragma once

#include <string>

#include "core/scene/derived/cameras.h"
#include "render/offscreen.h"
#include "tests/support/world.h"

namespace hazumi::test {

/// As coarse as its shape allows; a ball is round.
inline Object make_object(std::uint64_t id, const std::string& name, PrimitiveShape shape, const Vec3& size,
                          const Vec3& position) {
  Primitive primitive{shape, size};
  if (shape == PrimitiveShape::sphere) primitive.divisions = {48, 32, 1};
  if (shape == PrimitiveShape::plane || shape == PrimitiveShape::box) primitive.divisions = {1, 1, 1};
  return make_object(id, name, primitive, position);
}

inline Light make_light(std::uint64_t id, LightKind kind, const Vec3& position, double intensity, bool shadow) {
  Light light = make_light(id, "Light", kind, position);
  light.intensity = intensity;
  light.shadow = shadow;
  return light;
}

/// As the only camera of a scene was: an angle of 0.69 rad and planes of its own.
inline Camera make_camera(std::uint64_t id, const Vec3& position = Vec3(4, 3, 6), const Vec3& target = Vec3(0, 0.5, 0),
                          double angle = 0.69) {
  Camera camera;
  camera.id = Id{id};
  camera.position = position;
  camera.target = target;
  camera.focal_length = lens_of_angle(angle);
  camera.depth.automatic = false;
  return camera;
}

inline Surface plastic(const Vec3& diffuse) {
  Surface surface;
  surface.ambient = 0.3 * diffuse;
  surface.diffuse = diffuse;
  surface.specular = Vec3(0.6, 0.6, 0.6);
  surface.shininess = 40;
  return surface;
}

/// A red ball with an icosahedron inside and a blue box on a floor, one sun with shadow and a fill light.
inline Scene studio() {
  Scene scene;
  scene.name = "Studio";
  Object floor = make_object(1, "Floor", PrimitiveShape::plane, Vec3(12, 0, 12), Vec3::Zero());
  floor.body.kind = BodyKind::fixed;
  floor.material.surface = plastic(Vec3(0.62, 0.62, 0.64));
  floor.material.surface.specular = Vec3(0.05, 0.05, 0.05);
  Object ball = make_object(2, "Ball", PrimitiveShape::sphere, Vec3(1.6, 1.6, 1.6), Vec3(-1.1, 1.0, 0.2));
  ball.material.surface = plastic(Vec3(0.80, 0.24, 0.18));
  ball.analysis.kind = AnalysisKind::icosahedron;
  ball.analysis.size = Vec3(1.6, 1.6, 1.6);
  ball.body.kind = BodyKind::flexible;
  Object box = make_object(3, "Box", PrimitiveShape::box, Vec3(1.2, 1.2, 1.2), Vec3(1.1, 0.6, -0.3));
  box.material.surface = plastic(Vec3(0.25, 0.45, 0.75));
  box.transform.rotation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitY()));
  scene.objects = {floor, ball, box};
  scene.lights.push_back(make_light(10, LightKind::directional, Vec3(3, 6, 3.5), 0.95, true));
  scene.lights.push_back(make_light(11, LightKind::point, Vec3(-5, 3, 3), 0.3, false));
  scene.cameras.push_back(make_camera(12, Vec3(1.2, 2.6, 6.4), Vec3(0, 0.7, 0)));
  return scene;
}

/// Values 0…255.
inline double brightness(const QImage& image, int x, int y) {
  const QColor c = image.pixelColor(x, y);
  return (c.red() + c.green() + c.blue()) / 3.0;
}

}  // namespace hazumi::test
