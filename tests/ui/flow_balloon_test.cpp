// A balloon, in the real window: added from the menu it falls, squashes on the floor and keeps its volume; a keyed Size blows it up.
#include "core/geometry/mesh/mass_properties.h"
#include "tests/ui/flow_support.h"

namespace flow_balloon_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("Flow: a balloon is added, falls, keeps its volume and is blown up", "[ui][flow][cloth]") {
  Flow f;
  const std::string empty = scene_to_text(f.scene());
  f.menu("Add", "add.balloon");
  const Id balloon = f.last().id;
  const auto now = [&]() -> const Object& { return *find_object(f.scene(), balloon); };
  CHECK(now().analysis.kind == AnalysisKind::icosahedron);
  CHECK(now().analysis.hollow);
  CHECK(now().body.solver == "springs");
  CHECK(now().body.volume.of == VolumeOf::surface);
  REQUIRE(f.selection().active() == balloon);
  CHECK(f.document().undo_stack()->index() == 1);
  const Truss truss = object_truss(now(), {});
  const auto volume = [&](int frame) {
    f.playback().set_frame(frame);
    REQUIRE(wait_for([&] { return f.playback().cache().frame(frame) != nullptr; }));
    std::vector<Vec3> nodes;
    for (const Vec3f& x : f.playback().cache().frame(frame)->find(balloon)->nodes) nodes.push_back(x.cast<double>());
    return mesh_volume(nodes, truss.hull);
  };
  const double made = mesh_volume(truss.nodes, truss.hull);
  CHECK(volume(0) == Approx(made).epsilon(1e-5));
  CHECK(volume(60) == Approx(made).epsilon(1e-4));
  QTest::qWait(100);
  f.shot("balloon");
  Scene scene = with_object(f.scene(), balloon, [](Object& o) { o.body.volume.size = 2; });
  REQUIRE(f.document().edit("Blow it up", std::move(scene)).ok());
  CHECK(volume(60) == Approx(2 * made).epsilon(1e-4));
  QTest::qWait(100);
  f.shot("balloon-twice");
  while (f.document().undo_stack()->canUndo()) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == empty);
}

}  // namespace flow_balloon_test
