#include "render/extract.h"

#include <catch2/catch.hpp>

#include <glm/geometric.hpp>

#include "render/convert.h"
#include "tests/render/support.h"

namespace extract_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

RenderList list_of(const Scene& scene, const ViewOptions& options = {}, const FramePtr& frame = nullptr,
                   const ViewSelection& selection = {}) {
  MeshStore meshes;
  return extract(scene, frame, from_scene_camera(active_camera(scene)), 1.5f, options, selection, meshes);
}

ViewOptions bare_options() {
  ViewOptions options;
  options.grid = false;
  options.helpers = false;
  return options;
}

std::size_t segments(const RenderList& list) {
  std::size_t count = 0;
  for (const DrawLines& lines : list.lines) count += lines.vertices.size() / 2;
  return count;
}

std::shared_ptr<Frame> frame_of(const Scene& scene) {
  auto frame = std::make_shared<Frame>();
  for (const Shared<Object>& object : scene.objects) {
    ObjectFrame moved;
    moved.id = object->id;
    moved.position = object->transform.position.cast<float>();
    moved.rotation = object->transform.rotation.cast<float>();
    frame->objects.push_back(moved);
  }
  return frame;
}

}  // namespace

TEST_CASE("A frame's own surface is drawn, where the frame has the object, and not the one of the scene", "[extract]") {
  Scene scene;
  Object object;
  object.id = Id{1};
  scene.objects.push_back(object);
  const auto frame = frame_of(scene);
  frame->objects[0].position = Vec3f(2, 0, 0);
  Primitive ball;
  ball.shape = PrimitiveShape::sphere;
  frame->objects[0].surface = std::make_shared<const DisplayMesh>(make_primitive(ball));
  const RenderList list = list_of(scene, bare_options(), frame);
  REQUIRE(list.meshes.size() == 1);
  CHECK(list.meshes[0].mesh == frame->objects[0].surface);
  CHECK(list.meshes[0].deformed == nullptr);
  CHECK(list.meshes[0].model[3].x == 2);
  CHECK(list.meshes[0].bounds.low.x() > 1);
}

TEST_CASE("The authored scene: meshes in order of ids with matrices and materials", "[extract]") {
  Scene scene = studio();
  std::swap(scene.objects[0], scene.objects[2]);  // list order is not id order
  const RenderList list = list_of(scene);
  REQUIRE(list.meshes.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(list.meshes[i].id == Id{i + 1});
  const DrawMesh& box = list.meshes[2];
  CHECK(box.deformed == nullptr);
  CHECK(glm::length(glm::vec3(box.model[3]) - glm::vec3(1.1f, 0.6f, -0.3f)) < 1e-6f);
  const glm::vec3 x_axis(box.model[0]);
  CHECK(x_axis.x == Approx(std::cos(0.5)));
  CHECK(x_axis.z == Approx(-std::sin(0.5)));
  CHECK(box.material.diffuse.b == Approx(0.75));
  CHECK(box.material.shininess == Approx(40));
  CHECK(list.background.r == Approx(0.16));
  CHECK(list.grid);
  REQUIRE(list.lights.size() == 2);
  CHECK(list.lights[0].shadow);
  CHECK(list.lights[0].colour.r == Approx(0.95));
  CHECK_FALSE(list.lights[1].directional);
}

TEST_CASE("A frame moves, deforms and leaves out", "[extract]") {
  const Scene scene = studio();
  auto frame = frame_of(scene);
  frame->objects[1].deformed = true;
  MeshStore meshes;
  const auto mesh = meshes.mesh(*find_object(scene, Id{2}));
  frame->objects[1].vertices.assign(mesh->positions.size(), Vec3f(1, 2, 3));
  frame->objects[1].normals.assign(mesh->positions.size(), Vec3f(0, 1, 0));
  frame->objects[2].position = Vec3f(9, 8, 7);
  RenderList list = list_of(scene, {}, frame);
  REQUIRE(list.meshes.size() == 3);
  CHECK(list.meshes[1].deformed == &frame->objects[1]);
  CHECK(list.meshes[1].frame == frame);
  CHECK(list.meshes[1].model == glm::mat4(1));
  CHECK(glm::vec3(list.meshes[2].model[3]) == glm::vec3(9, 8, 7));

  frame->objects[2].present = false;
  CHECK(list_of(scene, {}, frame).meshes.size() == 2);
  // Vertices that do not belong to this mesh are not used.
  frame->objects[1].vertices.pop_back();
  CHECK(list_of(scene, {}, frame).meshes[1].deformed == nullptr);
  // An object that the frame does not know is shown as authored.
  frame->objects.pop_back();
  CHECK(list_of(scene, {}, frame).meshes.size() == 3);
}

TEST_CASE("What a frame says of looks is seen, and the scene stays as it is", "[extract]") {
  Scene scene = studio();
  scene.objects[1] = scene.objects[1].edited([](Object& o) { o.visible = false; });
  const Surface was = scene.objects[0]->material.surface;
  const auto frame = frame_of(scene);
  FrameLooks looks(3);
  for (std::size_t i = 0; i < 3; ++i) looks[i].object = scene.objects[i]->id;
  looks[0].colour = Vec3f(0, 1, 0);
  looks[0].coloured = 0.5f;
  looks[0].opacity = 0.2f;
  looks[0].faded = 1;
  looks[1].visible = 1;
  looks[2].visible = 0;
  frame->looks = std::make_shared<const FrameLooks>(looks);
  const RenderList list = list_of(scene, bare_options(), frame);
  REQUIRE(list.meshes.size() == 2);
  CHECK(list.meshes[0].id == scene.objects[0]->id);
  CHECK(list.meshes[1].id == scene.objects[1]->id);
  const glm::vec3 wanted = 0.5f * to_glm(was.diffuse) + 0.5f * glm::vec3(0, 1, 0);
  CHECK(glm::length(list.meshes[0].material.diffuse - wanted) < 1e-6f);
  CHECK(list.meshes[0].material.opacity == Approx(0.2));
  CHECK(list.meshes[0].tint == glm::vec4(0, 1, 0, 0.5f));  // of colours that its vertices have of their own
  CHECK(list.meshes[1].tint.a == 0);
  CHECK_FALSE(list.meshes[0].casts_shadow);
  CHECK(scene.objects[0]->material.surface == was);
  CHECK(list_of(scene, bare_options(), frame_of(scene)).meshes.size() == 2);
}

TEST_CASE("A material that a frame says lies below the colour and the opacity that it says", "[extract]") {
  const Scene scene = studio();
  const Surface was = scene.objects[0]->material.surface;
  const auto frame = frame_of(scene);
  FrameLooks looks(1);
  looks[0].object = scene.objects[0]->id;
  looks[0].surface.diffuse = Vec3(1, 0, 0);
  looks[0].surface.specular = Vec3(0, 0, 1);
  looks[0].surface.shininess = 100;
  looks[0].replaced = 0.5f;
  looks[0].colour = Vec3f(0, 1, 0);
  looks[0].coloured = 0.25f;
  frame->looks = std::make_shared<const FrameLooks>(looks);
  const RenderList list = list_of(scene, bare_options(), frame);
  const glm::vec3 below = 0.5f * to_glm(was.diffuse) + 0.5f * glm::vec3(1, 0, 0);
  const glm::vec3 wanted = 0.75f * below + 0.25f * glm::vec3(0, 1, 0);
  CHECK(glm::length(list.meshes[0].material.diffuse - wanted) < 1e-6f);
  CHECK(glm::length(list.meshes[0].material.specular - 0.5f * (to_glm(was.specular) + glm::vec3(0, 0, 1))) < 1e-6f);
  CHECK(list.meshes[0].material.shininess == Approx(0.5 * (was.shininess + 100)));
  // Of what its vertices have, 0.375 stays.
  CHECK(glm::length(list.meshes[0].tint - glm::vec4(0.6f, 0.4f, 0, 0.625f)) < 1e-6f);
}

TEST_CASE("Copies and lines of a frame are drawn in the material of their object", "[extract]") {
  const Scene scene = studio();
  const auto frame = frame_of(scene);
  Primitive small;
  small.size = Vec3(0.2, 0.2, 0.2);
  const auto mesh = std::make_shared<const DisplayMesh>(make_primitive(small));
  const Eigen::Quaternionf quarter(Eigen::AngleAxisf(std::acos(0.0f), Vec3f::UnitY()));
  frame->instances.push_back({Id{2}, mesh, {Vec3f(1, 2, 3), Vec3f(-1, 0, 0)}, {quarter, quarter}, {2.0f, 0.5f}});
  frame->instances.push_back({Id{3}, mesh, {Vec3f(0, 5, 0)}, {}, {}});
  frame->instances.push_back({Id{99}, mesh, {Vec3f(0, 5, 0)}, {}, {}});  // of nobody
  frame->polylines.push_back(
      {Id{3}, {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(1, 1, 0), Vec3f(5, 5, 5), Vec3f(6, 5, 5)}, {3, 2}});
  const RenderList list = list_of(scene, bare_options(), frame);
  REQUIRE(list.meshes.size() == 6);
  const std::vector<std::uint64_t> ids = {1, 2, 2, 2, 3, 3};
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(list.meshes[i].id == Id{ids[i]});
  const DrawMesh& first = list.meshes[2];
  CHECK(first.mesh == mesh);
  CHECK(first.deformed == nullptr);
  CHECK(first.material.diffuse == list.meshes[1].material.diffuse);
  CHECK(first.casts_shadow);
  // A corner of the small box, doubled, turned from x to −z, and moved.
  const glm::vec4 corner = first.model * glm::vec4(0.1f, 0, 0, 1);
  CHECK(glm::length(glm::vec3(corner) - glm::vec3(1, 2, 2.8f)) < 1e-6f);
  CHECK(first.bounds.low.x() == Approx(0.8));
  CHECK(first.bounds.high.y() == Approx(2.2));
  CHECK(glm::length(glm::vec3(list.meshes[3].model[0])) == Approx(0.5));
  CHECK(list.meshes[5].model == glm::mat4{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 5, 0, 1}});
  REQUIRE(list.lines.size() == 1);
  const auto& lines = list.lines[0].vertices;
  REQUIRE(lines.size() == 6);  // two segments of the first line, one of the second
  CHECK(lines[1].position == glm::vec3(1, 0, 0));
  CHECK(lines[2].position == glm::vec3(1, 0, 0));
  CHECK(lines[3].position == glm::vec3(1, 1, 0));
  CHECK(lines[4].position == glm::vec3(5, 5, 5));
  CHECK(glm::vec3(lines[0].colour) == to_glm(scene.objects[2]->material.surface.diffuse));
  // With their object they are gone.
  CHECK(list_of(with_object(scene, Id{3}, [](Object& o) { o.visible = false; }), bare_options(), frame).lines.empty());
  CHECK(list_of(scene, bare_options()).meshes.size() == 3);
}

TEST_CASE("Hidden objects and lights are left out", "[extract]") {
  Scene scene = studio();
  scene = with_object(scene, Id{2}, [](Object& o) { o.visible = false; });
  scene = with_light(scene, Id{11}, [](Light& l) { l.visible = false; });
  const RenderList list = list_of(scene, bare_options());
  CHECK(list.meshes.size() == 2);
  CHECK(list.lights.size() == 1);
  CHECK(list.symbols.empty());
}

TEST_CASE("Only the first light with a shadow casts one; a scene without lights gets a lamp", "[extract]") {
  Scene scene = studio();
  scene = with_light(scene, Id{11}, [](Light& l) { l.shadow = true; });
  RenderList list = list_of(scene);
  CHECK(list.lights[0].shadow);
  CHECK_FALSE(list.lights[1].shadow);
  scene = with_light(scene, Id{10}, [](Light& l) { l.visible = false; });
  list = list_of(scene);
  REQUIRE(list.lights.size() == 1);
  CHECK(list.lights[0].shadow);
  scene.lights.clear();
  CHECK(list_of(scene).lights.size() == 1);
}

TEST_CASE("Analysis overlay: off, of the selected, of all", "[extract]") {
  Scene scene = studio();
  scene = with_object(scene, Id{3}, [](Object& o) {
    o.analysis.kind = AnalysisKind::box_grid;
    o.body.kind = BodyKind::flexible;
  });
  MeshStore meshes;
  const auto truss = [&](std::uint64_t id) {
    const Object& o = *find_object(scene, Id{id});
    return object_truss(o, *meshes.mesh(o));
  };
  const Truss ball = truss(2), box = truss(3);
  ViewOptions options = bare_options();
  const ViewSelection ball_selected{{Id{2}}, Id{2}};
  CHECK(segments(list_of(scene, options, nullptr, ball_selected)) == 0);

  options.analysis = AnalysisOverlay::selected;
  RenderList list = list_of(scene, options, nullptr, ball_selected);
  CHECK(segments(list) == 2 * ball.springs.size());  // faint on top, full in depth
  CHECK(list.points_on_top.size() == ball.nodes.size());
  CHECK(list.meshes.size() == 3);
  CHECK(list.meshes[1].active);

  options.analysis = AnalysisOverlay::all;
  list = list_of(scene, options);
  CHECK(segments(list) == 2 * (ball.springs.size() + box.springs.size()));
  CHECK(list.points_on_top.size() == ball.nodes.size() + box.nodes.size());
}

TEST_CASE("Springs are coloured by strain when a frame has the nodes", "[extract]") {
  const Scene scene = studio();
  MeshStore meshes;
  const Object& ball = *find_object(scene, Id{2});
  const Truss truss = object_truss(ball, *meshes.mesh(ball));
  auto frame = frame_of(scene);
  const auto colours = [&](double stretch) {
    frame->objects[1].nodes.clear();
    for (const Vec3& p : truss.nodes)
      frame->objects[1].nodes.push_back((ball.transform.position + stretch * p).cast<float>());
    ViewOptions options = bare_options();
    options.analysis = AnalysisOverlay::all;
    const RenderList list = list_of(scene, options, frame);
    REQUIRE_FALSE(list.lines.empty());
    return list.lines[0].vertices[0].colour;
  };
  const glm::vec4 rest = colours(1.0), stretched = colours(1.2), compressed = colours(0.8), slightly = colours(1.03);
  CHECK(stretched.r > stretched.b + 0.3f);
  CHECK(compressed.b > compressed.r + 0.3f);
  CHECK(std::abs(rest.r - rest.b) < 0.15f);
  CHECK(slightly.b > stretched.b);
  CHECK(slightly.b < rest.b);
}

TEST_CASE("An object without display model is drawn by its analysis model, or as a dot", "[extract]") {
  Scene scene = studio();
  scene = with_object(scene, Id{2}, [](Object& o) { o.display.kind = DisplayKind::none; });
  scene = with_object(scene, Id{3}, [](Object& o) { o.display.kind = DisplayKind::none; });
  const RenderList list = list_of(scene, bare_options());
  CHECK(list.meshes.size() == 1);
  MeshStore meshes;
  const Object& ball = *find_object(scene, Id{2});
  const Truss truss = object_truss(ball, *meshes.mesh(ball));
  CHECK(segments(list) == truss.springs.size());
  CHECK(list.points.size() == truss.nodes.size() + 1);
  REQUIRE(list.symbols.size() == 2);
  CHECK(list.symbols[0].points.size() == truss.nodes.size());
  CHECK(list.symbols[1].id == Id{3});
}

TEST_CASE("A missing mesh file shows a box with crossed diagonals", "[extract]") {
  Scene scene = studio();
  scene = with_object(scene, Id{3}, [](Object& o) {
    o.display.kind = DisplayKind::mesh;
    o.display.mesh.file = "lost.obj";
    o.transform.scale = Vec3(2, 1, 1);
  });
  const RenderList list = list_of(scene, bare_options());
  CHECK(list.meshes.size() == 2);
  CHECK(segments(list) == 12 + 12);  // edges, two diagonals on each of six faces
  REQUIRE(list.symbols.size() == 1);
  CHECK(list.symbols[0].id == Id{3});
  MeshStore meshes;
  const Box3 box = shown_bounds(scene, nullptr, Id{3}, meshes);
  CHECK((box.centre() - Vec3(1.1, 0.6, -0.3)).norm() < 2e-7);
}

TEST_CASE("Helpers: symbols of lights, the camera, arrows of moving objects at the start only", "[extract]") {
  Scene scene = studio();
  ViewOptions options = bare_options();
  options.helpers = true;
  ViewCamera camera = from_scene_camera(active_camera(scene));
  MeshStore meshes;
  const auto count = [&](const FramePtr& frame) {
    return segments(extract(scene, frame, camera, 1.5f, options, {}, meshes));
  };
  const std::size_t through_camera = count(nullptr);
  CHECK(through_camera > 20);
  camera.orbit(0.5f, 0);
  const std::size_t beside = count(nullptr);
  CHECK(beside == through_camera + 2 * 29);  // frustum and its triangle, filled as it takes the pictures, with a shade
  scene = with_object(scene, Id{3}, [](Object& o) { o.body.velocity = Vec3(1, 0, 0); });
  CHECK(count(nullptr) == beside + 3);
  auto frame = frame_of(scene);
  CHECK(count(frame) == beside + 3);
  frame->index = 5;
  CHECK(count(frame) == beside);
  const RenderList list = extract(scene, nullptr, camera, 1.5f, options, {}, meshes);
  REQUIRE(list.symbols.size() == 3);
  CHECK(list.symbols[0].id == Id{10});
  CHECK(list.symbols[2].id == Id{12});
}

TEST_CASE("Shading modes and hidden display models", "[extract]") {
  const Scene scene = studio();
  ViewOptions options = bare_options();
  options.shade = ShadeMode::wireframe;
  for (const DrawMesh& mesh : list_of(scene, options).meshes) CHECK(mesh.wireframe);
  options.shade = ShadeMode::solid_wireframe;
  const RenderList both = list_of(scene, options);
  REQUIRE(both.meshes.size() == 6);
  CHECK_FALSE(both.meshes[0].wireframe);
  CHECK(both.meshes[1].wireframe);
  CHECK(both.meshes[0].id == both.meshes[1].id);
  options.shade = ShadeMode::solid;
  options.display_models = false;
  const RenderList bare = list_of(scene, options);
  REQUIRE(bare.meshes.size() == 2);  // floor and box have no analysis model: their edges stay
  CHECK(bare.meshes[0].wireframe);
  CHECK(segments(bare) > 0);
}

TEST_CASE("The shadow covers what moves, not the ground", "[extract]") {
  Scene scene = studio();
  scene = with_object(scene, Id{1}, [](Object& o) {
    o.display.primitive.shape = PrimitiveShape::box;
    o.display.primitive.size = Vec3(200, 1, 200);
  });
  const RenderList list = list_of(scene);
  REQUIRE(list.shadow_bounds.valid());
  CHECK(list.shadow_bounds.size().norm() < 10);
  CHECK(list.shadow_bounds.low.x() <= -1.9 + 1e-6);
  CHECK(list.shadow_bounds.high.x() >= 1.1 + 0.6);
}

TEST_CASE("Bounds of what is shown are those of the vertices", "[extract]") {
  const Scene scene = studio();
  MeshStore meshes;
  const Object& object = *find_object(scene, Id{3});
  Box3 expected;
  for (const Vec3& p : meshes.mesh(object)->positions)
    expected.add(object.transform.position + object.transform.rotation * p);
  const Box3 box = shown_bounds(scene, nullptr, Id{3}, meshes);
  CHECK((box.low - expected.low).norm() < 3.5e-7);
  CHECK((box.high - expected.high).norm() < 3.5e-7);
  const Box3 all = shown_bounds(scene, nullptr, meshes);
  CHECK(all.low.x() == Approx(-6));
  CHECK(all.high.y() == Approx(1.8).epsilon(8e-8));
  CHECK((shown_bounds(scene, nullptr, Id{10}, meshes).low - Vec3(3, 6, 3.5)).norm() < 1e-9);
  CHECK_FALSE(shown_bounds(scene, nullptr, Id{99}, meshes).valid());
  // Boxes of drawn meshes contain their vertices.
  const RenderList list = list_of(scene);
  CHECK((list.meshes[2].bounds.low.array() <= expected.low.array() + 1e-5).all());
  CHECK((list.meshes[2].bounds.high.array() >= expected.high.array() - 1e-5).all());
}

}  // namespace extract_test
