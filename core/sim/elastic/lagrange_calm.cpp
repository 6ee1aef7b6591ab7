// What comes at the very end of a step: springs that yield keep their share (Body::flow), and
// the velocity floor of damped bodies: what is taken out of the velocities after a step.
//
// The midpoint rule moves by h ū, so that in a mode of h ω ≫ 1 nothing that acts on ū can stop it: ū must be nearly nothing, or the
// springs would take up more than the motion has. u⁺ is nearly −u⁻, and the nearer the more C there is: −1 + 2/(2 + b),
// b = ½ h c/m. The damping floor ends what is left in d, this ends what is left in u:
//
//   v = Rᵀ (u − V − ω × y)                 the vibration, axes of the frame
//   v ← v − G³ v less its rigid part,      G = 1 − A⁻¹M
//
//   V, ω   velocity of the centre of mass, rate of the nodes as a rigid body (m/s, rad/s; world); of pinned bodies 0 and what
//          the pins leave
//   y      positions about the centre or the first pin, m (world)        M, A   masses; M + ½ h C + ¼ h² K, kg
//
// Energy can only fall: G is symmetric in M and its eigenvalues x/(1 + x), x = ½ h c/m + (½ h ω)², are in [0, 1), and to take
// out the rigid part is a projection in M. Momentum and angular momentum stay, and positions are not touched, so that contacts
// do the work λ·ū that they do without it. Of modes that the step resolves x³ is taken: order 2 stays.
#include <cmath>

#include "core/sim/elastic/lagrange_body.h"

namespace hazumi::lagrange {

namespace {

constexpr double kStill = 1e-14;  // of the speed: round-off of what does not vibrate

}  // namespace

void Body::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  flow(state);
  if (!damped_) return;
  const std::size_t n = node_count(), size = 3 * n;
  const SparseFactor& inverse = whole_factor();
  const std::size_t wanted = 3 * size + inverse.scratch_size();
  if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
  double *p = workspace.numbers.data(), *v = p + size, *x = v + size, *scratch = x + size;
  const double* d = state.data() + kFrame;
  double* u = state.data() + kFrame + size;

  const Mat3 attitude = FrameState(state.data()).q.toRotationMatrix(), to_body = attitude.transpose();
  SecondMoment moment;
  double whole = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 pi = at(reference_.data(), i) + at(d, i), ui = to_body * at(u, i);
    moment.add(mass_[i], pi.x(), pi.y(), pi.z());
    whole += mass_[i] * ui.squaredNorm();
    put(p, i, pi);
    put(v, i, ui);
  }
  const auto take_out_rigid = [&](double* of) {
    Vec3 mean = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      mean += mass_[i] / total_mass_ * at(of, i);
      angular += mass_[i] * at(p, i).cross(at(of, i));
    }
    if (pinned()) mean.setZero();
    const Vec3 spin = rigid_rate(moment, angular);
    for (std::size_t i = 0; i < n; ++i) put(of, i, at(of, i) - mean - spin.cross(at(p, i)));
    clear_held(of);
  };
  take_out_rigid(v);
  double vibration = 0;
  for (std::size_t i = 0; i < n; ++i) vibration += mass_[i] * at(v, i).squaredNorm();
  if (vibration <= kStill * kStill * whole) return;
  for (int power = 0; power < 3; ++power) {
    for (std::size_t j = 0; j < size; ++j) x[j] = mass_[j / 3] * v[j];
    inverse.solve(x, scratch);
    for (std::size_t j = 0; j < size; ++j) v[j] -= x[j];
    clear_held(v);
  }
  take_out_rigid(v);
  for (std::size_t i = 0; i < n; ++i) put(u, i, at(u, i) - attitude * at(v, i));
}

}  // namespace hazumi::lagrange
