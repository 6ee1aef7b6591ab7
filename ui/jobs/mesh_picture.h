// A small picture of a mesh by the offscreen renderer, for dialogs. Takes as long as a mesh takes to upload and draw (a
// million triangles about a second where a processor draws): for workers. Seen from the front, right and above; faces that
// show their back are red, so that a surface that is turned inside out is seen at once.
#pragma once

#include <QImage>
#include <QSize>

#include "core/geometry/mesh/mesh.h"
#include "render/offscreen.h"

namespace hazumi {

/// In pixels of the screen; see-through where there is no mesh.
Result<QImage> mesh_picture(OffscreenRenderer& renderer, const DisplayMesh& mesh, QSize size, bool textures = true);

}  // namespace hazumi
