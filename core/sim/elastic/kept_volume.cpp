#include "core/sim/elastic/kept_volume.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/truss/hull.h"
#include "core/sim/elastic/volume_search.h"

namespace hazumi {

namespace {

Diagnostic volume_error(std::string message, std::string hint) {
  return {Severity::error, "body.volume.of", std::move(message), std::move(hint)};
}

std::optional<Diagnostic> fault_of(const EnclosedVolume& surface, const ElasticSetup& setup, VolumeOf of) {
  const bool hull = of == VolumeOf::hull;
  const std::string what = hull ? "The hull of its nodes" : "The surface of its analysis model";
  const std::string other = hull ? "Choose another analysis model, or turn Volume off."
                                 : "Choose the volume of the hull of its nodes, or another analysis model.";
  switch (surface.fault(setup.nodes)) {
    case SurfaceFault::none:
      break;
    case SurfaceFault::empty:
      return volume_error(hull ? "Its nodes lie on a line and have no hull whose volume could be kept."
                               : "Its analysis model has no surface whose volume could be kept.",
                          other);
    case SurfaceFault::open:
      return volume_error(what + " is not closed, so it has no volume that could be kept.", other);
    case SurfaceFault::flat:
      return volume_error(what + " is flat and encloses no volume that could be kept.",
                          "Give the analysis model some thickness, or turn Volume off.");
    case SurfaceFault::inside_out:
      return volume_error(what + " is inside out: its volume is negative.",
                          "Turn its faces around, or choose the volume of the hull of its nodes.");
  }
  const auto held = [&](std::uint32_t node) {
    return std::find(setup.pinned.begin(), setup.pinned.end(), node) != setup.pinned.end();
  };
  for (const auto& triangle : surface.triangles())
    if (!std::all_of(triangle.begin(), triangle.end(), held)) return std::nullopt;
  return volume_error("All nodes of the surface whose volume is kept are pinned.",
                      "Unpin some of them, or turn Volume off.");
}

}  // namespace

Result<std::unique_ptr<KeptVolume>> KeptVolume::make(std::unique_ptr<const ElasticSolver> solver,
                                                     const ElasticSetup& setup, const VolumeSettings& volume) {
  auto kept = std::make_unique<KeptVolume>();
  std::vector<EnclosedVolume::Triangle> triangles = setup.surface;
  if (volume.of == VolumeOf::hull)
    triangles = setup.tetrahedra.empty() ? convex_hull(setup.nodes) : surface_of(setup.tetrahedra);
  kept->surface_ = EnclosedVolume(std::move(triangles));
  if (auto problem = fault_of(kept->surface_, setup, volume.of)) return *problem;
  kept->inner_ = std::move(solver);
  kept->masses_ = setup.masses;
  kept->pinned_ = setup.pinned;
  std::sort(kept->pinned_.begin(), kept->pinned_.end());
  kept->rest_.resize(kept->inner_->state_size());
  kept->inner_->initialise(Pose{}, Vec3::Zero(), Vec3::Zero(), kept->rest_);
  kept->method_ = volume.method;
  kept->h_ = setup.time_step;
  kept->rest_volume_ = kept->surface_.volume(setup.nodes);
  kept->first_size_ = volume.size;
  return kept;
}

void KeptVolume::tell(std::span<double> state, double size) const {
  const auto t = tail(state);
  t[kRate] = size == t[kSize] ? 0 : (size - t[kSize]) / h_;
  t[kSize] = size;
}

KeptVolumeReading KeptVolume::reading(std::span<const double> state) const {
  std::vector<Vec3> x(node_count());
  positions(state, x);
  const auto t = tail(state);
  return {surface_.volume(x), t[kSize] * rest_volume_, t[kPressure], t[kWork]};
}

void KeptVolume::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const {
  inner_->initialise(pose, velocity, spin, own(state));
  const auto t = tail(state);
  std::fill(t.begin(), t.end(), 0.0);
  t[kSize] = first_size_;
  put_right(own(state), first_size_ * rest_volume_);
}

double KeptVolume::resize(std::span<double> state, double size) const {
  const Observables before = inner_->observe(own(state));
  const auto t = tail(state);
  t[kSize] = size;
  t[kRate] = 0;
  put_right(own(state), size * rest_volume_);
  const Observables after = inner_->observe(own(state));
  return after.kinetic_energy + after.elastic_energy - before.kinetic_energy - before.elastic_energy;
}

void KeptVolume::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  inner_->displace(own(state), displacement);
  put_right(own(state), tail(state)[kSize] * rest_volume_);
}

bool KeptVolume::still(std::span<double> state) const {
  const auto t = tail(state);
  t[kRate] = t[kWork] = 0;
  return inner_->still(own(state));
}

void KeptVolume::gradient(std::span<const Vec3> nodes, std::span<Vec3> out) const {
  surface_.gradient(nodes, out);
  for (const std::uint32_t node : pinned_) out[node].setZero();
}

void KeptVolume::answer(std::span<const double> inner_state, std::span<const Vec3> impulses,
                        std::span<Vec3> out) const {
  std::vector<NodeImpulse> all;
  all.reserve(impulses.size());
  for (std::uint32_t i = 0; i < impulses.size(); ++i) all.push_back({i, impulses[i]});
  inner_->respond(inner_state, all, out);
}

namespace {

double dot(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

}  // namespace

void KeptVolume::respond(std::span<const double> state, std::span<const NodeImpulse> impulses,
                         std::span<Vec3> dv) const {
  inner_->respond(own(state), impulses, dv);
  const std::size_t n = node_count();
  std::vector<Vec3> x(n), g(n), b(n);
  positions(state, x);
  gradient(x, g);
  answer(own(state), g, b);
  const double own_answer = dot(g, b);
  if (!(own_answer > 0)) return;
  const double share = dot(g, dv) / own_answer;
  for (std::size_t i = 0; i < n; ++i) dv[i] -= share * b[i];
}

void KeptVolume::project(std::span<const Vec3> middle, std::span<const std::uint32_t> nodes,
                         std::span<Mat3> blocks) const {
  const std::size_t n = node_count(), m = nodes.size();
  std::vector<Vec3> g(n), b(n);
  gradient(middle, g);
  if (inner_->inverse_follows_nodes())
    inner_->respond_at(middle, g, b);
  else
    answer(rest_, g, b);
  const double own_answer = dot(g, b);
  if (!(own_answer > 0)) return;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = i; k < m; ++k) {
      Mat3& block = blocks[i * m + k];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block(r, c) -= b[nodes[i]][r] * b[nodes[k]][c] / own_answer;
      if (i != k) blocks[k * m + i] = block.transpose();
    }
}

bool KeptVolume::put_right(std::span<double> inner_state, double wanted) const {
  constexpr int kMost = 20, kHalvings = 8;
  constexpr double kRight = 1e-12, kLongest = 0.5;
  const std::size_t n = node_count();
  std::vector<Vec3> x(n), g(n), way(n), next(n);
  inner_->positions(inner_state, x);
  const std::vector<Vec3> from = x;
  double off = wanted - surface_.volume(x);
  if (std::abs(off) <= kRight * wanted) return true;
  for (int k = 0; k < kMost && std::abs(off) > kRight * wanted; ++k) {
    gradient(x, g);
    answer(inner_state, g, way);  // along B g bodies bend where they are soft
    double longest = 0;
    for (const Vec3& v : way) longest = std::max(longest, v.norm());
    const double slope = dot(g, way), most = kLongest * std::cbrt(wanted) / longest;
    if (!(slope > 0) || !std::isfinite(off)) break;
    double share = std::clamp(off / slope, -most, most), left = off;
    for (int half = 0; half < kHalvings; ++half, share *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) next[i] = x[i] + share * way[i];
      left = wanted - surface_.volume(next);
      if (std::abs(left) < std::abs(off)) break;
    }
    if (!(std::abs(left) < std::abs(off))) break;
    off = left;
    x.swap(next);
  }
  const bool good = move_to_volume(surface_, masses_, pinned_, wanted, x) >= 0;
  for (std::size_t i = 0; i < n; ++i) x[i] -= from[i];
  inner_->displace(inner_state, x);
  return good;
}

// With s constant the energy falls by ½ μ (g·u): a projection in the norm of the masses.
void KeptVolume::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  inner_->calm(own(state), workspace);
  const std::size_t n = node_count();
  auto& w = workspace.volume;
  for (auto* of : {&w.to, &w.answer, &w.gradient}) of->resize(n);
  positions(state, w.to);
  velocities(state, w.answer);
  gradient(w.to, w.gradient);
  double rate = 0, own_answer = 0;
  for (std::size_t i = 0; i < n; ++i) {
    rate += w.gradient[i].dot(w.answer[i]);
    own_answer += w.gradient[i].squaredNorm() / masses_[i];
  }
  const auto t = tail(state);
  const double wanted = t[kRate] * rest_volume_;
  if (!(own_answer > 0) || rate == wanted) return;
  const double size = (wanted - rate) / own_answer;
  w.impulses.clear();
  for (std::uint32_t i = 0; i < n; ++i)
    if (w.gradient[i] != Vec3::Zero()) w.impulses.push_back({i, size * w.gradient[i]});
  const auto energy = [&] {
    const Observables o = inner_->observe(own(state));
    return o.kinetic_energy + o.elastic_energy;
  };
  const bool asked = inner_->stores_motion();
  const double before = asked ? energy() : 0;
  apply_impulses(state, w.impulses);
  t[kWork] += asked ? energy() - before : 0.5 * size * (rate + wanted);
}

}  // namespace hazumi
