// The field of a group at many points, eight at a time (kernel.h), each eight with the primitives that reach them.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/metaball/field.h"

namespace hazumi::metaball {

class FieldPoints {
 public:
  explicit FieldPoints(const MetaballField& field);

  struct At {
    double value = 0;              ///< Σ ρ
    Vec3 gradient = Vec3::Zero();  ///< 1/m
  };
  /// At most kLanes points; one entry each. `list`: of all of them, as near() says.
  void evaluate(std::span<const Vec3> points, std::span<const std::uint16_t> list, std::span<At> out) const;
  /// Primitives that reach into the box around the points, grown by `more` m to all sides, ascending.
  void near(std::span<const Vec3> points, double more, std::vector<std::uint16_t>& list) const;
  const MetaballField& field() const { return field_; }

 private:
  const MetaballField& field_;
  std::vector<Vec3> low_, high_;
};

}  // namespace hazumi::metaball
