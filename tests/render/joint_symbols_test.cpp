// How joints are drawn: as large on the screen at every distance, where their bodies are in a frame, limits where they are, and taken hold of
// before what they are drawn over.
#include <catch2/catch.hpp>

#include <glm/geometric.hpp>

#include "core/scene/derived/joined.h"
#include "render/extract.h"
#include "render/joint_rows.h"
#include "render/joint_symbols.h"
#include "render/picking.h"
#include "tests/support/world.h"

namespace joint_symbols_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const glm::vec2 kSize(640, 480);

/// Two boxes side by side, and a joint of this kind in the middle between them.
Scene joined(JointKind kind) {
  Scene scene;
  scene.objects = {make_object(1, "A", {}, Vec3(-0.6, 0, 0)), make_object(2, "B", {}, Vec3(0.6, 0, 0))};
  Joint joint;
  joint.id = Id{3};
  joint.kind = kind;
  joint.a.object = 1;
  joint.b.object = 2;
  joint.a.place = Vec3(0.6, 0, 0);
  if (has_two_places(kind)) joint.a.place = joint.b.place = Vec3::Zero();
  scene.joints = {joint};
  return scene;
}

ViewCamera from_the_front(float distance) {
  ViewCamera camera;
  camera.target = {0, 0, 0};
  camera.distance = distance;
  camera.yaw = camera.pitch = 0;
  return camera;
}

RenderList listed(const Scene& scene, const ViewCamera& camera, const FramePtr& frame = nullptr,
                  const ViewSelection& selection = {}, bool joints = true) {
  MeshStore meshes;
  ViewOptions options;
  options.height = kSize.y;
  options.joints = joints;
  return extract(scene, frame, camera, kSize.x / kSize.y, options, selection, meshes);
}

JointDrawing drawn(const Scene& scene, const ViewCamera& camera) {
  JointLook look;
  look.pixel = camera.metres_per_pixel({0, 0, 0}, {1, kSize.y});
  return draw_joint(scene, *scene.joints[0], *joint_places(scene, *scene.joints[0]), std::nullopt, std::nullopt, camera,
                    look);
}

/// How many pixels across its lines are.
float width_of(const JointDrawing& drawing, const ViewCamera& camera) {
  float low = 1e9f, high = -1e9f;
  for (const LineVertex& vertex : drawing.lines) {
    const float x = camera.project(vertex.position, kSize).x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high - low;
}

}  // namespace

TEST_CASE("A joint is as large on the screen at every distance, a spring and a rope as long as they are",
          "[render][joints]") {
  for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed}) {
    const Scene scene = joined(kind);
    INFO(static_cast<int>(kind));
    const float near = width_of(drawn(scene, from_the_front(4)), from_the_front(4)),
                far = width_of(drawn(scene, from_the_front(40)), from_the_front(40));
    CHECK(near > 8);
    CHECK(near < 60);
    CHECK(far == Approx(near).epsilon(0.05));  // measured: 2 % by perspective
  }
  for (const JointKind kind : {JointKind::spring, JointKind::rope}) {
    const Scene scene = joined(kind);
    const float near = width_of(drawn(scene, from_the_front(4)), from_the_front(4)),
                far = width_of(drawn(scene, from_the_front(40)), from_the_front(40));
    CHECK(near == Approx(10 * far).epsilon(0.01));
  }
}

TEST_CASE("The stops of a slider are where its limits are", "[render][joints]") {
  Scene scene = joined(JointKind::slider);
  scene.joints[0] = scene.joints[0].edited([](Joint& j) {
    j.limited = true;
    j.least_way = -0.3;
    j.most_way = 2;
  });
  bool low = false, high = false;
  for (const LineVertex& vertex : drawn(scene, from_the_front(6)).lines) {
    low = low || glm::length(vertex.position - glm::vec3(0, 0, -0.3f)) < 1e-5f;
    high = high || glm::length(vertex.position - glm::vec3(0, 0, 2)) < 1e-5f;
  }
  CHECK(low);
  CHECK(high);
}

TEST_CASE("A slack rope hangs, a tight one is straight", "[render][joints]") {
  Scene scene = joined(JointKind::rope);
  const auto lowest = [&] {
    float y = 0;
    for (const LineVertex& vertex : drawn(scene, from_the_front(6)).lines) y = std::min(y, vertex.position.y);
    return y;
  };
  CHECK(lowest() == Approx(0).margin(1e-6));
  scene.joints[0] = scene.joints[0].edited([](Joint& j) {
    j.measured = false;
    j.length = 1.5;
  });
  CHECK(lowest() < -0.3f);
  CHECK(lowest() > -0.75f);
}

TEST_CASE("A joint goes with its bodies in a frame, has the colour of the selection, and is hidden with them",
          "[render][joints]") {
  Scene scene = joined(JointKind::ball);
  auto frame = std::make_shared<Frame>();
  frame->index = 5;
  for (const auto& object : scene.objects) {
    ObjectFrame moved;
    moved.id = object->id;
    moved.position = object->transform.position.cast<float>() + Vec3f(0, -2, 0);
    frame->objects.push_back(moved);
  }
  const auto symbol = [](const RenderList& list) -> const PickSymbol* {
    for (const PickSymbol& one : list.symbols)
      if (one.id == Id{3}) return &one;
    return nullptr;
  };
  const RenderList start = listed(scene, from_the_front(6)), later = listed(scene, from_the_front(6), frame);
  REQUIRE((symbol(start) && symbol(later)));
  CHECK(glm::length(symbol(start)->points[0]) < 1e-6f);
  CHECK(glm::length(symbol(later)->points[0] - glm::vec3(0, -2, 0)) < 1e-5f);
  const auto colours = [](const RenderList& list) {
    std::set<std::array<float, 3>> all;
    for (const DrawLines& lines : list.lines)
      if (lines.on_top)
        for (const LineVertex& v : lines.vertices) all.insert({v.colour.r, v.colour.g, v.colour.b});
    return all;
  };
  CHECK(colours(start) != colours(listed(scene, from_the_front(6), nullptr, {{Id{3}}, Id{3}})));
  CHECK(symbol(listed(scene, from_the_front(6), nullptr, {}, false)) == nullptr);
  for (auto& object : scene.objects) object = object.edited([](Object& o) { o.visible = false; });
  CHECK(symbol(listed(scene, from_the_front(6))) == nullptr);
}

TEST_CASE("No line leads from a joint to the middle of what bends, unless that or the joint is selected",
          "[render][joints]") {
  const Scene scene = joined(JointKind::ball);
  auto frame = std::make_shared<Frame>();
  for (const auto& object : scene.objects) {
    ObjectFrame moved;
    moved.id = object->id;
    moved.position = object->transform.position.cast<float>();
    moved.deformed = object->id == Id{1};
    frame->objects.push_back(moved);
  }
  // Lines that end in the middle of an object, 0.6 m from the joint.
  const auto middles = [&](const ViewSelection& selection) {
    std::set<int> all;
    for (const DrawLines& lines : listed(scene, from_the_front(6), frame, selection).lines)
      if (lines.on_top)
        for (const LineVertex& v : lines.vertices)
          for (const int side : {-1, 1})
            if (glm::length(v.position - glm::vec3(0.6f * static_cast<float>(side), 0, 0)) < 1e-5f) all.insert(side);
    return all;
  };
  CHECK(middles({}) == std::set<int>{1});
  CHECK(middles({{Id{3}}, Id{3}}) == std::set<int>{-1, 1});
  CHECK(middles({{Id{1}}, Id{1}}).contains(-1));
}

TEST_CASE("A joint is taken hold of before what it is drawn over", "[render][joints][picking]") {
  Scene scene = joined(JointKind::ball);
  // Deep inside the first box.
  scene.joints[0] = scene.joints[0].edited([](Joint& j) { j.a.place = Vec3::Zero(); });
  const ViewCamera camera = from_the_front(6);
  const glm::vec3 at = camera.project({-0.6f, 0, 0}, kSize);
  const auto met = [&](glm::vec2 pixel) {
    const auto hit = pick(listed(scene, camera), scene, camera, pixel, kSize);
    return hit ? hit->id : Id{};
  };
  CHECK(met(glm::vec2(at)) == Id{3});
  CHECK(met(glm::vec2(at) + glm::vec2(0, 25)) == Id{1});
  scene.joints[0] = scene.joints[0].edited([](Joint& j) { j.locked = true; });
  CHECK(met(glm::vec2(at)) == Id{1});
}

TEST_CASE(
    "Of many joints in a row each is a dot where they stand close, and whole when it or what it joins is selected",
    "[render][joints]") {
  // A chain of thirteen links, 0.1 m each, from a block that stays.
  const auto chain = [](int links) {
    Scene scene;
    scene.objects = {make_object(1, "Block", {}, Vec3(-0.8, 0, 0), BodyKind::fixed)};
    for (int k = 0; k < links; ++k) {
      scene.objects.push_back(make_object(static_cast<std::uint64_t>(2 + k), "Link " + std::to_string(k), {},
                                          Vec3(0.1 * k - 0.6, 0, 0), BodyKind::rigid));
      Joint joint;
      joint.id = Id{static_cast<std::uint64_t>(100 + k)};
      joint.kind = JointKind::ball;
      joint.a.object = static_cast<std::uint64_t>(2 + k);
      joint.a.place = Vec3(-0.05, 0, 0);
      joint.b.object = static_cast<std::uint64_t>(1 + k);
      scene.joints.push_back(joint);
    }
    return scene;
  };
  // Vertices of lines over everything within two rings of a joint.
  const auto whole = [](const RenderList& list, const ViewCamera& camera, const Scene& scene, std::size_t joint) {
    const auto places = joint_places(scene, *scene.joints[joint]);
    const glm::vec3 at = camera.project(glm::vec3(static_cast<float>(places->a.x()), 0, 0), kSize);
    std::size_t count = 0;
    for (const DrawLines& lines : list.lines)
      if (lines.on_top && lines.width < 2 && lines.width > 1.5f)
        for (const LineVertex& v : lines.vertices)
          count += std::abs(glm::length(glm::vec2(camera.project(v.position, kSize) - at)) - 8) < 0.5f;
    return count >= 50;
  };
  const Scene scene = chain(13);
  const ViewCamera far = from_the_front(6), near = from_the_front(0.9f);
  const RenderList crowd = listed(scene, far);
  for (const std::size_t k : {1u, 6u, 12u}) CHECK_FALSE(whole(crowd, far, scene, k));
  CHECK(crowd.points_on_top.size() == 13);
  const RenderList one = listed(scene, far, nullptr, {{scene.joints[6]->id}, scene.joints[6]->id});
  CHECK(whole(one, far, scene, 6));
  CHECK_FALSE(whole(one, far, scene, 9));
  const RenderList link = listed(scene, far, nullptr, {{Id{8}}, Id{8}});  // between joints 6 and 7
  CHECK(whole(link, far, scene, 6));
  CHECK(whole(link, far, scene, 7));
  CHECK_FALSE(whole(link, far, scene, 9));
  CHECK(whole(listed(scene, near), near, scene, 6));  // there is room
  // Broken ones are told.
  auto frame = std::make_shared<Frame>();
  for (const auto& object : scene.objects) {
    ObjectFrame moved;
    moved.id = object->id;
    moved.position = object->transform.position.cast<float>();
    frame->objects.push_back(moved);
  }
  FrameJoint torn;
  torn.joint = scene.joints[9]->id;
  torn.broken = true;
  frame->joints = std::make_shared<const FrameJoints>(FrameJoints{torn});
  CHECK(whole(listed(scene, far, frame), far, scene, 9));
  // Nine are few enough; so are any number on what does not move, each by itself.
  const Scene few = chain(9);
  CHECK(whole(listed(few, far), far, few, 4));
  Scene wall = chain(13);
  for (auto& joint : wall.joints) joint = joint.edited([](Joint& j) { j.b.object = 1; });
  CHECK(joints_in_rows(wall).empty());
  // A dot is as small to take hold of: the links between are met.
  const auto met = [&](const Scene& of, std::size_t joint, float off) {
    const auto places = joint_places(of, *of.joints[joint]);
    const glm::vec3 at = far.project(glm::vec3(static_cast<float>(places->a.x()), 0, 0), kSize);
    const auto hit = pick(listed(of, far), of, far, glm::vec2(at.x, at.y + off), kSize);
    return hit ? hit->id : Id{};
  };
  CHECK(met(scene, 6, 0) == scene.joints[6]->id);
}

}  // namespace joint_symbols_test
