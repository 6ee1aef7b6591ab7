// What fields of force (scene/derived/field_values.h) do to bodies in a sub-step: forces, constant over it, on top of all others, so that their work
// is F·Δx. They are found of the state at its beginning, at the places and attitudes half a step on: x + h u/2.
//
//   pulls       F = m a(x + h u⁻/2): with x⁺ = x⁻ + h (u⁻ + u⁺)/2 leapfrog, which is symplectic and of second order
//   drag        u' = b − K (u − U) solved with K as it is half-way, where (u⁻ + h/2 (b + K⁻ U))/(1 + h/2 K⁻) is (exponential midpoint): u⁺ = U + b/K + (u⁻ − U − b/K) e^(−Kh),
//               F = m ((u⁺ − u⁻)/h − b); exact where K is constant, at rest where K (u − U) = b, and no K however large turns u − U round
//   surface     of a piece of it, area A, normal n, V = U − u of the piece: F = ½ ρ c A |V·n| (V·n) n on the side that faces the air, of
//               what has one side only (open meshes) on both. A flat board across the air has the drag coefficient c, a ball c/2.
//               What does not bend: along V a drag K_s = −F·(u − U)/(m |u − U|²) in the K above; F across it and the torque as they
//               are, its part by the own turning at most what stops that in h
//               What bends: on the nodes of each triangle of its truss's hull, at most what stops a node along n in h,
//               after the drag K of its own
//   water       buoyancy −ρ V g at the centre of the volume V below the surface; drag by the part that is below it; what is below pushes
//               with ρ of water. What does not bend: V of its mesh, exactly (immersed.h), of what has none as a ball of its mass and
//               density. What bends: each node its part of V, below by its depth.
//
//   m, ρ, g   kg, kg/m³, m/s²        b      all else that accelerates it, m/s²       c    BodySettings::air
//   u, U      velocity of the body or node, and of the air or water there, m/s        h    s
//
// Of what does not bend air is that at its centre. Limits: no added mass, no lift but by the slope of pieces, no waves; where something else
// holds a body, b is not known, and drag is too weak by K h/2. What sleeps in still air is told nothing.
#pragma once

#include <memory>
#include <span>

#include "core/base/parallel.h"
#include "core/scene/derived/told_numbers.h"
#include "core/sim/body/body.h"
#include "core/sim/state.h"

namespace hazumi {

struct Model;
struct Scene;

class FieldStage {
 public:
  virtual ~FieldStage() = default;
  /// Adds to what bodies are told; those that are led are not asked. The same on any number of threads. `told`: to fields, by motions.
  virtual void add(const Model& model, const State& state, std::span<const NumberTold> told,
                   std::span<BodyForces> forces, Executor& executor) const = 0;
  /// It has a drag of its own, or a field may act on it.
  virtual bool acts_on(std::uint32_t body) const = 0;
  /// One body that moves for a part of a sub-step, or for several: from `begin`, s of the run, for `h` s, with fields as they are in the
  /// middle of that sub-step. `values`: of the body then.
  struct Part {
    std::int64_t substep = 0;
    double begin = 0, h = 0;
  };
  /// m/s², mean over that part of what acts on the body, as on a ball of its surface, volume and mass there at that velocity, where all
  /// else accelerates it by `other`: for who wants to know about where it will come.
  virtual Vec3 on_ball(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& velocity,
                       const Vec3& other, const Part& part, std::span<const NumberTold> told) const = 0;
  /// Adds to what that body is told.
  virtual void add_part(const Model& model, std::uint32_t body, std::span<const double> values, const Part& part,
                        std::span<const NumberTold> told, BodyForces& to) const = 0;
};

/// Null: no field acts on anything, and nothing has a drag of its own. `model` has its bodies.
std::shared_ptr<const FieldStage> make_field_stage(const Scene& scene, const Model& model);

}  // namespace hazumi
