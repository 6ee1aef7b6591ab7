#include "core/sim/elastic/tetrahedra_of.h"

#include <algorithm>
#include <optional>

namespace hazumi {

namespace {

constexpr double kFlatTetrahedron = 1e-9;  // of the longest edge's cube

/// Corners of a box, x fastest, of which bit 0 is x: the middle one of five and its four neighbours; the other way is mirrored in x.
constexpr std::array<std::array<std::uint32_t, 4>, 5> kFive = {
    {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};

class Maker {
 public:
  explicit Maker(const ElasticSetup& setup) : shape_(setup.nodes) {
    for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) shape_[i] += setup.rest_offset[i];
  }

  double six_volumes(const std::array<std::uint32_t, 4>& t) const {
    const Vec3& a = shape_[t[0]];
    return (shape_[t[1]] - a).dot((shape_[t[2]] - a).cross(shape_[t[3]] - a));
  }
  double cube(const std::array<std::uint32_t, 4>& t) const {
    double longest = 0;
    for (const std::uint32_t i : t)
      for (const std::uint32_t j : t) longest = std::max(longest, (shape_[i] - shape_[j]).norm());
    return longest * longest * longest;
  }

  std::vector<Tetrahedron> of_boxes(const ElasticSetup& setup) const {
    std::vector<Tetrahedron> out;
    for (std::size_t c = 0; c < setup.cells.size(); ++c) {
      const auto& cell = setup.cells[c];
      if (cell.size() != 8) return {};
      for (const std::uint32_t mirror : {0u, 1u})
        for (auto corners : kFive) {
          std::array<std::uint32_t, 4> t;
          for (std::size_t k = 0; k < 4; ++k) t[k] = cell[corners[k] ^ mirror];
          if (six_volumes(t) < 0) std::swap(t[2], t[3]);
          if (six_volumes(t) > kFlatTetrahedron * cube(t)) out.push_back({t, c, 0.5});
        }
    }
    return out;
  }

  /// Of the surface, from one node; nothing where it does not see all of it from inside.
  std::optional<std::vector<Tetrahedron>> fan(const ElasticSetup& setup, std::uint32_t from, double share) const {
    std::vector<Tetrahedron> out;
    for (const auto& f : setup.surface) {
      if (f[0] == from || f[1] == from || f[2] == from) continue;
      const std::array<std::uint32_t, 4> t = {f[0], f[2], f[1], from};
      const double six = six_volumes(t), flat = kFlatTetrahedron * cube(t);
      if (six < -flat) return std::nullopt;
      if (six > flat) out.push_back({t, 0, share});
    }
    return out;
  }

  std::vector<Tetrahedron> of_surface(const ElasticSetup& setup) const {
    const auto n = static_cast<std::uint32_t>(setup.nodes.size());
    std::vector<char> outside(n, 0);
    for (const auto& f : setup.surface)
      for (const std::uint32_t i : f) outside[i] = 1;
    const auto inside = std::count(outside.begin(), outside.end(), 0);
    if (inside > 1) return {};
    std::vector<Tetrahedron> out;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (inside == 1 && outside[i]) continue;
      const auto part = fan(setup, i, inside == 1 ? 1 : 1.0 / n);
      if (!part) return {};
      out.insert(out.end(), part->begin(), part->end());
    }
    return out;
  }

 private:
  std::vector<Vec3> shape_;
};

}  // namespace

std::vector<Tetrahedron> tetrahedra_of(const ElasticSetup& setup) {
  const Maker maker(setup);
  std::vector<Tetrahedron> out;
  if (!setup.tetrahedra.empty()) {
    for (const auto& t : setup.tetrahedra) {
      if (!(maker.six_volumes(t) > 0)) return {};
      out.push_back({.nodes = t});
    }
    return out;
  }
  return setup.cells.empty() ? maker.of_surface(setup) : maker.of_boxes(setup);
}

Diagnostic no_tetrahedra() {
  return {Severity::error, "analysis",
          "Finite elements need tetrahedra, and this analysis model does not say how it is filled.",
          "Choose a grid, or fill the display model with tetrahedra."};
}

}  // namespace hazumi
