// What a scene becomes before it runs: constant while running, shared between threads without locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/geometry/mapping/mapping.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"
#include "core/sim/body/pinned_body.h"
#include "core/sim/body/rigid_body.h"
#include "core/sim/elastic/pins.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/state.h"

namespace hazumi {

/// Collision shape of a body, in its body frame (contact/ uses it; `automatic` is resolved by compile).
struct ContactProxy {
  ContactShape shape = ContactShape::none;  ///< never automatic
  Vec3 half_extents = Vec3::Zero();         ///< box
  double radius = 0;                        ///< sphere; also the Hertz radius of curvature R
  Vec3 centre = Vec3::Zero();               ///< sphere, box: in the body frame
  std::vector<Vec3> points;                 ///< vertices: body frame (rigid, fixed). nodes: solver's nodes are used
  std::vector<std::uint32_t> skin;        ///< nodes: display vertices that collide in place of the nodes (empty: nodes)
  std::vector<ContactShare> skin_shares;  ///< who takes the force at each of them
  double reach = 0;                       ///< m, no point of the shape is farther from the body frame's origin (rigid)
  double skin_gain = 1, skin_offset = 0;  ///< flexible: reach = gain × farthest node + offset
};

struct Body {
  Id id;
  std::string name;
  BodyKind kind = BodyKind::fixed;
  double mass = 0;  ///< kg; fixed: infinite, stored as 0
  Substance substance;
  double hertz_young = 0;  ///< Pa: of a truss mean of l k / A (3.39), else the material's
  bool gravity = true;

  Pose start;  ///< of the body frame at time 0 (rigid: centre of mass, principal axes not assumed)
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  double birth = 0, death = 1e9;  ///< s, points

  Mat3 inertia = Mat3::Identity();               ///< rigid: body frame, about the centre of mass
  RigidInertia rigid;                            ///< the same with its inverse
  PinnedBody pinned;                             ///< rigid with pins
  std::unique_ptr<const ElasticSolver> elastic;  ///< flexible

  std::shared_ptr<const DisplayMesh> mesh;  ///< object frame, scaled; may be empty
  Vec3 mesh_origin = Vec3::Zero();          ///< object-frame point that the body frame's origin is at (centre of mass)
  Truss truss;                              ///< object frame; empty when there is none
  PinFrame pins;                            ///< flexible, rigid: what its pinned nodes leave, object frame
  std::vector<char> held_nodes;             ///< flexible and pinned: one per node, 1 at the pins; else empty
  std::shared_ptr<const Mapping> mapping;   ///< flexible with a mesh; null: the mesh goes with the body frame
  std::uint64_t mapping_key = 0;            ///< mapping_key() of what it was made from
  std::string mapping_note;                 ///< MadeMapping::note
  ContactProxy proxy;
  /// Flexible: share ψ of the deformation velocity that a contact sees and drives, 1 soft … 0 stiff (contact/body_motion.h).
  double contact_softness = 0;
  double deformation_energy = 0;  ///< J, most that one impact may put into the vibration of a flexible body
};

struct Model {
  std::vector<Body> bodies;  ///< ascending id; only objects that take part or are seen
  double step = 0;           ///< s, h
  int substeps = 1;          ///< per frame
  double frame_rate = 60;
  Vec3 gravity = Vec3::Zero();
  std::uint64_t seed = 1;
  double rest_speed = 0.05;     ///< m/s
  std::uint64_t signature = 0;  ///< simulation_signature of the scene
};

/// Fails only for scenes that validate() refuses, when a solver cannot be made (its diagnostic names the object), or when
/// metaballs were not polygonised before: `meshes.prepare(scene, …)` does that, and what it gives is held meanwhile.
/// `before`: a model of an earlier version of the scene, whose mappings are shared where nothing that they depend on has
/// changed; the result is the same without.
Result<std::shared_ptr<const Model>> compile(const Scene& scene, MeshCache& meshes, const Model* before = nullptr);

State initial_state(const Model& model);
Observables observe(const Model& model, const State& state, std::size_t body);

}  // namespace hazumi
