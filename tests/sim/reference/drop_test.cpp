// Random tetrahedral trusses dropped on a plane and on the edge of a box (contact.md, B4 and A8).
#include <catch2/catch.hpp>

#include "tests/sim/reference/scenes.h"
#include "tests/sim/reference/trusses.h"

namespace reference_drop_test {

using namespace hazumi;
using namespace hazumi::reference;

namespace {

struct Outcome {
  bool ran = true;
  double gain = -1, overlap = 0;
  Figures figures;
};

struct Drop {
  Ground ground;
  double stiffness, restitution, spin;
  int per_frame;
  std::uint64_t seed;
};

/// One second from 1 m above, 10 kg. Gain in units of the fall (M g · 1 m), overlap in h v.
Outcome drop(const Drop& d, const Settings& base) {
  World w;
  w.settings = base;
  w.settings.h = 1.0 / 60 / d.per_frame;
  w.settings.rules.restitution = d.restitution;
  Dice dice(d.seed);
  FlexibleBody b = random_truss(dice, 10, d.stiffness, 0, w.settings.h);
  b.attitude = dice.attitude();
  b.centre.y() = 1 - b.positions().row(1).minCoeff();
  const Vec3 turn = d.spin * Vec3(1, 0.5, -1);
  for (Eigen::Index i = 0; i < b.count(); ++i) b.velocity.col(i) = turn.cross(b.arms().col(i));
  w.bodies.emplace_back(std::move(b));
  w.contacts = on_ground(d.ground);

  Outcome o;
  const double e0 = w.energy(), fall = 10 * 9.81, speed = std::sqrt(2 * 9.81);
  for (int k = 0; k < 60 * d.per_frame && o.ran; ++k) {
    o.ran = w.step();
    o.gain = std::max(o.gain, (w.energy() - e0) / fall);
    const Nodes x = w.bodies[0].flexible.positions();
    const double deepest = d.ground == Ground::plane ? -x.row(1).minCoeff()
                                                     : -x.row(0).cwiseMax(x.row(1)).minCoeff();
    o.overlap = std::max(o.overlap, deepest / (w.settings.h * speed));
  }
  o.figures = w.figures;
  o.figures.identity /= fall;
  o.figures.residual /= fall;
  return o;
}

}  // namespace

TEST_CASE("Trusses fall on a plane and an edge and gain nothing", "[reference]") {
  std::uint64_t seed = 0;
  for (const Ground ground : {Ground::plane, Ground::edge})
    for (const double stiffness : {1e2, 1e3, 1e4, 1e5, 1e6, 1e8}) {
      double gain=-1, ov=0, id=0, rs=0, oa=0; int bad=0, mp=0; long fp=0, fs=0, sc=0, ss=0;
      for (const double e : {0.0, 0.5, 0.9})
        for (const int n : {1, 2, 4, 8}) {
          Settings st; if (getenv("KAPPA")) st.decay = atof(getenv("KAPPA")); st.decay_switch = getenv("SWITCH");
          st.no_push = getenv("NOPUSH");
          const Outcome o = drop({ground, stiffness, e, getenv("SPIN") ? 6.0 : 0.0, n, ++seed}, st);
          bad += !o.ran; gain=std::max(gain,o.gain); ov=std::max(ov,o.overlap); id=std::max(id,o.figures.identity); rs=std::max(rs,o.figures.residual); oa=std::max(oa,o.figures.over_account); mp=std::max(mp,o.figures.most_passes); fp+=o.figures.flexible_passes; fs+=o.figures.flexible_steps; sc+=o.figures.scaled; ss+=o.figures.second_solves;
        }
      std::printf("%d k %.0e bad %d gain %.1e overlap %.2f ident %.1e res %.1e over %.1e passes %.1f most %d scaled %ld second %ld\n", int(ground), stiffness, bad, gain, ov, id, rs, oa, double(fp)/fs, mp, sc, ss);
    }
}

}  // namespace reference_drop_test
