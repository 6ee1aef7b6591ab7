// Where boxes of motion graphs find their bodies, for what the view shows of them (core/motion/sketch.h): where the body was when the box was
// started last, up to the frame that is shown, else where it is in that frame.
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/motion/air.h"
#include "core/motion/sketch.h"
#include "core/playback/frame.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "ui/model/context.h"

namespace hazumi {

struct BoxPlace {
  Id box, body;
  SketchBody values;
  std::shared_ptr<const CurveWay> way;  ///< these `values` points to
  std::shared_ptr<const std::vector<Vec3>> other_nodes;
  std::shared_ptr<const SketchAir> air;
};

/// One for each body of the box, eight at most; none: it is of nobody, or nothing is shown of its kind.
std::vector<BoxPlace> box_places(const UiContext& context, const MotionNode& box, const FramePtr& shown);

/// m, how far a body can come down before it touches a fixed plane or box that lies level; nothing: none is under it.
std::optional<double> room_under(const Scene& scene, Id body, const SketchBody& values);

}  // namespace hazumi
