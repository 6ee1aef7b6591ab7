// From when on two tracks of a number say something else. A track is a row of pieces, each a closed form of few numbers; where those are the
// same bits, so is what it says.
#pragma once

#include <optional>

#include "core/scene/values/fields.h"

namespace hazumi {

/// Of tracks with keys, of a number, a whole number or a switch. s; −∞: before their first keys already; nothing: never. Sooner rather than
/// too late: a key that changes nothing may count.
std::optional<double> first_difference(const Track& a, const Track& b, FieldType type);
/// What always says this number.
Track constant_track(double number);

}  // namespace hazumi
