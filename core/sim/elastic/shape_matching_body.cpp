#include "core/sim/elastic/shape_matching_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geometry/mesh/mass_properties.h"
#include "core/math/rotation.h"
#include "core/sim/elastic/momenta.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi::shape_matching {

namespace {

constexpr double kLeastReturn =
    0.005;  // 1 − β of the paper: what is less may be held half-way by what blends do not fit together
constexpr double kWayBack = 1;  // of ω h: damping on the way back from an example, half the critical one
constexpr double kResolved =
    0.01;  // h²κ: what rings miss of the stiffness is so small a part, and no clusters are made
constexpr double kMostOfClusters = 0.5;  // of what a step resolves: the rest is for what bends between nodes
constexpr double kLeastWider = 2;        // than rings
constexpr double kFloor = 0.5;           // of α: of a damped body whose vibrations the step hardly resolves

constexpr ParameterRow kRows[] = {
    {.name = "stiffness",
     .label = "Stiffness",
     .tooltip = "Times the stiffness that the springs of the analysis model have in the mean.",
     .low = 0,
     .high = 1e6,
     .low_open = true,
     .fallback = 1},
    {.name = "damping",
     .label = "Damping",
     .tooltip = "Times the damping that the springs of the analysis model have in the mean; 0: none.",
     .low = 0,
     .high = 1e6,
     .fallback = 1},
    {.name = "ring",
     .label = "Rings",
     .tooltip = "How many rings of neighbours a region has beside its node: more make the body stiffer and cost more.",
     .type = FieldType::integer,
     .low = 1,
     .high = 4,
     .fallback = 1},
    {.name = "most",
     .label = "Most stiff",
     .tooltip = "Share of the way to its goal that a node goes in a sub-step at most, however stiff the body is.",
     .low = 0,
     .high = 1,
     .low_open = true,
     .step = 0.01,
     .fallback = 1},
    {.name = "return",
     .label = "Return time",
     .unit = "s",
     .tooltip = "How long a body that nothing holds takes back from an example pose to its rest shape.",
     .low = 1e-3,
     .high = 1e3,
     .fallback = 0.15},
    {.name = "each",
     .label = "Each region by itself",
     .tooltip = "Every region takes examples by itself, as it is pushed; else the whole body, or each painted group, "
                "takes them together.",
     .type = FieldType::boolean,
     .low = 0,
     .high = 1,
     .fallback = 0},
};

/// Σ k l², J, and Σ c l², J s, of the springs.
struct SpringSums {
  double stiffness = 0, damping = 0;
  explicit SpringSums(const ElasticSetup& setup) {
    for (const Spring& s : setup.springs) {
      const double square = (setup.nodes[s.b] - setup.nodes[s.a]).squaredNorm();
      stiffness += s.stiffness * square;
      damping += s.damping * square;
    }
  }
};

std::vector<std::vector<std::uint32_t>> neighbours(const ElasticSetup& setup) {
  std::vector<std::vector<std::uint32_t>> of(setup.nodes.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    of[a].push_back(b);
    of[b].push_back(a);
  };
  for (const auto& t : setup.tetrahedra)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) join(t[a], t[b]);
  if (setup.tetrahedra.empty())
    for (const Spring& s : setup.springs) join(s.a, s.b);
  if (setup.tetrahedra.empty() && setup.springs.empty())
    for (const auto& cell : setup.cells)
      for (const std::uint32_t a : cell)
        for (const std::uint32_t b : cell)
          if (a < b) join(a, b);
  for (std::uint32_t i = 0; i < of.size(); ++i) {
    of[i].push_back(i);
    std::sort(of[i].begin(), of[i].end());
    of[i].erase(std::unique(of[i].begin(), of[i].end()), of[i].end());
  }
  return of;
}

}  // namespace

std::span<const ParameterRow> parameter_rows() { return kRows; }

Body::Sums Body::make_room(std::vector<double>& numbers, std::size_t doubles, double** rest) const {
  const std::size_t one = 12 * 8 * rests_.size(), runs = 12 * ((runs_.count() + 7) / 8 * 8),
                    blocks = 12 * ((clusters_.count() + 7) / 8 * 8), wanted = doubles + 3 * one + runs + blocks + 8;
  if (numbers.size() < wanted) numbers.resize(wanted);
  const auto address = reinterpret_cast<std::uintptr_t>(numbers.data());
  double* const aligned = numbers.data() + ((64 - address % 64) % 64) / sizeof(double);
  *rest = aligned + 3 * one + runs + blocks;
  return {reinterpret_cast<Twelve*>(aligned),
          reinterpret_cast<EightSums*>(aligned + one),
          reinterpret_cast<EightSums*>(aligned + 2 * one),
          aligned + 3 * one,
          aligned + 3 * one + runs,
          nullptr};
}

Body::Sums Body::make_room(ElasticWorkspace& workspace, std::size_t doubles, double** rest) const {
  Sums sums = make_room(workspace.numbers, doubles, rest);
  sums.executor = workspace.executor;
  return sums;
}

void Body::clear_held(double* x) const {
  for (const std::uint32_t i : held_) x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0;
}

/// J⁻¹ of an angular momentum, world axes; of nodes on a line without the turn about it. What pins leave is asked for in the
/// axes of the object (initialise); in motion pins take up what would move them.
Vec3 Body::rigid_rate(const SecondMoment& moment, const Vec3& angular) const {
  return pinned() ? Vec3(Vec3::Zero()) : free_rate(moment.inertia(), angular);
}

void Body::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const {
  const std::size_t n = node_count();
  const Quat q = pose.rotation.normalized();
  put(state.data(), 0, pose.position + q * origin_);
  const double turn[4] = {q.w(), q.x(), q.y(), q.z()};
  std::copy(turn, turn + 4, state.data() + kTurn);
  double *y = state.data() + kFrame, *u = y + 3 * n, *turns = u + 3 * n;
  Vec3 rate = spin, drift = velocity;
  if (pinned()) {
    const Vec3 local_drift = q.conjugate() * velocity, local_turn = q.conjugate() * spin;
    Vec3 centre = Vec3::Zero(), angular = Vec3::Zero();
    SecondMoment moment;
    for (std::size_t i = 0; i < n; ++i) centre += mass_[i] / total_mass_ * start_[i];
    for (std::size_t i = 0; i < n; ++i) {
      moment.add(mass_[i], start_[i].x(), start_[i].y(), start_[i].z());
      angular += mass_[i] * start_[i].cross(local_drift + local_turn.cross(start_[i] - centre));
    }
    rate = q * directions_.solve(moment.inertia(), angular);
    drift.setZero();
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 arm = q * start_[i];
    put(y, i, arm);
    put(u, i, drift + rate.cross(arm));
  }
  clear_held(u);
  for (std::size_t r = 0; r < region_count(); ++r) std::copy(turn, turn + 4, turns + 4 * r);
  std::vector<double> numbers;
  double* free;
  const Sums sums = make_room(numbers, 0, &free);
  gather(y, sums, sums.places);
  turn_regions(sums, nullptr, nullptr, turns);  // as at rest: no weights
  std::fill_n(turns + 4 * region_count(), examples_.state_size(), 0.0);
  state[kAllowed] = kUnknown;
}

void Body::set_allowed(std::span<double> state) const {
  const std::size_t n = node_count(), regions = region_count();
  std::vector<double> numbers;
  double* free;
  const Sums sums = make_room(numbers, 4 * regions + 3 * n + examples_.numbers(), &free);
  const double *y = state.data() + kFrame, *u = y + 3 * n, *turns = u + 3 * n, *weights = turns + 4 * regions;
  double *now = free + examples_.numbers(), *v = now + 4 * regions;
  Examples::Room memory = examples_.room(free), *const more = examples_.none() ? nullptr : &memory;
  std::copy(turns, turns + 4 * regions, now);
  vibration_of(y, u, v);
  gather(y, sums, sums.places);
  if (more) {
    examples_.use(weights, *more);
    examples_.gather(y, *more, more->of_places);
    examples_.gather(v, *more, more->of_speeds);
  }
  gather(v, sums, sums.speeds);
  const Energy elastic = turned_energy(y, v, sums, weights, more, now);
  state[kAllowed] = kinetic_energy(u) + elastic.held - elastic.swing;
}

void Body::vibration_of(const double* y, const double* u, double* v) const {
  SecondMoment moment;
  Vec3 drift = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i) {
    drift += mass_[i] / total_mass_ * at(u, i);
    angular += mass_[i] * at(y, i).cross(at(u, i));
    moment.add(mass_[i], y[3 * i], y[3 * i + 1], y[3 * i + 2]);
  }
  if (pinned()) drift.setZero();
  const Vec3 spin = rigid_rate(moment, angular);
  for (std::size_t i = 0; i < node_count(); ++i) put(v, i, at(u, i) - drift - spin.cross(at(y, i)));
  clear_held(v);
}

void Body::apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const {
  double* u = state.data() + kFrame + 3 * node_count();
  for (const NodeImpulse& j : impulses) put(u, j.node, at(u, j.node) + j.impulse / mass_[j.node]);
  clear_held(u);
  state[kAllowed] = kUnknown;
}

bool Body::own_answers(std::span<const std::uint32_t> nodes, std::span<double> own) const {
  for (std::size_t k = 0; k < nodes.size(); ++k)
    own[k] = std::binary_search(held_.begin(), held_.end(), nodes[k]) ? 0 : 1 / mass_[nodes[k]];
  return true;
}

void Body::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  const std::size_t n = node_count();
  double* y = state.data() + kFrame;
  Vec3 shift = Vec3::Zero();
  bool moved = false, apart = false;
  for (std::size_t i = 0; i < n; ++i) {
    shift += mass_[i] / total_mass_ * displacement[i];
    moved = moved || displacement[i] != Vec3::Zero();
    apart = apart || displacement[i] != displacement[0];
  }
  if (!moved) return;
  if (pinned()) {
    shift.setZero();
  } else {
    put(state.data(), 0, at(state.data(), 0) + (apart ? shift : displacement[0]));
    if (!apart) return;
  }
  auto held = held_.begin();
  for (std::size_t i = 0; i < n; ++i) {
    if (held != held_.end() && *held == i)
      ++held;
    else
      put(y, i, at(y, i) + displacement[i] - shift);
  }
  refit_frame(state);
  std::vector<double> numbers;
  double* free;
  const Sums sums = make_room(numbers, examples_.numbers(), &free);
  const double* const weights = y + 6 * n + 4 * region_count();
  Examples::Room memory = examples_.room(free), *const more = examples_.none() ? nullptr : &memory;
  gather(y, sums, sums.places);
  if (more) {
    examples_.use(weights, *more);
    examples_.gather(y, *more, more->of_places);
  }
  turn_regions(sums, weights, more, y + 6 * n);
  state[kAllowed] = kUnknown;
}

void Body::refit_frame(std::span<double> state) const {
  double* const q = state.data() + kTurn;
  const Quat was(q[0], q[1], q[2], q[3]);
  const double* y = state.data() + kFrame;
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i) fit += mass_[i] * at(y, i) * start_[i].transpose();
  const Quat now =
      (was * fitted_turn(directions_, was.toRotationMatrix().transpose() * fit, Quat::Identity())).normalized();
  q[0] = now.w();
  q[1] = now.x();
  q[2] = now.y();
  q[3] = now.z();
}

bool Body::still(std::span<double> state) const {
  const auto velocities = state.subspan(kFrame + 3 * mass_.size(), 3 * mass_.size());
  std::fill(velocities.begin(), velocities.end(), 0.0);
  state[kAllowed] = kUnknown;
  return true;
}

void Body::positions(std::span<const double> state, std::span<Vec3> out) const {
  const Vec3 c = at(state.data(), 0);
  for (std::size_t i = 0; i < node_count(); ++i) out[i] = c + at(state.data() + kFrame, i);
}

void Body::velocities(std::span<const double> state, std::span<Vec3> out) const {
  const double* u = state.data() + kFrame + 3 * node_count();
  for (std::size_t i = 0; i < node_count(); ++i) out[i] = at(u, i);
}

Pose Body::frame(std::span<const double> state) const {
  const Vec3 c = at(state.data(), 0);
  const Quat q(state[kTurn], state[kTurn + 1], state[kTurn + 2], state[kTurn + 3]);
  if (!pinned()) return {c, q};
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i) centre += mass_[i] / total_mass_ * at(state.data() + kFrame, i);
  return {c + centre, q};
}

void Body::build_rings(const Neighbours& near, int rings) {
  region_start_.assign(1, 0);
  std::vector<std::uint32_t> list, next;
  for (std::uint32_t i = 0; i < near.size(); ++i) {
    list = near[i];
    for (int k = 1; k < rings; ++k) {
      next.clear();
      for (const std::uint32_t a : list) next.insert(next.end(), near[a].begin(), near[a].end());
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      list.swap(next);
    }
    region_node_.insert(region_node_.end(), list.begin(), list.end());
    region_start_.push_back(static_cast<std::uint32_t>(region_node_.size()));
  }
  runs_ = common_runs({region_start_, region_node_}, near.size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    const double regions = region_start_[i + 1] - region_start_[i];
    mean_.push_back(1 / regions);
    share_.push_back(mass_[i] / regions);
  }
}

/// Clusters behind the rings, each as stiff as a ring yet.
void Body::add_clusters(const ElasticSetup& setup, const Neighbours& near, int rings) {
  if (!setup.examples.empty() && parameter(setup, kRows, kEach) != 0) return;  // regions are to go their own ways
  const std::size_t n = node_count();
  std::vector<Vec3> rest(n);
  for (std::size_t i = 0; i < n; ++i) rest[i] = at(reference_.data(), i);
  clusters_ = make_clusters({rest, near, setup.surface, setup.groups, kLeastWider * (2 * rings + 1) / 3.0});
  if (clusters_.count() == 0) return;
  for (std::size_t i = 0; i < n; ++i) cluster_share_.push_back(mass_[i] / clusters_.clusters_of(i));
  for (std::size_t c = 0; c < clusters_.count(); ++c) {
    const auto first = static_cast<std::ptrdiff_t>(region_node_.size());
    for (std::size_t k = clusters_.start[c]; k < clusters_.start[c + 1]; ++k) {
      const std::span<const std::uint32_t> block = clusters_.block(clusters_.touching[k]);
      region_node_.insert(region_node_.end(), block.begin(), block.end());
    }
    std::sort(region_node_.begin() + first, region_node_.end());
    region_start_.push_back(static_cast<std::uint32_t>(region_node_.size()));
  }
}

/// What is constant of the regions from `begin` on.
void Body::weigh_regions(std::size_t begin) {
  for (std::size_t r = begin; r + 1 < region_start_.size(); ++r) {
    double mass = 0, spread = 0;
    Vec3 centre = Vec3::Zero();
    for (std::size_t k = region_start_[r]; k < region_start_[r + 1]; ++k) {
      mass += share(r, region_node_[k]);
      centre += share(r, region_node_[k]) * at(reference_.data(), region_node_[k]);
    }
    centre /= mass;
    SecondMoment moment;
    Mat3 rest = Mat3::Zero();
    for (std::size_t k = region_start_[r]; k < region_start_[r + 1]; ++k) {
      const Vec3 q = at(reference_.data(), region_node_[k]) - centre;
      rest += share(r, region_node_[k]) * q * q.transpose();
      moment.add(share(r, region_node_[k]), q.x(), q.y(), q.z());
      spread += share(r, region_node_[k]) * q.squaredNorm();
    }
    const Mat3 inertia = moment.inertia();
    mass_of_.push_back(mass);
    centre_of_.push_back(centre);
    inertia_of_.push_back(inertia);
    least_held_.push_back(1e-6 * inertia.determinant());
    spread_of_.push_back(spread);
    spans_.push_back(spans_volume(rest));
    const RigidDirections turns(inertia);
    Mat3 turning = Mat3::Zero();
    if (spread > 0)
      for (int k = 0; k < 3; ++k) turning.col(k) = turns.solve(inertia, Vec3::Unit(k));
    turning_of_.push_back(turning);
  }
}

/// Clusters are `times` as stiff as rings, which is the same as being of nodes that are so much heavier.
void Body::stiffen_clusters(double times) {
  whole_ = 1 + times;
  for (double& m : cluster_share_) m *= times;
  for (std::size_t r = node_count(); r < region_count(); ++r) {
    mass_of_[r] *= times;
    inertia_of_[r] *= times;
    least_held_[r] *= times * times * times;
    spread_of_[r] *= times;
    turning_of_[r] /= times;
  }
  for (std::size_t b = 0; b < clusters_.count(); ++b)
    block_share_.push_back(times / static_cast<double>(clusters_.start[b + 1] - clusters_.start[b]));
}

/// The same side by side, as steps take it.
void Body::pack_regions() {
  const auto weigh = [&](const std::vector<double>& shares, std::vector<double>& weighed) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) weighed.push_back(shares[i] * reference_[3 * i + c]);
      weighed.push_back(shares[i]);
    }
  };
  weigh(share_, weighed_);
  weigh(cluster_share_, cluster_weighed_);
  rests_.assign((region_count() + 7) / 8, EightRests{});
  for (std::size_t r = 0; r < region_count(); ++r) {
    EightRests& rests = rests_[r / 8];
    const std::size_t l = r % 8;
    const Mat3& t = turning_of_[r];
    const double six[6] = {t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(1, 2), t(2, 0)};
    rests.light[l] = 1 / mass_of_[r];
    for (int c = 0; c < 3; ++c) rests.centre[c][l] = centre_of_[r][c];
    for (int c = 0; c < 6; ++c) rests.turning[c][l] = six[c];
  }
}

void Body::set_examples(const ElasticSetup& setup) {
  examples_ = Examples(regions(), setup, parameter(setup, kRows, kEach) != 0);
  if (examples_.none()) return;
  double back = std::numbers::pi / (2 * parameter(setup, kRows, kReturn));  // ω, rad/s
  back = std::max(back, std::sqrt(kLeastReturn * firm_ * rate_));
  examples_.set_return(std::min(back * back / (firm_ * rate_), 1.0));
  if (calm_share_ > 0) example_kept_ = 1 - std::min(1.0, kWayBack * back * h_ / calm_share_);
}

void Body::list_edges(const ElasticSetup& setup) {
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    edges_.push_back({a, b, 1 / (at(reference_.data(), b) - at(reference_.data(), a)).squaredNorm()});
  };
  for (const Spring& spring : setup.springs) add(spring.a, spring.b);
  if (!setup.springs.empty()) return;
  for (std::uint32_t r = 0; r < node_count(); ++r)
    for (std::size_t k = region_start_[r]; k < region_start_[r + 1]; ++k)
      if (region_node_[k] > r) add(r, region_node_[k]);
}

/// κ̃ of rings, and what they miss of the stiffness in clusters, as far as a step resolves both.
void Body::set_stiffness(const ElasticSetup& setup, const Neighbours& near) {
  double spread = 0;  // Σ Σ m̃ |q|², kg m²
  bool on_a_line = true;
  for (std::size_t r = 0; r < node_count(); ++r) {
    spread += spread_of_[r];
    on_a_line = on_a_line && RigidDirections(inertia_of_[r]).is_line();
  }
  const SpringSums springs(setup);
  const double volume = setup.surface.empty() ? 0 : mesh_volume(setup.nodes, setup.surface);
  const double kappa = parameter(setup, kRows, kStiffness) / spread *
                       (springs.stiffness > 0 ? (on_a_line ? 1.0 : 0.6) * springs.stiffness
                                              : 3 * setup.substance.young *
                                                    (volume > 0 ? volume : total_mass_ / setup.substance.density));
  const double h = h_, most = parameter(setup, kRows, kMost), z = h * h * kappa;
  rate_ = std::min(kappa / (1 + z), most / (h * h));
  alpha_ = h * h * rate_;
  if (z < kResolved) return;
  add_clusters(setup, near, static_cast<int>(parameter(setup, kRows, kRing)));
  if (clusters_.count() == 0) return;
  weigh_regions(node_count());
  double wide = 0;
  for (std::size_t r = node_count(); r < region_count(); ++r) wide += spread_of_[r];
  const double missed = z * z / (1 + z) * spread / wide, of_clusters = missed / (1 + missed / kMostOfClusters),
               of_rings = z / (1 + z) * (1 - of_clusters), less = std::min(1.0, most / (of_rings + of_clusters));
  stiffen_clusters(of_clusters / of_rings);
  firm_ = 1 + of_clusters / of_rings * wide / spread;
  rate_ = less * of_rings / (h * h);
  alpha_ = less * (of_rings + of_clusters);
}

/// γ of the step.
void Body::set_damping(const ElasticSetup& setup) {
  const SpringSums springs(setup);
  if (!(springs.stiffness > 0 && springs.damping > 0 && parameter(setup, kRows, kDamping) > 0)) return;
  const double rate = parameter(setup, kRows, kDamping) * springs.damping / springs.stiffness * rate_ * whole_ * h_;
  calm_share_ = (rate + kFloor * alpha_) / (1 + rate + kFloor * alpha_);
}

Result<std::unique_ptr<Body>> Body::make(const ElasticSetup& setup) {
  if (auto problem = check_shaped(setup, {})) return *problem;
  auto body = std::make_unique<Body>();
  const std::size_t n = setup.nodes.size();
  body->setup_ = setup;
  body->h_ = setup.time_step;
  body->mass_ = setup.masses;
  const MassProperties whole = mass_properties(std::span<const Vec3>(setup.nodes), setup.masses);
  body->total_mass_ = whole.mass;
  body->pins_ = pin_frame(setup.nodes, setup.pinned);
  body->origin_ = body->pinned() ? body->pins_.origin : whole.centre;
  Mat3 inertia = whole.inertia;
  if (body->pinned()) {
    const Vec3 arm = whole.centre - body->origin_;
    inertia += whole.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  body->directions_ = RigidDirections(inertia, body->pins_);
  body->reference_.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    body->start_.push_back(setup.nodes[i] - body->origin_);
    const Vec3 offset = setup.rest_offset.empty() ? Vec3(Vec3::Zero()) : setup.rest_offset[i];
    put(body->reference_.data(), i, body->start_[i] + offset);
    body->extent_ = std::max(body->extent_, body->start_[i].norm());
  }
  body->held_ = setup.pinned;
  std::sort(body->held_.begin(), body->held_.end());
  body->held_.erase(std::unique(body->held_.begin(), body->held_.end()), body->held_.end());
  const Neighbours near = neighbours(setup);
  body->build_rings(near, static_cast<int>(parameter(setup, kRows, kRing)));
  if (body->region_node_.size() == n)
    return Diagnostic{Severity::error, "analysis", "Nothing holds the analysis model together.",
                      "String springs between its nodes, or choose a grid."};
  body->list_edges(setup);
  body->weigh_regions(0);
  body->set_stiffness(setup, near);
  body->pack_regions();
  body->set_damping(setup);
  body->set_examples(setup);
  return body;
}

Result<LinearSystem> linear_system(const ElasticSetup& setup) {
  if (auto problem = check_shape(setup, {})) return *problem;
  ElasticSetup resolved = setup;
  const bool any_step = !(setup.time_step > 0);
  if (any_step) resolved.time_step = 1e-9;
  auto made = Body::make(resolved);
  if (!made.ok()) return made.diagnostics();
  const Body& body = **made;
  LinearSystem system{setup.nodes, setup.masses, setup.pinned, {}, {}};
  for (std::size_t i = 0; i < setup.rest_offset.size(); ++i) system.nodes[i] += setup.rest_offset[i];
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < body.node_count(); ++r)
    for (std::size_t a = body.region_start_[r]; a < body.region_start_[r + 1]; ++a)
      for (std::size_t b = body.region_start_[r]; b < body.region_start_[r + 1]; ++b) {
        const std::uint32_t i = body.region_node_[a], j = body.region_node_[b];
        const double mi = body.share_[i], mj = body.share_[j];
        const Vec3 qi = at(body.reference_.data(), i) - body.centre_of_[r],
                   qj = at(body.reference_.data(), j) - body.centre_of_[r];
        Mat3 block = mi * mj * (skew(qi) * body.turning_of_[r] * skew(qj));
        block.diagonal().array() += (i == j ? mi : 0.0) - mi * mj / body.mass_of_[r];
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column)
            entries.emplace_back(3 * static_cast<int>(i) + row, 3 * static_cast<int>(j) + column,
                                 body.firm_ * body.rate_ * block(row, column));
      }
  const auto size = 3 * static_cast<Eigen::Index>(setup.nodes.size());
  system.stiffness.resize(size, size);
  system.stiffness.setFromTriplets(entries.begin(), entries.end());
  const double late = body.rate_ > 0 ? body.calm_share_ / (body.whole_ * body.rate_ * resolved.time_step) : 0;
  system.damping = late * system.stiffness;
  return system;
}

}  // namespace hazumi::shape_matching
