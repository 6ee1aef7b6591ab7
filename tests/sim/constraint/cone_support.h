// Islands of the tests and benchmarks of core/sim/constraint/cone.h.
#pragma once

#include <cmath>
#include <map>
#include <vector>

#include "core/math/rotation.h"
#include "core/sim/constraint/cone.h"

namespace hazumi::cone_test {

/// W as blocks, with the memory that BlockRows looks at.
struct Blocks {
  std::vector<std::uint32_t> start = {0}, column;
  std::vector<Mat3> block;

  BlockRows view() const { return {start, column, block}; }
};

using ConePart = ConeParts::Part;
using Grip = ConeParts::Hold;

/// Mobility between two grips of one body.
inline Mat3 answer(const ConePart& body, const Vec3& arm_i, const Vec3& arm_j) {
  return body.inverse_mass * Mat3::Identity() - skew(arm_i) * body.inverse_inertia * skew(arm_j);
}

/// W of rigid bodies: only pairs of rows that share one that moves.
inline Blocks rigid_blocks(const std::vector<ConePart>& parts, const std::vector<Grip>& grips) {
  std::vector<std::vector<std::uint32_t>> on(parts.size());
  for (std::uint32_t i = 0; i < grips.size(); ++i)
    for (const int body : {grips[i].a, grips[i].b})
      if (body >= 0 && parts[static_cast<std::size_t>(body)].inverse_mass > 0)
        on[static_cast<std::size_t>(body)].push_back(i);
  Blocks w;
  for (std::uint32_t i = 0; i < grips.size(); ++i) {
    std::map<std::uint32_t, Mat3> row = {{i, Mat3::Zero()}};
    for (const int body : {grips[i].a, grips[i].b}) {
      if (body < 0) continue;
      for (const std::uint32_t j : on[static_cast<std::size_t>(body)]) {
        const double sign = (grips[i].a == body) == (grips[j].a == body) ? 1 : -1;
        const Vec3 &arm_i = grips[i].a == body ? grips[i].arm_a : grips[i].arm_b,
                   &arm_j = grips[j].a == body ? grips[j].arm_a : grips[j].arm_b;
        const Mat3 block = sign * answer(parts[static_cast<std::size_t>(body)], arm_i, arm_j);
        const auto [at, made] = row.try_emplace(j, block);
        if (!made) at->second += block;
      }
    }
    for (const auto& [j, block] : row) {
      w.column.push_back(j);
      w.block.push_back(block);
    }
    w.start.push_back(static_cast<std::uint32_t>(w.column.size()));
  }
  return w;
}

/// An island with its memory.
struct Island {
  std::vector<ConeRow> rows;
  Blocks w;
  std::vector<Vec3> free;
  std::vector<ConePart> parts = {};
  std::vector<Grip> grips = {};

  ConeIsland view() const { return {rows, w.view(), free}; }
};

/// The same island, with W by its bodies.
struct IslandByParts {
  const Island& island;
  Blocks own;

  explicit IslandByParts(const Island& of) : island(of) {
    for (std::uint32_t i = 0; i < of.rows.size(); ++i) {
      std::uint32_t k = of.w.start[i];
      while (of.w.column[k] != i) ++k;
      own.column.push_back(i);
      own.block.push_back(of.w.block[k]);
      own.start.push_back(i + 1);
    }
  }
  ConeIsland view() const { return {island.rows, own.view(), island.free, {island.parts, island.grips}}; }
};

/// side³ boxes of 1 m and 1 kg in layers, each on two of the layer below with two corners on either (the lowest: on the
/// ground), after a sub-step of fall: 4 side³ rows.
inline Island pile(int side, double friction) {
  ConePart box;
  box.inverse_mass = 1;
  box.inverse_inertia = 6 * Mat3::Identity();
  const std::vector<ConePart> parts(static_cast<std::size_t>(side * side * side), box);
  std::vector<Grip> grips;
  const auto index = [side](int x, int y, int z) { return (y * side + z) * side + x; };
  for (int y = 0; y < side; ++y)
    for (int z = 0; z < side; ++z)
      for (int x = 0; x < side; ++x)
        for (int corner = 0; corner < 4; ++corner) {
          const double dx = corner & 1 ? 0.45 : -0.45, dz = corner & 2 ? 0.45 : -0.45;
          // Bricks: every other layer stands half a box further on, over this and the next one below.
          const int below = (y % 2 ? x : x - 1) + (corner & 1);
          const int on = y == 0 || below < 0 || below >= side ? -1 : index(below, y - 1, z);
          grips.push_back({index(x, y, z), on, Vec3(dx, -0.5, dz), Vec3(dx > 0 ? -0.05 : 0.05, 0.5, dz)});
        }
  Island island;
  island.w = rigid_blocks(parts, grips);
  ConeRow row;
  row.friction = friction;
  island.rows.assign(grips.size(), row);
  for (const Grip& grip : grips) island.free.push_back(Vec3(0, grip.b < 0 ? -9.81 / 240 : 0, 0));
  island.parts = parts;
  island.grips = grips;
  return island;
}

}  // namespace hazumi::cone_test
