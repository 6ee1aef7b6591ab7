// The table of bodies: every kind of a scene has its row; what solvers answer that have no implicit matrix.
#include "tests/sim/constraint/eight_nodes.h"

namespace body_kinds_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("every kind of body of a scene has one row in the table, with the rights of its kind", "[bodies]") {
  Truss free, pinned;
  pinned.pinned = {0};
  for (const Truss& truss : {free, pinned})
    for (const BodyKindInfo& kind : kBodyKinds) {
      int rows = 0;
      for (const BodyInfo* info : body_table())
        rows += info->kind == kind.name && (!info->fits || info->fits(truss, false));
      CHECK(rows == 1);
      REQUIRE(find_body(kind.name, truss) != nullptr);
      CHECK(find_body(kind.name, truss)->kind == kind.name);
    }
  CHECK(find_body("treacle", free) == nullptr);
  for (const BodyInfo* info : body_table())
    CHECK(std::count_if(kBodyKinds.begin(), kBodyKinds.end(), [&](const auto& k) { return k.name == info->kind; }) ==
          1);
  for (std::size_t k = 0; k < kBodyKinds.size(); ++k) {
    Object o = eight_nodes({});
    o.body.kind = static_cast<BodyKind>(k);
    const Moving m(of(o), 0);
    CHECK(m.body.moves == kBodyKinds[k].moves);
    CHECK(m.body.deforms == kBodyKinds[k].deforms);
    CHECK((m.body.mass > 0) == m.body.moves);
    CHECK(m.values.size() == m.body.state_size());
  }
}

TEST_CASE("a solver without an implicit matrix answers as its kicks do", "[bodies]") {
  Object o = eight_nodes({});
  o.body.kind = BodyKind::flexible;
  const Moving m(of(o), 10);
  const ElasticSolver& solver = *flexible(m.body).elastic;
  CHECK(solver.before() == Before::start);
  CHECK(solver.ElasticSolver::before() == Before::kicked);
  const NodeImpulse kicks[] = {{2, Vec3(0.1, -0.2, 0.3)}, {5, Vec3(0, 0.4, 0)}};
  std::vector<Vec3> dv(8);
  solver.ElasticSolver::respond(m.values, kicks, dv);
  for (std::uint32_t i = 0; i < 8; ++i) {
    Vec3 expected = Vec3::Zero();
    for (const NodeImpulse& kick : kicks)
      if (kick.node == i) expected = kick.impulse / m.body.truss.masses[i];
    CHECK((dv[i] - expected).norm() < 1e-12);
  }
}

}  // namespace body_kinds_test
