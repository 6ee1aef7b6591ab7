// The curve in which a rope hangs between two places: y = a cosh((x − x₀)/a) + b, with 2 a sinh(across/2a) = √(length² − rise²).
#pragma once

#include <vector>

#include "core/math/types.h"

namespace hazumi {

/// parts + 1 places (x, y), m, from (0, 0) to (across, rise), y upwards: on the curve of this length (m), which they cut into parts of
/// equal length. Where the ends are farther apart than it is long they lie straight. One end right over the other is taken for a thousandth
/// of the length beside it, and what that is off is spread along the rope.
std::vector<Vec2> catenary(double across, double rise, double length, int parts);

}  // namespace hazumi
