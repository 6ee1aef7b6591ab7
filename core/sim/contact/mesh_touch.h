// Where a moving place touches a surface within a sub-step: a vertex (of no size) or a ball.
//
// A vertex that begins in touch is lifted out of the surface first. Then its way is a line from outside to where it ends, and the
// first face that the line meets from the front is the one that holds it: exactly, whatever it passes behind that. Beside it
// count the faces that it touched at the start and is still over, and, where it has met nothing, those near its end.
//   inside     of a closed piece, deeper than rows reach: out through the nearest face that can hold the vertex
//   sunk       into a sheet, deeper than rows reach: back through the face, as long as the vertex had a row there all the time
//   sheets     are solid on both sides. The side is that of the start; where that is within round-off, the one that the
//              vertex's row had in the sub-step before, or the only one that can hold it, or that of its body's centre
//   can hold   no vertex beside it lies deeper along the normal: so the side of a step holds no corner that stands flush with it
// Normals are those of faces, and directions between a place and an edge or corner where no face is nearer: what rolls or slides
// over a flat or smooth surface meets no edges in it.
#pragma once

#include <span>
#include <vector>

#include "core/sim/contact/mesh_view.h"
#include "core/sim/contact/surface_tree.h"

namespace hazumi {

struct MeshTouch {
  std::uint32_t face = 0;
  std::array<double, 3> weights = {1, 0, 0};  ///< of its corners: the place nearest to the end of the way
  Vec3 normal = Vec3::Zero();                 ///< in the space of the view, away from the surface
  double gap = 0;                             ///< m, at the end
  bool behind = false;                        ///< on the back of the face
};

struct VertexPath {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  std::span<const Vec3> arms;          ///< unit, to the vertices beside it, at the end
  Vec3 centre = Vec3::Zero();          ///< of its body, at the start
  int side = 0;                        ///< of the row that it had: 1 front, −1 back, 0 it had none
  std::uint32_t region = 0xffffffffu;  ///< of that row
  std::uint32_t piece =
      0xffffffffu;                  ///< of the surface, of a body in parts: the one whose faces it may touch; else all
  std::uint32_t own = 0xffffffffu;  ///< the surface is that of its own body: its number there
};

/// Of the reach of rows (5 % of the size of the smaller body): how deep a body's surface may have come into itself and is still led out.
inline constexpr double kSunk = 50;

/// Of a surface as it was made: whether the way from a vertex to a face runs inside and out through the face. Such a vertex is behind
/// the face without having come in: it is on the other skin of the same part.
bool other_skin(const SurfaceMesh& mesh, std::uint32_t vertex, std::uint32_t face);

class VertexOnMesh {
 public:
  /// `tree` over the faces of `view`, in its space.
  VertexOnMesh(const MeshView& view, SurfaceTree& tree, double slop, double margin)
      : view_(view), tree_(tree), slop_(slop), margin_(margin) {}
  /// `near`: faces whose boxes the way comes near. `held`: touches; `crossed`: what it went through, but cannot be held by.
  void find(const VertexPath& path, std::span<const std::uint32_t> near, std::vector<MeshTouch>& held,
            std::vector<MeshTouch>& crossed);

 private:
  struct Face : FaceNow {
    int side = 1;
    bool touched = false;  // at the start, by its plane
  };
  struct Near {
    Vec3 normal = Vec3::Zero();
    double gap = 0;
    bool plane = false;  // it is over the face
  };
  bool look(const Face& face, int side, const Vec3& p, Near& near) const;
  int side_of(const Face& face, const VertexPath& path) const;
  Vec3 lifted(const VertexPath& path);
  bool inside(const VertexPath& path, std::vector<MeshTouch>& held);
  void sunk(const VertexPath& path, std::vector<MeshTouch>& held) const;
  void inside_itself(const VertexPath& path, std::vector<MeshTouch>& held) const;
  bool cross(const VertexPath& path, const Vec3& lift, std::vector<MeshTouch>& held,
             std::vector<MeshTouch>& crossed) const;
  void stay(const VertexPath& path, const Vec3& lift, bool met, std::vector<MeshTouch>& held) const;
  void add(const Face& face, const Vec3& p, const Near& near, int side, std::vector<MeshTouch>& out) const;

  const MeshView& view_;
  SurfaceTree& tree_;
  double slop_, margin_;
  std::vector<Face> faces_;
  // Of the vertex before, which mostly is beside this one: the face nearest to it, and that of its way out.
  std::uint32_t near_ = BoxTree::nothing, out_ = BoxTree::nothing;
};

/// Where a ball whose centre moves straight touches a surface. `near`: faces that its way may come within radius and margin of.
/// `starts`: what is within reach at the start, with its gap then, where that is wanted.
void ball_on_mesh(const MeshView& view, SurfaceTree& tree, const Vec3& from, const Vec3& to, double radius,
                  double margin, std::span<const std::uint32_t> near, std::vector<MeshTouch>& out,
                  std::vector<MeshTouch>* starts = nullptr);

/// Two edges, at both ends of the sub-step.
struct EdgePath {
  std::array<Vec3, 2> from, to;
  std::array<Vec3, 2> inwards;  ///< unit, in the faces at the edge, away from it, at the end
  bool flat = false;            ///< its faces lie as one: their vertices touch for it
};
struct EdgeTouch {
  Vec3 normal = Vec3::Zero();  ///< from the second to the first
  double gap = 0;              ///< m, at the end
  double s = 0, t = 0;         ///< places on both
  bool turned = false;         ///< the normal is against the cross product of their directions
};
EdgePath edge_path(const MeshView& view, std::uint32_t edge);
/// Where edges that are not parallel touch between their ends. `side`: of their row before, 1: not turned, −1: turned, 0: they had
/// none; `apart`: from the centre of the second's body to that of the first's; `parts`: of one body that
/// has broken, whose pushes on each other have a lever (docs/numerics/brittle.md): they are held no longer than they touch.
bool edges_touch(const EdgePath& a, const EdgePath& b, int side, const Vec3& apart, double slop, double margin,
                 bool parts, EdgeTouch& out);

}  // namespace hazumi
