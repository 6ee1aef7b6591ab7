// What particles meet, over one sub-step: planes, boxes, balls and surfaces as bodies collide with (contact/proxy.h), where the bodies have moved from
// the pose at the start to the pose at the end.
//
// A particle, a ball of radius r at p, is seen from the axes of the body at both ends: the body stands still there, and the way of p is
// straight. Of what bends, a triangle stands where it ends, and p begins as far from where the triangle's centre ends as it was from where that
// began.
//   plane    (p − c)·y = r
//   ball     |p − c| = R + r
//   box      by slabs of the box made larger by r: its edges are not rounded
//   triangle (p − a)·n = r above it; else (p − a)·n = 0 in it, which is what p meets over an edge. From both sides; of closed surfaces
//            from outside alone
// What begins inside a body, deeper than r, does not meet it: it was born there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/geometry/mesh/box_tree.h"
#include "core/sim/body/body.h"
#include "core/sim/contact/surface_mesh.h"
#include "core/sim/particles/face_cells.h"
#include "core/sim/particles/ways.h"

namespace hazumi {

struct Model;
struct State;

/// A triangle a b c with what does not change of it: e = b − a, f = c − a.
struct alignas(64) ObstacleFace {
  Vec3 a, normal, e, f;                     ///< m; unit, zero without area; most ways need the first two alone
  double ee = 0, ef = 0, ff = 0, size = 0;  ///< e·e, e·f, f·f, m²; ee ff − ef², m⁴
  ObstacleFace() = default;
  ObstacleFace(const Vec3& first, const Vec3& second, const Vec3& third, const Vec3& unit);
};

/// Faces of what does not bend, and what tells quickly which are near: made once for each surface, since that takes long of a large one.
struct ObstacleFaces {
  BoxTree tree;
  FaceCells cells;
  std::vector<ObstacleFace> faces;
  explicit ObstacleFaces(const SurfaceMesh& mesh);
};

/// A body that particles meet.
struct Obstacle {
  enum class Shape { plane, ball, box, surface, bent };
  std::uint32_t body = 0;
  Shape shape = Shape::plane;
  double thickness = 0;  ///< m, that others keep from it
  Vec3 centre = Vec3::Zero(), half = Vec3::Zero();
  double radius = 0;
  std::shared_ptr<const SurfaceMesh> surface;  ///< in the body frame
  std::shared_ptr<const ObstacleFaces> still;  ///< of a surface that does not bend
  std::shared_ptr<const DisplayMesh> mesh;     ///< that the surface is made of, where the body has none
  Vec3 origin = Vec3::Zero();                  ///< and where the body's frame is in it
};

/// `before`: of a model before, whose faces are shared where the surface is the same; so are those of several bodies. Nothing: particles pass
/// through the body.
std::vector<Obstacle> make_obstacles(const Model& model, std::span<const Obstacle> before = {});
/// How deep a place of the world is in the body at the start of a run, m; below 0 outside, or where it has no inside.
double depth_at_start(const Model& model, const Obstacle& obstacle, const Vec3& place);

struct ParticleMeeting {
  double at = 2;  ///< 0…1 of the way; above: none
  std::uint32_t obstacle = 0;
  Vec3 place = Vec3::Zero(),
       normal = Vec3::UnitY();   ///< world, as the body ends: of the particle's centre; unit, outwards
  Vec3 velocity = Vec3::Zero();  ///< of the body there, m/s
  std::uint32_t face = 0;
  double first = 0, second = 0;  ///< parts of the face's second and third corner
};

/// All of them over one sub-step.
class ObstaclesNow {
 public:
  /// `before`, `after`: states of the bodies.
  void find(const std::vector<Obstacle>& obstacles, const Model& model, const State& before, const State& after);

  /// The first that a ball of this radius meets on its way; `used`: a char per obstacle. `later`: all stand where they end. `part` of the sub-step
  /// is left as the way begins. `around`: of this particle.
  ParticleMeeting meet(const Vec3& from, const Vec3& to, double radius, std::span<const char> used, bool later,
                       double part, const FacesAround& around) const;
  /// That the processor may have its faces at hand.
  void ask_for(const FacesAround& around) const {
    if (around.obstacle >= now_.size()) return;
    const ObstacleFace* const faces = (*obstacles_)[around.obstacle].still->faces.data();
    for (std::uint32_t k = 0; k < 2; ++k) __builtin_prefetch(&faces[around.faces[k]]);  // few have more
  }
  /// What has none of these near meets none of the used ones.
  Surroundings surroundings(std::span<const char> used) const;
  /// Where it sticks, for place_of().
  Vec3 stuck(const ParticleMeeting& meeting, double radius) const;
  /// Where something that sticks on the body is in the end; nothing: no obstacle is that body.
  bool place_of(std::uint32_t body, const Vec3& stuck, double radius, Vec3& place) const;

 private:
  struct Now {
    Pose from, to;
    bool moved = false;
    Vec3 normal = Vec3::UnitY();                 // of a plane, where it ends, world
    double level = 0;                            // of a plane, along its normal
    std::shared_ptr<const SurfaceMesh> surface;  // of what bends
    std::vector<Vec3> begins, ends;              // its points, world
    BoxTree tree;                                // of what bends, over its faces at both ends
    Box3 box;                                    // at both ends, world
  };
  void find_bent(const Obstacle& obstacle, const Model& model, const State& before, const State& after, Now& now) const;
  void meet_one(std::uint32_t number, const Vec3& from, const Vec3& to, double radius, bool later, double part,
                const FacesAround& around, ParticleMeeting& best) const;
  Vec3 velocity_at(const Obstacle& obstacle, const Now& now, const ParticleMeeting& meeting) const;

  const std::vector<Obstacle>* obstacles_ = nullptr;
  double step_ = 1;
  std::vector<Now> now_;
  std::vector<std::uint32_t> planes_, bounded_;
  BoxTree tree_;  // over bounded_
  std::vector<std::uint32_t> by_body_;
};

}  // namespace hazumi
