// Pairs of a sub-step shared out to threads: the contacts, and their order, are those of one thread.
#include "core/sim/contact/narrow.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace contact_search_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 62000;

/// Things of every kind, so close that each meets many others; one of them is large and bends, one stands still.
World heap(std::uint64_t seed) {
  reference::Dice dice(seed);
  World w;
  w.floor();
  for (int k = 0; k < 24; ++k) {
    const Vec3 at(dice.uniform(0, 1.2), dice.uniform(0.1, 1.0), dice.uniform(0, 1.2));
    const double size = dice.uniform(0.2, 0.5);
    const PrimitiveShape shapes[] = {PrimitiveShape::torus, PrimitiveShape::cone, PrimitiveShape::capsule};
    const int kind = static_cast<int>(dice.uniform(0, 4));
    Object o =
        kind == 0   ? World::jelly(0.5 * size, at, 2000)
        : kind == 1 ? World::box(Vec3::Constant(size), at)
        : kind == 2
            ? World::sphere(0.5 * size, at)
            : World::hard("mesh", {shapes[static_cast<int>(dice.uniform(0, 3))], Vec3::Constant(size), {10, 6, 1}}, at,
                          1);
    if (kind == 3) o.contact.shape = ContactShape::surface;
    o.transform.rotation = Quat(dice.attitude()).normalized();
    w.add(o);
  }
  Object large = World::hard("large", {PrimitiveShape::box, Vec3(1.5, 0.3, 1.5), {8, 2, 8}}, Vec3(0.6, 0.5, 0.6), 5);
  large.body.kind = BodyKind::flexible;
  large.analysis.kind = AnalysisKind::box_grid;
  large.analysis.size = large.display.primitive.size;
  large.contact.self_collision = true;
  w.add(large);
  return w;
}

struct Looked {
  std::vector<BodyShape> shapes;
  ContactSearch::Pairs pairs;

  explicit Looked(const Run& run) {
    State end = run.state;
    StepWorkspace workspace;
    Executor alone;
    REQUIRE(hazumi::step(*run.model, end, workspace, alone).ok);
    shapes.resize(run.model->bodies.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      shapes[i].body = &run.model->bodies[i];
      shapes[i].active = true;
      read_shape(run.model->bodies[i], run.state.bodies[i].values, false, shapes[i]);
      read_shape(run.model->bodies[i], end.bodies[i].values, true, shapes[i]);
      finish_shape(shapes[i]);
    }
    NearPairs().find(shapes, pairs);
  }
};

bool same(const Contact& x, const Contact& y) {
  const auto same_anchor = [](const ContactAnchor& a, const ContactAnchor& b) {
    return a.kind == b.kind && a.nodes == b.nodes && a.skin == b.skin && a.weights == b.weights && a.offset == b.offset;
  };
  return x.body_a == y.body_a && x.body_b == y.body_b && x.feature == y.feature && x.point == y.point &&
         x.normal == y.normal && x.gap == y.gap && x.slop == y.slop && x.parts == y.parts && same_anchor(x.a, y.a) &&
         same_anchor(x.b, y.b);
}

}  // namespace

TEST_CASE("contacts are found by threads as by one alone", "[contact][threads][random]") {
  std::size_t found = 0, near = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + static_cast<std::uint64_t>(rounds(6, 2)); ++seed) {
    CAPTURE(seed);
    const Run run(heap(seed));
    std::vector<Contact> alone, shared;
    Looked first(run);
    ContactSearch().find(first.shapes, first.pairs, run.state.rows, alone);
    found += alone.size();
    near += first.pairs.size();
    for (const int threads : {2, 7}) {
      Executor executor(threads);
      ContactSearch search;
      for (int again = 0; again < 2; ++again) {
        Looked looked(run);
        search.find(looked.shapes, looked.pairs, run.state.rows, shared, &executor);
        REQUIRE(shared.size() == alone.size());
        for (std::size_t k = 0; k < alone.size(); ++k) CHECK(same(shared[k], alone[k]));
      }
    }
  }
  std::printf("seeds from %llu: %zu contacts of %zu pairs\n", static_cast<unsigned long long>(kFirstSeed), found, near);
  CHECK(found > 500);
}

}  // namespace contact_search_test
