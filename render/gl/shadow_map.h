// Depth of the scene seen from the one light that casts shadows. Drawn again only when the light or something that
// casts a shadow changed.
#pragma once

#include <vector>

#include "render/gl/mesh_store.h"
#include "render/gl/program.h"

namespace hazumi::gl {

class ShadowMap {
 public:
  static constexpr int kPreviewSize = 1024, kFinalSize = 2048;  ///< texels along an edge

  std::string initialise();
  void destroy();

  /// Makes the map current for the list's shadow light; false when there is none or nothing casts. Leaves another
  /// framebuffer and viewport bound.
  bool update(const RenderList& list, const std::vector<Drawable>& drawables, int size);

  /// Binds the depths to units 0 (compared and filtered), 1 (compared) and 3 (as they are), or unbinds them.
  void bind(bool on) const;
  const glm::mat4& matrix() const { return matrix_; }  ///< world → (0,1)³
  float spread() const;                                ///< distance of filter taps, texture coordinates
  float texel_size() const { return texel_size_; }     ///< m
  /// Near plane, far plane, 1 where the light is a point, distance of the nearest that can cast; m.
  const glm::vec4& range() const { return range_; }
  /// Radius of a penumbra in texture coordinates over tan(half the light's angle): this (z − b), of a point light / (z b), where
  /// z and b are the distances of receiver and caster, m.
  float penumbra() const { return penumbra_; }

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

  void take_memory(int size);  // of the texture that is bound

  Program program_;
  GLuint framebuffer_ = 0, texture_ = 0, probe_ = 0, depths_ = 0;
  int size_ = 0;
  glm::vec4 range_{0};
  float penumbra_ = 0;
  glm::mat4 matrix_{1}, drawn_{0};
  float texel_size_ = 0;
  std::vector<Caster> casters_;
};

}  // namespace hazumi::gl
