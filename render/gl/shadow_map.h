// Depth of the scene seen from the one light that casts shadows. Drawn again only when the light or something that
// casts a shadow changed.
#pragma once

#include <vector>

#include "render/gl/mesh_store.h"
#include "render/gl/program.h"

namespace hazumi::gl {

class ShadowMap {
 public:
  std::string initialise();
  void destroy();

  /// Makes the map current for the list's shadow light; false when there is none or nothing casts. Leaves another
  /// framebuffer and viewport bound.
  bool update(const RenderList& list, const std::vector<Drawable>& drawables);

  /// Binds the depths to units 0 (filtered) and 1 (not), or unbinds them.
  void bind(bool on) const;
  const glm::mat4& matrix() const { return matrix_; }  ///< world → (0,1)³
  float spread() const;                                ///< distance of filter taps, texture coordinates
  float texel_size() const { return texel_size_; }     ///< m

 private:
  struct Caster {
    std::shared_ptr<const DisplayMesh> mesh;
    FramePtr frame;
    const ObjectFrame* shown = nullptr;
    glm::mat4 model{1};
    bool coarse = false;
    std::vector<std::array<std::uint32_t, 2>> faces;  // first and count of what casts; empty: all
    friend bool operator==(const Caster&, const Caster&) = default;
  };

  Program program_;
  GLuint framebuffer_ = 0, texture_ = 0, probe_ = 0;
  glm::mat4 matrix_{1}, drawn_{0};
  float texel_size_ = 0;
  std::vector<Caster> casters_;
};

}  // namespace hazumi::gl
