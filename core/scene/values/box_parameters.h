// The parameters of boxes of motion graphs as fields. Which there are say the tables of their kinds, in core/motion, which scenes do not see:
// declared here, defined there (core/motion/kinds.cpp), as the table of body kinds is.
#pragma once

#include <span>

#include "core/scene/values/fields.h"

namespace hazumi {

/// The rows of all kinds as fields of a box, each shown while it is of that kind; setting the default removes the value from the
/// box: "event.contact.above". What a run reads can be keyed: numbers, ticks and, by steps, choices; but for which number a box
/// sets, which says what it is about.
std::span<const Field<MotionNode>> motion_parameter_rows();

}  // namespace hazumi
