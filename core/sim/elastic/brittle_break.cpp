// What breaks at the end of a step, and what becomes of it (brittle.h).
#include <algorithm>
#include <cmath>

#include "core/sim/elastic/brittle.h"

namespace hazumi {

/// The springs that break now, empty for none: those stretched beyond more than all that they share a node with.
std::vector<char> Brittle::worst(const Arrangement& of, std::span<const double> state) const {
  std::vector<double> beyond(setup_.springs.size(), -breaks_), strains;
  bool any = false;
  for (const Part& part : of.parts) {
    if (!part.solver) continue;
    strains.resize(part.springs.size());
    part.solver->strains(own(part, state), strains);
    for (std::size_t k = 0; k < strains.size(); ++k) {
      const Spring& s = setup_.springs[part.springs[k]];
      if (is_pinned_[s.a] && is_pinned_[s.b]) continue;
      beyond[part.springs[k]] = strains[k] - breaks_;
      any = any || strains[k] > breaks_;
    }
  }
  if (!any) return {};
  std::vector<char> out(setup_.springs.size(), 0);
  for (std::uint32_t k = 0; k < out.size(); ++k) {
    if (!(beyond[k] > 0)) continue;
    bool first = true;
    for (const std::uint32_t end : {setup_.springs[k].a, setup_.springs[k].b})
      for (const auto& [node, other] : cohesion_.around(end))
        first = first && (beyond[other] < beyond[k] || (beyond[other] == beyond[k] && other >= k));
    out[k] = first;
  }
  return out;
}

bool Brittle::crack(std::span<double> state) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  if (!now) return false;
  std::vector<char> breaking = worst(*now, state);
  if (breaking.empty()) return false;
  const std::vector<char> before = broken(state);
  for (std::size_t k = 0; k < breaking.size(); ++k) breaking[k] = static_cast<char>(breaking[k] || before[k]);
  std::vector<double> after(state.size(), 0.0);
  if (!fall_apart(*now, state, breaking, true, after)) return false;
  std::copy(after.begin(), after.end(), state.begin());
  return true;
}

void Brittle::tear(std::span<double> state) const {
  std::vector<Vec3> x(node_count());
  positions(state, x);
  const auto rest = [&](std::uint32_t node) {
    return setup_.rest_offset.empty() ? setup_.nodes[node] : Vec3(setup_.nodes[node] + setup_.rest_offset[node]);
  };
  const std::vector<char> before = broken(state);
  std::vector<char> torn = before;
  for (std::size_t k = 0; k < torn.size(); ++k) {
    const Spring& s = setup_.springs[k];
    if ((x[s.b] - x[s.a]).norm() > (1 + breaks_) * (rest(s.b) - rest(s.a)).norm()) torn[k] = 1;
  }
  if (torn == before) return;
  std::vector<double> after(state.size(), 0.0);
  if (fall_apart(*arrangement(state.first(words_)), state, torn, false, after))
    std::copy(after.begin(), after.end(), state.begin());
}

bool Brittle::fall_apart(const Arrangement& from, std::span<const double> state, const std::vector<char>& breaking,
                         bool pays, std::span<double> out) const {
  std::vector<char> all = breaking;
  cohesion_.parts(all);
  write_broken(all, out);
  const ArrangementPtr to = arrangement(out.first(words_));
  if (!to) return false;
  write_attitude(frame(state).rotation, out);
  const std::size_t n = node_count();
  std::vector<Vec3> x(n), u(n);
  positions(state, x);
  velocities(state, u);
  std::vector<double> kept(setup_.springs.size(), 0.0), of_part;
  for (const Part& part : from.parts) {
    if (!part.solver) continue;
    of_part.resize(part.springs.size());
    part.solver->read_kept(own(part, state), of_part);
    for (std::size_t k = 0; k < of_part.size(); ++k) kept[part.springs[k]] = of_part[k];
  }
  for (std::size_t p = 0; p < to->parts.size(); ++p) {
    const Part& part = to->parts[p];
    const Part& was = from.parts[from.of_node[part.nodes[0]]];
    const auto target = own(part, out);
    if (part.solver && part.nodes == was.nodes) {  // the same nodes in the same frame
      part.solver->take_over(*was.solver, own(was, state), target);
    } else {
      put_nodes(part, was, own(was, state), x, u, target);
    }
    if (!part.solver) continue;
    of_part.clear();
    for (const std::uint32_t k : part.springs) of_part.push_back(kept[k]);
    part.solver->write_kept(of_part, target);
  }
  const double held = energy(from, state), left = energy(*to, out);
  out[words_] = state[words_];
  if (!pays) return true;
  double paid = 0;
  if (left > held) {
    if (!take_from_vibration(*to, left - held, out)) return false;
    paid = left - held;
  }
  out[words_] += held - left + paid;
  return true;
}

/// In the frame that fits the nodes; that of the part it was in is near.
void Brittle::put_nodes(const Part& part, const Part& was, std::span<const double> was_state, std::span<const Vec3> x,
                        std::span<const Vec3> u, std::span<double> to) const {
  const std::uint32_t first = part.nodes[0];
  if (!part.solver) {
    std::copy(x[first].data(), x[first].data() + 3, to.begin());
    if (!part.pinned()) std::copy(u[first].data(), u[first].data() + 3, to.begin() + 3);
    return;
  }
  const std::size_t m = part.nodes.size();
  std::vector<Vec3> at(m), way(m);
  std::vector<NodeImpulse> impulses;
  Vec3 place = Vec3::Zero();
  for (const std::uint32_t node : part.nodes) place += setup_.masses[node] / part.mass * x[node];
  const auto pin = std::find_if(part.nodes.begin(), part.nodes.end(), [&](auto i) { return is_pinned_[i]; });
  const Vec3 about = part.pinned() ? x[*pin] : place;
  const Vec3 about_rest = part.pinned() ? part.pins.origin : part.centre;
  Mat3 fit = Mat3::Zero();
  for (std::size_t k = 0; k < m; ++k)
    fit += setup_.masses[part.nodes[k]] * (x[part.nodes[k]] - about) * part.arms[k].transpose();
  const Quat near = was.solver->frame(was_state).rotation;
  const Mat3 back = near.toRotationMatrix().transpose();
  const Quat turn = (near * fitted_turn(part.directions, back * fit, Quat::Identity())).normalized();
  const Quat attitude = part.pinned() ? near : turn;
  part.solver->initialise({about - attitude * about_rest, attitude}, Vec3::Zero(), Vec3::Zero(), to);
  for (int pass = 0; pass < 2; ++pass) {  // the second takes out the round-off of the first
    part.solver->positions(to, at);
    for (std::size_t k = 0; k < m; ++k) way[k] = x[part.nodes[k]] - at[k];
    part.solver->displace(to, way);
  }
  for (std::uint32_t k = 0; k < m; ++k) impulses.push_back({k, setup_.masses[part.nodes[k]] * u[part.nodes[k]]});
  part.solver->apply_impulses(to, impulses);
}

/// Velocities of the nodes of a part, less what it does as a rigid body.
void Brittle::vibration(const Part& part, std::span<const double> state, std::vector<Vec3>& out) const {
  const std::size_t m = part.nodes.size();
  std::vector<Vec3> x(m);
  out.resize(m);
  part.solver->positions(state, x);
  part.solver->velocities(state, out);
  Vec3 about = Vec3::Zero(), drift = Vec3::Zero();
  if (part.pinned()) {
    for (std::size_t k = 0; k < m; ++k)
      if (is_pinned_[part.nodes[k]]) about = x[k];
  } else {
    for (std::size_t k = 0; k < m; ++k) {
      const double share = setup_.masses[part.nodes[k]] / part.mass;
      about += share * x[k];
      drift += share * out[k];
    }
  }
  const Quat q = part.solver->frame(state).rotation;
  const Quat back = q.conjugate();
  SecondMoment moment;
  Vec3 angular = Vec3::Zero();
  for (std::size_t k = 0; k < m; ++k) {
    const double mass = setup_.masses[part.nodes[k]];
    const Vec3 arm = back * (x[k] - about);
    moment.add(mass, arm.x(), arm.y(), arm.z());
    angular += mass * arm.cross(back * (out[k] - drift));
  }
  const Vec3 spin = q * part.directions.solve(moment.inertia(), angular);
  for (std::size_t k = 0; k < m; ++k) {
    out[k] -= drift + spin.cross(x[k] - about);
    if (is_pinned_[part.nodes[k]]) out[k].setZero();
  }
}

bool Brittle::take_from_vibration(const Arrangement& of, double gain, std::span<double> state) const {
  std::vector<std::vector<Vec3>> all(of.parts.size());
  double there = 0;
  for (std::size_t p = 0; p < of.parts.size(); ++p) {
    const Part& part = of.parts[p];
    // Nodes on a line turn about it where they are bent: of those nothing is taken.
    if (!part.solver || part.directions.is_line()) continue;
    vibration(part, own(part, std::span<const double>(state)), all[p]);
    for (std::size_t k = 0; k < all[p].size(); ++k)
      there += 0.5 * setup_.masses[part.nodes[k]] * all[p][k].squaredNorm();
  }
  if (!(gain <= 0.99 * there)) return false;
  const double kept = std::sqrt(1 - gain / there);
  std::vector<NodeImpulse> impulses;
  for (std::size_t p = 0; p < of.parts.size(); ++p) {
    const Part& part = of.parts[p];
    if (all[p].empty()) continue;
    impulses.clear();
    for (std::uint32_t k = 0; k < all[p].size(); ++k)
      impulses.push_back({k, (kept - 1) * setup_.masses[part.nodes[k]] * all[p][k]});
    part.solver->apply_impulses(own(part, state), impulses);
  }
  return true;
}

}  // namespace hazumi
