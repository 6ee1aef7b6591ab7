#include "core/sim/elastic/rest_path.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

using Shape = std::vector<Vec3>;

constexpr int kMostSteps = 150;
constexpr double kThere = 1e-5;    // of the elastic energy at the start
constexpr double kDamping = 8;     // η in steps
constexpr double kStepRate = 3e3;  // h √(k/m) of a spring of the mean

Shape aligned(const ElasticSetup& setup, std::span<const Vec3> x, Quat& turn) {
  double mass = 0;
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) {
    mass += setup.masses[i];
    from += setup.masses[i] * x[i];
    to += setup.masses[i] * setup.nodes[i];
  }
  from /= mass;
  to /= mass;
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) fit += setup.masses[i] * (setup.nodes[i] - to) * (x[i] - from).transpose();
  turn = polar_rotation_near(fit, turn);
  const Mat3 back = turn.toRotationMatrix();
  Shape out;
  for (const Vec3& p : x) out.push_back(to + back * (p - from));
  return out;
}

double distance(const ElasticSetup& setup, const Shape& a, const Shape& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += setup.masses[i] * (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum);
}

/// For relaxing: η, a step, and so little mass that it does not count.
std::unique_ptr<ElasticSolver> relaxing(ElasticSetup setup) {
  double stiff = 0, mass = 0;
  for (Spring& s : setup.springs) {
    if (!(s.stiffness > 0)) s.stiffness = 1;
    stiff += s.stiffness / static_cast<double>(setup.springs.size());
  }
  for (const double m : setup.masses) mass += m / static_cast<double>(setup.masses.size());
  if (!(stiff > 0)) return nullptr;
  setup.time_step = kStepRate * std::sqrt(mass / stiff);
  for (Spring& s : setup.springs) s.damping = kDamping * setup.time_step * s.stiffness;
  setup.spring_section = 1;  // a material as stiff as the springs
  setup.pinned.clear();
  setup.rest_offset.clear();
  setup.examples.clear();
  setup.parameters.clear();
  setup.takes_shape = setup.takes_nodes = true;
  for (const char* name : {"fem", "polyhedral"}) {
    auto made = find_elastic_solver(name)->make(setup);
    if (made.ok()) return std::move(made).value();
  }
  return nullptr;
}

/// Empty: it did not get there.
std::vector<Shape> relax(const ElasticSetup& setup, std::span<const Vec3> p, std::span<const Vec3> q) {
  const auto solver = relaxing(setup);
  if (!solver) return {};
  std::vector<double> state(solver->state_size());
  solver->initialise({}, Vec3::Zero(), Vec3::Zero(), state);
  // Goes into p by degrees, so that the cells turn with it.
  constexpr int kParts = 8;
  Shape at(p.size());
  for (int part = 0; part < kParts; ++part) {
    solver->positions(state, at);
    for (std::size_t i = 0; i < p.size(); ++i)
      at[i] = (setup.nodes[i] + (part + 1.0) / kParts * (p[i] - setup.nodes[i])) - at[i];
    solver->displace(state, at);
  }
  RestShape shape;
  shape.nodes.assign(q.begin(), q.end());
  if (!solver->take_shape(state, shape)) return {};
  const double start = solver->observe(state).elastic_energy;
  std::vector<Shape> path;
  Quat turn = Quat::Identity();
  path.push_back(aligned(setup, p, turn));
  ElasticWorkspace workspace;
  const Shape none(p.size(), Vec3::Zero());
  for (int step = 0; step < kMostSteps; ++step) {
    if (!solver->step(state, none, Vec3::Zero(), workspace)) return {};
    solver->still(state);
    solver->positions(state, at);
    path.push_back(aligned(setup, at, turn));
    if (solver->observe(state).elastic_energy <= kThere * start) {
      path.push_back(aligned(setup, q, turn));
      return path;
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<Vec3>> rest_path(const ElasticSetup& setup, std::span<const Vec3> p, std::span<const Vec3> q,
                                         int count, bool directed) {
  std::vector<Shape> path = directed ? relax(setup, p, q) : std::vector<Shape>();
  if (path.empty()) {
    Quat turn = Quat::Identity();
    path.push_back(aligned(setup, p, turn));
    path.push_back(aligned(setup, q, turn));
  }
  std::vector<double> way = {0};
  for (std::size_t k = 1; k < path.size(); ++k) way.push_back(way.back() + distance(setup, path[k - 1], path[k]));
  std::vector<Shape> out;
  std::size_t k = 1;
  for (int j = 0; j <= count; ++j) {
    const double wanted = way.back() * j / count;
    while (k + 1 < path.size() && way[k] < wanted) ++k;
    const double length = way[k] - way[k - 1];
    const double part = length > 0 ? std::clamp((wanted - way[k - 1]) / length, 0.0, 1.0) : 1;
    Shape shape(p.size());
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = (1 - part) * path[k - 1][i] + part * path[k][i];
    out.push_back(std::move(shape));
  }
  return out;
}

}  // namespace hazumi
