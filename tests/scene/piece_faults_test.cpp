// Analysis models in pieces: what is left when the largest is kept, and what goes along.
#include "core/scene/derived/piece_faults.h"

#include <catch2/catch.hpp>

#include "core/scene/derived/pose_faults.h"
#include "core/scene/validate.h"
#include "tests/support/loose_bar.h"

using namespace hazumi;
using hazumi::test::loose_bar;

TEST_CASE("Of a model in pieces the largest is kept, with all that knows its nodes", "[pieces]") {
  Scene scene;
  scene.objects = {Shared<Object>(loose_bar())};
  Force force;
  force.id = Id{7};
  force.object = 1;
  force.nodes = {{1}, {6}, {9}};
  Force lost = force;
  lost.id = Id{8};
  lost.nodes = {{0}, {2}};
  Force other = force;
  other.id = Id{9};
  other.object = 3;
  scene.forces = {Shared<Force>(force), Shared<Force>(lost), Shared<Force>(other)};
  const std::vector<LooseModel> loose = loose_models(scene);
  REQUIRE(loose.size() == 1);
  CHECK(loose[0].pieces == 3);
  CHECK(loose[0].nodes == 13);
  CHECK(loose[0].largest == 4);  // the middle one: five nodes of the last have less volume

  const Scene kept = with_largest_piece(scene, Id{1});
  CHECK(loose_models(kept).empty());
  const Object& o = *kept.objects[0];
  const StrungTruss& was = *scene.objects[0]->analysis.strung;
  const StrungTruss& now = *o.analysis.strung;
  REQUIRE(now.nodes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(now.nodes[i] == was.nodes[4 + i]);
  CHECK(now.tetrahedra == std::vector<std::array<std::uint32_t, 4>>{{0, 1, 2, 3}});
  CHECK(now.springs.size() == 6);
  REQUIRE(o.analysis.poses[0].nodes.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(o.analysis.poses[0].nodes[i].shift == scene.objects[0]->analysis.poses[0].nodes[4 + i].shift);
  REQUIRE(o.analysis.pose_groups.size() == 1);
  CHECK(o.analysis.pose_groups[0].node == 1);
  CHECK(o.analysis.pose_groups[0].group == 2);
  REQUIRE(o.body.start.size() == 4);
  CHECK(o.body.start[2].velocity == Vec3(0, 6, 0));
  REQUIRE(o.body.start_springs.size() == 1);
  CHECK(o.body.start_springs[0].a == 1);
  CHECK(o.body.start_springs[0].b == 3);
  CHECK(kept.forces[0]->nodes == std::vector<std::array<std::uint32_t, 1>>{{2}});
  CHECK(kept.forces[0]->on);
  CHECK(kept.forces[1]->nodes.empty());
  CHECK_FALSE(kept.forces[1]->on);
  CHECK(kept.forces[2]->nodes.size() == 3);
  for (const Diagnostic& found : validate(kept)) CHECK(found.path.find("Bar") == std::string::npos);
}
