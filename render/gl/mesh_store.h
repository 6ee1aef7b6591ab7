// Meshes on the graphics card, one store per context. Rest meshes are uploaded once and found by their address (a weak
// pointer guards against another mesh at the same address later); deformed vertices belong to an object and are
// sent again when the frame changes. What was not drawn for a while is dropped.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include <epoxy/gl.h>

#include "render/render_list.h"

namespace hazumi::gl {

struct Drawable {
  GLuint vertex_array = 0;
  GLsizei index_count = 0;
  bool solid = false;   ///< closed and outwards: far sides cannot be seen from outside
};

class MeshStore {
 public:
  /// Once per picture, before the first prepare().
  void begin();
  Drawable prepare(const DrawMesh& draw);
  /// Once per picture, after the last prepare(): drops what has not been used for long.
  void end();
  void destroy();

 private:
  struct Rest {
    std::weak_ptr<const DisplayMesh> mesh;
    GLuint vertex_array = 0, vertices = 0, indices = 0;
    GLsizei index_count = 0;
    bool solid = false;
    std::uint64_t used = 0;
  };
  struct Moving {
    std::shared_ptr<const DisplayMesh> mesh;
    FramePtr frame;                        // keeps `shown` from being another frame at the same address
    const ObjectFrame* shown = nullptr;
    GLuint vertex_array = 0, positions = 0, normals = 0;
    std::uint64_t used = 0;
  };

  Rest& rest(const std::shared_ptr<const DisplayMesh>& mesh);
  void upload(Rest& rest, const DisplayMesh& mesh);
  void stream(Moving& moving, const DrawMesh& draw);
  static void release(Rest& rest);
  static void release(Moving& moving);

  std::unordered_map<const DisplayMesh*, Rest> rest_;
  std::map<Id, Moving> moving_;
  std::uint64_t picture_ = 0;
};

}  // namespace hazumi::gl
