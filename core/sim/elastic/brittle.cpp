#include "core/sim/elastic/brittle.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/elastic/setup_check.h"

namespace hazumi {

namespace {

constexpr std::size_t kBits = 48;              // of a number, which holds them exactly
constexpr std::size_t kMostArrangements = 64;  // kept
constexpr double kSpeedLimit = 1e6;            // m/s, of solver.h

std::vector<char> unpack(std::span<const double> words, std::size_t springs) {
  std::vector<char> broken(springs);
  for (std::size_t k = 0; k < springs; ++k)
    broken[k] = static_cast<char>(static_cast<std::uint64_t>(words[k / kBits]) >> k % kBits & 1u);
  return broken;
}

std::vector<double> pack(const std::vector<char>& broken) {
  std::vector<double> words((broken.size() + kBits - 1) / kBits, 0.0);
  for (std::size_t k = 0; k < broken.size(); ++k)
    if (broken[k]) words[k / kBits] += static_cast<double>(std::uint64_t{1} << k % kBits);
  return words;
}

Vec3 vec(const double* x) { return {x[0], x[1], x[2]}; }

void store(double* to, const Vec3& x) { std::copy(x.data(), x.data() + 3, to); }

}  // namespace

double breaking_strain(const ElasticSetup& setup) {
  return parameter(setup, lagrange::parameter_rows(), lagrange::kBreaks);
}

bool breaks(std::string_view solver, const SolverParameters& all) {
  const SolverParameter* set = find_parameter(all, solver, "breaks");
  return set && set->number > 0;
}

void keep_whole(std::string_view solver, SolverParameters& all) { remove_parameter(all, solver, "breaks"); }

Result<std::unique_ptr<Brittle>> Brittle::make(const ElasticSetup& setup) {
  const auto rows = lagrange::parameter_rows();
  const auto refused = [](const char* what, const char* name) {
    return Diagnostic{Severity::error, std::string("body.parameters.lagrange.") + name,
                      std::string("A body that breaks needs ") + what + ".", "Set it so, or set Breaks to 0."};
  };
  auto body = std::make_unique<Brittle>();
  if (auto whole = lagrange::Body::make(setup); !whole.ok()) return whole.diagnostics();
  if (parameter(setup, rows, lagrange::kMethod) != 0) return refused("the method \"factored\"", "method");
  if (parameter(setup, rows, lagrange::kBeta) != 0) return refused("a Newmark beta of 1/4", "beta");
  body->setup_ = setup;
  body->surface_ = std::move(body->setup_.surface);
  body->setup_.surface.clear();
  body->breaks_ = breaking_strain(setup);
  body->cohesion_ = Cohesion(setup.nodes, setup.springs);
  for (const Spring& s : setup.springs) body->lengths_.push_back((setup.nodes[s.b] - setup.nodes[s.a]).norm());
  const std::size_t n = setup.nodes.size(), springs = setup.springs.size();
  body->words_ = pack(std::vector<char>(springs)).size();
  body->size_ = body->words_ + kTail + 6 * n + 7 * (n / 2) + springs;
  const MassProperties whole = mass_properties(std::span<const Vec3>(setup.nodes), setup.masses);
  body->mass_ = whole.mass;
  body->centre_ = whole.centre;
  body->is_pinned_.resize(n);
  for (const std::uint32_t node : setup.pinned) body->is_pinned_[node] = 1;
  if (!body->arrangement(std::vector<double>(body->words_, 0.0)))
    return Diagnostic{Severity::error, "body.stiffness",
                      "The body is too stiff for its mass: the matrix of a part could not be factored.",
                      "Lower the stiffness or raise the mass of its lightest node."};
  return body;
}

bool Brittle::make_part(Part& part) const {
  ElasticSetup own;
  own.takes_shape = false;
  std::vector<std::uint32_t> number(setup_.nodes.size());
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (const std::uint32_t node : part.nodes) {
    number[node] = static_cast<std::uint32_t>(own.nodes.size());
    if (is_pinned_[node]) own.pinned.push_back(number[node]);
    own.nodes.push_back(setup_.nodes[node]);
    own.masses.push_back(setup_.masses[node]);
    if (!setup_.rest_offset.empty()) own.rest_offset.push_back(setup_.rest_offset[node]);
    mass += setup_.masses[node];
    moment += setup_.masses[node] * (setup_.nodes[node] - setup_.nodes[part.nodes[0]]);
  }
  part.mass = mass;
  part.centre = setup_.nodes[part.nodes[0]] + moment / mass;
  part.pins = pin_frame(own.nodes, own.pinned);
  if (part.nodes.size() == 1) {
    part.arms = {Vec3::Zero()};
    part.size = 6;
    return true;
  }
  const MassProperties whole = mass_properties(std::span<const Vec3>(own.nodes), own.masses);
  const Vec3 origin = part.pinned() ? part.pins.origin : part.centre, arm = whole.centre - origin;
  part.directions =
      RigidDirections(whole.inertia + mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose()), part.pins);
  for (const Vec3& x : own.nodes) part.arms.push_back(x - origin);
  for (const std::uint32_t k : part.springs) {
    own.springs.push_back(setup_.springs[k]);
    own.springs.back().a = number[setup_.springs[k].a];
    own.springs.back().b = number[setup_.springs[k].b];
  }
  std::vector<std::uint32_t> key = part.springs;
  key.push_back(0xffffffffu);
  key.insert(key.end(), part.nodes.begin(), part.nodes.end());
  std::weak_ptr<const lagrange::Body>& known = solvers_[key];
  part.solver = known.lock();
  if (!part.solver) {
    own.substance = setup_.substance;
    own.time_step = setup_.time_step;
    own.parameters = setup_.parameters;
    auto made = lagrange::Body::make(own);
    if (!made.ok()) return false;
    part.solver = std::move(made).value();
    known = part.solver;
  }
  part.size = part.solver->state_size();
  return true;
}

/// `broken`: those between parts, too.
Brittle::ArrangementPtr Brittle::arrange(const std::vector<char>& broken) const {
  auto made = std::make_shared<Arrangement>();
  std::vector<char> all = broken;
  made->of_node = cohesion_.parts(all);
  made->count = 1 + *std::max_element(made->of_node.begin(), made->of_node.end());
  made->broken = static_cast<std::uint32_t>(std::count(all.begin(), all.end(), 1));
  made->parts.resize(made->count);
  made->place.resize(made->of_node.size());
  for (std::uint32_t i = 0; i < made->of_node.size(); ++i) {
    std::vector<std::uint32_t>& nodes = made->parts[made->of_node[i]].nodes;
    made->place[i] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(i);
  }
  for (const Part& part : made->parts) made->sizes.push_back(static_cast<std::uint32_t>(part.nodes.size()));
  for (std::uint32_t k = 0; k < all.size(); ++k)
    if (!all[k]) made->parts[made->of_node[setup_.springs[k].a]].springs.push_back(k);
  std::size_t at = words_ + kTail;
  for (Part& part : made->parts) {
    if (!make_part(part)) return nullptr;
    part.at = at;
    at += part.size;
  }
  return made;
}

Brittle::ArrangementPtr Brittle::arrangement(std::span<const double> words) const {
  const std::vector<double> key(words.begin(), words.end());
  const std::lock_guard lock(making_);
  if (const auto at = made_.find(key); at != made_.end()) return at->second;
  if (made_.size() >= kMostArrangements) made_.clear();
  if (solvers_.size() >= 8 * kMostArrangements)
    std::erase_if(solvers_, [](const auto& entry) { return entry.second.expired(); });
  return made_[key] = arrange(unpack(words, setup_.springs.size()));
}

std::shared_ptr<const BodyParts> Brittle::parts(std::span<const double> state) const {
  return arrangement(state.first(words_));
}

std::vector<char> Brittle::broken(std::span<const double> state) const {
  return unpack(state.first(words_), setup_.springs.size());
}

void Brittle::write_broken(const std::vector<char>& broken, std::span<double> state) const {
  const std::vector<double> words = pack(broken);
  std::copy(words.begin(), words.end(), state.begin());
}

void Brittle::write_attitude(const Quat& q, std::span<double> state) const {
  const double numbers[] = {q.w(), q.x(), q.y(), q.z()};
  std::copy(numbers, numbers + 4, state.begin() + static_cast<std::ptrdiff_t>(words_ + 1));
}

void Brittle::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const {
  std::fill(state.begin(), state.end(), 0.0);
  std::vector<char> apart(setup_.springs.size(), 0);
  cohesion_.parts(apart);
  write_broken(apart, state);
  const ArrangementPtr now = arrangement(state.first(words_));
  const Quat q = pose.rotation.normalized();
  write_attitude(q, state);
  for (const Part& part : now->parts) {
    const Vec3 drift = velocity + spin.cross(q * (part.centre - centre_));
    const auto to = own(part, state);
    if (part.solver) {
      part.solver->initialise(pose, drift, spin, to);
      continue;
    }
    store(to.data(), pose.position + q * setup_.nodes[part.nodes[0]]);
    if (!part.pinned()) store(to.data() + 3, drift);
  }
}

bool Brittle::step(std::span<double> state, std::span<const Vec3> forces, const Vec3& acceleration,
                   ElasticWorkspace& workspace) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  if (!now) return false;
  std::vector<double>* const told = workspace.found;
  ElasticWorkspace::Parts& w = workspace.parts;
  std::size_t at = 0;
  const bool known = told && !told->empty();
  w.all.clear();
  int passes = 0;
  bool good = true;
  for (const Part& part : now->parts) {
    const auto to = own(part, state);
    if (!part.solver) {
      const std::uint32_t node = part.nodes[0];
      const double h = setup_.time_step;
      if (part.pinned()) continue;
      const Vec3 u = vec(to.data() + 3),
                 gained = h * (acceleration +
                               (forces.empty() ? Vec3(Vec3::Zero()) : Vec3(forces[node] / setup_.masses[node]))),
                 x = vec(to.data()) + h * (u + 0.5 * gained);
      store(to.data(), x);
      store(to.data() + 3, u + gained);
      good = good && std::isfinite(x.squaredNorm()) && (u + gained).squaredNorm() < kSpeedLimit * kSpeedLimit;
      continue;
    }
    const std::size_t size = 3 * part.nodes.size();
    w.found.clear();
    if (known) {
      if ((*told)[at] != 0)
        w.found.assign(told->begin() + static_cast<std::ptrdiff_t>(at + 1),
                       told->begin() + static_cast<std::ptrdiff_t>(at + 1 + size));
      at += 1 + size;
    }
    w.forces.clear();
    if (!forces.empty())
      for (const std::uint32_t node : part.nodes) w.forces.push_back(forces[node]);
    workspace.found = told ? &w.found : nullptr;
    good = part.solver->step(to, w.forces, acceleration, workspace) && good;
    passes += workspace.passes;
    w.all.push_back(w.found.size() == size);
    w.found.resize(size, 0.0);
    w.all.insert(w.all.end(), w.found.begin(), w.found.end());
  }
  workspace.found = told;
  workspace.passes = passes;
  if (!good) return false;
  if (told) *told = w.all;
  return true;
}

void Brittle::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  if (!now) return;
  for (const Part& part : now->parts)
    if (part.solver) part.solver->calm(own(part, state), workspace);
}

void Brittle::apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  std::vector<std::vector<NodeImpulse>> of(now->parts.size());
  for (const NodeImpulse& j : impulses) of[now->of_node[j.node]].push_back({now->place[j.node], j.impulse});
  for (std::size_t p = 0; p < of.size(); ++p) {
    const Part& part = now->parts[p];
    const auto to = own(part, state);
    if (part.solver) {
      if (!of[p].empty()) part.solver->apply_impulses(to, of[p]);
    } else if (!part.pinned()) {
      for (const NodeImpulse& j : of[p]) store(to.data() + 3, vec(to.data() + 3) + j.impulse / part.mass);
    }
  }
}

void Brittle::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  std::vector<Vec3> ways;
  for (const Part& part : now->parts) {
    const auto to = own(part, state);
    ways.clear();
    for (const std::uint32_t node : part.nodes) ways.push_back(displacement[node]);
    if (part.solver)
      part.solver->displace(to, ways);
    else if (!part.pinned())
      store(to.data(), vec(to.data()) + ways[0]);
  }
}

bool Brittle::still(std::span<double> state) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  for (const Part& part : now->parts) {
    const auto to = own(part, state);
    if (part.solver)
      part.solver->still(to);
    else
      store(to.data() + 3, Vec3::Zero());
  }
  return true;
}

void Brittle::positions(std::span<const double> state, std::span<Vec3> out) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  std::vector<Vec3> of_part;
  for (const Part& part : now->parts) {
    const auto from = own(part, state);
    of_part.assign(part.nodes.size(), vec(from.data()));
    if (part.solver) part.solver->positions(from, of_part);
    for (std::size_t k = 0; k < of_part.size(); ++k) out[part.nodes[k]] = of_part[k];
  }
}

void Brittle::velocities(std::span<const double> state, std::span<Vec3> out) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  std::vector<Vec3> of_part;
  for (const Part& part : now->parts) {
    const auto from = own(part, state);
    of_part.assign(part.nodes.size(), vec(from.data() + 3));
    if (part.solver) part.solver->velocities(from, of_part);
    for (std::size_t k = 0; k < of_part.size(); ++k) out[part.nodes[k]] = of_part[k];
  }
}

Pose Brittle::frame(std::span<const double> state) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  const auto frame_of = [&](const Part& part) {
    const auto from = own(part, state);
    return part.solver ? part.solver->frame(from) : Pose{vec(from.data()), Quat::Identity()};
  };
  if (now->count == 1) return frame_of(now->parts[0]);
  Vec3 centre = Vec3::Zero();
  for (const Part& part : now->parts) centre += part.mass / mass_ * frame_of(part).position;
  const double* q = state.data() + words_ + 1;
  return {centre, Quat(q[0], q[1], q[2], q[3])};
}

double Brittle::energy(const Arrangement& of, std::span<const double> state) const {
  double sum = 0;
  for (const Part& part : of.parts)
    if (part.solver) sum += part.solver->elastic_energy(own(part, state));
  return sum;
}

Observables Brittle::observe(std::span<const double> state) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  const std::size_t n = node_count();
  std::vector<Vec3> x(n), u(n);
  positions(state, x);
  velocities(state, u);
  Observables result;
  result.mass = mass_;
  result.centre = frame(state).position;
  for (std::size_t i = 0; i < n; ++i) {
    result.momentum += setup_.masses[i] * u[i];
    result.angular_momentum += setup_.masses[i] * (x[i] - result.centre).cross(u[i]);
    result.kinetic_energy += 0.5 * setup_.masses[i] * u[i].squaredNorm();
  }
  for (const Part& part : now->parts) {
    if (!part.solver) continue;
    const Observables own_values = part.solver->observe(own(part, state));
    result.elastic_energy += own_values.elastic_energy;
    result.max_strain = std::max(result.max_strain, own_values.max_strain);
    if (own_values.inverted >= 0) result.inverted = std::max(result.inverted, 0) + own_values.inverted;
  }
  result.volume = mesh_volume(x, surface_);
  result.parts = static_cast<int>(now->count);
  return result;
}

void Brittle::respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const {
  const ArrangementPtr now = arrangement(state.first(words_));
  std::fill(dv.begin(), dv.end(), Vec3::Zero());
  std::vector<std::vector<NodeImpulse>> of(now->parts.size());
  for (const NodeImpulse& j : impulses) of[now->of_node[j.node]].push_back({now->place[j.node], j.impulse});
  std::vector<Vec3> answer;
  for (std::size_t p = 0; p < of.size(); ++p) {
    const Part& part = now->parts[p];
    if (of[p].empty()) continue;
    if (!part.solver) {
      if (!part.pinned())
        for (const NodeImpulse& j : of[p]) dv[part.nodes[0]] += j.impulse / part.mass;
      continue;
    }
    answer.assign(part.nodes.size(), Vec3::Zero());
    part.solver->respond(own(part, state), of[p], answer);
    for (std::size_t k = 0; k < answer.size(); ++k) dv[part.nodes[k]] = answer[k];
  }
}

void Brittle::inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                             ElasticWorkspace& workspace) const {
  std::vector<double> state(size_);
  initialise(Pose{}, Vec3::Zero(), Vec3::Zero(), state);
  inverse_blocks(*parts(state), setup_.nodes, Mat3::Identity(), nodes, blocks, workspace);
}

void Brittle::inverse_blocks(const BodyParts& parts, std::span<const Vec3> middle, const Mat3& attitude,
                             std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                             ElasticWorkspace& workspace) const {
  const auto& now = static_cast<const Arrangement&>(parts);
  const std::size_t m = nodes.size();
  std::fill(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(m * m), Mat3::Zero());
  std::vector<std::uint32_t> asked, places;
  std::vector<Mat3> found;
  for (std::uint32_t p = 0; p < now.count; ++p) {
    const Part& part = now.parts[p];
    asked.clear();
    places.clear();
    for (std::uint32_t a = 0; a < m; ++a) {
      if (now.of_node[nodes[a]] != p) continue;
      asked.push_back(a);
      places.push_back(now.place[nodes[a]]);
    }
    if (asked.empty() || (!part.solver && part.pinned())) continue;
    if (!part.solver) {
      for (const std::uint32_t a : asked) blocks[a * m + a] = Mat3::Identity() / part.mass;
      continue;
    }
    Vec3 about = Vec3::Zero();
    for (const std::uint32_t node : part.nodes) about += setup_.masses[node] / part.mass * middle[node];
    if (part.pinned())
      about = middle[*std::find_if(part.nodes.begin(), part.nodes.end(), [&](auto i) { return is_pinned_[i]; })];
    Mat3 fit = Mat3::Zero();
    for (std::size_t k = 0; k < part.nodes.size(); ++k)
      fit += setup_.masses[part.nodes[k]] * (middle[part.nodes[k]] - about) * part.arms[k].transpose();
    const Mat3 turn = fitted_turn(part.directions, attitude.transpose() * fit, Quat::Identity()).toRotationMatrix();
    found.resize(asked.size() * asked.size());
    part.solver->inverse_blocks(places, found, workspace);
    for (std::size_t a = 0; a < asked.size(); ++a)
      for (std::size_t b = a; b < asked.size(); ++b) {
        Mat3 block = turn * found[a * asked.size() + b] * turn.transpose();
        if (a == b) block = (0.5 * (block + block.transpose())).eval();
        blocks[asked[a] * m + asked[b]] = block;
        if (a != b) blocks[asked[b] * m + asked[a]] = block.transpose();
      }
  }
}

}  // namespace hazumi
