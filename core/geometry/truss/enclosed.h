// The volume that a closed surface of triangles over nodes encloses, and how it changes with them. The triangles stay while nodes
// move: the surface of the rest shape in motion.
//
//   V(x) = ⅙ Σ_f (x_a − o)·((x_b − o) × (x_c − o))      ∂V/∂x_i = ⅓ Σ_{f∋i} A_f,   A_f = ½ (x_b − x_a) × (x_c − x_a)
//
//   x_i  nodes, m      f = (a, b, c)  triangles, outward      A_f  area vector, m²      V  m³      o  any point: the surface is closed
//
// So Σ ∂V/∂x_i = 0 and Σ x_i × ∂V/∂x_i = 0 to round-off: forces along the gradient push and turn nothing as a whole. V is a cubic:
// V(x + ½ d) − V(x − ½ d) = ∂V(x)·d + ¼ V(d).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

enum class SurfaceFault { none, empty, open, flat, inside_out };

class EnclosedVolume {
 public:
  using Triangle = std::array<std::uint32_t, 3>;
  EnclosedVolume() = default;
  explicit EnclosedVolume(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {}

  std::span<const Triangle> triangles() const { return triangles_; }
  double volume(std::span<const Vec3> nodes) const;  ///< m³
  /// m², one per node; zero at nodes that are not on the surface.
  void gradient(std::span<const Vec3> nodes, std::span<Vec3> out) const;
  /// Flat: less than 1e-9 of the cube of its extent.
  SurfaceFault fault(std::span<const Vec3> nodes) const;

 private:
  std::vector<Triangle> triangles_;
};

/// The triangles of tetrahedra of positive volume that belong to one of them alone, outward, ascending.
std::vector<EnclosedVolume::Triangle> surface_of(std::span<const std::array<std::uint32_t, 4>> tetrahedra);

}  // namespace hazumi
