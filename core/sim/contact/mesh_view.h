// A surface over one sub-step, in a space that the caller chooses: that of a body that does not deform, where its own surface
// stands still, or the world. Motion between the two ends counts as straight in that space.
#pragma once

#include "core/math/types.h"
#include "core/sim/contact/nearest.h"
#include "core/sim/contact/shape.h"
#include "core/sim/contact/surface_mesh.h"

namespace hazumi {

/// Where the space is in the world at both ends.
struct ContactSpace {
  Pose from, to;
};
/// Of what does not deform its own, else the world.
ContactSpace space_of(const BodyShape& shape);
/// What a box of space_of(shape) covers in another space, at both ends.
class BoxAcross {
 public:
  BoxAcross(const ContactSpace& mine, const ContactSpace& other, double margin);
  Box3 operator()(const Box3& box) const;

 private:
  Mat3 turn_[2], size_[2];
  Vec3 shift_[2];
  int ends_ = 2;  // 1: both are the same, as of what deforms
  double margin_;
};

class MeshView {
 public:
  /// Of a shape that deforms only parts that are open may be looked at (SurfaceTree).
  MeshView(const BodyShape& shape, const ContactSpace& space);
  const SurfaceMesh& mesh() const { return *mesh_; }
  const ContactSpace& space() const { return space_; }
  bool rests() const { return rests_; }  ///< nothing of it moves in this space
  Vec3 from(std::uint32_t v) const { return still_ ? from_[v] : Vec3(turn_[0] * from_[v] + shift_[0]); }
  Vec3 to(std::uint32_t v) const { return still_ ? to_[v] : Vec3(turn_[1] * to_[v] + shift_[1]); }
  Vec3 normal(std::uint32_t face) const;  ///< at the end; zero where the face has no area
  /// Holds the face at both ends.
  Box3 swept(std::uint32_t face) const;
  Box3 swept_edge(std::uint32_t edge) const;

 private:
  const SurfaceMesh* mesh_;
  ContactSpace space_;
  bool still_ = false, rests_ = false;
  const Vec3 *from_, *to_;
  Mat3 turn_[2];
  Vec3 shift_[2];
};

/// A face as a place that moved past it sees it: the face stands where it ends, the place begins as high above it, and over the same
/// part of it, as it was at the start.
struct FaceNow {
  std::uint32_t number = 0;
  std::array<Vec3, 3> corner;
  Vec3 normal = Vec3::Zero();  ///< unit; zero without area
  Vec3 start = Vec3::Zero();   ///< of the place
  bool solid = false;
  double height(const Vec3& p) const { return normal.dot(p - corner[0]); }
};
FaceNow face_now(const MeshView& view, std::uint32_t face, const Vec3& start);
/// Whether no other face is nearer to a place in the direction d of a place on the edge or corner of this face.
bool nearest_here(const MeshView& view, std::uint32_t face, const TrianglePlace& at, const Vec3& d);
/// Not unit: outwards, at a place of a face; on edges and corners the sign of its product with d tells inside from outside
/// (Bærentzen and Aanæs 2005).
Vec3 outward(const MeshView& view, std::uint32_t face, const TrianglePlace& at);

}  // namespace hazumi
