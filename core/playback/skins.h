// Skins of a frame (sim/skinned.h), from where the frame has the objects that carry them.
#pragma once

#include "core/playback/frame.h"
#include "core/sim/model.h"

namespace hazumi {

/// All else of the frame is where it will be.
void place_skins(const Model& model, Frame& frame, Executor& executor);

}  // namespace hazumi
