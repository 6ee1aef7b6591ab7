#include "core/sim/constraint/link_soft.h"

#include <algorithm>
#include <numeric>

#include "core/math/eigen.h"
#include "core/math/rotation.h"
#include "core/sim/body/motion.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

constexpr std::size_t kMostNodes = 8;  // of which a place is a mean
constexpr double kOn = 1e-6;           // of the size: so near a node it is that node

}  // namespace

Vec3 mean_of(std::span<const NodeWeight> weights, std::span<const Vec3> nodes) {
  Vec3 sum = Vec3::Zero();
  for (const NodeWeight& w : weights) sum += w.weight * nodes[w.node];
  return sum;
}

std::vector<NodeWeight> hold_place(std::span<const Vec3> nodes, const Vec3& place, double& off) {
  std::vector<std::uint32_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (nodes[a] - place).squaredNorm() < (nodes[b] - place).squaredNorm();
  });
  const double size = (nodes[order.back()] - place).norm();
  off = (nodes[order[0]] - place).norm();
  std::vector<NodeWeight> best{{order[0], 1}};
  for (std::size_t k = 2; k <= std::min(kMostNodes, nodes.size()) && off > kOn * size; ++k) {
    // The smallest weights with Σ w = 1 and Σ w x = p.
    const auto count = static_cast<Eigen::Index>(k);
    Eigen::Matrix<double, 3, Eigen::Dynamic> arms(3, count);
    for (Eigen::Index i = 0; i < count; ++i) arms.col(i) = nodes[order[static_cast<std::size_t>(i)]];
    const Vec3 centre = arms.rowwise().mean();
    arms.colwise() -= centre;
    const Eigen::VectorXd w = Eigen::VectorXd::Constant(count, 1.0 / static_cast<double>(k)) +
                              arms.transpose() * least_squares(arms * arms.transpose(), place - centre);
    std::vector<NodeWeight> weights;
    for (Eigen::Index i = 0; i < count; ++i) weights.push_back({order[static_cast<std::size_t>(i)], w[i]});
    const double now = (mean_of(weights, nodes) - place).norm();
    if (!(now < 0.999 * off)) continue;
    off = now;
    best = std::move(weights);
  }
  return best;
}

void LinkSoft::begin(const Body& of, std::span<const double> values, const BodyForces& forces,
                     const Vec3& acceleration) {
  start.assign(values.begin(), values.end());
  end = start;
  forces_ = forces;
  acceleration_ = acceleration;
  mass = of.mass;
  passes = 0;
  found_.clear();
  workspace_.found = &found_;
  set_pushed(forces.nodes);
  nodes_.clear();
  for (const Anchor& anchor : anchors)
    for (const NodeWeight& w : anchor.nodes) nodes_.push_back(w.node);
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  read_blocks(of, start, blocks_);
  read(of, At::start);
  read(of, At::end);
}

/// Blocks of A⁻¹ of the body as it lies, in the axes of its frame there.
void LinkSoft::read_blocks(const Body& of, std::span<const double> values, std::vector<Mat3>& blocks) {
  BodyMotion still;
  still.nodes_from.resize(of.truss.nodes.size());
  of.positions(values, still.nodes_from);
  still.nodes_to = still.nodes_from;
  const Pose frame = of.pose(values);
  still.centre = frame.position;
  still.held.attitude = frame.rotation.toRotationMatrix();
  still.parts = of.parts(values);
  blocks.resize(nodes_.size() * nodes_.size());
  of.inverse_blocks(still, nodes_, blocks, workspace_);
}

void LinkSoft::read(const Body& of, At when) {
  const std::vector<double>& values = when == At::start ? start : end;
  scratch_.resize(of.truss.nodes.size());
  of.positions(values, scratch_);
  (when == At::start ? from_ : to_) = means_of(scratch_);
  of.node_velocities(values, scratch_);
  (when == At::start ? u_from_ : u_to_) = means_of(scratch_);
  (when == At::start ? frame_from_ : frame_to_) = of.pose(values);
}

std::vector<Vec3> LinkSoft::means_of(std::span<const Vec3> nodes) const {
  std::vector<Vec3> out;
  for (const Anchor& anchor : anchors) out.push_back(mean_of(anchor.nodes, nodes));
  return out;
}

std::vector<Vec3> LinkSoft::share(std::span<const Vec3> impulses, std::span<const Vec3> nodes) const {
  std::vector<Vec3> out(nodes.begin(), nodes.end());
  out.resize(scratch_.size(), Vec3::Zero());
  for (std::size_t k = 0; k < anchors.size(); ++k)
    for (const NodeWeight& w : anchors[k].nodes) out[w.node] += w.weight * impulses[k];
  return out;
}

bool LinkSoft::advance(const Body& of, double h, std::span<const Vec3> impulses, BodyMotion* motion) {
  std::vector<Vec3> per_second(impulses.begin(), impulses.end());
  for (Vec3& force : per_second) force /= h;
  forces_.nodes = share(per_second, pushed_);
  if (!of.advance(h, forces_, acceleration_, start, end, workspace_, motion)) return false;
  passes += workspace_.passes;
  read(of, At::end);
  return true;
}

void LinkSoft::stay(const Body& of, double h, BodyMotion* motion) {
  finish(of, start);
  if (!motion) return;
  // Rows hold it as they did.
  HeldFrame held = std::move(motion->held);
  const Vec3 turn = motion->angular_start;
  of.motion(h, start, start, *motion);
  motion->held = std::move(held);
  motion->angular_start = turn;
  motion->angular_mean.setZero();
}

double LinkSoft::stored_energy(const Body& of, At when) const {
  const std::vector<double>& values = when == At::start ? start : end;
  if (!of.stores_motion(values)) return 0;
  const Observables o = of.account(values);
  return o.kinetic_energy + o.elastic_energy;
}

void LinkSoft::stop(const Body& of, const Vec3& out) {
  of.stay(start, end, Vec3::Zero(), out);
  read(of, At::end);
}

void LinkSoft::finish(const Body& of, std::span<const double> values) {
  end.assign(values.begin(), values.end());
  read(of, At::end);
}

// As its own iteration has it, of which what is left is of the order of the strain (elastic/lagrange.cpp).
void LinkSoft::answer_by_step() {
  const Mat3 from = frame_from_.rotation.toRotationMatrix(), to = frame_to_.rotation.toRotationMatrix();
  answer_by(blocks_, to, (0.5 * (from + to)).inverse());
}

void LinkSoft::answer_where_it_is() {
  const Mat3 to = frame_to_.rotation.toRotationMatrix();
  answer_by(end_blocks_, to, to.transpose());
}

void LinkSoft::see_end(const Body& of) { read_blocks(of, end, end_blocks_); }

void LinkSoft::answer_by(std::span<const Mat3> blocks, const Mat3& r, const Mat3& back) {
  const std::size_t m = nodes_.size(), count = anchors.size();
  const auto number = [&](std::uint32_t node) {
    return static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
  };
  answer_.assign(count * count, Mat3::Zero());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      Mat3 sum = Mat3::Zero();
      for (const NodeWeight& a : anchors[i].nodes)
        for (const NodeWeight& b : anchors[j].nodes)
          sum += a.weight * b.weight * blocks[number(a.node) * m + number(b.node)];
      answer_[i * count + j] = r * sum * back;
    }
}

bool LinkSoft::measure_answers(const Body& of, double h, std::span<const Vec3> impulses) {
  constexpr double kWay = 1e-6;  // of the body's size
  answer_by_step();              // for the size of the steps
  const std::size_t count = anchors.size();
  const std::vector<Mat3> rough = answer_;
  const std::vector<double> values = end;
  const std::vector<Vec3> to = to_, u_to = u_to_;
  const Pose frame = frame_to_;
  double size = 0;
  for (const Vec3& node : of.truss.nodes) size = std::max(size, (node - of.truss.nodes[0]).norm());
  bool good = true;
  for (std::size_t j = 0; j < count && good; ++j)
    for (Eigen::Index c = 0; c < 3 && good; ++c) {
      const double way = 0.5 * h * rough[j * count + j].col(c).norm();
      if (!(way > 0)) continue;
      const double more = kWay * size / way;
      std::vector<Vec3> pushed(impulses.begin(), impulses.end());
      pushed[j][c] += more;
      good = advance(of, h, pushed, nullptr);
      for (std::size_t i = 0; i < count && good; ++i)
        answer_[i * count + j].col(c) = (to_[i] - to[i]) / (0.5 * h * more);
    }
  end = values;
  to_ = to;
  u_to_ = u_to;
  frame_to_ = frame;
  return good;
}

void LinkSoft::answer_by_masses(const Body& of) {
  const std::size_t count = anchors.size();
  answer_.assign(count * count, Mat3::Zero());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      double sum = 0;
      for (const NodeWeight& a : anchors[i].nodes)
        for (const NodeWeight& b : anchors[j].nodes)
          if (a.node == b.node && !of.is_pinned(a.node)) sum += a.weight * b.weight / of.truss.masses[a.node];
      answer_[i * count + j] = sum * Mat3::Identity();
    }
}

void LinkSoft::push(const Body& of, At when, std::span<const Vec3> impulses) {
  const std::vector<Vec3> nodes = share(impulses, {});
  std::vector<NodeImpulse> pushes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != Vec3::Zero()) pushes.push_back({i, nodes[i]});
  of.push_nodes(when == At::start ? start : end, pushes);
  read(of, when);
}

template <class What>
void LinkSoft::each_node_at_end(const Body& of, const What& what) const {
  std::vector<Vec3> x(of.truss.nodes.size()), u(x);
  of.positions(end, x);
  of.node_velocities(end, u);
  for (std::uint32_t i = 0; i < x.size(); ++i) what(i, x[i], u[i]);
}

void LinkSoft::add_moments(const Body& of, const Vec3& centre, Vec3& spin, Mat3& inertia) const {
  each_node_at_end(of, [&](std::uint32_t i, const Vec3& x, const Vec3& u) {
    const Vec3 arm = x - centre;
    spin += of.truss.masses[i] * arm.cross(u);
    inertia -= of.truss.masses[i] * skew(arm) * skew(arm);
  });
}

double LinkSoft::energy_beside(const Body& of, const Vec3& velocity, const Vec3& turn, const Vec3& centre) const {
  double sum = 0;
  each_node_at_end(of, [&](std::uint32_t i, const Vec3& x, const Vec3& u) {
    sum += 0.5 * of.truss.masses[i] * (u - velocity - turn.cross(x - centre)).squaredNorm();
  });
  return sum;
}

void LinkSoft::scale_beside(const Body& of, const Vec3& velocity, const Vec3& turn, const Vec3& centre, double factor) {
  std::vector<NodeImpulse> pushes;
  each_node_at_end(of, [&](std::uint32_t i, const Vec3& x, const Vec3& u) {
    pushes.push_back({i, (factor - 1) * of.truss.masses[i] * (u - velocity - turn.cross(x - centre))});
  });
  of.push_nodes(end, pushes);
  read(of, At::end);
}

void LinkSoft::shift(const Body& of, std::span<const Vec3> impulses, std::span<const Vec3> nodes) {
  BodyForces pushes;
  pushes.nodes = share(impulses, nodes);
  of.shift(end, pushes, BodyMotion());
  read(of, At::end);
}

void LinkSoft::respond(const Body& of, std::span<const Vec3> nodes, std::span<Vec3> out) const {
  std::vector<NodeImpulse> pushes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != Vec3::Zero()) pushes.push_back({i, nodes[i]});
  of.respond(end, pushes, out);
}

}  // namespace hazumi
