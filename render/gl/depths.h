// Copies of the depths of what is drawn to.
#pragma once

#include <epoxy/gl.h>

#include "render/renderer.h"

namespace hazumi::gl {

/// Format of the depths of the target's framebuffer, which is bound; depths are copied only into the same one. None: they cannot be.
GLenum format_of_depths(const RenderTarget& target);

}  // namespace hazumi::gl
