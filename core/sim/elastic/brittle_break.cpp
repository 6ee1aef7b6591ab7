// What breaks at the end of a step, and what becomes of it (brittle.h).
#include <algorithm>
#include <cmath>

#include "core/sim/elastic/brittle.h"

namespace hazumi {

/// The springs that break now, empty for none: those stretched beyond more than all that they share a node with.
std::vector<char> Brittle::worst(const Arrangement& of, std::span<const double> state) const {
  std::vector<double> beyond(setup_.springs.size(), -breaks_);
  std::vector<Vec3> x(node_count());
  positions(state, x);
  const std::vector<double> kept = each_spring(of, state, &lagrange::Body::read_kept);
  bool any = false;
  for (const Part& part : of.parts)
    for (const std::uint32_t k : part.springs) {
      const Spring& s = setup_.springs[k];
      if (is_pinned_[s.a] && is_pinned_[s.b]) continue;
      beyond[k] = ((x[s.b] - x[s.a]).norm() - rest_length(k) - kept[k]) / lengths_[k] - breaks_;
      any = any || beyond[k] > 0;
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

double Brittle::rest_length(std::uint32_t spring) const {
  if (setup_.rest_offset.empty()) return lengths_[spring];
  const Spring& s = setup_.springs[spring];
  return (setup_.nodes[s.b] + setup_.rest_offset[s.b] - setup_.nodes[s.a] - setup_.rest_offset[s.a]).norm();
}

void Brittle::tear(std::span<double> state) const {
  std::vector<Vec3> x(node_count());
  positions(state, x);
  const std::vector<char> before = broken(state);
  std::vector<char> torn = before;
  for (std::size_t k = 0; k < torn.size(); ++k) {
    const Spring& s = setup_.springs[k];
    if ((x[s.b] - x[s.a]).norm() > (1 + breaks_) * rest_length(static_cast<std::uint32_t>(k))) torn[k] = 1;
  }
  if (torn == before) return;
  std::vector<double> after(state.size(), 0.0);
  if (fall_apart(*arrangement(state.first(words_)), state, torn, false, after))
    std::copy(after.begin(), after.end(), state.begin());
}

void Brittle::past(std::span<const double> state, std::vector<SpringPast>& out) const {
  out.clear();
  const std::vector<char> gone = broken(state);
  const std::vector<double> kept = each_spring(*arrangement(state.first(words_)), state, &lagrange::Body::read_kept);
  for (std::uint32_t k = 0; k < gone.size(); ++k)
    if (gone[k] || kept[k] != 0) out.push_back({k, gone[k] ? 0 : kept[k], gone[k] != 0});
}

void Brittle::take_past(std::span<double> state, std::span<const SpringPast> past) const {
  std::vector<char> gone = broken(state);
  const std::vector<char> before = gone;
  std::vector<double> kept(gone.size(), 0.0);
  for (const SpringPast& p : past) {
    kept[p.spring] = p.kept;
    gone[p.spring] = static_cast<char>(gone[p.spring] || p.broken);
  }
  if (gone != before) {
    std::vector<double> after(state.size(), 0.0);
    if (!fall_apart(*arrangement(state.first(words_)), state, gone, false, after)) return;
    std::copy(after.begin(), after.end(), state.begin());
  }
  write_kept(*arrangement(state.first(words_)), kept, state);
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
  const std::vector<double> kept = each_spring(from, state, &lagrange::Body::read_kept);
  for (const Part& part : to->parts) {
    const Part& was = from.parts[from.of_node[part.nodes[0]]];
    const auto target = own(part, out);
    if (part.solver && part.nodes == was.nodes)  // the same nodes in the same frame
      part.solver->take_over(*was.solver, own(was, state), target);
    else
      put_nodes(part, was, own(was, state), x, u, target);
  }
  write_kept(*to, kept, out);
  out[words_] = state[words_];
  if (!pays) return true;
  const double held = energy(from, state);
  let_keep(from, state, *to, kept, held, out);
  out[words_] += held - energy(*to, out);
  return true;
}

/// Of each spring of the set-up that is in a part, else 0.
std::vector<double> Brittle::each_spring(const Arrangement& of, std::span<const double> state,
                                         void (lagrange::Body::*read)(std::span<const double>, std::span<double>)
                                             const) const {
  std::vector<double> out(setup_.springs.size(), 0.0), of_part;
  for (const Part& part : of.parts) {
    if (!part.solver) continue;
    of_part.resize(part.springs.size());
    (part.solver.get()->*read)(own(part, state), of_part);
    for (std::size_t k = 0; k < of_part.size(); ++k) out[part.springs[k]] = of_part[k];
  }
  return out;
}

void Brittle::write_kept(const Arrangement& to, std::span<const double> kept, std::span<double> state) const {
  std::vector<double> of_part;
  for (const Part& part : to.parts) {
    if (!part.solver) continue;
    of_part.clear();
    for (const std::uint32_t k : part.springs) of_part.push_back(kept[k]);
    part.solver->write_kept(of_part, own(part, state));
  }
}

/// s of brittle.h: Σ ½ k (a − s δ)² = E, a = e' − π, δ = e' − e.
void Brittle::let_keep(const Arrangement& from, std::span<const double> state, const Arrangement& to,
                       std::vector<double> kept, double held, std::span<double> out) const {
  constexpr double kBelow = 1e-13;  // of E: round-off
  const std::vector<double> before = each_spring(from, state, &lagrange::Body::strains),
                            after = each_spring(to, out, &lagrange::Body::strains);
  double aa = 0, ad = 0, dd = 0;
  for (const Part& part : to.parts)
    for (const std::uint32_t k : part.springs) {
      const double l = lengths_[k], a = l * after[k] - kept[k], d = l * (after[k] - before[k]);
      aa += setup_.springs[k].stiffness * a * a;
      ad += setup_.springs[k].stiffness * a * d;
      dd += setup_.springs[k].stiffness * d * d;
    }
  const double over = aa - 2 * held * (1 - kBelow);
  if (!(over > 0) || !(dd > 0)) return;
  // The smaller root; where round-off has none, all of δ.
  const double root = ad * ad - dd * over, s = root > 0 ? std::min(1.0, over / (ad + std::sqrt(root))) : 1;
  for (const Part& part : to.parts)
    for (const std::uint32_t k : part.springs) kept[k] += s * lengths_[k] * (after[k] - before[k]);
  write_kept(to, kept, out);
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

}  // namespace hazumi
