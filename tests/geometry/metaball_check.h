// What issue 16 asks of a polygonised group: random groups by seed, meshes as files have them (positions in single
// precision, equal ones joined), and distances between mesh and surface both ways.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/geometry/metaball/polygonise.h"
#include "tests/geometry/metaball_reference.h"
#include "tests/geometry/metaball_support.h"

namespace hazumi::reference {

/// 1–30 primitives, ε 0.1–3, w 0.3–4 and negative ones, rotated, plates down to 1 : 100, tori.
inline MetaballGroup group_of_seed(unsigned seed) {
  Draw draw(seed);
  const double u = draw.number(0, 1);
  const int n = 1 + static_cast<int>(30 * u * u * u);
  const double spread = n == 1 ? 0 : 0.4 * std::cbrt(n);
  MetaballGroup group;
  for (int k = 0; k < n; ++k) {
    MetaballPrimitive p;
    p.id = static_cast<std::uint32_t>(k + 1);
    p.centre = draw.vector(-spread, spread);
    p.radii = draw.vector(0.3, 1);
    p.rotation = Quat(draw.number(-1, 1), draw.number(-1, 1), draw.number(-1, 1), draw.number(0.1, 1)).normalized();
    p.round_xz = draw.number(0.1, 3);
    p.round_xy = draw.number(0.1, 3);
    if (draw.number(0, 1) < 0.3) p.round_xz = p.round_xy = 1;
    const double kind = draw.number(0, 1), thin = draw.number(0.01, 0.1), tube = draw.number(0.15, 0.6);
    if (kind < 0.2) {
      p.shape = MetaballShape::torus;
      p.tube = tube;
    } else if (kind < 0.4) {
      p.radii[static_cast<int>(draw.number(0, 2.999))] *= thin;
    }
    const double sign = draw.number(0, 1), heavy = draw.number(0.3, 4), light = draw.number(0.3, 2);
    p.weight = k > 0 && sign < 0.2 ? -light : heavy;
    group.primitives.push_back(p);
  }
  return group;
}

inline DisplayMesh mesh_of(const MetaballGroup& group, double tolerance) {
  Executor executor(1);
  PolygoniseOptions options;
  options.tolerance = tolerance;
  return polygonise(group, options, executor);
}

struct Welded {
  std::vector<Vec3> positions;
  std::vector<std::array<std::uint32_t, 3>> faces;
};

inline Welded weld(const DisplayMesh& mesh) {
  Welded result;
  std::map<std::array<float, 3>, std::uint32_t> places;
  std::vector<std::uint32_t> number;
  for (const Vec3& p : mesh.positions) {
    const std::array<float, 3> key{static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
    const auto [at, fresh] = places.emplace(key, static_cast<std::uint32_t>(result.positions.size()));
    if (fresh) result.positions.push_back(Vec3(key[0], key[1], key[2]));
    number.push_back(at->second);
  }
  for (const auto& f : mesh.faces) result.faces.push_back({number[f[0]], number[f[1]], number[f[2]]});
  return result;
}

/// Closed and one fan of faces around every vertex.
inline bool is_manifold(const Welded& mesh) {
  std::vector<std::vector<std::array<std::uint32_t, 2>>> next(mesh.positions.size());
  for (const auto& f : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k) next[f[k]].push_back({f[(k + 1) % 3], f[(k + 2) % 3]});
  for (auto& fan : next) {
    if (fan.empty()) continue;
    std::sort(fan.begin(), fan.end());
    std::size_t at = 0, steps = 0;
    do {
      const auto found = std::lower_bound(fan.begin(), fan.end(), std::array<std::uint32_t, 2>{fan[at][1], 0});
      if (found == fan.end() || (*found)[0] != fan[at][1]) return false;
      if (found + 1 != fan.end() && (*(found + 1))[0] == (*found)[0]) return false;
      at = static_cast<std::size_t>(found - fan.begin());
      ++steps;
    } while (at != 0 && steps <= fan.size());
    if (steps != fan.size()) return false;
  }
  return true;
}

inline Topology topology_of(const Welded& mesh) {
  std::vector<std::uint32_t> root(mesh.positions.size());
  std::iota(root.begin(), root.end(), 0u);
  std::vector<char> used(root.size(), 0);
  const auto top = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f) {
      used[v] = 1;
      root[top(v)] = top(f[0]);
    }
  Topology result{0, -static_cast<std::int64_t>(mesh.faces.size() / 2)};
  for (std::uint32_t v = 0; v < root.size(); ++v) {
    if (!used[v]) continue;
    ++result.euler;
    result.pieces += root[v] == v ? 1 : 0;
  }
  return result;
}

/// Whether the surface passes within `reach` of the place: Σ ρ − 1 has the other sign, or is 0, at one of some places
/// around it; along the gradient also where Σ ρ is largest or least, for what is thin.
inline bool surface_within(const MetaballField& field, const Vec3& place, double reach) {
  Vec3 gradient = Vec3::Zero();
  const double f = field.value(place, gradient) - 1, s = f >= 0 ? -1 : 1;
  const auto rise = [&](const Vec3& p) { return s * (field.value(p) - 1); };
  if (f == 0) return true;
  for (double part : {1.0, 0.5, 0.25})
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if ((x || y || z) && rise(place + Vec3(x, y, z).normalized() * (part * reach)) >= 0) return true;
  // Coordinate descent with shrinking steps towards the other sign.
  Vec3 at = place;
  double best = rise(at), step = 0.5 * reach;
  for (int round = 0; round < 400 && step > 1e-7 * reach; ++round) {
    bool better = false;
    for (int k = 0; k < 26; ++k) {
      const int i = k < 13 ? k : k + 1;
      const Vec3 p = at + step * Vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1).normalized();
      if ((p - place).norm() > reach) continue;
      const double value = rise(p);
      if (value >= 0) return true;
      if (value > best) {
        best = value;
        at = p;
        better = true;
        break;
      }
    }
    if (!better) step *= 0.5;
  }
  return false;
}

/// Triangles by the cells of a grid that they come near.
class Near {
 public:
  Near(const Welded& mesh, double reach) : mesh_(mesh), reach_(reach), cell_(2 * reach) {
    for (std::uint32_t t = 0; t < mesh.faces.size(); ++t) {
      Box3 box;
      for (std::uint32_t v : mesh.faces[t]) box.add(mesh.positions[v]);
      std::array<std::int64_t, 3> a = place(box.low - Vec3::Constant(reach)),
                                  b = place(box.high + Vec3::Constant(reach));
      for (std::int64_t z = a[2]; z <= b[2]; ++z)
        for (std::int64_t y = a[1]; y <= b[1]; ++y)
          for (std::int64_t x = a[0]; x <= b[0]; ++x) cells_[key({x, y, z})].push_back(t);
    }
  }
  /// Distance to the mesh, or more than reach.
  double distance(const Vec3& p) const {
    const auto found = cells_.find(key(place(p)));
    if (found == cells_.end()) return 2 * reach_;
    double best = 4 * reach_ * reach_;
    for (std::uint32_t t : found->second) {
      const auto& f = mesh_.faces[t];
      best = std::min(
          best, (p - nearest(p, mesh_.positions[f[0]], mesh_.positions[f[1]], mesh_.positions[f[2]])).squaredNorm());
    }
    return std::sqrt(best);
  }

 private:
  std::array<std::int64_t, 3> place(const Vec3& p) const {
    return {static_cast<std::int64_t>(std::floor(p.x() / cell_)), static_cast<std::int64_t>(std::floor(p.y() / cell_)),
            static_cast<std::int64_t>(std::floor(p.z() / cell_))};
  }
  static std::uint64_t key(const std::array<std::int64_t, 3>& p) {
    return (static_cast<std::uint64_t>(p[0] + 0x80000) << 40) ^ (static_cast<std::uint64_t>(p[1] + 0x80000) << 20) ^
           static_cast<std::uint64_t>(p[2] + 0x80000);
  }
  /// Ericson, Real-Time Collision Detection, 5.1.5.
  static Vec3 nearest(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d1 <= 0 && d2 <= 0) return a;
    if (d3 >= 0 && d4 <= d3) return b;
    if (d6 >= 0 && d5 <= d6) return c;
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const double sum = va + vb + vc;
    return sum == 0 ? a : Vec3(a + ab * (vb / sum) + ac * (vc / sum));
  }

  const Welded& mesh_;
  double reach_, cell_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

/// Places of the surface on rays from the primitives' centres in their own symmetry planes, where creases, rims and
/// tips lie: the last crossing inwards from r = 1.
inline std::vector<Vec3> rim_points(const MetaballField& field, int turns = 48) {
  std::vector<Vec3> points;
  for (const FieldPrimitive& f : field.primitives()) {
    if (f.torus || f.weight < 0) continue;
    const Mat3 out = f.to_unit.inverse();
    for (int plane = 0; plane < 3; ++plane)
      for (int k = 0; k < turns; ++k) {
        const double angle = 2 * 3.14159265358979 * k / turns;
        Vec3 d = Vec3::Zero();
        d[(plane + 1) % 3] = k % (turns / 4) == 0 ? std::round(std::cos(angle)) : std::cos(angle);
        d[(plane + 2) % 3] = k % (turns / 4) == 0 ? std::round(std::sin(angle)) : std::sin(angle);
        const Vec3 ray = out * d;
        const auto inside = [&](double t) { return field.value(f.centre + t * ray) >= 1; };
        if (inside(1)) continue;  // in another primitive
        double low = 1;
        while (low > 0 && !inside(low)) low -= 1.0 / 64;
        if (low <= 0) continue;
        double high = low + 1.0 / 64;
        for (int step = 0; step < 40; ++step) (inside(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
        points.push_back(f.centre + low * ray);
      }
  }
  return points;
}

}  // namespace hazumi::reference
