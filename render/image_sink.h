// FrameSink that renders PNG (8 bit, alpha when transparent) or JPEG files, by the pattern's extension.
#pragma once

#include "core/export/frame_sink.h"
#include "render/offscreen.h"

namespace hazumi {

/// The offscreen context is made on first write, in the thread that writes.
/// `meshes`: the program's; else one of the sink's own.
Result<std::unique_ptr<FrameSink>> make_image_sink(const std::string& pattern, const PictureOptions& options,
                                                   std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>());

}  // namespace hazumi
