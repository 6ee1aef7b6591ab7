#include "core/sim/particles/ways.h"

#include <algorithm>
#include <cmath>

#include "core/math/clones.h"

namespace hazumi {

namespace {

constexpr std::size_t kLanes = 8;

struct alignas(64) Block {
  using List = double[kParticleList];
  List from[3], speed[3], to[3], next[3];  // m, m/s; as they would end
  List radius, far;                        // m; 1: free of all looked at so far
  List open;                               // 1: it moves, and no body looked at so far is near
};

HAZUMI_WIDE_CLONES void find_ends(const Flown& flown, std::size_t count, Block& all) {
  const double* const flown_to[3] = {flown.u.data(), flown.v.data(), flown.w.data()};
  const double *const step = flown.step.data(), *const whole = flown.whole.data(), *const late = flown.late.data();
  for (int k = 0; k < 3; ++k) {
    const double* const next = flown_to[k];
    for (std::size_t i = 0; i < count; ++i) {
      const double h = step[i], u = all.speed[k][i], a = h > 0 ? (next[i] - u) / h : 0.0;
      all.to[k][i] = all.from[k][i] + h * (whole[i] * u + late[i] * h * a);
      all.next[k][i] = u + h * a;
    }
  }
  const double* const size = flown.size.data();
  for (std::size_t i = 0; i < count; ++i) {
    const double half = 0.5 * size[i];
    all.radius[i] = half > kLeastParticleRadius ? half : kLeastParticleRadius;
    all.far[i] = step[i] > 0 ? 1.0 : 0.0;
  }
}

/// Lanes without branches: of a block one box or plane at a time.
HAZUMI_WIDE_CLONES void look_at_plane(const double* normal, double level, std::size_t count, Block& all) {
  // What rounding may make of the way that the plane itself is looked at (obstacles.cpp), many times over.
  constexpr double kSlack = 1e-14;
  const double a = normal[0], b = normal[1], c = normal[2], about = level < 0 ? -level : level;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = a * all.to[0][i], y = b * all.to[1][i], z = c * all.to[2][i];
    const double sum = (x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z) + about;
    all.far[i] = x + y + z - level - all.radius[i] >= kSlack * sum ? all.far[i] : 0.0;
  }
}

/// In `in` 1 for those that are open and in the box; whether any is.
HAZUMI_WIDE_CLONES bool look_at_box(const double* low, const double* high, std::size_t count, const Block& all,
                                    double* in) {
  Eight most = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    Eight p, q, r, open;
    __builtin_memcpy(&r, &all.radius[i], sizeof r);
    __builtin_memcpy(&open, &all.open[i], sizeof open);
    for (int k = 0; k < 3; ++k) {
      __builtin_memcpy(&p, &all.from[k][i], sizeof p);
      __builtin_memcpy(&q, &all.to[k][i], sizeof q);
      const Eight first = (p < q ? p : q) - r, last = (p < q ? q : p) + r;
      open = last < low[k] ? Eight{} : open;
      open = first > high[k] ? Eight{} : open;
    }
    __builtin_memcpy(&in[i], &open, sizeof open);
    most = open > most ? open : most;
  }
  double any = 0;
  for (std::size_t k = 0; k < kLanes; ++k) any = most[k] > any ? most[k] : any;
  return any > 0;
}

/// In the axes of a body that stands, or goes from one pose to the other.
HAZUMI_WIDE_CLONES void turn(const double* rows, const double* place, const double (*list)[kParticleList],
                             std::size_t count, FaceWays::List<double>* own) {
  const double a = place[0], b = place[1], c = place[2];
  for (int k = 0; k < 3; ++k) {
    const double u = rows[3 * k], v = rows[3 * k + 1], w = rows[3 * k + 2];
    for (std::size_t i = 0; i < count; ++i)
      own[k][i] = u * (list[0][i] - a) + v * (list[1][i] - b) + w * (list[2][i] - c);
  }
}

void turn_into(const Pose& pose, const double (*list)[kParticleList], std::size_t count, FaceWays::List<double>* own) {
  const Mat3 columns = pose.rotation.toRotationMatrix();  // as rows: there and back
  turn(columns.data(), pose.position.data(), list, count, own);
}

/// Where bodies with cells are met, `around` tells of it.
void look_at_body(const Surroundings& round, const Surroundings::Body& body, const Flown& flown, std::size_t count,
                  std::size_t whole, Block& all, FaceWays& ways) {
  // A tree of boxes rounds to floats outwards, each of the two by less than 3e-7 of its coordinates.
  Vec3 low = body.box.low, high = body.box.high;
  for (int k = 0; k < 3; ++k) {
    const double slack = 1e-6 * std::max(std::abs(low[k]), std::abs(high[k])) + 1e-30;
    low[k] -= slack;
    high[k] += slack;
  }
  if (!look_at_box(low.data(), high.data(), whole, all, ways.asked.data())) return;
  if (!body.cells) {
    for (std::size_t i = 0; i < count; ++i)
      if (ways.asked[i] > 0) all.far[i] = all.open[i] = 0;
    return;
  }
  static_assert(FaceWays::kMost >= kParticleList);
  turn_into(body.from, all.from, whole, ways.p);
  turn_into(body.to, all.to, whole, ways.q);
  for (std::size_t i = 0; i < whole; ++i) ways.radius[i] = all.radius[i] + body.thickness;
  if (body.moves)
    for (std::size_t i = 0; i < count; ++i)
      if (ways.asked[i] > 0 && flown.step[i] < (1 - 1e-12) * round.step) {
        // It was born on the way, and sees the body go from where that was then.
        ways.asked[i] = 0;
        all.far[i] = all.open[i] = 0;
      }
  ways.count = count;
  body.cells->look(ways, body.obstacle);
  for (std::size_t k = 0; k < ways.met_count; ++k) all.far[ways.met[k]] = all.open[ways.met[k]] = 0;
}

/// What is not free stays as it began.
HAZUMI_WIDE_CLONES void choose(std::size_t whole, Block& all) {
  for (std::size_t i = 0; i < whole; i += kLanes) {
    Eight far, from, to;
    __builtin_memcpy(&far, &all.far[i], sizeof far);
    for (int k = 0; k < 3; ++k) {
      __builtin_memcpy(&from, &all.from[k][i], sizeof from);
      __builtin_memcpy(&to, &all.to[k][i], sizeof to);
      to = far > 0 ? to : from;
      __builtin_memcpy(&all.to[k][i], &to, sizeof to);
      __builtin_memcpy(&from, &all.speed[k][i], sizeof from);
      __builtin_memcpy(&to, &all.next[k][i], sizeof to);
      to = far > 0 ? to : from;
      __builtin_memcpy(&all.next[k][i], &to, sizeof to);
    }
  }
}

}  // namespace

void go_freely(const Surroundings& round, const Flown& flown, std::size_t first, std::size_t count, ParticleMemory& p,
               Nearness& out) {
  const std::size_t whole = (count + kLanes - 1) / kLanes * kLanes;
  Block all;
  double* const place[3] = {&p.x[first], &p.y[first], &p.z[first]};
  double* const velocity[3] = {&p.u[first], &p.v[first], &p.w[first]};
  for (int k = 0; k < 3; ++k) {
    std::copy_n(place[k], count, all.from[k]);
    std::copy_n(velocity[k], count, all.speed[k]);
    std::fill(all.from[k] + count, all.from[k] + whole, 0);
    std::fill(all.speed[k] + count, all.speed[k] + whole, 0);
  }
  find_ends(flown, whole, all);
  for (std::size_t i = 0; i < count; ++i)
    if (p.held[first + i] != 0) all.far[i] = 0;
  std::copy_n(all.far, whole, all.open);
  for (const Surroundings::Level& plane : round.planes) look_at_plane(plane.normal.data(), plane.level, whole, all);
  out.told.clear();
  if (!round.bodies.empty()) {
    FaceWays ways;
    ways.told = &out.told;
    for (const Surroundings::Body& body : round.bodies) look_at_body(round, body, flown, count, whole, all, ways);
  }
  choose(whole, all);
  for (int k = 0; k < 3; ++k) {
    std::copy_n(all.to[k], count, place[k]);
    std::copy_n(all.next[k], count, velocity[k]);
  }
  for (std::size_t i = 0; i < count; ++i) out.near[i] = all.far[i] > 0 ? 0 : 1;
}

}  // namespace hazumi
