// FrameSink that renders pictures in the format of the pattern's extension (render/formats).
#pragma once

#include "core/export/frame_sink.h"
#include "render/offscreen.h"

namespace hazumi {

/// `meshes`: the program's; else one of the sink's own. `sound`: beside the pictures. Refuses an extension that no format has, and transparency where a format has none.
Result<std::unique_ptr<FrameSink>> make_image_sink(const std::string& pattern, const PictureOptions& options,
                                                   std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>(),
                                                   bool sound = false);

}  // namespace hazumi
