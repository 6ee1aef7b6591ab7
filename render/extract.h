// Scene + frame + view → what to draw. Pure: no GL, no clock, no globals.
#pragma once

#include <functional>
#include <set>

#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "render/camera.h"
#include "render/render_list.h"

namespace hazumi {

enum class AnalysisOverlay { off, selected, all };
enum class ShadeMode { solid, wireframe, solid_wireframe };

struct ViewOptions {
  AnalysisOverlay analysis = AnalysisOverlay::off;
  ShadeMode shade = ShadeMode::solid;
  bool grid = true;
  bool helpers = true;  ///< lights, the camera, forces, initial velocity arrows: not in exported pictures
  bool joints = true;   ///< … and joints, where helpers are shown
  bool display_models = true;
  Id through = {};          ///< the camera that is looked through: it has no symbol
  std::set<Id> aside = {};  ///< objects that are not drawn, whatever the scene says
  float height =
      0;  ///< of the view, logical pixels: what would be smaller than a dot is a dot; 0: things are drawn as they are
};

struct ViewSelection {
  std::set<Id> selected;
  Id active;
};

/// `frame` null: the scene as authored (start pose). An object without display model is drawn by its analysis model; an
/// object whose mesh file is missing by a placeholder box with crossed diagonals.
RenderList extract(const Scene& scene, const FramePtr& frame, const ViewCamera& camera, float aspect,
                   const ViewOptions& options, const ViewSelection& selection, MeshStore& meshes);

/// World box of an object as shown, of all visible objects but those `aside`.
Box3 shown_bounds(const Scene& scene, const Frame* frame, Id id, MeshStore& meshes);
/// Of those that are wanted; null: all.
Box3 shown_bounds(const Scene& scene, const Frame* frame, MeshStore& meshes, const std::set<Id>& aside = {},
                  const std::function<bool(const Object&)>& wanted = nullptr);

}  // namespace hazumi
