// What a frame says of how objects are seen (playback/frame.h), as scenes and lists have it.
#pragma once

#include "core/playback/frame.h"
#include "core/scene/values/scene.h"
#include "render/render_list.h"

namespace hazumi {

/// The scene with that: visibility, colours and opacity of its objects' materials.
Scene with_looks(Scene scene, const FrameLooks& looks);
/// Colours that vertices have of their own.
void tint(RenderList& list, const FrameLooks& looks);

}  // namespace hazumi
