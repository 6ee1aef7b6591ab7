#include "tests/render/golden.h"

#include <catch2/catch.hpp>

#include "core/scene/values/materials.h"
#include "tests/render/support.h"

namespace golden_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

PictureOptions small() {
  PictureOptions options;
  options.width = 320;
  options.height = 180;
  return options;
}

QImage drawn(const RenderList& list, const PictureOptions& options = small()) {
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  auto image = renderer.value()->draw(list, options);
  REQUIRE(image.ok());
  return std::move(image).value();
}

QImage picture(const Scene& scene, const PictureOptions& options = small()) {
  auto renderer = OffscreenRenderer::create();
  REQUIRE(renderer.ok());
  MeshStore meshes;
  auto image = renderer.value()->picture(scene, nullptr, meshes, options);
  REQUIRE(image.ok());
  return std::move(image).value();
}

RenderList viewport(const Scene& scene, const ViewOptions& options, const ViewSelection& selection) {
  ViewCamera camera;
  camera.distance = 7.5f;
  MeshStore meshes;
  return extract(scene, nullptr, camera, 320.0f / 180.0f, options, selection, meshes);
}

}  // namespace

TEST_CASE("Golden: the scene through its camera", "[golden]") {
  CHECK(against_golden(picture(studio()), "studio") == "");
}

TEST_CASE("Golden: viewport with grid, overlay, outline and symbols", "[golden]") {
  ViewOptions options;
  options.analysis = AnalysisOverlay::selected;
  const ViewSelection selection{{Id{2}, Id{3}}, Id{2}};
  CHECK(against_golden(drawn(viewport(studio(), options, selection)), "viewport") == "");
}

TEST_CASE("Golden: wireframe over solid", "[golden]") {
  ViewOptions options;
  options.shade = ShadeMode::solid_wireframe;
  options.helpers = false;
  CHECK(against_golden(drawn(viewport(studio(), options, {})), "wireframe") == "");
}

TEST_CASE("Golden: glass before gold, transparent background", "[golden]") {
  Scene scene = studio();
  scene = without(scene, Id{1});
  scene = with_object(scene, Id{2}, [](Object& o) { o.material = apply_preset({}, *find_material("polished gold")); });
  scene = with_object(scene, Id{3}, [](Object& o) {
    o.material.surface.opacity = 0.4;
    o.transform.position = Vec3(-0.3, 0.8, 1.6);
  });
  PictureOptions options = small();
  options.transparent = true;
  CHECK(against_golden(picture(scene, options), "glass") == "");
}

TEST_CASE("Golden pictures are told apart from a changed colour and a moved object", "[golden]") {
  if (std::getenv("HAZUMI_UPDATE")) return;
  const QImage plain = picture(studio());
  CHECK(alike(compare(plain, plain)));
  Scene recoloured = with_object(studio(), Id{2}, [](Object& o) { o.material.surface.diffuse = Vec3(0.8, 0.4, 0.18); });
  CHECK_FALSE(alike(compare(plain, picture(recoloured))));
  CHECK(against_golden(picture(recoloured), "studio") != "");
  Scene moved = with_object(studio(), Id{3}, [](Object& o) { o.transform.position.x() += 0.1; });
  CHECK_FALSE(alike(compare(plain, picture(moved))));
}

}  // namespace golden_test
