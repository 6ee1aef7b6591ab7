// What is carried through a run without taking part in it: a fixed object whose family hangs on something that moves
// (scene/derived/family.h). It has no state: where it is follows from where its carrier is.
//
// On what does not deform: P = B B₀⁻¹ P₀, with poses of object frames, ₀ at the start.
// On what deforms it goes with the nodes around the place where it sits, not with the whole: a hat stays on a head that nods.
//   wᵢ = (|Xᵢ − p₀|² + s²)⁻³, Σ wᵢ = 1      weights of nodes: X at the start, s the distance of the fourth nearest, p₀ its origin
//   c = Σ wᵢ xᵢ,  C = Σ wᵢ Xᵢ
//   A = Σ wᵢ (xᵢ − c)(Xᵢ − C)ᵀ + ε L² Q,  B = Σ wᵢ (Xᵢ − C)(Xᵢ − C)ᵀ + ε L² 1,  L² = Σ wᵢ |Xᵢ − C|²
//   p = c + A B⁻¹ (p₀ − C),  turned by polar(A)
// A B⁻¹ is how space is bent there (moving least squares: exact where the nodes move as an affine map says). Its stretch moves the
// place and leaves the child's own shape alone. Q is how the co-moving frame turned since the start, ε = 10⁻³: where the nodes
// lie in a line or a plane, what they leave open is as of the whole. (The triangle of the skin under it would jitter, and there
// may be no skin.)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/scene/values/scene.h"
#include "core/sim/body/body.h"

namespace hazumi {

struct Model;
struct State;

struct CarriedBody {
  std::uint32_t child = 0, carrier = 0;  ///< numbers in Model::bodies
  Pose start;                            ///< of the child's object frame
  Pose carrier_start;                    ///< of the carrier's object frame
  std::vector<Vec3> nodes;               ///< X of a carrier that deforms, m, world
  std::vector<double> weights;           ///< w, one per node
};

/// Of a model whose bodies are there, ascending by child.
std::vector<CarriedBody> make_carried(const Model& model, const Scene& scene);
/// The same on a carrier that does not deform, with its object frame there.
Pose carried_by(const CarriedBody& carried, const Pose& carrier);
/// Of the child's object frame.
Pose carried_pose(const Model& model, const State& state, const CarriedBody& carried);
/// Null: nothing carries this body.
const CarriedBody* find_carried(const Model& model, std::size_t body);

}  // namespace hazumi
