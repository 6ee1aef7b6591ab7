// Characters of the shipped scenes, made from metaballs, and a truss that follows a character's head, body
// and limbs.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/geometry/metaball/catalogue.h"
#include "core/geometry/metaball/field.h"
#include "core/geometry/truss/strung.h"
#include "core/math/rotation.h"

namespace hazumi {

/// Puts a group together from balls and limbs given by what is seen of them, each in a colour.
struct CharacterMaker {
  MetaballGroup group;
  double weight = 3;  ///< limbs keep their shape where they meet
  Surface colour;

  CharacterMaker() { group.own_colours = true; }

  void paint(double red, double green, double blue) {
    colour.diffuse = Vec3(red, green, blue);
    colour.ambient = 0.9 * colour.diffuse;
    colour.specular = Vec3(0.12, 0.12, 0.12);
    colour.shininess = 12;
  }
  void ball(const std::string& name, const Vec3& centre, const Vec3& seen, const Quat& rotation = Quat::Identity()) {
    MetaballPrimitive p;
    p.id = next_primitive_id(group);
    p.name = name;
    p.centre = centre;
    p.rotation = rotation;
    p.radii = seen / seen_fraction(weight);
    p.weight = weight;
    p.surface = colour;
    group.primitives.push_back(p);
  }
  /// The last primitive, with sections of another shape: 0.1 boxy … 1 round.
  void shape(double along, double across) {
    group.primitives.back().round_xz = along;
    group.primitives.back().round_xy = across;
  }
  /// A ball that keeps its own colour and hardly blends: eyes, buttons.
  void button(const std::string& name, const Vec3& centre, const Vec3& seen, const Quat& rotation = Quat::Identity()) {
    const double before = weight;
    weight = 24;
    ball(name, centre, seen, rotation);
    weight = before;
  }
  /// On both sides of the plane z = 0.
  void buttons(const std::string& name, Vec3 centre, const Vec3& seen) {
    for (const char* side : {"left ", "right "}) {
      button(side + name, centre, seen);
      centre.z() = -centre.z();
    }
  }
  /// The group; `tolerance`: of its final surface.
  const MetaballGroup& finished(double tolerance) {
    group.final_tolerance = tolerance;
    return group;
  }
  void limb(const std::string& name, const Vec3& from, const Vec3& to, double radius) {
    const double half = 0.5 * (to - from).norm() + radius;
    ball(name, 0.5 * (from + to), Vec3(radius, radius, half), turn_onto(Vec3::UnitZ(), to - from));
  }
  /// On both sides of the plane z = 0.
  void limbs(const std::string& name, Vec3 from, Vec3 to, double radius) {
    for (const char* side : {"left ", "right "}) {
      limb(side + name, from, to, radius);
      from.z() = -from.z();
      to.z() = -to.z();
    }
  }
};

/// Looks along +x, stands on y = 0, about 1.65 m high.
inline MetaballGroup kangaroo() {
  CharacterMaker m;
  m.paint(0.62, 0.38, 0.20);
  m.ball("Hips", {-0.02, 0.56, 0}, {0.25, 0.28, 0.21});
  m.limb("Chest", {0.06, 0.64, 0}, {0.22, 0.98, 0}, 0.15);
  m.limb("Neck", {0.24, 1.0, 0}, {0.31, 1.22, 0}, 0.085);
  m.ball("Head", {0.36, 1.31, 0}, {0.13, 0.11, 0.10});
  m.limbs("ear", {0.33, 1.40, 0.06}, {0.28, 1.62, 0.10}, 0.042);
  m.limbs("thigh", {0.0, 0.55, 0.17}, {0.17, 0.34, 0.20}, 0.13);
  m.limbs("shin", {0.17, 0.30, 0.20}, {-0.06, 0.15, 0.20}, 0.075);
  m.limb("Tail", {-0.2, 0.44, 0}, {-0.5, 0.22, 0}, 0.115);
  m.limb("End of the tail", {-0.5, 0.20, 0}, {-0.95, 0.10, 0}, 0.07);
  m.paint(0.86, 0.70, 0.50);
  m.ball("Belly", {0.13, 0.62, 0}, {0.16, 0.22, 0.14});
  m.ball("Snout", {0.50, 1.27, 0}, {0.10, 0.06, 0.06});
  m.paint(0.34, 0.20, 0.12);
  m.limbs("arm", {0.27, 0.92, 0.13}, {0.42, 0.74, 0.13}, 0.05);
  m.limbs("foot", {-0.06, 0.075, 0.20}, {0.32, 0.07, 0.20}, 0.065);
  return m.group;
}

using Cell = std::array<int, 3>;

/// Cells of a grid, each cut into six tetrahedra along its diagonal (Kuhn), springs along the edges.
/// `corner`: where the lowest corner of a cell is, m.
template <class Corner>
StrungTruss string_cells(const std::set<Cell>& cells, const Corner& corner) {
  StrungTruss truss;
  std::map<Cell, std::uint32_t> nodes;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::map<std::set<std::uint32_t>, std::array<std::uint32_t, 3>> faces;
  const auto node = [&](const Cell& c) {
    const auto [at, fresh] = nodes.emplace(c, static_cast<std::uint32_t>(truss.nodes.size()));
    if (fresh) truss.nodes.push_back({corner(c)});
    return at->second;
  };
  static constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (const Cell& c : cells)
    for (int k = 0; k < 6; ++k) {
      Cell at = c;
      std::array<std::uint32_t, 4> tetra{};
      tetra[0] = node(at);
      for (std::size_t i = 0; i < 3; ++i) {
        ++at[static_cast<std::size_t>(kOrders[k][i])];
        tetra[i + 1] = node(at);
      }
      if (k >= 3) std::swap(tetra[2], tetra[3]);  // odd orders turn the other way
      truss.tetrahedra.push_back(tetra);
      const auto& [a, b, d, e] = tetra;
      for (const std::array<std::uint32_t, 3>& face : {std::array{a, d, b}, {a, b, e}, {a, e, d}, {b, d, e}}) {
        const std::set<std::uint32_t> key(face.begin(), face.end());
        if (!faces.emplace(key, face).second) faces.erase(key);
        for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(face[i], face[(i + 1) % 3]));
      }
    }
  for (const auto& [a, b] : edges) truss.springs.push_back({a, b});
  for (const auto& [key, face] : faces) truss.hull.push_back(face);
  return truss;
}

/// A box of so many cells.
inline StrungTruss string_box(const Box3& box, const std::array<int, 3>& divisions) {
  std::set<Cell> cells;
  for (int x = 0; x < divisions[0]; ++x)
    for (int y = 0; y < divisions[1]; ++y)
      for (int z = 0; z < divisions[2]; ++z) cells.insert({x, y, z});
  return string_cells(cells, [&](const Cell& c) {
    Vec3 part;
    for (int axis = 0; axis < 3; ++axis)
      part[axis] = static_cast<double>(c[static_cast<std::size_t>(axis)]) / divisions[static_cast<std::size_t>(axis)];
    return Vec3(box.low + part.cwiseProduct(box.size()));
  });
}

/// What is seen of each primitive on its own, together.
inline Box3 seen_box(const MetaballGroup& group) {
  Box3 box;
  for (const auto& p : group.primitives) {
    const Vec3 seen = seen_fraction(p.weight) * effective_extent(p);
    box.add(p.centre - seen);
    box.add(p.centre + seen);
  }
  return box;
}

/// Cells of a grid of cubes where the group is, so that every limb has nodes of its own. Cells that hang
/// together through faces only; m per cell.
inline StrungTruss follow(const MetaballGroup& group, double cell) {
  const MetaballField field(group);
  Box3 box;
  for (const auto& p : group.primitives) {
    const Vec3 reach = effective_extent(p);
    box.add(p.centre - reach);
    box.add(p.centre + reach);
  }
  // The middle of a cell lies in the plane z = 0 of symmetric characters.
  const auto corner = [&](const Cell& c) { return Vec3(box.low.x() + cell * c[0], cell * c[1], cell * (c[2] - 0.5)); };
  std::set<Cell> inside;
  const int columns = static_cast<int>(box.size().x() / cell) + 1, layers = static_cast<int>(box.high.y() / cell) + 1,
            rows = static_cast<int>(box.high.z() / cell) + 2;
  for (int x = 0; x <= columns; ++x)
    for (int y = 0; y <= layers; ++y)
      for (int z = -rows; z <= rows; ++z) {
        int hits = 0;
        for (int i = 0; i < 27; ++i) {
          const Vec3 at = corner({x, y, z}) + cell * Vec3(i % 3, i / 3 % 3, i / 9) * 0.5;
          hits += field.value(at) >= 1;
        }
        if (hits >= 4) inside.insert({x, y, z});
      }
  // The largest piece.
  std::set<Cell> rest = inside, best;
  while (!rest.empty()) {
    std::set<Cell> piece;
    std::vector<Cell> open = {*rest.begin()};
    rest.erase(rest.begin());
    while (!open.empty()) {
      const Cell c = open.back();
      open.pop_back();
      piece.insert(c);
      for (int axis = 0; axis < 3; ++axis)
        for (int step : {-1, 1}) {
          Cell next = c;
          next[static_cast<std::size_t>(axis)] += step;
          if (rest.erase(next) > 0) open.push_back(next);
        }
    }
    if (piece.size() > best.size()) best = std::move(piece);
  }
  return string_cells(best, corner);
}

}  // namespace hazumi
