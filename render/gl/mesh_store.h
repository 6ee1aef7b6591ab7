// Meshes on the graphics card, one store per context. Rest meshes are uploaded once and found by their address (a weak
// pointer guards against another mesh at the same address later); deformed vertices belong to an object and are
// sent again when the frame changes. What was not drawn for a while is dropped.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <epoxy/gl.h>

#include "render/render_list.h"

namespace hazumi::gl {

struct Drawable {
  GLuint vertex_array = 0;
  GLsizei index_count = 0;
  bool solid = false;                    ///< closed and outwards: far sides cannot be seen from outside
  bool looks = false, pictured = false;  ///< has colours of its own, texture coordinates
  const CoarseFaces* coarse = nullptr;   ///< what the vertex array draws in place of the mesh's faces

  /// The vertex array is bound.
  void draw() const { glDrawElements(GL_TRIANGLES, index_count, GL_UNSIGNED_INT, nullptr); }
  void draw(std::uint32_t first_face, std::uint32_t face_count) const {
    if (coarse) {
      const auto range = coarse->range(first_face, face_count);
      first_face = range[0];
      face_count = range[1];
    }
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * face_count), GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(std::size_t{3} * sizeof(GLuint) * first_face));
  }
};

class MeshStore {
 public:
  /// Once per picture, before the first prepare().
  void begin();
  /// `pixels`: about how many it covers, where the picture is to be quick: as many faces as they need; else nothing: all.
  Drawable prepare(const DrawMesh& draw, std::optional<float> pixels);
  /// Draws the edges of a prepared mesh, each once and without diagonals of quads, or those of all triangles while they are not
  /// known. Binds its vertex array.
  void draw_edges(const DrawMesh& draw, const Drawable& drawable);
  /// Once per picture, after the last prepare(): drops rest meshes that have not been used for long, and of what moved all
  /// that is not in it.
  void end();
  void destroy();

 private:
  struct Rest {
    std::weak_ptr<const DisplayMesh> mesh;
    GLuint vertex_array = 0, vertices = 0, indices = 0;
    GLuint extras = 0, edges = 0;  // 0: none, or not yet
    struct Level {
      GLuint vertex_array = 0, indices = 0;
    };
    std::vector<Level> levels;  // of MeshFacts::levels(), those that were drawn
    GLsizei index_count = 0, edge_count = 0;
    bool looks = false, pictured = false;
    bool examined = false, solid = false;  // found out here, when nobody gives the facts
    std::uint64_t used = 0;
  };
  struct Moving {
    std::shared_ptr<const DisplayMesh> mesh;
    FramePtr frame;  // keeps `shown` from being another frame at the same address
    const ObjectFrame* shown = nullptr;
    GLuint vertex_array = 0, positions = 0, normals = 0;
    std::uint64_t used = 0;
  };

  Rest& rest(const std::shared_ptr<const DisplayMesh>& mesh);
  void upload(Rest& rest, const DisplayMesh& mesh);
  static Rest::Level upload_level(const Rest& rest, const CoarseFaces& coarse);
  const CoarseFaces* level_for(const DrawMesh& draw, float pixels, std::size_t& number);
  void stream(Moving& moving, const DrawMesh& draw);
  static void release(Rest& rest);
  static void release(Moving& moving);

  std::unordered_map<const DisplayMesh*, Rest> rest_;
  std::map<Id, Moving> moving_;
  std::uint64_t picture_ = 0;
  std::size_t thinned_ = 0;  // faces of which levels were made for this picture
};

}  // namespace hazumi::gl
