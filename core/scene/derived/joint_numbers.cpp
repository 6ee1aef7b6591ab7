#include "core/scene/derived/joint_numbers.h"

namespace hazumi {

JointNumbers numbers_of(const Joint& joint) {
  const bool turns = joint.kind == JointKind::hinge;
  JointNumbers out;
  out.place_a = joint.a.place;
  out.place_b = joint.b.place;
  out.turn = joint.turn;
  out.least = turns ? joint.least_turn : joint.least_way;
  out.most = turns ? joint.most_turn : joint.most_way;
  out.length = joint.length;
  out.stiffness = joint.stiffness;
  out.damping = joint.damping;
  out.ratio = joint.ratio;
  out.break_force = joint.break_force;
  out.pull_rate = joint.pull_rate;
  out.pull_most = joint.pull_most;
  return out;
}

JointRates operator*(double factor, const JointRates& r) {
  return {factor * r.place_a, factor * r.place_b, factor * r.spin,
          factor * r.least,   factor * r.most,    factor * r.length};
}

JointNumbers between(const JointNumbers& from, const JointNumbers& to, double share) {
  if (share <= 0) return from;
  if (share >= 1) return to;
  const auto mean = [share](const auto& x, const auto& y) { return x + share * (y - x); };
  JointNumbers out = to;
  out.place_a += (1 - share) * (from.place_a - to.place_a);
  out.place_b += (1 - share) * (from.place_b - to.place_b);
  out.turn = from.turn.slerp(share, to.turn).normalized();
  out.least = mean(from.least, to.least);
  out.most = mean(from.most, to.most);
  out.length = mean(from.length, to.length);
  out.stiffness = mean(from.stiffness, to.stiffness);
  out.damping = mean(from.damping, to.damping);
  return out;
}

}  // namespace hazumi
