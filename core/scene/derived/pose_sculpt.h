// What hands do to the nodes of a pose: pure functions of places, in the frame of the analysis model before the object's scale (m).
#pragma once

#include <span>
#include <vector>

#include "core/geometry/truss/truss.h"

namespace hazumi {

/// 1 at 0, 0 from 1 on, smooth at both: (1 − t²)².
double soft_share(double t);
/// How far each node goes with the chosen ones: 1 themselves, others by how near the nearest of them is in `rest`. Radius 0: they alone.
std::vector<double> soft_shares(std::span<const Vec3> rest, std::span<const std::uint32_t> chosen, double radius);

/// Nodes within `radius` of `centre` moved by `way`, less the farther they are.
void grab_nodes(std::span<Vec3> nodes, const Vec3& centre, double radius, const Vec3& way);
/// The shifts from `rest` of nodes within `radius` go by `strength` (0…1) towards the mean of those of their neighbours: bumps of a pose go,
/// the model itself stays as rough as it is.
void smooth_nodes(std::span<Vec3> nodes, std::span<const Vec3> rest, std::span<const Spring> springs,
                  const Vec3& centre, double radius, double strength);
/// The axis along which the nodes reach farthest: unit x, y or z, pointing from the middle to the side of `towards`.
Vec3 longest_axis(std::span<const Vec3> nodes, const Vec3& towards);
Vec3 middle_of_nodes(std::span<const Vec3> nodes);

}  // namespace hazumi
