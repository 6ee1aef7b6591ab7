// Between which depths a view is drawn. A camera of the scene has planes of its own, which pictures are written with. A
// free view shows whatever there is, from a millimetre to kilometres: its planes follow the meshes in it.
//
// A depth buffer of 24 bits tells two depths apart that differ by z²/(n 2²⁴), n: the near plane; the far plane hardly
// matters. So the far plane lies behind everything, and the near one at a hundredth of the distance to what is looked
// at, where that is told apart to 6 millionths of its distance. Only where something that is seen lies nearer it comes
// nearer too, down to 1/2000: the surfaces at the distance that is looked at are then told apart to 1/8000 of it, six
// times finer than a pixel is wide. Parallel views have even depths: they begin before everything and end behind it.
//
// A camera of the scene whose depth is automatic follows its meshes too, but in steps of two, so that depths are told
// apart the same from one picture to the next while things come nearer: nothing flickers. Its far plane is at most
// kMostRatio times as far as the near one; what is nearer than that is not drawn.
//
// Grid, lines and points of a free view are not cut by these planes (GL_DEPTH_CLAMP), so they need not be in between.
#pragma once

#include "render/camera.h"
#include "render/render_list.h"

namespace hazumi {

inline constexpr float kMostRatio = 1e6f;

/// Depths of the box in a view: of the nearest point that is in the picture, whatever the planes, infinity when none
/// is; and of its far end.
DepthRange depths_of(const Box3& box, const ViewCamera& camera, float aspect);

/// Depths of the box from its nearest corner to its farthest, beside the picture and behind the eye too.
DepthRange reach_of(const Box3& box, const ViewCamera& camera);

/// Of a view through `camera` with the list's meshes in it.
DepthRange depths_for(const RenderList& list, const ViewCamera& camera, float aspect);

/// View and projection of the list. Once more when meshes were added.
void set_view(RenderList& list, const ViewCamera& camera, float aspect);

}  // namespace hazumi
