// The body behind the solver "lagrange": what is constant, and what is asked of it between steps
// (lagrange_body.cpp). The step itself, with the equations and their symbols, is in lagrange.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/sim/elastic/body_frame.h"
#include "core/sim/elastic/pins.h"
#include "core/sim/elastic/solver.h"
#include "core/sim/elastic/spring_network.h"

namespace hazumi::lagrange {

/// The 13 numbers of the frame, unpacked. Pinned: c is the first pin, P is zero, L is about the pin.
struct FrameState {
  Vec3 c, P, L;
  Quat q;
  explicit FrameState(const double* s)
      : c(s[0], s[1], s[2]), P(s[7], s[8], s[9]), L(s[10], s[11], s[12]), q(s[3], s[4], s[5], s[6]) {}
  FrameState() = default;
  void store(double* s) const {
    const double values[13] = {c.x(), c.y(), c.z(), q.w(), q.x(), q.y(), q.z(),
                               P.x(), P.y(), P.z(), L.x(), L.y(), L.z()};
    std::copy(values, values + 13, s);
  }
};
inline constexpr std::size_t kFrame = 13;

inline Vec3 at(const double* x, std::size_t node) { return {x[3 * node], x[3 * node + 1], x[3 * node + 2]}; }
inline void put(double* x, std::size_t node, const Vec3& v) {
  x[3 * node] = v.x();
  x[3 * node + 1] = v.y();
  x[3 * node + 2] = v.z();
}

/// What the rotation reads of a shape: J(p) and h = Σ m p × v.
struct Shape {
  SecondMoment moment;
  Vec3 deformation_momentum = Vec3::Zero();
};

inline constexpr ElasticNeeds kNeeds = {.springs = true};
// Rows of the solver's own table.
enum Parameter : std::size_t { kMethod, kBeta };
enum class Method { factored, fixed_point };
std::span<const ParameterRow> parameter_rows();

class Body final : public ElasticSolver {
 public:
  static Result<std::unique_ptr<ElasticSolver>> make(const ElasticSetup& setup);

  std::size_t node_count() const override { return mass_.size(); }
  std::size_t state_size() const override { return kFrame + 9 * mass_.size(); }
  void initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const override;
  bool step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
            ElasticWorkspace& workspace) const override;
  void apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const override;
  void displace(std::span<double> state, std::span<const Vec3> displacement) const override;
  void positions(std::span<const double> state, std::span<Vec3> out) const override;
  void velocities(std::span<const double> state, std::span<Vec3> out) const override;
  Pose frame(std::span<const double> state) const override;
  Observables observe(std::span<const double> state) const override;
  Before before() const override { return Before::start; }
  void respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const override;

 private:
  struct Step;  // the numbers of one step, in the workspace

  bool pinned() const { return pins_.kind != PinKind::none; }
  Shape shape(const double* d, const double* v) const;
  Vec3 rate(const Quat& q, const Vec3& angular_momentum, const Shape& s) const {
    return directions_.solve(s.moment.inertia(), q.conjugate() * angular_momentum - s.deformation_momentum);
  }
  Vec3 rate(std::span<const double> state) const;
  Mat3 reference_moment(const double* d) const;  // B(r, r + d)
  /// World vector without what the pins take: about a line only the part along it.
  Vec3 turning(const Quat& q, const Vec3& x) const { return q * directions_.allowed(q.conjugate() * x); }
  /// The turn that takes the reference nearest to points p (fit = Σ m p rᵀ), of those that the body can make.
  Quat fitted_turn(const Mat3& fit) const;
  void clear_held(double* x) const;  // zero at pinned nodes
  void inertial_pass(Step& s) const;
  void remove_rigid_motion(double* x) const;
  bool finish(Step& s, std::span<double> state) const;
  void spring_forces(const double* d, const double* v, double* out) const;  // −K (d − o) − C v, N
  double elastic_energy(const double* d) const;

  ElasticSetup setup_;
  SpringNetwork springs_;
  std::optional<SparseFactor> factor_;  // factored method
  PinFrame pins_;                       // object frame
  RigidDirections directions_;
  Mat3 reference_inverse_ = Mat3::Zero();  // of J(r), without the directions in which the body does not turn
  std::vector<double> mass_;               // own order
  std::vector<double> reference_;          // r from the frame's origin, own order
  std::vector<double> offset_;             // o of the rest shape, own order; empty: none
  std::vector<double> offset_force_;       // K o
  std::vector<std::uint32_t> place_;       // node of the set-up → own number
  std::vector<std::uint32_t> held_;        // own numbers of the pinned nodes, ascending
  Vec3 origin_ = Vec3::Zero();             // of the frame, object frame: centre of mass, or the first pin
  double total_mass_ = 0, extent_ = 0;
  double h_ = 0, beta_ = 0;
};

}  // namespace hazumi::lagrange
