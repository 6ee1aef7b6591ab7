// The abstract picture: a list of what to draw, computed by extract() and tested without a GPU. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/base/id.h"
#include "core/geometry/mesh/facts.h"
#include "core/playback/frame.h"
#include "render/camera.h"

namespace hazumi {

struct DrawMaterial {
  glm::vec3 ambient, diffuse, specular;
  float shininess = 16, opacity = 1;
};

/// Faces that look alike.
struct DrawPart {
  std::uint32_t first_face = 0, face_count = 0;
  DrawMaterial material;
  std::shared_ptr<const TextureFile> texture;  ///< times the diffuse and ambient colour; null: none
};

/// One triangle mesh. The rest mesh is shared and uploaded once (key: pointer); a deformed frame replaces positions
/// and normals (`deformed` keeps the frame alive; world space, model = identity).
struct DrawMesh {
  Id id;  ///< object, for picking
  std::shared_ptr<const DisplayMesh> mesh;
  FramePtr frame;                         ///< keeps `deformed` alive
  const ObjectFrame* deformed = nullptr;  ///< null: rest mesh under `model`
  glm::mat4 model{1};
  DrawMaterial material;             ///< of the object
  glm::vec4 tint{0};                 ///< colour, and its share in colours that vertices have of their own
  std::vector<DrawPart> parts;       ///< cover the mesh in ascending faces; empty: all of it in `material`
  std::shared_ptr<MeshFacts> facts;  ///< of `mesh`; null: not known
  bool selected = false, active = false, casts_shadow = true;
  glm::vec2 fade{0};       ///< m, half sides of a floor about its middle: it fades before them; 0: it does not
  bool wireframe = false;  ///< drawn as lines (analysis overlay uses DrawLines instead)
  Box3 bounds;             ///< world box, may be larger than the mesh; invalid: not known
};

struct LineVertex {
  glm::vec3 position;
  glm::vec4 colour;
};
struct PointVertex {
  glm::vec3 position;
  glm::vec4 colour;
  float size;
};  ///< size in logical pixels

/// A particle: a disc that faces the eye, or a streak.
struct Sprite {
  glm::vec3 position{0};
  glm::vec4 colour{1};
  glm::vec3 along{0};  ///< m, half of the way that a streak shows; 0: a disc
  float radius = 0;    ///< m
  float turn = 0;      ///< rad, of a puff
  float soft = 0;      ///< 1: a puff
  float glow = 0;      ///< 1: in its colour, without lights
};

struct DrawLines {
  std::vector<LineVertex> vertices;  ///< pairs
  float width = 1;                   ///< logical pixels
  bool on_top = false;               ///< drawn over everything (gizmos, selected truss)
};

/// Something without a mesh that the mouse can take hold of: a light's symbol, a point, a bare analysis model.
struct PickSymbol {
  Id id;
  std::vector<glm::vec3> points;    ///< world
  std::vector<glm::vec3> segments;  ///< world, pairs
  float radius = 0;                 ///< m around `points` that the drawn symbol covers; 0: a dot
  bool on_top = false;              ///< drawn over everything, and taken hold of before everything
};

struct DrawLight {
  bool directional = true;
  glm::vec3 position, target, colour;  ///< colour × intensity
  bool shadow = false;
};

/// A picture behind everything.
struct Backdrop {
  std::shared_ptr<const TextureFile> picture;  ///< null: none
  glm::vec4 place{-1, -1, 1, 1};  ///< left, bottom, right and top of where it is fitted in, of −1…1 over the target
  float opacity = 1;
};

/// How light becomes a picture, and what shades it beside lights.
struct DrawLook {
  bool filmic = false;
  float exposure = 1;   ///< times all light
  float occlusion = 0;  ///< 0 … 1
  float reach = 0;      ///< m, of occlusion
  float softness = 0;   ///< rad, angle under which the light that casts shadows is seen; 0: a narrow edge
};

struct RenderList {
  Backdrop backdrop;
  std::vector<DrawMesh> meshes;  ///< ascending id
  std::vector<DrawLines> lines;
  std::vector<PointVertex> points;
  std::vector<Sprite> sprites;             ///< back to front
  std::vector<Box3> sprite_boxes;          ///< hold them, world; of each source
  std::vector<PointVertex> points_on_top;  ///< drawn over everything
  std::vector<PickSymbol> symbols;         ///< ascending id; not drawn by themselves
  std::vector<DrawLight> lights;
  glm::vec3 background{0.16f, 0.17f, 0.19f};
  glm::vec3 ambient{0.25f}, ground{0.0875f};  ///< light from everywhere on what faces up, and down
  DrawLook look;
  bool grid = false;
  glm::mat4 view{1}, projection{1};
  glm::vec3 eye{0};
  float distance = 1;  ///< m, from the eye to what is looked at
  DepthRange depths;   ///< of the projection; both 0: not known
  bool cuts_lines =
      false;           ///< lines, points and grid end at the planes as meshes do; else they are drawn beyond them too
  Box3 shadow_bounds;  ///< world box of what casts shadows
};

}  // namespace hazumi
