// What regions have done to them eight at a time, against what is found of each one alone.
#include "core/sim/elastic/region_turns.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/elastic/region_runs.h"
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
  std::vector<double> shares;
  for (std::size_t i = 0; i < kNodes; ++i) {
    for (int k = 1 + dice.below(20); k > 0; --k) members.push_back(static_cast<std::uint32_t>(dice.below(kNodes)));
    start.push_back(static_cast<std::uint32_t>(members.size()));
    shares.push_back(dice.between(0, 1));
  }
  sum_twelves({start, members}, {0, start.size() - 1}, of, sums);
  apply_mean_map({start, members}, {0, start.size() - 1}, shares.data(), of, {}, places, to);
  for (std::size_t i = 0; i < kNodes; ++i) {
    double sum[12] = {};
    for (std::size_t k = start[i]; k < start[i + 1]; ++k)
      for (std::size_t c = 0; c < 12; ++c) sum[c] += of[12 * members[k] + c];
    for (std::size_t c = 0; c < 12; ++c) REQUIRE(sums[i / 8].of[c][i % 8] == sum[c]);
    if (i + 1 == kNodes)
      for (std::size_t l = i % 8 + 1; l < 8; ++l) REQUIRE(sums[i / 8].of[0][l] == 0);
    const double share = shares[i];
    const double* const x = places + 3 * i;
    for (std::size_t c = 0; c < 3; ++c)
      REQUIRE(to[3 * i + c] == (sum[4 * c] * (share * x[0]) + sum[4 * c + 1] * (share * x[1])) +
                                   (sum[4 * c + 2] * (share * x[2]) + sum[4 * c + 3] * share));
  }
}

TEST_CASE("Sums over blocks and clusters, and what is off a map, are those of a loop, to the bit",
          "[elastic][shape_matching]") {
  EditDice dice(9);
  constexpr std::size_t kNodes = 40, kBlocks = 7, kFirst = 13;  // clusters begin in the midst of eight regions
  alignas(64) double weighed[4 * kNodes], a[3 * kNodes], padded[4 * kNodes], of[12 * kBlocks], shared[12 * kBlocks],
      maps[12 * kNodes];
  double shares[kBlocks], to[3 * kNodes], held[kBlocks];
  static EightSums sums[3];
  for (auto* list : {&weighed, &padded})
    std::generate(std::begin(*list), std::end(*list), [&] { return dice.between(-1, 1); });
  for (double& one : a) one = dice.between(-1, 1);
  for (double& one : maps) one = dice.between(-1, 1);
  for (double& one : shares) one = dice.between(0, 1);
  std::vector<std::uint32_t> start{0}, members, alone, each{0}, block_of;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    members.push_back(static_cast<std::uint32_t>(dice.below(kNodes)));
    if (i % 6 == 5 || i + 1 == kNodes) start.push_back(i + 1);
    alone.push_back(i);
    each.push_back(i + 1);
    block_of.push_back(static_cast<std::uint32_t>(dice.below(kBlocks)));
  }
  REQUIRE(start.size() == kBlocks + 1);
  sum_weighed({start, members}, {0, kBlocks}, weighed, a, of);
  sum_shared({start, block_of}, shares, of, shared);
  for (EightSums& one : sums)
    for (auto& row : one.of) std::fill(std::begin(row), std::end(row), 5);
  sum_twelves({start, block_of}, {0, kBlocks}, of, sums, kFirst);
  hold_regions({start, members}, {0, kBlocks}, weighed, padded, maps, held);
  for (std::size_t b = 0; b < kBlocks; ++b) {
    double sum[12] = {}, over[12] = {}, off[3] = {};
    for (std::size_t k = start[b]; k < start[b + 1]; ++k) {
      const std::size_t i = members[k];
      for (std::size_t c = 0; c < 12; ++c) {
        sum[c] += a[3 * i + c / 4] * weighed[4 * i + c % 4];
        over[c] += of[12 * block_of[k] + c];
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const double* const row = maps + 12 * b + 4 * c;
        const double* const x = weighed + 4 * i;
        const double d = padded[4 * i + c] - (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3]);
        off[c] += d * d * x[3];
      }
    }
    for (std::size_t c = 0; c < 12; ++c) {
      REQUIRE(of[12 * b + c] == sum[c]);
      REQUIRE(shared[12 * b + c] == shares[b] * over[c]);
      REQUIRE(sums[(kFirst + b) / 8].of[c][(kFirst + b) % 8] == over[c]);
    }
    REQUIRE(held[b] == off[0] + off[1] + off[2]);
  }
  for (std::size_t lane = 0; lane < 24; ++lane)
    if (lane < kFirst || lane >= kFirst + kBlocks) REQUIRE(sums[lane / 8].of[0][lane % 8] == (lane < kFirst ? 5 : 0));
  const std::vector<double> ones(kNodes, 1);
  apply_mean_map({each, alone}, {0, kNodes}, ones.data(), maps, {block_of.data(), shared}, a, to);
  for (std::size_t i = 0; i < kNodes; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double *const more = shared + 12 * block_of[i] + 4 * c, *const own = maps + 12 * i + 4 * c;
      REQUIRE(to[3 * i + c] == ((own[0] + more[0]) * a[3 * i] + (own[1] + more[1]) * a[3 * i + 1]) +
                                   ((own[2] + more[2]) * a[3 * i + 2] + (own[3] + more[3])));
    }
}

TEST_CASE("What lists have in common is added up once", "[elastic][shape_matching]") {
  // The regions of a grid of 6 × 5 × 4 nodes, and some that have nothing in common.
  std::vector<std::uint32_t> start{0}, members;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 6; ++x) {
        for (int k = std::max(z - 1, 0); k < std::min(z + 2, 4); ++k)
          for (int j = std::max(y - 1, 0); j < std::min(y + 2, 5); ++j)
            for (int i = std::max(x - 1, 0); i < std::min(x + 2, 6); ++i)
              members.push_back(static_cast<std::uint32_t>((5 * k + j) * 6 + i));
        start.push_back(static_cast<std::uint32_t>(members.size()));
      }
  const auto check = [&] {
    const RegionRuns runs = common_runs({start, members}, 120);
    REQUIRE(runs.list_start.size() == start.size());
    for (std::size_t i = 0; i + 1 < start.size(); ++i) {
      std::vector<std::uint32_t> all;
      for (std::uint32_t k = runs.list_start[i]; k < runs.list_start[i + 1]; ++k)
        all.insert(all.end(), runs.member.begin() + runs.start[runs.run[k]],
                   runs.member.begin() + runs.start[runs.run[k] + 1]);
      REQUIRE(std::equal(all.begin(), all.end(), members.begin() + start[i], members.begin() + start[i + 1]));
    }
    return runs;
  };
  const RegionRuns rows = check();
  CHECK(!rows.alone);
  CHECK(rows.count() == 120);
  CHECK(20 * (rows.member.size() + rows.run.size()) < 11 * members.size());
  EditDice dice(3);
  start = {0};
  members.clear();
  for (std::uint32_t i = 0; i < 120; ++i) {
    for (std::uint32_t j = static_cast<std::uint32_t>(dice.below(5)); j < 120;
         j += 2 + static_cast<std::uint32_t>(dice.below(9)))
      members.push_back(j);
    start.push_back(static_cast<std::uint32_t>(members.size()));
  }
  CHECK(check().alone);
}

}  // namespace region_turns_test
