// The usual easings (Penner 2001) as keys: what they set are shapes, tangents and, where one spline is not enough, keys between
// two; afterwards these are keys like any others.
//
// f(u) on 0…1, of "in"; out is 1 − f(1 − u), in-out is in up to the middle and out behind it.
//   sine 1 − cos(πu/2)   quad u²   cubic u³   quart u⁴   quint u⁵   expo 2^(10u−10)   circ 1 − √(1 − u²)
//   back 2.70158 u³ − 1.70158 u²   elastic −2^(10u−10) sin((10u − 10.75) 2π/3)   bounce 1 − (parabolas of 7.5625)(1 − u)
// Quad, cubic, back and bounce are exact. Of the others the segments are at most 1.2 % of the way from f (tests/ui/key_edits_test.cpp).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ui/model/key_edits.h"

namespace hazumi {

enum class EaseEnd { in, out, in_out };

struct Easing {
  std::string_view id;     ///< "cubic"
  std::string_view title;  ///< "Cubic"
  std::string_view tip;
  /// Of "in": keys from (0, 0) to (1, 1).
  std::vector<Key> (*keys)();
};

std::span<const Easing> easings();
/// From (0, 0) to (1, 1), the value in Key::value[0]; all splines with free tangents.
std::vector<Key> easing_keys(const Easing& easing, EaseEnd end);

/// The ways between neighbours that are both among the keys; in a track where no two are, the way after each of them.
/// The scene unchanged where there is none.
KeyEdit eased_keys(const Scene& scene, const KeyTimes& keys, const Easing& easing, EaseEnd end);

}  // namespace hazumi
