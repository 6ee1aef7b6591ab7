// Frames with every kind of mapping: the same however one comes to them.
#include <catch2/catch.hpp>

#include "core/geometry/mapping/bones.h"
#include "core/motion/compile.h"
#include "tests/support/small_scenes.h"

namespace mapping_frames_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Four soft balls that land, one for each kind of mapping; the one for embedding is strung with tetrahedra.
Scene four_kinds() {
  Scene scene;
  scene.settings.substeps = 3;
  scene.settings.last_frame = 24;
  scene.objects.push_back(Shared<Object>(floor_object(1)));
  const MappingKind kinds[] = {MappingKind::linear, MappingKind::automatic, MappingKind::lattice,
                               MappingKind::skeleton};
  for (int k = 0; k < 4; ++k) {
    Object o = ball(static_cast<std::uint64_t>(2 + k), "Ball", BodyKind::flexible, Vec3(1.5 * k, 0.8, 0));
    o.body.velocity = Vec3(0.2, -3, 0);
    o.body.spin = Vec3(1, 2, 3);
    o.mapping.kind = kinds[k];
    o.mapping.bones = bones_along_longest_axis(std::vector<Vec3>{{-0.5, 0, 0}, {0.5, 0.1, 0}, {0, 0.4, 0.1}}, 2);
    if (kinds[k] == MappingKind::automatic) {
      TrussRecipe recipe;
      recipe.shape = TrussShape::octahedron;
      recipe.divisions = {2, 1, 1};
      StrungTruss strung = to_strung(make_truss(recipe));
      // The octahedron has a node in its middle: a tetrahedron under each hull triangle.
      const auto middle = static_cast<std::uint32_t>(strung.nodes.size() - 1);
      for (const auto& t : strung.hull) strung.tetrahedra.push_back({middle, t[0], t[1], t[2]});
      o.analysis.kind = AnalysisKind::strung;
      o.analysis.strung = std::make_shared<const StrungTruss>(std::move(strung));
    }
    scene.objects.push_back(Shared<Object>(std::move(o)));
  }
  return scene;
}

}  // namespace

TEST_CASE("Frames of every mapping are the same played, sought, continued from a checkpoint, on one or two threads",
          "[threads]") {
  const Scene scene = four_kinds();
  MeshStore meshes;
  const auto model = compile(scene, meshes);
  REQUIRE(model.ok());
  const MappingKind expected[] = {MappingKind::linear, MappingKind::embedding, MappingKind::lattice,
                                  MappingKind::skeleton};
  for (int k = 0; k < 4; ++k) {
    REQUIRE((*model)->bodies[static_cast<std::size_t>(k + 1)].mapping);
    CHECK((*model)->bodies[static_cast<std::size_t>(k + 1)].mapping->kind() == expected[k]);
  }
  const auto played = fresh_run(scene, 24, 1), two = fresh_run(scene, 24, 2);
  REQUIRE(played.size() == 25);
  for (std::size_t f = 0; f < played.size(); ++f) CHECK(same_bits(played[f], two[f]));
  for (const ObjectFrame& o : played[20].objects)
    if (o.id.value > 1) CHECK(o.deformed);

  Simulator simulator(*model, 1);
  for (int frame : {24, 3, 17, 0, 18}) {
    REQUIRE(simulator.state_at(frame));
    CHECK(same_bits(simulator.frame_at(frame), played[static_cast<std::size_t>(frame)]));
  }
  // A model that takes over the mappings, and a run that begins in the middle of the other one.
  const auto again = compile(scene, meshes, model->get());
  REQUIRE(again.ok());
  CHECK((*again)->bodies[1].mapping == (*model)->bodies[1].mapping);
  Simulator other(*again, 2);
  other.add_checkpoint(11, *simulator.state_at(11));
  REQUIRE(other.state_at(22));
  CHECK(same_bits(other.frame_at(22), played[22]));
}

}  // namespace mapping_frames_test
