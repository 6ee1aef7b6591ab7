// What the view draws: the list made from scene, frame and camera, kept until something of it changes. No OpenGL here.
#pragma once

#include <functional>
#include <vector>

#include "render/extract.h"
#include "ui/model/context.h"

namespace hazumi {

class LooksJob;
class ViewGesture;
class ViewNavigation;

/// Elements can be seen and edited: a mode is on, nothing plays, and the start pose is shown where elements are of that. A curve
/// is the same at every frame.
bool elements_shown(const UiContext& context);
/// They are shown in it, whatever the frame.
bool start_pose_shown(const UiContext& context);

class ViewPicture {
 public:
  /// `looks`: works out what big meshes and textures need.
  ViewPicture(UiContext& context, const ViewNavigation& navigation, const ViewGesture& gesture, LooksJob& looks);
  /// Adds to every list, or changes how things in it are drawn.
  void add_layer(std::function<void(RenderList&)> draw) { layers_.push_back(std::move(draw)); }

  ViewOptions& options() { return options_; }
  const ViewOptions& options() const { return options_; }
  void spoil() { spoilt_ = true; }  ///< something that is seen changed
  const RenderList& list();
  int vertices() const;      ///< of the last list
  DepthRange seen_depths();  ///< from the nearest thing in the picture to the end of the farthest
  /// The frame in the picture, or in the next one when this is spoilt: playback.shown(), the nearest one that was there then,
  /// or null for the authored pose. What is painted over the picture goes by it.
  FramePtr frame() const { return spoilt_ ? newest_frame() : drawn_; }

  /// As they are shown now. A floor of a hundred metres is the ground to stand on, not what one wants to look at.
  Box3 bounds_of_all() const;
  Box3 bounds_of_selection() const;  ///< objects and lights

 private:
  FramePtr newest_frame() const;
  FramePtr frame_of_gesture() const;
  FramePtr with_skins(FramePtr frame) const;

  UiContext context_;
  const ViewNavigation& navigation_;
  const ViewGesture& gesture_;
  LooksJob& looks_;
  std::vector<std::function<void(RenderList&)>> layers_;
  ViewOptions options_;
  RenderList list_;
  FramePtr drawn_;  ///< of the list
  bool spoilt_ = true;
};

}  // namespace hazumi
