#include "core/geometry/metaball/skin_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/geometry/metaball/skin_tracker.h"

namespace hazumi {

namespace metaball {

namespace {

struct PlaceHash {
  std::size_t operator()(const std::array<double, 3>& p) const {
    return Hasher().add(std::span<const double>(p)).value();
  }
};

/// tan(a / 2) of the angle from one direction of a plane to another, 0 < a < π; else 0.
double half_tangent(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  const double cross = from.x() * to.y() - from.y() * to.x(), dot = from.dot(to);
  const double sum = from.norm() * to.norm() + dot;
  return cross > 0 && sum > 1e-9 * from.norm() * to.norm() ? cross / sum : 0;
}

/// Neighbours of a vertex in order around it, counter-clockwise seen from outside; empty when they are no single fan.
std::vector<std::uint32_t> fan_of(std::vector<std::array<std::uint32_t, 2>> links) {
  std::vector<std::uint32_t> fan;
  std::sort(links.begin(), links.end());
  if (links.empty()) return fan;
  std::uint32_t at = links.front()[0];
  do {
    fan.push_back(at);
    const auto next = std::lower_bound(links.begin(), links.end(), std::array<std::uint32_t, 2>{at, 0});
    if (next == links.end() || (*next)[0] != at || fan.size() > links.size()) return {};
    at = (*next)[1];
  } while (at != fan.front());
  return fan.size() == links.size() ? fan : std::vector<std::uint32_t>{};
}

}  // namespace

SkinMesh joined_mesh(const DisplayMesh& mesh, const Pose& place) {
  SkinMesh skin;
  std::unordered_map<std::array<double, 3>, std::uint32_t, PlaceHash> places;
  places.reserve(mesh.positions.size());
  for (const Vec3& p : mesh.positions) {
    const auto [at, fresh] =
        places.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(skin.start.size()));
    if (fresh) {
      skin.start.push_back(place * p);
      skin.sharp.push_back(false);
    } else {
      skin.sharp[at->second] = true;
    }
    skin.of.push_back(at->second);
  }
  for (const auto& f : mesh.faces) {
    const std::array<std::uint32_t, 3> g{skin.of[f[0]], skin.of[f[1]], skin.of[f[2]]};
    if (g[0] != g[1] && g[1] != g[2] && g[2] != g[0]) skin.faces.push_back(g);
  }
  return skin;
}

void lay_rings(SkinMesh& mesh, const std::vector<Vec3>& normals) {
  const std::size_t n = mesh.start.size();
  std::vector<std::vector<std::array<std::uint32_t, 2>>> links(n);
  for (const auto& f : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k) links[f[k]].push_back({f[(k + 1) % 3], f[(k + 2) % 3]});
  mesh.ring_first.assign(1, 0);
  mesh.ring.clear();
  mesh.weights.clear();
  mesh.bends.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<std::uint32_t> fan = fan_of(std::move(links[i]));
    const Vec3& z = normals[i];
    const Vec3 x = z.unitOrthogonal(), y = z.cross(x);
    std::vector<Eigen::Vector2d> flat;
    for (const std::uint32_t j : fan) {
      const Vec3 d = mesh.start[j] - mesh.start[i];
      flat.emplace_back(d.dot(x), d.dot(y));
    }
    std::vector<double> own(fan.size(), 0.0);
    bool star = fan.size() >= 3;
    for (std::size_t k = 0; k < fan.size() && star; ++k) {
      const std::size_t before = (k + fan.size() - 1) % fan.size(), after = (k + 1) % fan.size();
      const double a = half_tangent(flat[before], flat[k]), b = half_tangent(flat[k], flat[after]);
      star = a > 0 && b > 0 && flat[k].norm() > 0;
      own[k] = star ? (a + b) / flat[k].norm() : 0;
    }
    const double sum = std::accumulate(own.begin(), own.end(), 0.0);
    for (std::size_t k = 0; k < fan.size(); ++k) {
      mesh.ring.push_back(fan[k]);
      mesh.bends.push_back(bend(mesh.start[i], mesh.start[fan[k]], normals[i], normals[fan[k]]));
      mesh.weights.push_back(star && std::isfinite(sum) && sum > 0 ? own[k] / sum : 0);
    }
    mesh.ring_first.push_back(static_cast<std::uint32_t>(mesh.ring.size()));
  }
}

}  // namespace metaball

SkinTopology skin_topology(const DisplayMesh& mesh) {
  const metaball::SkinMesh skin = metaball::joined_mesh(mesh, Pose{});
  std::vector<std::uint32_t> root(skin.start.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto top = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::vector<bool> used(root.size(), false);
  for (const auto& f : skin.faces)
    for (const std::uint32_t v : f) {
      used[v] = true;
      root[top(v)] = top(f[0]);
    }
  SkinTopology topology;
  topology.euler = -static_cast<int>(skin.faces.size() / 2);
  for (std::uint32_t v = 0; v < root.size(); ++v) {
    if (!used[v]) continue;
    ++topology.euler;
    topology.pieces += root[v] == v ? 1 : 0;
  }
  return topology;
}

}  // namespace hazumi
