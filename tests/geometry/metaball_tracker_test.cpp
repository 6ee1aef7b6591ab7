// Surfaces of moving metaballs whose vertices stay (skin_tracker.h).
#include <catch2/catch.hpp>

#include "tests/geometry/metaball_tracker_support.h"
#include "tests/support/sanitized.h"

namespace metaball_tracker_test {

using namespace hazumi;
using namespace hazumi::tracked;

namespace {

constexpr double kSpeed = 0.5;  // m/s of each ball

/// Along x through each other, of effective radius 0.5 and weight 3/2.
MetaballGroup two_balls(double t) {
  MetaballGroup group;
  group.primitives.resize(2);
  for (std::uint32_t k = 0; k < 2; ++k) group.primitives[k].id = k + 1;
  group.primitives[0].centre = Vec3(-1 + kSpeed * t, 0, 0);
  group.primitives[1].centre = Vec3(1 - kSpeed * t, 0, 0);
  return group;
}

/// A few primitives, each on its way and turning.
struct Moving {
  MetaballGroup start;
  std::vector<Vec3> velocity, spin;

  explicit Moving(unsigned seed, double sharpest = 0.5) {
    Draw draw(seed);
    start = random_group(draw, 2 + static_cast<int>(draw.number(0, 2)), 0.25);
    start.final_tolerance = 0.1;
    for (MetaballPrimitive& p : start.primitives) {
      p.round_xz = p.round_xy = 1;
      if (draw.number(0, 1) < 0.25) {
        p.round_xz = draw.number(sharpest, 1.3);
        p.round_xy = draw.number(sharpest, 1.3);
      }
      velocity.push_back(draw.vector(-1, 1));
      spin.push_back(draw.vector(-2, 2));
    }
  }
  MetaballGroup operator()(double t) const {
    MetaballGroup group = start;
    for (std::size_t k = 0; k < group.primitives.size(); ++k) {
      MetaballPrimitive& p = group.primitives[k];
      p.centre += t * velocity[k];
      p.rotation = Quat(Eigen::AngleAxisd(t * spin[k].norm(), spin[k].normalized())) * p.rotation;
    }
    return group;
  }
};

/// Along the normal they are the surface's own, across it those of the vertices; parts of the largest speed in a frame.
void check_velocities(const VelocityFigures& f) {
  CHECK(f.along < 0.005);
  CHECK(f.across < 1e-5);
}

/// Cuts for a change of topology are where the frames' own surfaces change, all of them and no others; and stretches keep what they
/// promise.
void check_run(const Run& run, const Figures& f) {
  CHECK(f.counts_hold);
  CHECK(f.stretches_join);
  CHECK(f.turned == 0);
  CHECK(f.farthest <= 2);
  CHECK(f.missed <= 2);
  for (const SkinStretch& stretch : run.stretches)
    if (!stretch.mesh->faces.empty()) {
      CHECK(is_closed(*stretch.mesh));
      CHECK(skin_topology(*stretch.mesh) == stretch.topology);
    }
  for (std::size_t k = 1; k < run.frames.size(); ++k) {
    const bool changes = !(skin_topology(*run.surfaces[k]) == skin_topology(*run.surfaces[k - 1]));
    const SkinStretch& stretch = run.stretches[run.frames[k].stretch];
    const bool cut = stretch.first == static_cast<int>(k) && stretch.cut == SkinCut::topology;
    CHECK(changes == cut);
  }
}

}  // namespace

TEST_CASE("Two balls pass through each other: cut where they meet and part, vertices stay in between",
          "[metaball][tracker]") {
  const Run run = follow(two_balls, 240);
  const Figures f = measure(run, 6);
  check_run(run, f);
  // 2 ρ(s / 0.5) = 1 in the middle between balls whose centres are 2 s apart: ρ = 1/2 of w = 3/2 at r = 1 − √(2/9).
  const double meet = 60 * (1 - 0.5 * (1 - std::sqrt(2.0 / 9))) / kSpeed, part = 240 - meet;
  std::vector<int> changes;
  int others = 0;
  for (const SkinStretch& s : run.stretches) {
    if (s.cut == SkinCut::topology)
      changes.push_back(s.first);
    else
      ++others;
  }
  CHECK(changes == std::vector<int>{static_cast<int>(std::ceil(meet)), static_cast<int>(std::floor(part)) + 1});
  REQUIRE(run.stretches.size() == 3);
  CHECK(cut_sentence(run.stretches[1]) == "frame 89: 2 pieces become 1");
  CHECK(run.stretches.back().before == SkinTopology{1, 2});
  CHECK(run.stretches.back().topology == SkinTopology{2, 4});
  CHECK(others == 1);  // the first
  const VelocityFigures v = measure_velocities(run, two_balls);
  check_velocities(v);
  CHECK(v.ahead < 0.08);
  CHECK(v.ahead_beyond < 50);
  // Measured: along 0.01 %, ahead 5.2 % and 13 of 802,508 beyond 5 %. Differences over two frames are not velocities beside a
  // neck, which opens as √t: of the second frame after it parted √2.28 − √0.28 is 11 % more than 1 / √1.28. 10 %, 163 of 802,447
  // beyond 5 %; farthest 1.92 and 1.55 tolerances.
  CHECK(f.velocity < 0.12);
  CHECK(f.velocity_mean < 0.01);
  CHECK(f.beyond * 2000 < f.compared);
}

TEST_CASE("Velocities of tracked vertices approach differences as frames follow more closely", "[metaball][tracker]") {
  MetaballGroup start;
  start.final_tolerance = 0.02;
  start.primitives.resize(3);
  for (std::uint32_t k = 0; k < 3; ++k) {
    start.primitives[k].id = k + 1;
    start.primitives[k].centre = Vec3(0.22 * k, 0, 0);
    start.primitives[k].radii = Vec3(0.5, 0.4, 0.35);
    start.primitives[k].weight = 3;
  }
  const auto bending = [&](double t) {
    MetaballGroup group = start;
    const double angle = 0.6 * std::sin(4 * t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Quat turn(Eigen::AngleAxisd(angle * static_cast<double>(k), Vec3(0, 0.6, 0.8)));
      group.primitives[k].centre = turn * start.primitives[k].centre + Vec3(0, 0.1 * std::sin(5 * t), 0);
      group.primitives[k].rotation = turn;
    }
    return group;
  };
  double wrong[2];
  for (const int finer : {0, 1}) {
    const double rate = finer ? 120 : 30;
    const Run run = follow(bending, static_cast<int>(rate), rate);
    const Figures f = measure(run);
    check_run(run, f);
    CHECK(run.stretches.size() == 1);
    wrong[finer] = f.velocity_mean;
    CHECK(f.velocity < 0.05);
  }
  INFO(wrong[0] << ", " << wrong[1]);
  CHECK(wrong[0] < 0.02);  // 0.27 % and 0.087 % measured
  CHECK(wrong[1] < wrong[0] / 2.5);
}

TEST_CASE("What moves as a whole is tracked exactly, however fast it turns", "[metaball][tracker]") {
  const Moving shape(5);
  const Vec3 axis = Vec3(0.3, -0.5, 0.8).normalized();
  const auto whole = [&](double t) {
    MetaballGroup group = shape.start;
    const Quat turn(Eigen::AngleAxisd(25 * t, axis));
    for (MetaballPrimitive& p : group.primitives) {
      p.centre = turn * p.centre + Vec3(3, 1, -2) * t;
      p.rotation = turn * p.rotation;
    }
    return group;
  };
  const Run run = follow(whole, 12);
  REQUIRE(run.stretches.size() == 1);
  double off = 0;
  for (const SkinFrame& frame : run.frames) {
    const double t = frame.frame / run.rate;
    const Quat turn(Eigen::AngleAxisd(25 * t, axis));
    for (std::size_t v = 0; v < frame.positions.size(); ++v)
      off = std::max(off, (frame.positions[v] - (turn * run.frames[0].positions[v] + Vec3(3, 1, -2) * t)).norm());
  }
  CHECK(off < 1e-8);
}

TEST_CASE("Tracked surfaces have the same bits on any number of threads", "[metaball][tracker]") {
  const Run one = follow(Moving(3), 10, 60, 1), four = follow(Moving(3), 10, 60, 4);
  REQUIRE(one.frames.size() == four.frames.size());
  for (std::size_t k = 0; k < one.frames.size(); ++k) {
    CHECK(one.frames[k].positions == four.frames[k].positions);
    CHECK(one.frames[k].normals == four.frames[k].normals);
    CHECK(one.frames[k].velocities == four.frames[k].velocities);
  }
}

TEST_CASE("Other metaballs cut, and surfaces may vanish and come again", "[metaball][tracker]") {
  const auto changing = [](double t) {
    MetaballGroup group = two_balls(0);
    if (t > 0.05) group.primitives[0].weight = 2;
    if (t > 0.1) group.primitives[0].visible = group.primitives[1].visible = false;
    if (t > 0.15) group.primitives[1].visible = true;
    return group;
  };
  const Run run = follow(changing, 12);
  REQUIRE(run.stretches.size() == 4);
  for (std::size_t k = 1; k < 4; ++k) CHECK(run.stretches[k].cut == SkinCut::metaballs);
  CHECK(run.stretches[2].mesh->faces.empty());
  CHECK(run.frames.size() == 12);
}

// 0.1 s of a processor each; the long case has 2,000.
TEST_CASE("Random groups that move at random: stretches keep what they promise", "[metaball][tracker]") {
  const unsigned rounds = static_cast<unsigned>(test::rounds(200, 10));
  int frames = 0, cuts = 0;
  std::size_t compared = 0, beyond = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    INFO("seed " << seed);
    const Moving moving(seed);
    const Run run = follow(moving, 3);
    check_run(run, measure(run, 3));
    const VelocityFigures v = measure_velocities(run, moving);
    check_velocities(v);
    compared += v.compared;
    beyond += v.ahead_beyond;
    frames += 2;
    for (const SkinStretch& s : run.stretches) cuts += s.cut == SkinCut::distance || s.cut == SkinCut::turned;
  }
  INFO(cuts << " of " << frames << "; " << beyond << " of " << compared);
  CHECK(cuts * 8 < frames);
  CHECK(beyond * 100 < compared);
}

TEST_CASE("2,000 random groups that move at random, boxes and fins too", "[metaball][tracker][.long]") {
  int frames = 0, cuts = 0;
  double along = 0;
  std::size_t compared = 0, beyond = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    INFO("seed " << seed);
    const Moving moving(seed, 0.1);
    const Run run = follow(moving, 16);
    check_run(run, measure(run, 5));
    const VelocityFigures v = measure_velocities(run, moving);
    CHECK(v.across < 1e-5);
    along = std::max(along, v.along);
    compared += v.compared;
    beyond += v.ahead_beyond;
    frames += 15;
    for (const SkinStretch& s : run.stretches) cuts += s.cut == SkinCut::distance || s.cut == SkinCut::turned;
  }
  WARN(cuts << " of " << frames << " frames cut because they could not be followed");
  WARN("velocities along normals off by " << along << ", " << beyond << " of " << compared << " places off by 5 %");
  CHECK(beyond * 100 <= compared);
}

}  // namespace metaball_tracker_test
