// Poses of analysis models: faults, where their nodes are, mirrors, and poses taken from places.
#include "core/scene/derived/poses.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/random.h"
#include "core/math/rotation.h"
#include "core/scene/derived/body_course.h"
#include "core/scene/derived/pose_faults.h"
#include "core/scene/derived/pose_sculpt.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/variants.h"
#include "tests/support/world.h"

using namespace hazumi;

namespace {

/// A bar of 3 × 3 × 5 nodes with a pose that twists it by a quarter turn.
Object bar() {
  Object o;
  o.id = Id{1};
  o.name = "Bar";
  o.body.kind = BodyKind::flexible;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.divisions = {2, 2, 4};
  o.analysis.size = Vec3(0.4, 0.4, 2);
  AnalysisPose twist;
  twist.name = "Twist";
  for (const Vec3& x : analysis_truss(o.analysis).nodes)
    twist.nodes.push_back({Quat(Eigen::AngleAxisd(0.7 * x.z(), Vec3::UnitZ())) * x - x});
  add_pose(o.analysis, twist);
  return o;
}

Scene with(Object object) {
  Scene scene;
  scene.objects = {Shared<Object>(std::move(object))};
  return scene;
}

std::string told(const Object& object) {
  const Diagnostics found = validate(with(object));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.ends_with('.'));
  CHECK((found[0].severity == Severity::error || found[0].hint.ends_with('.')));
  return (found[0].severity == Severity::warning ? "warning " : "error ") + found[0].path + ": " + found[0].message;
}

}  // namespace

TEST_CASE("A pose that does not fit is told of in one sentence with a remedy", "[poses][bad_input]") {
  CHECK(validate(with(bar())).empty());
  Object o = bar();
  o.analysis.poses[0].nodes.pop_back();
  CHECK(
      told(o) ==
      "warning objects[0] \"Bar\" analysis.poses[0] \"Twist\": The pose \"Twist\" has 44 nodes, but the analysis model "
      "has 45, so it is not used.");
  o = bar();
  o.analysis.divisions = {2, 2, 5};
  CHECK(told(o).find("has 45 nodes, but the analysis model has 54") != std::string::npos);
  o = bar();
  for (PoseNode& node : o.analysis.poses[0].nodes) node.shift = Vec3::Zero();
  for (std::size_t i = 0; i < 9; ++i) o.analysis.poses[0].nodes[i].shift.z() = 1;
  CHECK(told(o) ==
        "warning objects[0] \"Bar\" analysis.poses[0] \"Twist\": The pose \"Twist\" turns 4 cells inside out.");
  o = bar();
  o.analysis.pose_groups = {{3, 1}, {45, 2}};
  CHECK(told(o) ==
        "warning objects[0] \"Bar\" analysis.pose_groups: Groups name node 45, but the analysis model has 45 nodes.");

  o = bar();
  o.analysis.poses[0].nodes[3].shift.y() = std::nan("");
  CHECK(told(o) == "error objects[0] \"Bar\" analysis.poses[0] \"Twist\" nodes[3]: Y must be a finite number.");
  o = bar();
  o.analysis.poses.push_back(o.analysis.poses[0]);
  CHECK(told(o).find("The id 1 is already that of entry 0.") != std::string::npos);
  o.analysis.poses[1].id = 2;
  CHECK(told(o) ==
        "error objects[0] \"Bar\" analysis.poses[1] name: Two poses of this analysis model are called \"Twist\".");
  o = bar();
  o.analysis.poses[0].id = 0;
  CHECK(told(o).find("The id must not be 0.") != std::string::npos);
  o = bar();
  o.analysis.pose_groups = {{5, 1}, {3, 2}};
  CHECK(told(o).find("must be in ascending order") != std::string::npos);
  o.analysis.pose_groups = {{5, 64}};
  CHECK(told(o).find("Group must be at most 63.") != std::string::npos);
  // What is wrong besides ends nothing.
  o = bar();
  o.analysis.kind = AnalysisKind::strung;
  StrungTruss broken;
  broken.nodes.resize(3);
  broken.tetrahedra = {{0, 1, 2, 9}};
  o.analysis.strung = std::make_shared<const StrungTruss>(broken);
  CHECK_FALSE(validate(with(o)).empty());
}

TEST_CASE("An edit says what validate() says, and a pose survives the file and a change of the analysis model",
          "[poses]") {
  const Scene before = with(bar());
  const Scene after = with_object(before, Id{1}, [](Object& o) { o.analysis.divisions = {1, 1, 1}; });
  REQUIRE(validate_change(before, after).size() == 1);
  CHECK(validate_change(before, after)[0].message == validate(after)[0].message);
  CHECK(validate_change(after, with_object(after, Id{1}, [](Object& o) { o.body.mass = 3; })).empty());

  const Result<Scene> read = scene_from_text(scene_to_text(before), "");
  REQUIRE(read.ok());
  const AnalysisModel& analysis = read->objects[0]->analysis;
  REQUIRE(analysis.poses.size() == 1);
  CHECK(same_lists(analysis, before.objects[0]->analysis));

  Object o = *before.objects[0];
  add_variant(o);
  o.analysis.poses.clear();
  REQUIRE(use_variant(o, "Truss"));
  CHECK(o.analysis.poses.size() == 1);  // poses are of the analysis model
}

TEST_CASE("A pose of places is the shape alone, whatever the motion of the whole", "[poses]") {
  const Object o = bar();
  const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
  const std::vector<Vec3> shape = blended_nodes(rest, o.analysis.poses[0], 1);
  const auto own = pose_from_places(rest, shape);
  REQUIRE(own.ok());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const auto dice = [&, k = 0u]() mutable { return random_unit(seed, Id{1}, ++k, 1) * 2 - 1; };
    auto roll = dice;
    const double w = roll(), x = roll(), y = roll(), z = roll();
    const Quat turn = Quat(w, x, y, z).normalized();
    const double a = roll(), b = roll(), c = roll();
    std::vector<Vec3> moved;
    for (const Vec3& place : shape) moved.push_back(turn * place + 5 * Vec3(a, b, c));
    const auto pose = pose_from_places(rest, moved);
    REQUIRE(pose.ok());
    for (std::size_t i = 0; i < rest.size(); ++i) CHECK(((*pose)[i].shift - (*own)[i].shift).norm() < 1e-12);
  }
  CHECK(pose_from_places(rest, std::vector<Vec3>(3)).error().message ==
        "There are 3 places, but the analysis model has 45 nodes.");
  std::vector<Vec3> bad = shape;
  bad[7].x() = std::nan("");
  CHECK(pose_from_places(rest, bad).error().message == "Place 7 is not a number.");
}

TEST_CASE("The mirror of a pose is mirrored, and twice is once", "[poses]") {
  for (const AnalysisKind kind : {AnalysisKind::box_grid, AnalysisKind::plane_grid, AnalysisKind::octahedron}) {
    Object o = bar();
    o.analysis.kind = kind;
    o.analysis.offset = Vec3(0.3, -0.2, 1);
    const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
    std::vector<PoseNode> nodes;
    for (const Vec3& x : rest) nodes.push_back({Vec3(0.3 * x.y(), 0.1 * x.x() * x.z(), -0.2 * x.x())});
    for (int axis = 0; axis < 3; ++axis) {
      INFO(static_cast<int>(kind) << " " << axis);
      const auto once = mirrored(rest, nodes, axis);
      REQUIRE(once.ok());
      const auto twice = mirrored(rest, *once, axis);
      REQUIRE(twice.ok());
      double off = 0;
      for (std::size_t i = 0; i < rest.size(); ++i) off = std::max(off, ((*twice)[i].shift - nodes[i].shift).norm());
      CHECK(off == 0);
    }
  }
  std::vector<Vec3> crooked = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, 1, 0)};
  CHECK(mirrored(crooked, std::vector<PoseNode>(3), 0).error().message ==
        "The analysis model is not the same on both sides.");
}

TEST_CASE("Names and ids of poses are told apart; groups are rows", "[poses]") {
  Object o = bar();
  CHECK(add_pose(o.analysis, o.analysis.poses[0]) == 2);
  CHECK(o.analysis.poses[1].name == "Twist 2");
  CHECK(add_pose(o.analysis, {}) == 3);
  CHECK(o.analysis.poses[2].name == "Pose");
  CHECK(find_pose(o.analysis, 2)->name == "Twist 2");
  CHECK(find_pose(o.analysis, 9) == nullptr);
  o.analysis.pose_groups = pose_group_rows(std::vector<std::uint32_t>{0, 2, 0, 1});
  CHECK(o.analysis.pose_groups.size() == 2);
  CHECK(pose_groups_of(o.analysis, 5) == std::vector<std::uint32_t>{0, 2, 0, 1, 0});
  o.transform.scale = Vec3(2, 1, 1);
  const std::vector<Vec3> rest = {Vec3(2, 0, 0)};
  AnalysisPose one;
  one.nodes = {{Vec3(0.5, 1, 0)}};
  CHECK(pose_nodes(o, one, rest)[0] == Vec3(3, 1, 0));
}

TEST_CASE("Hands on a pose: what is near goes along, bumps go, twists and bends keep lengths", "[poses]") {
  const Truss truss = analysis_truss(bar().analysis);
  const std::vector<Vec3>& rest = truss.nodes;
  const std::vector<std::uint32_t> chosen = {0, 1};
  const auto shares = soft_shares(rest, chosen, 0.5);
  CHECK(shares[0] == 1);
  CHECK(shares[1] == 1);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double far = std::min((rest[i] - rest[0]).norm(), (rest[i] - rest[1]).norm());
    CHECK(shares[i] == (far < 0.5 ? Approx(soft_share(far / 0.5)) : Approx(0)));
  }
  CHECK(soft_shares(rest, chosen, 0)[2] == 0);

  std::vector<Vec3> x = rest;
  grab_nodes(x, rest[4], 0.3, Vec3(0, 0.2, 0));
  CHECK((x[4] - rest[4] - Vec3(0, 0.2, 0)).norm() < 1e-15);
  const double bump = (x[4] - rest[4]).norm();
  smooth_nodes(x, rest, truss.springs, x[4], 0.5, 0.5);
  CHECK((x[4] - rest[4]).norm() < 0.8 * bump);
  std::vector<Vec3> still = rest;
  smooth_nodes(still, rest, truss.springs, Vec3::Zero(), 10, 1);
  CHECK(still == rest);  // nothing is bent: the model itself is not smoothed

  std::vector<Vec3> twisted = rest, bent = rest;
  const BodyCourse course(rest, rest, body_axis(rest));
  twist_nodes(twisted, course, 1, 1, 1.2);
  bend_nodes(bent, course, 1, Vec3::UnitX(), 0.8, 1.2);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    CHECK(std::abs(twisted[i].z() - rest[i].z()) < 1e-12);
    CHECK(std::abs(twisted[i].head<2>().norm() - rest[i].head<2>().norm()) < 1e-12);
    if (rest[i].z() < -0.9) CHECK((bent[i] - rest[i]).norm() < 1e-15);
  }
  // The end of the bar is turned by all of it, as a rigid piece, and its middle line is as long as before.
  const auto at = [&](double px, double py, double pz) {
    for (std::size_t i = 0; i < rest.size(); ++i)
      if ((rest[i] - Vec3(px, py, pz)).norm() < 1e-9) return i;
    FAIL("no node there");
    return std::size_t{0};
  };
  const Vec3 side = bent[at(0, 0.2, 1)] - bent[at(0, -0.2, 1)];
  CHECK(std::acos(side.normalized().y()) == Approx(1.2));
  CHECK(side.norm() == Approx(0.4));
  CHECK(longest_axis(rest, Vec3(0, 0, -1)) == -Vec3::UnitZ());
}

TEST_CASE("A sheet has no inside that a pose could turn out, wherever it is", "[poses][cloth]") {
  Object o = bar();
  o.analysis.poses.clear();
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = {4, 1, 3};
  o.analysis.offset = Vec3(0, 0.5, 0);
  AnalysisPose low;
  low.name = "Low";
  for (const Vec3& x : analysis_truss(o.analysis).nodes)
    low.nodes.push_back({Vec3(0, -2 * x.y(), 0.1 * x.x() * x.x())});
  add_pose(o.analysis, low);
  CHECK(pose_faults(with(o)).empty());
}

TEST_CASE("Tetrahedra in pieces, flat ones and inverted ones are told of in one sentence each", "[poses][bad_input]") {
  Object o = bar();
  o.analysis.poses.clear();
  o.analysis.kind = AnalysisKind::strung;
  StrungTruss truss;
  for (int piece = 0; piece < 2; ++piece) {
    const auto first = static_cast<std::uint32_t>(truss.nodes.size());
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
      truss.nodes.push_back({Vec3(x + Vec3(2 * piece, 0, 0))});
    truss.tetrahedra.push_back({first, first + 1, first + 2, first + 3});
    for (std::uint32_t a = 0; a < 4; ++a)
      for (std::uint32_t b = a + 1; b < 4; ++b) truss.springs.push_back({first + a, first + b});
  }
  const auto with_truss = [&](const StrungTruss& of) {
    Object made = o;
    made.analysis.strung = std::make_shared<const StrungTruss>(of);
    return made;
  };
  CHECK(told(with_truss(truss)) ==
        "warning objects[0] \"Bar\" analysis.strung.tetrahedra: The analysis model is in 2 pieces that nothing joins: "
        "each "
        "goes its own way, and the display model is drawn out between them.");
  const Scene loose = with(with_truss(truss));
  StrungTruss joined = truss;
  joined.springs.insert(joined.springs.begin() + 3, {1, 4});
  std::sort(joined.springs.begin(), joined.springs.end(),
            [](const StrungSpring& a, const StrungSpring& b) { return std::pair(a.a, a.b) < std::pair(b.a, b.b); });
  CHECK(validate(with(with_truss(joined))).empty());
  CHECK(validate_change(loose, with(with_truss(joined))).empty());
  CHECK(validate_change(with(with_truss(joined)), loose).size() == 1);
  Object stiff = with_truss(truss);
  stiff.body.kind = BodyKind::rigid;
  CHECK(validate(with(stiff)).empty());  // none of it moves against the rest

  StrungTruss flat = truss, inverted = truss;
  flat.nodes[3].position = Vec3(0.5, 0.5, 0);
  std::swap(inverted.tetrahedra[0][1], inverted.tetrahedra[0][2]);
  for (const StrungTruss& bad : {flat, inverted}) {
    const Diagnostics found = validate(with(with_truss(bad)));
    REQUIRE_FALSE(found.empty());
    CHECK(found[0].severity == Severity::error);
    CHECK(found[0].message == "The tetrahedron has no positive volume.");
    CHECK(found[0].hint.ends_with('.'));
  }
}
