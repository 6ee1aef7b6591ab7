// The table of collision shapes and of how they meet.
#include "core/sim/contact/shape_table.h"

#include <set>

#include "core/scene/values/words.h"
#include "tests/support/run.h"

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("every contact shape of a scene is one kind, and every two kinds meet by one row", "[shape_table]") {
  for (std::size_t k = 0; k < words<ContactShape>().size(); ++k) {
    const auto choice = static_cast<ContactShape>(k);
    int kinds = 0;
    for (const ContactShapeInfo* info : contact_shapes())
      kinds += static_cast<int>(std::count(info->choices.begin(), info->choices.end(), choice));
    INFO(word(choice));
    const bool decided = choice != ContactShape::automatic && choice != ContactShape::none;
    CHECK(kinds == (decided ? 1 : 0));
    CHECK((find_contact_shape(choice) != nullptr) == decided);
  }
  for (const ContactShapeInfo* a : contact_shapes())
    for (const ContactShapeInfo* b : contact_shapes()) {
      INFO(a->name << " and " << b->name);
      int rows = 0;
      for (const PairRow& row : a->pairs) rows += row.other == b->name;
      if (a != b)
        for (const PairRow& row : b->pairs) rows += row.other == a->name;
      const bool both_unbounded = a->near && b->near;
      CHECK(rows == (both_unbounded ? 0 : 1));
      const FoundPair one = find_pair(*a, *b), other = find_pair(*b, *a);
      CHECK(one.row == other.row);
      if (one.row && a != b) CHECK(one.swapped != other.swapped);
    }
  for (const ContactShapeInfo* info : contact_shapes())
    for (const PairRow& row : info->pairs)
      CHECK(std::any_of(contact_shapes().begin(), contact_shapes().end(),
                        [&](const ContactShapeInfo* other) { return other->name == row.other; }));
}

TEST_CASE("a row finds the same contact whichever of the two bodies comes first", "[shape_table]") {
  // A ball, a soft ball and a mesh of points are let fall on a box and on a plane, with the ground before and after them.
  for (const int thing : {0, 1, 2})
    for (const bool plane : {false, true}) {
      std::set<std::int64_t> moments;
      for (const bool ground_first : {false, true}) {
        World world;
        Object ground = World::box(Vec3(4, 1, 4), Vec3(0, -0.5, 0));
        ground.body.kind = BodyKind::fixed;
        if (plane) {
          ground.display.primitive = {PrimitiveShape::plane, Vec3(4, 1, 4), {1, 1, 1}};
          ground.transform.position.setZero();
        }
        Object falling = thing == 1 ? World::jelly(0.3, Vec3(0, 0.8, 0), 800) : World::sphere(0.3, Vec3(0, 0.8, 0));
        if (thing == 2) falling.contact.shape = ContactShape::vertices;
        if (ground_first) world.add(ground);
        const Id id = world.add(falling);
        if (!ground_first) world.add(ground);
        Run run(world);
        while (run.events.empty() && run.state.substep < 400) run.steps(1);
        REQUIRE(run.events.size() == 1);
        const ContactEvent& event = run.events.front();
        CHECK((event.a == id) == !ground_first);
        CHECK(event.normal.y() == Approx(event.a == id ? 1 : -1).epsilon(1e-9));
        moments.insert(event.substep);
      }
      CHECK(moments.size() == 1);
    }
}

TEST_CASE("corners of a box are its points", "[shape_table]") {
  World world;
  const Id id = world.add(World::box(Vec3(1, 2, 3), Vec3(0, 5, 0)));
  Run run(world);
  const std::vector<Vec3>& corners = run.model->bodies[run.index(id)].proxy.points;
  REQUIRE(corners.size() == 8);
  for (const Vec3& p : corners) CHECK((p.cwiseAbs() - Vec3(0.5, 1, 1.5)).norm() < 1e-9);
}
