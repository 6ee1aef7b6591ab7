// What the look of a scene does to its picture: ready lights, sky and ground, curve, occlusion, soft shadows, fading floor, final quality.
#include <catch2/catch.hpp>

#include <cmath>

#include "core/scene/derived/studio.h"
#include "tests/render/golden.h"
#include "tests/render/support.h"

namespace looks_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

PictureOptions small(bool final_quality = false) {
  PictureOptions options;
  options.width = 320;
  options.height = 180;
  options.final_quality = final_quality;
  return options;
}

QImage picture(const Scene& scene, const PictureOptions& options = small()) {
  static const auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  MeshStore meshes;
  auto image = renderer.value()->picture(scene, nullptr, meshes, options);
  REQUIRE(image.ok());
  return std::move(image).value();
}

RenderList list_of(const Scene& scene) {
  MeshStore meshes;
  return extract(scene, nullptr, {}, 16.0f / 9, {}, {}, meshes);
}

Scene looked(const SceneLook& look, Scene scene = studio()) {
  scene.settings.look = look;
  return scene;
}

double red_less_blue(const QImage& image, int x, int y) {
  const QColor c = image.pixelColor(x, y);
  return c.red() - c.blue();
}

/// A tall thin wall on a floor, seen from straight above; the sun comes in flat along −x, so that its shadow runs along the picture.
Scene wall() {
  Scene scene;
  Object floor = make_object(1, "Floor", PrimitiveShape::plane, Vec3(20, 0, 20), Vec3::Zero());
  floor.body.kind = BodyKind::fixed;
  floor.material.surface = plastic(Vec3(0.7, 0.7, 0.7));
  floor.material.surface.specular = Vec3::Zero();
  Object post = make_object(2, "Post", PrimitiveShape::box, Vec3(0.2, 4, 0.6), Vec3(2.4, 2, 0));
  scene.objects = {floor, post};
  scene.lights.push_back(make_light(10, LightKind::directional, Vec3(4, 4, 0), 0.9, true));
  scene.cameras.push_back(make_camera(12, Vec3(0, 9, 0.01), Vec3(0, 0, 0)));
  return scene;
}

/// Pixels over which the side of the shadow goes from a fifth to four fifths of its depth, in the column.
double edge_width(const QImage& image, int x) {
  const int middle = image.height() / 2, reach = image.height() / 5;
  const double dark = brightness(image, x, middle), bright = brightness(image, x, middle - reach);
  REQUIRE(bright > dark + 25);
  double width = 0;
  for (int y = middle - reach; y < middle; ++y) {
    const double share = (brightness(image, x, y) - dark) / (bright - dark);
    if (share > 0.2 && share < 0.8) width += 1;
  }
  return width;
}

}  // namespace

TEST_CASE("Looks: without one a list is as it was; a ready set takes the place of the scene's lights", "[looks]") {
  const RenderList plain = list_of(studio());
  CHECK(plain.lights.size() == 2);
  CHECK(plain.ambient == glm::vec3(0.25f));
  CHECK(glm::length(plain.ground - glm::vec3(0.0875f)) < 1e-7f);
  CHECK_FALSE(plain.look.filmic);
  CHECK(plain.look.occlusion == 0);
  CHECK(plain.look.softness == 0);
  CHECK(plain.look.exposure == 1);
  for (const StudioLight light :
       {StudioLight::studio, StudioLight::daylight, StudioLight::overcast, StudioLight::evening}) {
    const RenderList lit = list_of(looked({.light = light}));
    const StudioSet& set = studio_set(light);
    REQUIRE(lit.lights.size() == set.lamps.size());
    for (std::size_t i = 0; i < lit.lights.size(); ++i) {
      CHECK(lit.lights[i].directional);
      CHECK(lit.lights[i].shadow == (i == 0));
      CHECK(lit.lights[i].position.y > 0);  // from above: nothing is lit through the floor
    }
    CHECK((set.sky.array() > set.ground.array()).all());
    CHECK(lit.background == plain.background);
    CHECK_FALSE(alike(compare(picture(studio()), picture(looked({.light = light})))));
  }
}

TEST_CASE("Looks: no ready set burns out or goes under", "[looks]") {
  // A white ball and a grey floor: the share of pixels at the ends of the scale, and the mean. Measured means 79 … 147.
  Scene scene = without(studio(), Id{3});
  scene = with_object(scene, Id{2}, [](Object& o) { o.material.surface = plastic(Vec3(0.95, 0.95, 0.95)); });
  for (const ToneCurve curve : {ToneCurve::shoulder, ToneCurve::filmic})
    for (int light = 0; light < 5; ++light) {
      INFO("set " << light << ", curve " << static_cast<int>(curve));
      const QImage image = picture(looked({.light = static_cast<StudioLight>(light), .curve = curve}, scene));
      long ends = 0;
      double sum = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
          const double b = brightness(image, x, y);
          ends += b > 253 || b < 4;
          sum += b;
        }
      const double pixels = image.width() * image.height();
      CHECK(static_cast<double>(ends) < 0.02 * pixels);
      CHECK(sum / pixels > 60);
      CHECK(sum / pixels < 190);
    }
}

TEST_CASE("Looks: the film's curve deepens darks and keeps white, and leaves the background alone", "[looks]") {
  const QImage plain = picture(studio()), film = picture(looked({.curve = ToneCurve::filmic}));
  CHECK(film.pixel(3, 3) == plain.pixel(3, 3));  // background
  // A darker surface is darkened by a larger share of itself.
  const auto of_floor = [](double grey, ToneCurve curve) {
    Scene scene = looked({.curve = curve}, without(without(studio(), Id{2}), Id{3}));
    scene = with_object(scene, Id{1}, [&](Object& o) {
      o.material.surface = {.ambient = Vec3::Zero(), .diffuse = Vec3::Constant(grey), .specular = Vec3::Zero()};
    });
    return brightness(picture(scene), 160, 120);
  };
  const double dark = of_floor(0.15, ToneCurve::filmic) / of_floor(0.15, ToneCurve::shoulder);
  const double light = of_floor(1, ToneCurve::filmic) / of_floor(1, ToneCurve::shoulder);
  INFO("dark " << dark << ", light " << light);
  CHECK(dark < 0.9);
  CHECK(light > 0.92);  // measured 0.934
  CHECK(light < 1.05);
}

TEST_CASE("Looks: a stop of exposure is twice the light, on surfaces only", "[looks]") {
  const Scene dim = with_object(studio(), Id{1}, [](Object& o) {
    o.material.surface = {.ambient = Vec3::Zero(), .diffuse = Vec3::Constant(0.4), .specular = Vec3::Zero()};
  });
  const QImage plain = picture(dim), more = picture(looked({.exposure = 1}, dim));
  const double ratio = brightness(more, 160, 165) / brightness(plain, 160, 165);
  CHECK(ratio == Approx(std::sqrt(2)).epsilon(0.02));  // as encoded
  CHECK(more.pixel(3, 3) == plain.pixel(3, 3));
}

TEST_CASE("Looks: sky and ground colour what faces up and down", "[looks]") {
  Scene scene = without(without(studio(), Id{1}), Id{3});
  scene = with_object(scene, Id{2}, [](Object& o) {
    o.material.surface = {.ambient = Vec3::Zero(), .diffuse = Vec3::Ones(), .specular = Vec3::Zero()};
    o.transform.position = Vec3(0, 0.7, 0);
  });
  for (auto& light : scene.lights) light = light.edited([](Light& l) { l.visible = false; });
  scene.settings.ambient = Vec3::Constant(0.6);
  const QImage image = picture(looked({.sky = Vec3(0.2, 0.4, 1), .ground = Vec3(1, 0.5, 0.2)}, scene));
  CHECK(red_less_blue(image, 160, 62) < -60);
  CHECK(red_less_blue(image, 160, 115) > 40);
}

TEST_CASE("Looks: occlusion darkens where things meet, and neither open floor nor background", "[looks]") {
  const QImage plain = picture(studio()), shaded = picture(looked({.occlusion = 1}));
  CHECK(shaded.pixel(3, 3) == plain.pixel(3, 3));
  CHECK(brightness(shaded, 160, 172) == Approx(brightness(plain, 160, 172)).margin(2));  // floor before everything
  // It only darkens, somewhere by much, and the picture as a whole by little.
  double most = 0, mean = 0;
  int brighter = 0;
  for (int y = 0; y < plain.height(); ++y)
    for (int x = 0; x < plain.width(); ++x) {
      const double d = brightness(plain, x, y) - brightness(shaded, x, y);
      most = std::max(most, d);
      mean += d / (plain.width() * plain.height());
      brighter += d < -1.5;
    }
  CHECK(brighter == 0);
  CHECK(most > 25);
  CHECK(mean > 0.1);
  CHECK(mean < 8);
}

TEST_CASE("Looks: occlusion is the same at any size of scene", "[looks]") {
  const auto scaled = [](double s) {
    Scene scene = looked({.occlusion = 1});
    for (auto& object : scene.objects)
      object = object.edited([s](Object& o) {
        o.transform.position *= s;
        o.display.primitive.size *= s;
      });
    for (auto& light : scene.lights) light = light.edited([s](Light& l) { l.position *= s; });
    for (auto& camera : scene.cameras)
      camera = camera.edited([s](Camera& c) {
        c.position *= s;
        c.target *= s;
        c.depth.automatic = true;
      });
    return picture(scene);
  };
  CHECK(alike(compare(scaled(1), scaled(0.01))));
  CHECK(alike(compare(scaled(1), scaled(100))));
}

TEST_CASE("Looks: a soft shadow is sharp where it begins and wide far from what casts it", "[looks]") {
  const QImage hard = picture(wall()), soft = picture(looked({.softness = radians(6)}, wall()));
  const double near_width = edge_width(soft, 190), far_width = edge_width(soft, 130);
  INFO("near " << near_width << ", far " << far_width << ", hard " << edge_width(hard, 190) << ", "
               << edge_width(hard, 130));
  CHECK(far_width > 2 * near_width);
  CHECK(std::abs(edge_width(hard, 190) - edge_width(hard, 130)) <= 1);
  // Where nothing casts, nothing is dark: no speckles from surfaces in their own shadow.
  const QImage bare = picture(looked({.softness = radians(6)}, without(wall(), Id{2})));
  CHECK(brightness(soft, 160, 20) == Approx(brightness(bare, 160, 20)).margin(1.5));
}

TEST_CASE("Looks: a floor fades into the background before its edge", "[looks]") {
  Scene scene = without(without(studio(), Id{2}), Id{3});
  const QImage edged = picture(scene), faded = picture(looked({.floor_fades = true}, scene));
  const auto largest_step = [](const QImage& image) {
    double most = 0;
    for (int y = 1; y < image.height(); ++y)
      most = std::max(most, std::abs(brightness(image, 160, y) - brightness(image, 160, y - 1)));
    return most;
  };
  CHECK(largest_step(edged) > 40);
  CHECK(largest_step(faded) < 14);
  CHECK(std::abs(brightness(faded, 160, 120) - brightness(edged, 160, 120)) < 12);  // its middle is there
  PictureOptions clear = small();
  clear.transparent = true;
  const QImage see_through = picture(looked({.floor_fades = true}, scene), clear);
  CHECK(see_through.pixelColor(160, 3).alpha() == 0);
  CHECK(see_through.pixelColor(160, 120).alpha() > 200);
}

TEST_CASE("Looks: final quality has soft shadows and occlusion where the scene has none, and is the same every time",
          "[looks]") {
  const QImage preview = picture(studio()), fine = picture(studio(), small(true));
  CHECK(fine == picture(studio(), small(true)));
  const double apart = compare(preview, fine).mean;
  INFO("mean difference " << apart);
  CHECK(apart > 0.2);
  CHECK(compare(preview, fine).mean < 6);  // the same picture all the same
  CHECK(fine.pixel(3, 3) == preview.pixel(3, 3));
}

TEST_CASE("Looks: tiles of a large picture join without a seam", "[looks][.long]") {
  PictureOptions large;
  large.width = 2560;
  large.height = 1440;
  large.samples = 1;
  const QImage tiled = picture(looked({.occlusion = 1}), large);
  PictureOptions half = large;
  half.width = 1280;
  half.height = 720;
  half.samples = 4;
  const QImage whole = picture(looked({.occlusion = 1}), half);
  CHECK(alike(compare(tiled.scaled(1280, 720, Qt::IgnoreAspectRatio, Qt::SmoothTransformation), whole)));
}

TEST_CASE("Outlines: that of what lies behind does not go through what lies before it", "[looks]") {
  Scene scene = without(studio(), Id{3});
  scene = with_object(scene, Id{2}, [](Object& o) { o.transform.position = Vec3(0, 1, 1); });
  Object behind = make_object(4, "Behind", PrimitiveShape::sphere, Vec3(1.6, 1.6, 1.6), Vec3(0.8, 1, -1));
  behind.material.surface = plastic(Vec3(0.2, 0.6, 0.3));
  scene.objects.push_back(behind);
  const auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  ViewCamera camera;
  camera.target = glm::vec3(0, 1, 0);
  camera.distance = 8;
  camera.yaw = camera.pitch = 0;
  ViewOptions options;
  options.grid = options.helpers = false;
  MeshStore meshes;
  const auto seen = [&](const ViewSelection& selection) {
    const auto image =
        renderer.value()->draw(extract(scene, nullptr, camera, 16.0f / 9, options, selection, meshes), small());
    REQUIRE(image.ok());
    return image.value();
  };
  const QImage plain = seen({});
  // Pixels that the outline changes within the front ball, and right of it around the one behind.
  const auto changed = [&](const QImage& image, bool within) {
    const RenderList list = extract(scene, nullptr, camera, 16.0f / 9, options, {}, meshes);
    const glm::mat4 to_clip = list.projection * list.view;
    const glm::vec4 c = to_clip * glm::vec4(0, 1, 1, 1), edge = to_clip * glm::vec4(0.8f, 1, 1, 1);
    const glm::vec2 centre((c.x / c.w * 0.5f + 0.5f) * 320, (0.5f - c.y / c.w * 0.5f) * 180);
    const float radius = (edge.x / edge.w - c.x / c.w) * 160;
    int count = 0;
    for (int y = 0; y < 180; ++y)
      for (int x = 0; x < 320; ++x) {
        const float apart = std::hypot(static_cast<float>(x) - centre.x, static_cast<float>(y) - centre.y) / radius;
        if ((within ? apart < 0.85f : apart > 1.15f) && image.pixel(x, y) != plain.pixel(x, y)) ++count;
      }
    return count;
  };
  for (const Id active : {Id{2}, Id{4}}) {
    INFO("active " << active.value);
    const QImage image = seen({{Id{2}, Id{4}}, active});
    CHECK(changed(image, true) == 0);
    CHECK(changed(image, false) > 60);
  }
  // The one behind alone: faint where something lies in front of it, as before.
  CHECK(changed(seen({{Id{4}}, Id{4}}), true) > 20);
}

}  // namespace looks_test
