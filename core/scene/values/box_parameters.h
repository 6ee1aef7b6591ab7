// The parameters of boxes of motion graphs as fields. Which there are say the tables of their kinds, in core/motion, which scenes do not see:
// declared here, defined there (core/motion/kinds.cpp), as the table of body kinds is.
#pragma once

#include <span>

#include "core/scene/values/fields.h"

namespace hazumi {

/// Of a box what it is about (MotionNode::other), as a row: "event.near.with".
inline constexpr std::string_view kWithRow = "with";

/// The rows of all kinds as fields of a box, each shown while it is of that kind; setting the default removes the value from the
/// box: "event.contact.above". Beside them what it is about, where a kind is about something, and of events whether they loop. What a run
/// reads can be keyed: numbers, and by steps ticks, choices and things.
std::span<const Field<MotionNode>> motion_parameter_rows();

}  // namespace hazumi
