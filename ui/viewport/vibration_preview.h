// A vibration mode swinging in the view: the nodes, springs and display model of an object in its start pose, moved by
//   x_i + A φ_i cos ω t        A amplitude in m, φ the mode's shape (largest 1), ω chosen for the eye
// Not an edit and not in frames: it only changes what is drawn (ElementSelection::set_preview).
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/mapping/mapping.h"
#include "core/playback/frame.h"
#include "core/scene/values/scene.h"
#include "render/render_list.h"

namespace hazumi {

class VibrationPreview {
 public:
  /// `truss` and `mesh`: of the object with its scale, as object_truss() and MeshStore give them. `mapping` may be null: the
  /// display model then stands still.
  VibrationPreview(Object object, Truss truss, std::vector<Vec3> shape, std::shared_ptr<const DisplayMesh> mesh,
                   std::shared_ptr<const Mapping> mapping);
  /// The object moved or turned; its models are the same.
  void set_transform(const Transform& transform) { object_.transform = transform; }
  /// `swing`: A cos ω t, m.
  void draw(double swing, RenderList& list) const;
  /// m, the farthest node from the middle of all: what an amplitude is measured by.
  double size() const { return size_; }

 private:
  Object object_;
  Truss truss_;
  std::vector<Vec3> shape_;
  std::shared_ptr<const DisplayMesh> mesh_;
  std::shared_ptr<const Mapping> mapping_;
  double size_ = 1;
};

}  // namespace hazumi
