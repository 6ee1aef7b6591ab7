// BVH (Biovision): a tree of joints with offsets, and for each frame a number for each of their channels. Channels are turned
// about in the order in which they stand, R = R₁ R₂ R₃; a joint with channels of place is where they say, in place of its
// offset. Angles are in degrees; axes and units are not said. Limits: those of clip.h.
#pragma once

#include <string_view>

#include "core/import/clip.h"

namespace hazumi {

ClipFile read_bvh(std::string_view bytes);

}  // namespace hazumi
