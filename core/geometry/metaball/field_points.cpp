#include "core/geometry/metaball/field_points.h"

namespace hazumi::metaball {

FieldPoints::FieldPoints(const MetaballField& field) : field_(field) {
  for (const FieldPrimitive& f : field.primitives()) {
    low_.push_back(f.centre - f.reach);
    high_.push_back(f.centre + f.reach);
  }
}

void FieldPoints::near(std::span<const Vec3> points, double more, std::vector<std::uint16_t>& list) const {
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  const Vec3 low = box.low - Vec3::Constant(more), high = box.high + Vec3::Constant(more);
  list.clear();
  for (std::size_t i = 0; i < low_.size(); ++i)
    if ((low_[i].array() <= high.array()).all() && (low.array() <= high_[i].array()).all())
      list.push_back(static_cast<std::uint16_t>(i));
}

void FieldPoints::evaluate(std::span<const Vec3> points, std::span<const std::uint16_t> list, std::span<At> out) const {
  Lanes at[3], value, slope[3];
  for (int l = 0; l < kLanes; ++l) {
    const Vec3& p = points[std::min(static_cast<std::size_t>(l), points.size() - 1)];
    for (int k = 0; k < 3; ++k) at[k][l] = p[k];
  }
  const PrimitiveList all{field_.packed().data(), list.data(), static_cast<int>(list.size())};
  kernels().evaluate(all, 1, &at[0], &at[1], &at[2], &value, &slope[0], &slope[1], &slope[2]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int l = static_cast<int>(i);
    out[i] = {value[l], Vec3(slope[0][l], slope[1][l], slope[2][l])};
  }
}

}  // namespace hazumi::metaball
