// What regions have done to them eight at a time, against what is found of each one alone.
#include "core/sim/elastic/region_turns.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/math/rotation.h"
#include "tests/support/edits.h"

namespace region_turns_test {

using namespace hazumi;
using namespace hazumi::shape_matching;
using hazumi::test::EditDice;

namespace {

Quat random_turn(EditDice& dice) {
  const Vec3 way = dice.vector(1);
  return exp_rotation(dice.between(0, 3) * (way + 1e-3 * Vec3::UnitX()).normalized());
}

/// A shape that holds its turn, squashed, sheared, flat or inside out now and then; sizes over twelve decades.
Mat3 random_fit(EditDice& dice) {
  Mat3 stretch = Mat3::Identity();
  for (int k = 0; k < 9; ++k) stretch.data()[k] += dice.between(-0.4, 0.4);
  stretch = 0.5 * (stretch + stretch.transpose()).eval();
  if (dice.below(6) == 0) stretch.col(0) *= dice.below(2) == 0 ? -1 : 0;
  return std::pow(10.0, dice.between(-6, 6)) * random_turn(dice).toRotationMatrix() * stretch;
}

struct Seen {
  int found = 0, left = 0, held = 0;
};

void check_eight(std::uint64_t seed, Seen& seen) {
  EditDice dice(seed);
  INFO("seed " << seed);
  EightTurns turns;
  Mat3 fits[8];
  Quat begun[8];
  for (std::size_t l = 0; l < 8; ++l) {
    fits[l] = random_fit(dice);
    const Quat near = polar_rotation(fits[l], Quat::Identity());
    begun[l] = dice.below(4) == 0
                   ? random_turn(dice)
                   : (near * exp_rotation(dice.between(0, 0.4) * (dice.vector(1) + 1e-3 * Vec3::UnitY()).normalized()))
                         .normalized();
    for (int k = 0; k < 9; ++k) turns.fit[k][l] = fits[l].data()[k];
    const double q[4] = {begun[l].w(), begun[l].x(), begun[l].y(), begun[l].z()};
    for (int k = 0; k < 4; ++k) turns.turn[k][l] = q[k];
  }
  turn_eight(turns);
  EightHeld all;
  Mat3 speeds[8];
  for (std::size_t l = 0; l < 8; ++l) {
    const Quat turn(turns.turn[0][l], turns.turn[1][l], turns.turn[2][l], turns.turn[3][l]);
    REQUIRE(turn.norm() == Approx(1).margin(1e-14));
    if (turns.found[l] > 0) {
      ++seen.found;
      const Mat3 s = turn.toRotationMatrix().transpose() * fits[l];
      REQUIRE(axial(s).norm() < 1e-13 * fits[l].norm());
      // Of all turns the one that fits best.
      REQUIRE(s.trace() >= (polar_rotation(fits[l], begun[l]).toRotationMatrix().transpose() * fits[l]).trace() -
                               1e-12 * fits[l].norm());
    } else {
      ++seen.left;
    }
    for (int k = 0; k < 9; ++k) speeds[l].data()[k] = dice.between(-1, 1);
    for (int k = 0; k < 9; ++k) all.fit[k][l] = fits[l].data()[k], all.speed[k][l] = speeds[l].data()[k];
    for (int k = 0; k < 4; ++k) all.turn[k][l] = turns.turn[k][l];
    all.least[l] = 1e-6 * std::pow(fits[l].norm(), 3);
  }
  hold_eight(all);
  for (std::size_t l = 0; l < 8; ++l) {
    const Mat3 back =
        Quat(turns.turn[0][l], turns.turn[1][l], turns.turn[2][l], turns.turn[3][l]).toRotationMatrix().transpose();
    const Mat3 s = back * fits[l];
    const Mat3 moment = s.trace() * Mat3::Identity() - 0.5 * (s + s.transpose());
    const Vec3 angular = -axial(back * speeds[l]);
    REQUIRE(all.held[l] == Approx(s.trace()).margin(1e-13 * fits[l].norm()));
    const bool holds = moment.determinant() > all.least[l];
    seen.held += holds;
    const double turning = holds ? angular.dot(moment.inverse() * angular) : 0;
    REQUIRE(std::abs(all.turning[l] - turning) <= 1e-8 * std::abs(turning));
  }
}

}  // namespace

TEST_CASE("Turns of eight regions are those of each alone", "[elastic][shape_matching]") {
  Seen seen;
  for (std::uint64_t seed = 20281129; seed < 20281129 + 200; ++seed) check_eight(seed, seen);
  INFO(seen.found << " found, " << seen.left << " left to the slow way, " << seen.held << " held");
  CHECK(seen.found > 1000);
  CHECK(seen.left > 50);
  CHECK(seen.held > 1000);
}

TEST_CASE("Sums over regions are those of a loop, to the bit", "[elastic][shape_matching]") {
  EditDice dice(7);
  constexpr std::size_t kNodes = 100;
  alignas(64) static double of[12 * kNodes];
  static EightSums sums[(kNodes + 7) / 8];
  double places[3 * kNodes], to[3 * kNodes];
  for (double& one : of) one = dice.between(-1, 1);
  for (double& one : places) one = dice.between(-1, 1);
  std::vector<std::uint32_t> start{0}, members;
  for (std::size_t i = 0; i < kNodes; ++i) {
    for (int k = 1 + dice.below(20); k > 0; --k) members.push_back(static_cast<std::uint32_t>(dice.below(kNodes)));
    start.push_back(static_cast<std::uint32_t>(members.size()));
  }
  sum_twelves({start, members}, {0, start.size() - 1}, of, sums);
  apply_mean_map({start, members}, {0, start.size() - 1}, of, {}, places, to);
  for (std::size_t i = 0; i < kNodes; ++i) {
    double sum[12] = {};
    for (std::size_t k = start[i]; k < start[i + 1]; ++k)
      for (std::size_t c = 0; c < 12; ++c) sum[c] += of[12 * members[k] + c];
    for (std::size_t c = 0; c < 12; ++c) REQUIRE(sums[i / 8].of[c][i % 8] == sum[c]);
    if (i + 1 == kNodes)
      for (std::size_t l = i % 8 + 1; l < 8; ++l) REQUIRE(sums[i / 8].of[0][l] == 0);
    const double share = 1.0 / static_cast<double>(start[i + 1] - start[i]);
    const double* const x = places + 3 * i;
    for (std::size_t c = 0; c < 3; ++c)
      REQUIRE(to[3 * i + c] == (sum[4 * c] * (share * x[0]) + sum[4 * c + 1] * (share * x[1])) +
                                   (sum[4 * c + 2] * (share * x[2]) + sum[4 * c + 3] * share));
  }
}

}  // namespace region_turns_test
