#include "render/picking.h"

#include <catch2/catch.hpp>

#include <limits>

#include <glm/geometric.hpp>

#include "core/base/hash.h"
#include "render/convert.h"
#include "tests/render/support.h"

namespace picking_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const glm::vec2 kSize(900, 600);

struct Setup {
  Scene scene;
  ViewCamera camera;
  MeshStore meshes;
  FramePtr frame;
  RenderList list(bool helpers = false) {
    ViewOptions options;
    options.helpers = helpers;
    return extract(scene, frame, camera, kSize.x / kSize.y, options, {}, meshes);
  }
};

double uniform(std::uint64_t& state) {
  state = mix64(state + 0x9e3779b97f4a7c15ULL);
  return static_cast<double>(state >> 11) / 9007199254740992.0;
}

// Every triangle in world space, by solving p = a + u e1 + v e2 = o + t d as a 3×3 system: another way than the code's.
std::optional<PickHit> brute_force(const RenderList& list, const Ray& ray) {
  double nearest = std::numeric_limits<double>::infinity();
  PickHit hit;
  for (const DrawMesh& mesh : list.meshes)
    for (const auto& face : mesh.mesh->faces) {
      Vec3 p[3];
      for (int k = 0; k < 3; ++k)
        p[k] = mesh.deformed ? mesh.deformed->vertices[face[k]].cast<double>().eval()
                             : to_eigen(glm::vec3(mesh.model * glm::vec4(to_glm(mesh.mesh->positions[face[k]]), 1.0f)));
      Mat3 m;
      m << p[1] - p[0], p[2] - p[0], -to_eigen(ray.direction);
      if (std::abs(m.determinant()) < 1e-14) continue;
      const Vec3 x = m.inverse() * (to_eigen(ray.origin) - p[0]);
      if (x[0] < 0 || x[1] < 0 || x[0] + x[1] > 1 || x[2] <= 0 || x[2] >= nearest) continue;
      nearest = x[2];
      hit.id = mesh.id;
    }
  if (!hit.id) return std::nullopt;
  hit.distance = static_cast<float>(nearest);
  return hit;
}

}  // namespace

TEST_CASE("Picking finds what testing every triangle finds", "[picking]") {
  Setup setup;
  std::uint64_t random = 7;
  for (std::uint64_t id = 1; id <= 12; ++id) {
    const auto shape = static_cast<PrimitiveShape>(id % 5);
    const Vec3 at(4 * uniform(random) - 2, 3 * uniform(random), 4 * uniform(random) - 2);
    Object object = make_object(id, "Thing", shape, Vec3(0.9, 0.6, 0.8), at);
    object.display.primitive.divisions = {10, 6, 2};
    object.transform.rotation = Quat(Eigen::AngleAxisd(6 * uniform(random), Vec3(1, 2, 3).normalized()));
    setup.scene.objects.push_back(object);
  }
  // One of them deformed.
  auto frame = std::make_shared<Frame>();
  const auto mesh = setup.meshes.mesh(*setup.scene.objects[3]);
  ObjectFrame moved;
  moved.id = Id{4};
  moved.deformed = true;
  for (const Vec3& p : mesh->positions) moved.vertices.push_back((2.0 * p + Vec3(0, 1, 1.5)).cast<float>());
  moved.normals = moved.vertices;
  frame->objects.push_back(moved);
  setup.frame = frame;
  for (const bool orthographic : {false, true}) {
    setup.camera.orthographic = orthographic;
    const RenderList list = setup.list();
    int hits = 0, deformed_hits = 0;
    for (int i = 0; i < 400; ++i) {
      const glm::vec2 pixel(kSize.x * static_cast<float>(uniform(random)),
                            kSize.y * static_cast<float>(uniform(random)));
      const auto found = pick(list, setup.scene, setup.camera, pixel, kSize);
      const auto expected = brute_force(list, setup.camera.ray(pixel, kSize));
      REQUIRE(found.has_value() == expected.has_value());
      if (!found) continue;
      ++hits;
      deformed_hits += found->id == Id{4};
      CHECK(found->id == expected->id);
      CHECK(found->distance == Approx(expected->distance).epsilon(1.2e-6));
      const Ray ray = setup.camera.ray(pixel, kSize);
      CHECK(glm::length(ray.origin + found->distance * ray.direction - found->point) < 2.5e-5f);
    }
    CHECK(hits > 50);
    CHECK(deformed_hits > 0);
  }
}

TEST_CASE("Hidden and locked objects let the ray through", "[picking]") {
  Setup setup;
  setup.scene.objects.push_back(make_object(1, "Front", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(0, 0.5, 2)));
  setup.scene.objects.push_back(make_object(2, "Back", PrimitiveShape::box, Vec3(3, 3, 1), Vec3(0, 0.5, -2)));
  setup.camera.yaw = setup.camera.pitch = 0;
  const auto middle = [&] { return pick(setup.list(), setup.scene, setup.camera, kSize * 0.5f, kSize); };
  REQUIRE(middle());
  CHECK(middle()->id == Id{1});
  CHECK(middle()->distance == Approx(8 - 2.5));
  setup.scene = with_object(setup.scene, Id{1}, [](Object& o) { o.locked = true; });
  REQUIRE(middle());
  CHECK(middle()->id == Id{2});
  setup.scene = with_object(setup.scene, Id{2}, [](Object& o) { o.visible = false; });
  CHECK_FALSE(middle());
}

TEST_CASE("Lights and points are picked by their symbol within 8 pixels, and not through something solid",
          "[picking]") {
  Setup setup;
  setup.scene.lights.push_back(make_light(5, LightKind::point, Vec3(1, 1.5, 0), 1, false));
  Object dot = make_object(6, "Dot", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(-1, 1, 0));
  dot.display.kind = DisplayKind::none;
  setup.scene.objects.push_back(dot);
  const glm::vec2 light(setup.camera.project({1, 1.5f, 0}, kSize)), point(setup.camera.project({-1, 1, 0}, kSize));
  const RenderList list = setup.list(true);
  const auto at = [&](glm::vec2 pixel) {
    const auto hit = pick(list, setup.scene, setup.camera, pixel, kSize);
    return hit ? hit->id : Id{};
  };
  CHECK(at(light) == Id{5});
  CHECK(at(light + glm::vec2(6, 3)) == Id{5});
  CHECK(at(light + glm::vec2(20, 0)) == Id{});
  CHECK(at(point + glm::vec2(0, 7)) == Id{6});
  CHECK(at(point + glm::vec2(0, 9)) == Id{});
  // Without helpers the light's symbol is not drawn and not picked.
  CHECK_FALSE(pick(setup.list(false), setup.scene, setup.camera, light, kSize));
  setup.scene.objects.push_back(make_object(7, "Wall", PrimitiveShape::box, Vec3(6, 6, 0.2), Vec3(0, 1, 0)));
  setup.scene = with_object(setup.scene, Id{7}, [&](Object& o) {
    o.transform.position = to_eigen(setup.camera.position() + 2.0f * setup.camera.forward());
  });
  const auto through = pick(setup.list(true), setup.scene, setup.camera, light, kSize);
  REQUIRE(through);
  CHECK(through->id == Id{7});
}

TEST_CASE("A bare analysis model is picked by its springs", "[picking]") {
  Setup setup;
  Object bare = make_object(3, "Bare", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(0, 1, 0));
  bare.display.kind = DisplayKind::none;
  bare.analysis.kind = AnalysisKind::octahedron;
  bare.analysis.divisions = {1, 1, 1};
  setup.scene.objects.push_back(bare);
  const RenderList list = setup.list();
  const Truss truss = object_truss(bare, DisplayMesh{});
  const Vec3 middle = 0.5 * (truss.nodes[truss.springs[0].a] + truss.nodes[truss.springs[0].b]) + Vec3(0, 1, 0);
  const auto hit = pick(list, setup.scene, setup.camera, glm::vec2(setup.camera.project(to_glm(middle), kSize)), kSize);
  REQUIRE(hit);
  CHECK(hit->id == Id{3});
}

TEST_CASE("Box selection takes whatever has a vertex, node or symbol inside", "[picking]") {
  Setup setup;
  setup.scene.objects.push_back(make_object(1, "Left", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(-2, 0.5, 0)));
  setup.scene.objects.push_back(make_object(2, "Right", PrimitiveShape::sphere, Vec3(1, 1, 1), Vec3(2, 0.5, 0)));
  Object dot = make_object(3, "Dot", PrimitiveShape::box, Vec3(1, 1, 1), Vec3(0, 2, 0));
  dot.display.kind = DisplayKind::none;
  setup.scene.objects.push_back(dot);
  setup.scene.lights.push_back(make_light(4, LightKind::point, Vec3(0, 2.2, 0), 1, false));
  setup.camera.yaw = setup.camera.pitch = 0;
  const RenderList list = setup.list(true);
  const auto within = [&](glm::vec2 a, glm::vec2 b) { return pick_box(list, setup.scene, setup.camera, a, b, kSize); };
  const glm::vec2 centre = kSize * 0.5f;
  CHECK(within({0, 0}, kSize) == std::vector<Id>{Id{1}, Id{2}, Id{3}, Id{4}});
  CHECK(within(kSize, {0, 0}).size() == 4);  // dragged the other way
  CHECK(within({0, 0}, {centre.x - 60, kSize.y}) == std::vector<Id>{Id{1}});
  CHECK(within({centre.x + 60, 0}, kSize) == std::vector<Id>{Id{2}});
  CHECK(within({centre.x - 20, 0}, {centre.x + 20, centre.y}) == std::vector<Id>{Id{3}, Id{4}});
  CHECK(within({0, 0}, {10, 10}).empty());
  setup.scene = with_object(setup.scene, Id{1}, [](Object& o) { o.locked = true; });
  CHECK(within({0, 0}, kSize) == std::vector<Id>{Id{2}, Id{3}, Id{4}});
  // Turned away, nothing is in view.
  setup.camera.yaw = 0;
  setup.camera.target = {0, 0.5f, -30};
  CHECK(pick_box(setup.list(true), setup.scene, setup.camera, {0, 0}, kSize, kSize).empty());
}

}  // namespace picking_test
