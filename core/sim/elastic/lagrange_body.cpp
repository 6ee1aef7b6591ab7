#include "core/sim/elastic/lagrange_body.h"

#include <cmath>
#include <cstdio>

#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi::lagrange {

namespace {

constexpr std::string_view kMethods[] = {"factored", "fixed point"};
constexpr std::string_view kBetas[] = {"1/4", "1/6", "0"};
constexpr double kBetaValues[] = {0.25, 1.0 / 6.0, 0.0};

constexpr ParameterRow kRows[] = {
    {.name = "method",
     .label = "Method",
     .tooltip = "Factored solves at any stiffness; fixed point is the thesis's iteration, for comparison.",
     .type = FieldType::choice,
     .choices = kMethods},
    {.name = "beta",
     .label = "Newmark β",
     .tooltip = "1/4 keeps the energy at any stiffness; 1/6 and 0 are for comparison and limited to soft springs.",
     .type = FieldType::choice,
     .choices = kBetas},
    {.name = "yield",
     .label = "Yield",
     .tooltip = "Strain of a spring beyond which it keeps what it was stretched or squeezed, as clay does; 0: never.",
     .low = 0,
     .high = 10},
    {.name = "keeps",
     .label = "Keeps",
     .tooltip = "Share of what is beyond yield that stays in a step: 1 all of it, less gives way slowly.",
     .low = 0,
     .high = 1,
     .step = 0.01,
     .fallback = 1},
    {.name = "breaks",
     .label = "Breaks",
     .tooltip =
         "Strain of a spring, stretched over its length, beyond which it breaks; the body falls apart there. 0: never.",
     .low = 0,
     .high = 10},
};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

bool is_damped(const ElasticSetup& setup) {
  return std::any_of(setup.springs.begin(), setup.springs.end(), [](const Spring& s) { return s.damping > 0; });
}

/// The springs of a damped body with the damping floor: without it the midpoint rule leaves modes of h ω ≫ 1 all but undamped,
/// whatever their c says. c + η h k for springs that the step does not resolve; falls with (h ω)² where it does, so that the
/// order of convergence stays 2.
std::vector<Spring> floored(const ElasticSetup& setup) {
  constexpr double kShare = 0.05;  // η
  std::vector<Spring> springs = setup.springs;
  const double h = setup.time_step;
  if (!is_damped(setup)) return springs;
  for (Spring& s : springs) {
    const double resolved = 0.25 * h * h * s.stiffness * (1 / setup.masses[s.a] + 1 / setup.masses[s.b]);  // (½ h ω)²
    s.damping += kShare * h * s.stiffness * resolved / (1 + resolved);
  }
  return springs;
}

}  // namespace

std::span<const ParameterRow> parameter_rows() { return kRows; }

void Body::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const {
  std::fill(state.begin(), state.end(), 0.0);
  const Quat q = pose.rotation.normalized();
  const FrameState f(pose.position + q * origin_, q);
  f.store(state.data());
  double* u = state.data() + kFrame + 3 * node_count();
  if (!pinned()) {
    for (std::size_t i = 0; i < node_count(); ++i) put(u, i, velocity + spin.cross(q * at(reference_.data(), i)));
    return;
  }
  const Vec3 drift = q.conjugate() * velocity, turn = q.conjugate() * spin;
  Vec3 centre = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i) centre += mass_[i] / total_mass_ * at(reference_.data(), i);
  for (std::size_t i = 0; i < node_count(); ++i) {
    const Vec3 r = at(reference_.data(), i);
    angular += mass_[i] * r.cross(drift + turn.cross(r - centre));
  }
  const Vec3 rate = reference_inverse_ * angular;
  for (std::size_t i = 0; i < node_count(); ++i) put(u, i, q * rate.cross(at(reference_.data(), i)));
  clear_held(u);
}

void Body::apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const {
  double* u = state.data() + kFrame + 3 * node_count();
  for (const NodeImpulse& j : impulses) {
    const std::size_t i = place_[j.node];
    put(u, i, at(u, i) + j.impulse / mass_[i]);
  }
  clear_held(u);
}

// K and C take no notice of translations and turns of the reference, so A⁻¹ = (M + ½ h C + β h² K)⁻¹ holds the answer of the
// body as a whole as well.
void Body::respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const {
  const std::size_t n = node_count();
  const Mat3 rotation = FrameState(state.data()).q.toRotationMatrix();
  std::vector<double> x(3 * n, 0.0);
  for (const NodeImpulse& j : impulses) {
    const std::size_t i = place_[j.node];
    put(x.data(), i, at(x.data(), i) + rotation.transpose() * j.impulse);
  }
  clear_held(x.data());
  const SparseFactor& inverse = whole_factor();
  std::vector<double> scratch(inverse.scratch_size());
  inverse.solve(x.data(), scratch.data());
  for (std::size_t i = 0; i < n; ++i) dv[springs_.order()[i]] = rotation * at(x.data(), i);
}

std::optional<SparseFactor> Body::make_factor(double h) const {
  return SparseFactor::factor(springs_.matrix(mass_, 0.5 * h, beta_ * h * h, held_));
}

// The fixed-point method solves the same equations without a factor; it is there for comparison.
const SparseFactor& Body::whole_factor() const {
  if (factor_) return *factor_;
  std::call_once(asked_made_, [&] { asked_factor_ = make_factor(h_); });
  return *asked_factor_;
}

const SparseFactor& Body::factor(int depth) const {
  if (depth == 0) return *factor_;
  auto& made = part_factors_[static_cast<std::size_t>(depth - 1)];
  std::call_once(part_made_[static_cast<std::size_t>(depth - 1)], [&] { made = make_factor(std::ldexp(h_, -depth)); });
  return *made;
}

/// J⁻¹ of an angular momentum. Nodes on a line that bend far have a turn about it too; straight ones have none, and the line
/// is the longest column of Σ m y yᵀ.
Vec3 Body::rigid_rate(const SecondMoment& moment, const Vec3& angular) const {
  const Mat3 inertia = moment.inertia();
  return directions_.is_line() ? free_rate(inertia, angular) : directions_.solve(inertia, angular);
}

// Displacements are in the frame's axes; what has yielded is in the springs.
bool Body::carry(std::span<double> state, const Pose& by) const {
  FrameState f(state.data());
  f.c = by.position + by.rotation * f.c;
  f.q = (by.rotation * f.q).normalized();
  f.store(state.data());
  double* u = state.data() + kFrame + 3 * node_count();
  for (std::size_t i = 0; i < node_count(); ++i) put(u, i, by.rotation * at(u, i));
  return true;
}

void Body::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  const std::size_t n = node_count();
  FrameState f(state.data());
  double* d = state.data() + kFrame;
  Vec3 shift = Vec3::Zero();
  bool moved = false, apart = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& u = displacement[springs_.order()[i]];
    shift += mass_[i] * u;
    moved = moved || u != Vec3::Zero();
    apart = apart || u != displacement[springs_.order()[0]];
  }
  if (!moved) return;
  if (pinned()) {
    shift.setZero();
  } else if (!apart) {  // the body as a whole: nothing is deformed
    f.c += displacement[springs_.order()[0]];
    f.store(state.data());
    return;
  }
  shift /= total_mass_;
  f.c += shift;

  // Positions about the centre in the old frame, then the frame that leaves no rigid motion in d: Σ m r × (Tᵀ p) = 0 is the
  // polar decomposition of Σ m p rᵀ.
  const Mat3 to_body = f.q.toRotationMatrix().transpose();
  Mat3 fit = Mat3::Zero();
  auto held = held_.begin();
  for (std::size_t i = 0; i < n; ++i) {
    const bool stays = held != held_.end() && *held == i;
    if (stays) ++held;
    const Vec3 r = at(reference_.data(), i), old = r + at(d, i);
    const Vec3 p = stays ? old : Vec3(old + to_body * (displacement[springs_.order()[i]] - shift));
    put(d, i, p);
    fit += mass_[i] * p * r.transpose();
  }
  const Quat turn = fitted_turn(directions_, fit, Quat::Identity());
  const Mat3 back = turn.toRotationMatrix().transpose();
  f.q = (f.q * turn).normalized();
  for (std::size_t i = 0; i < n; ++i) put(d, i, back * at(d, i) - at(reference_.data(), i));
  clear_held(d);
  f.store(state.data());
}

void Body::positions(std::span<const double> state, std::span<Vec3> out) const {
  const FrameState f(state.data());
  const Mat3 rotation = f.q.toRotationMatrix();
  const double* d = state.data() + kFrame;
  for (std::size_t i = 0; i < node_count(); ++i)
    out[springs_.order()[i]] = f.c + rotation * (at(reference_.data(), i) + at(d, i));
}

bool Body::still(std::span<double> state) const {
  const auto velocities = state.subspan(kFrame + 3 * mass_.size(), 3 * mass_.size());
  std::fill(velocities.begin(), velocities.end(), 0.0);
  return true;
}

void Body::velocities(std::span<const double> state, std::span<Vec3> out) const {
  const double* u = state.data() + kFrame + 3 * node_count();
  for (std::size_t i = 0; i < node_count(); ++i) out[springs_.order()[i]] = at(u, i);
}

Pose Body::frame(std::span<const double> state) const {
  const FrameState f(state.data());
  if (!pinned()) return {f.c, f.q};
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i)
    centre += mass_[i] / total_mass_ * (at(reference_.data(), i) + at(state.data() + kFrame, i));
  return {f.c + f.q * centre, f.q};
}

Observables Body::observe(std::span<const double> state) const {
  std::vector<Vec3> x(node_count()), u(node_count());
  positions(state, x);
  velocities(state, u);
  Observables result;
  result.mass = total_mass_;
  result.centre = frame(state).position;
  for (std::size_t i = 0; i < node_count(); ++i) result.momentum += setup_.masses[i] * u[i];
  for (std::size_t i = 0; i < node_count(); ++i)
    result.angular_momentum += setup_.masses[i] * (x[i] - result.centre).cross(u[i]);
  for (std::size_t i = 0; i < node_count(); ++i) result.kinetic_energy += 0.5 * setup_.masses[i] * u[i].squaredNorm();
  result.elastic_energy = elastic_energy(state);
  result.volume = mesh_volume(x, setup_.surface);
  std::vector<double> room(3 * node_count());
  const double* const away = offset(state.data() + kFrame, room.data());
  const auto rest_node = [&](std::uint32_t node) {
    return away ? Vec3(setup_.nodes[node] + at(away, place_[node])) : setup_.nodes[node];
  };
  for (const Spring& spring : setup_.springs) {
    const double rest = (rest_node(spring.b) - rest_node(spring.a)).norm();
    result.max_strain = std::max(result.max_strain, std::abs((x[spring.b] - x[spring.a]).norm() / rest - 1));
  }
  return result;
}

bool Body::take_shape(std::span<double> state, const RestShape& shape) const {
  if (!setup_.takes_shape) return false;
  double* told = state.data() + kFrame + 6 * mass_.size();
  shape.store(told);
  if (!setup_.takes_nodes) return true;
  told += RestShape::kNumbers;
  *told++ = shape.nodes.size() == mass_.size() ? 1 : 0;
  for (std::size_t node = 0; node < mass_.size(); ++node)
    put(told, place_[node], told[-1] != 0 ? Vec3(shape.nodes[node] - setup_.nodes[node]) : Vec3(Vec3::Zero()));
  return true;
}

RestShape Body::shape(std::span<const double> state) const {
  RestShape out = told(state.data() + kFrame);
  const double* const nodes = told_nodes(state.data() + kFrame);
  for (std::size_t node = 0; nodes && node < mass_.size(); ++node)
    out.nodes.push_back(setup_.nodes[node] + at(nodes, place_[node]));
  return out;
}

const double* Body::offset(const double* d, double* room) const {
  const RestShape shape = told(d);
  const double* const nodes = told_nodes(d);
  if (shape.none() && !nodes) return offset_.empty() ? nullptr : offset_.data();
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    Vec3 own = offset_.empty() ? Vec3(Vec3::Zero()) : at(offset_.data(), i);
    if (nodes) own += at(nodes, i);
    put(room, i, own + shape.offset(at(arm_.data(), i)));
  }
  return room;
}

const double* Body::offset_force(const double* d, double* room, double* more) const {
  const double* const o = offset(d, more);
  if (o == nullptr) return nullptr;
  if (o == offset_.data()) return offset_force_.data();
  springs_.stiffness_forces(o, room);
  return room;
}

void Body::spring_forces(const double* d, const double* v, const double* kept, const double* offset_force,
                         double* out) const {
  springs_.forces(d, v, out);
  if (kept) springs_.add_kept(kept, out);
  if (!offset_force) return;
  for (std::size_t i = 0; i < 3 * mass_.size(); ++i) out[i] += offset_force[i];
}

double Body::elastic_energy(const double* d, const double* of) const {
  std::vector<double> strain(rests_elsewhere(of) ? 3 * mass_.size() : 0);
  if (const double* const o = offset(of, strain.data())) {
    for (std::size_t i = 0; i < strain.size(); ++i) strain[i] = d[i] - o[i];
    d = strain.data();
  }
  return kept(of) ? springs_.energy_beyond(d, kept(of)) : springs_.energy(d);
}

/// After a step. A spring that gives way loses energy; nodes and their velocities stay.
void Body::flow(std::span<double> state) const {
  if (!(yield_ > 0)) return;
  double* d = state.data() + kFrame;
  std::vector<double> room(rests_elsewhere(d) ? 3 * mass_.size() : 0);
  springs_.flow(d, offset(d, room.data()), yield_, keeps_, d + 6 * mass_.size() + told_count());
}

void Body::take_over(const Body& other, std::span<const double> from, std::span<double> to) const {
  const std::size_t n = node_count();
  std::copy(from.begin(), from.begin() + kFrame, to.begin());
  const double* old = from.data() + kFrame;
  double* now = to.data() + kFrame;
  for (std::size_t node = 0; node < n; ++node) {
    put(now, place_[node], at(old, other.place_[node]));
    put(now + 3 * n, place_[node], at(old + 3 * n, other.place_[node]));
  }
}

void Body::strains(std::span<const double> state, std::span<double> out) const {
  const double* d = state.data() + kFrame;
  std::vector<double> room(3 * mass_.size());
  const double* const o = offset(d, room.data());
  for (std::size_t k = 0; k < springs_.spring_count(); ++k) {
    const double away = o ? springs_.stretch(k, o) : 0;
    out[springs_.source()[k]] = (springs_.stretch(k, d) - away) / springs_.length(k);
  }
}

void Body::read_kept(std::span<const double> state, std::span<double> out) const {
  const double* from = kept(state.data() + kFrame);
  for (std::size_t k = 0; k < springs_.spring_count(); ++k) out[springs_.source()[k]] = from ? from[k] : 0;
}

void Body::write_kept(std::span<const double> from, std::span<double> state) const {
  if (!keeps_any_) return;
  double* to = state.data() + kFrame + 6 * mass_.size() + told_count();
  for (std::size_t k = 0; k < springs_.spring_count(); ++k) to[k] = from[springs_.source()[k]];
}

void Body::past(std::span<const double> state, std::vector<SpringPast>& out) const {
  out.clear();
  if (!keeps_any_) return;
  std::vector<double> all(springs_.spring_count());
  read_kept(state, all);
  for (std::uint32_t k = 0; k < all.size(); ++k)
    if (all[k] != 0) out.push_back({k, all[k], false});
}

void Body::take_past(std::span<double> state, std::span<const SpringPast> past) const {
  std::vector<double> all(springs_.spring_count(), 0.0);
  for (const SpringPast& p : past) all[p.spring] = p.kept;
  write_kept(all, state);
}

Result<std::unique_ptr<Body>> Body::make(const ElasticSetup& setup) {
  if (auto problem = check_shaped(setup, kNeeds)) return *problem;
  if (auto problem = check_unfolded(setup)) return *problem;
  auto body = std::make_unique<Body>();
  body->setup_ = setup;
  body->h_ = setup.time_step;
  body->beta_ = kBetaValues[static_cast<std::size_t>(parameter(setup, kRows, kBeta))];
  body->damped_ = is_damped(setup);
  body->yield_ = parameter(setup, kRows, kYield);
  body->keeps_any_ = body->yield_ > 0 || parameter(setup, kRows, kBreaks) > 0 || setup.remembers;
  body->keeps_ = parameter(setup, kRows, kKeeps);
  body->springs_ = SpringNetwork(setup.nodes, floored(setup));
  const std::size_t n = setup.nodes.size();
  const MassProperties whole = mass_properties(std::span<const Vec3>(setup.nodes), setup.masses);
  body->total_mass_ = whole.mass;
  body->pins_ = pin_frame(setup.nodes, setup.pinned);
  const bool pinned = body->pinned();
  body->origin_ = pinned ? body->pins_.origin : whole.centre;
  Mat3 inertia = whole.inertia;  // about the frame's origin
  if (pinned) {
    const Vec3 arm = whole.centre - body->origin_;
    inertia += whole.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  body->directions_ = RigidDirections(inertia, body->pins_);
  body->mass_.resize(n);
  body->reference_.resize(3 * n);
  body->arm_.resize(3 * n);
  body->place_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t node = body->springs_.order()[i];
    body->place_[node] = static_cast<std::uint32_t>(i);
    body->mass_[i] = setup.masses[node];
    const Vec3 r = setup.nodes[node] - body->origin_;
    put(body->reference_.data(), i, r);
    put(body->arm_.data(), i, setup.nodes[node] - whole.centre);
    body->extent_ = std::max(body->extent_, r.norm());
  }
  for (const std::uint32_t node : setup.pinned) body->held_.push_back(body->place_[node]);
  body->columns_.start(n);
  std::sort(body->held_.begin(), body->held_.end());
  body->held_.erase(std::unique(body->held_.begin(), body->held_.end()), body->held_.end());
  if (!setup.rest_offset.empty()) {
    body->offset_.resize(3 * n);
    for (std::size_t i = 0; i < n; ++i) put(body->offset_.data(), body->place_[i], setup.rest_offset[i]);
    body->offset_force_.resize(3 * n);
    body->springs_.stiffness_forces(body->offset_.data(), body->offset_force_.data());
  }
  for (int k = 0; k < 3; ++k) body->reference_inverse_.col(k) = body->directions_.solve(inertia, Vec3::Unit(k));

  const double h = body->h_, beta = body->beta_;
  const double limit = h * h * (0.25 - beta) * body->springs_.largest_rate(body->mass_, 0, 1);
  if (limit >= 1)
    return Diagnostic{Severity::error, "body.parameters.lagrange.beta",
                      "This beta is unstable for so stiff a body: (1/4 - beta) h^2 times its largest squared "
                      "frequency is " +
                          number(limit) + " and must stay below 1.",
                      "Choose beta 1/4, lower the stiffness by a factor of " + number(limit) +
                          ", or make the time step shorter than " + number(h / std::sqrt(limit)) + " s."};
  if (static_cast<Method>(parameter(setup, kRows, kMethod)) == Method::fixed_point) {
    const double rate = body->springs_.largest_rate(body->mass_, 0.5 * h, beta * h * h);
    if (rate >= 1)
      return Diagnostic{Severity::error, "body.parameters.lagrange.method",
                        "The fixed-point method does not converge for this body: its iteration grows by a factor of " +
                            number(rate) + " each time and must stay below 1.",
                        "Choose the factored method, lower stiffness and damping by a factor of " + number(rate) +
                            ", or use more sub-steps."};
  } else {
    body->factor_ = body->make_factor(h);
    if (!body->factor_)
      return Diagnostic{Severity::error, "body.stiffness",
                        "The body is too stiff for its mass: its matrix could not be factored.",
                        "Lower the stiffness or raise the mass of its lightest node."};
  }
  return body;
}

}  // namespace hazumi::lagrange
