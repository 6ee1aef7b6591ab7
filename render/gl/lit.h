// The lit program in all its variants. A variant is built when it is first drawn with and gets the lights when it is first used in a
// picture.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "render/gl/program.h"
#include "render/gl/shadow_map.h"
#include "render/render_list.h"

namespace hazumi::gl {

/// What colours a surface: its material, a picture times the material, or colours of the vertices.
enum class Colouring { by_material, by_picture, by_vertices };
enum class ShadowFilter { none, narrow, soft, finest };

struct LitProgram {
  Program program;
  bool built = false;
  std::string refused;  ///< what the driver said to it
  int model = -1, normal_matrix = -1, ambient = -1, diffuse = -1, specular = -1, shininess = -1, opacity = -1,
      tint = -1, half_floor = -1;
  std::uint64_t lit = 0;  ///< the picture whose lights it has
};

class LitPrograms {
 public:
  /// Those that nothing can be drawn without; "" when the driver takes them.
  std::string initialise();
  void destroy();

  /// Once per picture. `turn`: rad, of the samples of soft shadows.
  void begin(const RenderList& list, const ShadowMap& shadow, ShadowFilter filter, float softness, float turn);
  /// In use and lit. One that the driver refuses is replaced by the plain one: the material's colour is better than nothing.
  const LitProgram& use(bool shiny, Colouring colouring, bool fades);
  /// Lights, ambient light and view, as particles take them too.
  static void set_lights(const Program& program, const RenderList& list);

 private:
  LitProgram& variant(unsigned key);
  void set_shadow(const Program& program) const;

  std::unordered_map<unsigned, LitProgram> variants_;
  const RenderList* list_ = nullptr;  // of this picture
  const ShadowMap* shadow_ = nullptr;
  ShadowFilter filter_ = ShadowFilter::none;
  float softness_ = 0, turn_ = 0;
  std::uint64_t picture_ = 0;
};

}  // namespace hazumi::gl
