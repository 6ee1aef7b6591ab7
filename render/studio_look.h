// What a scene says of its look (values/scene.h, SceneLook), as a list has it.
#pragma once

#include "core/scene/values/scene.h"
#include "render/render_list.h"

namespace hazumi {

/// Background, light from everywhere, curve, exposure, shadows and occlusion; of a ready set of lights its lamps too.
void add_look(RenderList& list, const SceneSettings& settings);
/// How far occlusion looks, where the scene leaves that open: half of the edge of a usual thing, the one in the middle by size of
/// those that cast shadows. Their own boxes tell the size, so that it does not change as things move.
void find_reach(RenderList& list);

}  // namespace hazumi
