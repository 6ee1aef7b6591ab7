// Pictures without a window: an EGL surfaceless context (needs neither X nor a display), multisampled, same Renderer as
// the viewport. One OffscreenRenderer belongs to one thread.
#pragma once

#include <memory>

#include <QImage>

#include "core/base/result.h"
#include "render/extract.h"

namespace hazumi {

inline constexpr int kFinalSamples = 16;

struct PictureOptions {
  int width = 1280, height = 720;  ///< 1 … 16384
  int samples = 4;                 ///< per pixel, 1 … 64 (more than the GPU's maximum: tiled jitter passes averaged)
  bool transparent = false;
  Id camera = {};              ///< of picture(): which camera; none: the scene's, with its cuts
  bool quick = false;          ///< as the viewport draws in motion (RenderTarget::quick): never for what is written
  bool final_quality = false;  ///< soft shadows, occlusion of every pixel, kFinalSamples or more
};

class OffscreenRenderer {
 public:
  static Result<std::unique_ptr<OffscreenRenderer>> create();
  ~OffscreenRenderer();
  Result<QImage> draw(const RenderList& list, const PictureOptions& options);
  /// The scene through its render camera, without helpers: what export and command line write. Metaballs that nobody has
  /// polygonised before are polygonised here: whoever wants to cancel that calls meshes.prepare() first.
  Result<QImage> picture(const Scene& scene, const FramePtr& frame, MeshStore& meshes, const PictureOptions& options);

 private:
  OffscreenRenderer();
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
