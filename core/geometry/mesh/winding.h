// What a mesh encloses that need not be closed or manifold: where its winding number is more than one half.
//
//   w(x) = Σ_faces Ω_f(x) / 4π      (Jacobson, Kavan & Sorkine-Hornung 2013, equation 5)
//
// Ω_f is the signed solid angle of face f seen from x (van Oosterom & Strackee 1983). Faces far from x are taken together as one
// dipole: w ≈ (c − x)·A / 4π|c − x|³ with their area vector A and centre c (Barill et al. 2018, first order).
#pragma once

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// m³, 0 where nothing is enclosed. Faces that look inwards count as those that look outwards. Counted in 40³ cells of the
/// bounding box, so it is right to about a percent, and the same bits every time. The last 64 meshes asked for are remembered.
double winding_volume(const DisplayMesh& mesh);

struct MeshMeasure {
  double volume =
      0;  ///< m³: exact where the mesh is closed and faces outwards, else by winding number; 0: it encloses nothing
  double area = 0;  ///< m², one side of every face
  bool exact = false;
};
MeshMeasure measure(const DisplayMesh& mesh);

}  // namespace hazumi
