#include "core/geometry/metaball/skin_step.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace hazumi::metaball {

namespace {

constexpr std::size_t kEight = kLanes;
constexpr std::size_t kBlock = 64 * kEight;  // vertices of one piece of parallel work
constexpr int kNewton = 12;
constexpr double kExact = 1e-10;   // of the diameter: as near as Newton is asked to come
constexpr int kRelaxings = 2;      // in a step
constexpr int kSpreadings = 10;    // in a relaxing, in the planes across the normals
constexpr double kSpread = 0.5;    // part of the way to where the ring says
constexpr double kStraight = 100;  // margins: edges that are nearer to the surface are all alike
constexpr int kUntanglings = 24;
constexpr int kSmoothings = 2;   // around faces that turned over
constexpr double kSmooth = 0.8;  // cosine between normals of neighbours above which there is no edge
constexpr int kEvenings = 8;
constexpr double kEvened = 0.4;
constexpr double kLeastFacing = 0.15;  // cosine between a face and its vertices' normals below which it lies badly

using At = FieldPoints::At;

/// Calls body(first, count) for eights of [0, n), in parallel.
template <class Body>
void in_eights(Executor& executor, std::size_t n, const Body& body) {
  executor.blocks(n, kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t first = begin; first < end; first += kEight) body(first, std::min(kEight, end - first));
  });
}

/// Where the surface goes through the line through a point along `along` (unit), nearest to it: halved until the ends, of different
/// sign, are as near as Newton comes. False: nowhere within reach.
bool search_line(const MetaballField& field, const SkinBounds& bounds, const Vec3& along, Vec3& point, Vec3& normal) {
  const auto inside = [&](double t) { return field.value(point + t * along) >= 1; };
  const bool here = inside(0);
  double from = 0, to = 0;
  for (double step = 4 * bounds.margin; step <= bounds.reach && to == 0; from = step, step *= 1.5)
    if (const double t = here ? step : -step; inside(t) != here) to = t;
  if (to == 0) return false;
  from = here ? from : -from;
  while (std::abs(to - from) > kExact * bounds.diameter) {
    const double middle = 0.5 * (from + to);
    if (middle == from || middle == to) break;
    (inside(middle) == here ? from : to) = middle;
  }
  point += 0.5 * (from + to) * along;
  Vec3 gradient;
  field.value(point, gradient);
  normal = gradient.squaredNorm() > 0 && gradient.dot(along) < 0 ? Vec3(-gradient.normalized()) : along;
  return true;
}

/// Newton's steps along the gradient, and whether the surface goes through within the margin of each point; where not, as on a crease,
/// it is searched along the normal that the point came with.
bool project(const FieldPoints& to, const SkinBounds& bounds, std::span<Vec3> points, std::span<Vec3> normals) {
  std::vector<std::uint16_t> list;
  to.near(points, bounds.reach, list);
  At at[kEight];
  Vec3 began[kEight];
  std::copy(points.begin(), points.end(), began);
  to.evaluate(points, list, at);
  for (int round = 0; round < kNewton; ++round) {
    bool done = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double slope = at[i].gradient.squaredNorm();
      if (!(slope > 0)) continue;
      Vec3 step = at[i].gradient * ((1 - at[i].value) / slope);
      const double length = step.norm();
      if (length > bounds.reach) step *= bounds.reach / length;
      if (length <= kExact * bounds.diameter) continue;
      points[i] += step;
      done = false;
    }
    if (done) break;
    to.evaluate(points, list, at);
  }
  Vec3 above[kEight], below[kEight], found[kEight];
  At out[kEight], in[kEight];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double slope = at[i].gradient.norm();
    found[i] = slope > 0 ? Vec3(-at[i].gradient / slope) : normals[i];
    above[i] = points[i] + bounds.margin * found[i];
    below[i] = points[i] - bounds.margin * found[i];
  }
  to.evaluate({above, points.size()}, list, out);
  to.evaluate({below, points.size()}, list, in);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (out[i].value < 1 && in[i].value > 1 && (points[i] - began[i]).norm() <= bounds.reach) {
      normals[i] = found[i];
      continue;
    }
    points[i] = began[i];
    if (!search_line(to.field(), bounds, Vec3(normals[i]), points[i], normals[i])) return false;
  }
  return true;
}

}  // namespace

bool lies_badly(const SkinState& state, const std::array<std::uint32_t, 3>& f) {
  const Vec3 flat = (state.places[f[1]] - state.places[f[0]]).cross(state.places[f[2]] - state.places[f[0]]);
  const Vec3 out = state.normals[f[0]] + state.normals[f[1]] + state.normals[f[2]];
  return !(flat.dot(out) >= kLeastFacing * flat.norm() * out.norm());
}

std::vector<Pose> primitive_motions(const MetaballGroup& from, const MetaballGroup& to, const MetaballField& field) {
  std::vector<Pose> motions;
  for (const std::uint32_t i : field.source()) {
    const MetaballPrimitive &a = from.primitives[i], &b = to.primitives[i];
    const Quat turn = (b.rotation.normalized() * a.rotation.normalized().conjugate()).normalized();
    motions.push_back({b.centre - turn * a.centre, turn});
  }
  return motions;
}

bool put_on_surface(const FieldPoints& to, const SkinBounds& bounds, SkinState& state, Executor& executor) {
  std::atomic<bool> all{true};
  state.normals.resize(state.places.size());
  in_eights(executor, state.places.size(), [&](std::size_t first, std::size_t count) {
    if (!project(to, bounds, {state.places.data() + first, count}, {state.normals.data() + first, count}))
      all.store(false, std::memory_order_relaxed);
  });
  return all;
}

bool carry(const FieldPoints& from, const FieldPoints& to, const std::vector<Pose>& motions, const SkinBounds& bounds,
           SkinState& state, Executor& executor) {
  in_eights(executor, state.places.size(), [&](std::size_t first, std::size_t count) {
    const std::span<Vec3> points(state.places.data() + first, count);
    std::vector<std::uint16_t> list;
    from.near(points, 0, list);
    for (Vec3& x : points) {
      // Shares of both ends of the way, as Heun's method: with those of its beginning alone differences would lag behind velocities.
      double sum = 0, sum_there = 0;
      Vec3 way = Vec3::Zero(), way_there = Vec3::Zero();
      for (const std::uint16_t i : list) {
        const double share = std::abs(from.field().primitives()[i].value(x));
        if (share == 0) continue;
        sum += share;
        way += share * (motions[i] * x - x);
      }
      if (!(sum > 0)) continue;
      way /= sum;
      const Vec3 there = x + way;
      for (std::size_t i = 0; i < motions.size(); ++i) {
        const double share = std::abs(to.field().primitives()[i].value(there));
        if (share == 0) continue;
        sum_there += share;
        way_there += share * (motions[i] * x - x);
      }
      x += sum_there > 0 ? Vec3(0.5 * (way + way_there / sum_there)) : way;
    }
  });
  return put_on_surface(to, bounds, state, executor);
}

namespace {

std::size_t bad_faces(const SkinMesh& mesh, const SkinState& state) {
  return static_cast<std::size_t>(
      std::count_if(mesh.faces.begin(), mesh.faces.end(), [&](const auto& f) { return lies_badly(state, f); }));
}

/// Each of the vertices a part of the way to the mean of its ring by `weight(vertex, entry)`, across its normal, and back to the surface.
/// False: some vertex found none; nothing is moved.
template <class Weight>
bool towards_rings(const SkinMesh& mesh, std::span<const std::uint32_t> which, double part, const Weight& weight,
                   const FieldPoints& to, const SkinBounds& bounds, SkinState& state, Executor& executor) {
  SkinState moved{std::vector<Vec3>(which.size()), std::vector<Vec3>(which.size())};
  std::atomic<bool> all{true};
  in_eights(executor, which.size(), [&](std::size_t first, std::size_t count) {
    for (std::size_t w = first; w < first + count; ++w) {
      const std::uint32_t i = which[w];
      Vec3 way = Vec3::Zero();
      double sum = 0;
      for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k) {
        const double share = weight(i, k);
        sum += share;
        way += share * (state.places[mesh.ring[k]] - state.places[i]);
      }
      if (sum > 0) way /= sum;
      way -= state.normals[i] * state.normals[i].dot(way);
      moved.places[w] = state.places[i] + part * way;
      moved.normals[w] = state.normals[i];
    }
    if (!project(to, bounds, {moved.places.data() + first, count}, {moved.normals.data() + first, count}))
      all.store(false, std::memory_order_relaxed);
  });
  if (!all) return false;
  for (std::size_t w = 0; w < which.size(); ++w) {
    state.places[which[w]] = moved.places[w];
    state.normals[which[w]] = moved.normals[w];
  }
  return true;
}

std::vector<std::uint32_t> all_vertices(const SkinMesh& mesh) {
  std::vector<std::uint32_t> all(mesh.start.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// With the rings of what is marked.
void widen(const SkinMesh& mesh, std::vector<char>& marked) {
  const std::vector<char> before = marked;
  for (std::uint32_t i = 0; i < before.size(); ++i)
    if (before[i])
      for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k) marked[mesh.ring[k]] = 1;
}

std::vector<std::uint32_t> all_of(const std::vector<char>& marked) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < marked.size(); ++i)
    if (marked[i]) all.push_back(i);
  return all;
}

/// Whether a vertex that was split is on an edge of the surface now; it stays there then.
bool on_edge(const SkinMesh& mesh, const SkinState& state, std::size_t i) {
  if (!mesh.sharp[i]) return false;
  for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k)
    if (state.normals[i].dot(state.normals[mesh.ring[k]]) < kSmooth) return true;
  return false;
}

/// Vertices around faces that lie badly go to the middles of their rings, ring by ring wider, until none does; or as often as helps. `all`: also those that lay so as the stretch
/// began.
void untangle(const SkinMesh& mesh, bool all, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
              Executor& executor) {
  const auto weight = [&](std::size_t i, std::uint32_t) {
    return on_edge(mesh, state, i) ? 0 : 1.0 / (mesh.ring_first[i + 1] - mesh.ring_first[i]);
  };
  std::vector<char> marked(mesh.start.size(), 0);
  for (int round = 0; round < kUntanglings; ++round) {
    bool some = false;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      if ((!all && mesh.bad[f]) || !lies_badly(state, mesh.faces[f])) continue;
      some = true;
      for (const std::uint32_t v : mesh.faces[f]) marked[v] = 1;
    }
    if (!some) return;
    if (round % 2 == 0) widen(mesh, marked);
    if (!towards_rings(mesh, all_of(marked), kEvened, weight, to, bounds, state, executor)) return;
  }
}

/// The weights of the rings, with more for edges that have come farther from the surface than they were. Each ring sums to 1, or is 0.
std::vector<double> pulls(const SkinMesh& mesh, const SkinBounds& bounds, const SkinState& state, Executor& executor) {
  const double least = kStraight * bounds.margin;
  std::vector<double> pulls(mesh.ring.size());
  executor.blocks(state.places.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (on_edge(mesh, state, i)) continue;
      double sum = 0;
      for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k) {
        const std::uint32_t j = mesh.ring[k];
        const double now = bend(state.places[i], state.places[j], state.normals[i], state.normals[j]);
        const double more = (least + now) / (least + mesh.bends[k]);
        pulls[k] = mesh.weights[k] * more * more;
        sum += pulls[k];
      }
      for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k)
        pulls[k] = sum > 0 ? pulls[k] / sum : 0;
    }
  });
  return pulls;
}

/// Vertices across their normals towards the means of their rings, many times without looking at the surface, so that it reaches far;
/// then back to it. False: some vertex found none; nothing is moved.
bool spread(const SkinMesh& mesh, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
            Executor& executor) {
  const std::vector<double> weights = pulls(mesh, bounds, state, executor);
  SkinState moved = state;
  std::vector<Vec3> next(state.places.size());
  for (int round = 0; round < kSpreadings; ++round) {
    executor.blocks(next.size(), kBlock, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Vec3 way = Vec3::Zero();
        for (std::uint32_t k = mesh.ring_first[i]; k < mesh.ring_first[i + 1]; ++k)
          way += weights[k] * (moved.places[mesh.ring[k]] - moved.places[i]);
        next[i] = moved.places[i] + kSpread * (way - state.normals[i] * state.normals[i].dot(way));
      }
    });
    std::swap(moved.places, next);
  }
  if (!put_on_surface(to, bounds, moved, executor)) return false;
  state = std::move(moved);
  return true;
}

}  // namespace

void relax(const SkinMesh& mesh, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
           std::vector<Vec3>& moved, Executor& executor) {
  const SkinState carried = state;
  for (int round = 0; round < kRelaxings; ++round)
    if (!spread(mesh, to, bounds, state, executor)) break;
  untangle(mesh, false, to, bounds, state, executor);
  if (bad_faces(mesh, state) > bad_faces(mesh, carried)) state = carried;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += state.places[i] - carried.places[i];
}

void even_out(const SkinMesh& mesh, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
              Executor& executor) {
  const SkinState began = state;
  const std::vector<std::uint32_t> all = all_vertices(mesh);
  const auto weight = [&](std::size_t i, std::uint32_t) {
    return on_edge(mesh, state, i) ? 0 : 1.0 / (mesh.ring_first[i + 1] - mesh.ring_first[i]);
  };
  for (int round = 0; round < kEvenings; ++round)
    if (!towards_rings(mesh, all, kEvened, weight, to, bounds, state, executor)) break;
  untangle(mesh, true, to, bounds, state, executor);
  if (bad_faces(mesh, state) > bad_faces(mesh, began)) state = began;
}

bool smooth_around(const SkinMesh& mesh, const std::vector<std::uint32_t>& faces, int rings, const FieldPoints& to,
                   const SkinBounds& bounds, SkinState& state, std::vector<Vec3>& moved, Executor& executor) {
  const SkinState before = state;
  const auto weight = [&](std::size_t i, std::uint32_t) {
    return on_edge(mesh, state, i) ? 0 : 1.0 / (mesh.ring_first[i + 1] - mesh.ring_first[i]);
  };
  std::vector<char> marked(mesh.start.size(), 0);
  for (const std::uint32_t f : faces)
    for (const std::uint32_t v : mesh.faces[f]) marked[v] = 1;
  for (int ring = 0; ring < rings; ++ring) widen(mesh, marked);
  const std::vector<std::uint32_t> which = all_of(marked);
  for (int round = 0; round < kSmoothings; ++round)
    if (!towards_rings(mesh, which, kEvened, weight, to, bounds, state, executor)) return false;
  for (const std::uint32_t i : which) moved[i] += state.places[i] - before.places[i];
  return true;
}

FaceReport look_at_faces(const SkinMesh& mesh, const FieldPoints& field, const SkinState& state, double limit,
                         Executor& executor) {
  FaceReport report;
  report.facing.resize(mesh.faces.size());
  std::vector<double> farthest((mesh.faces.size() + kBlock - 1) / kBlock, 0.0);
  executor.blocks(mesh.faces.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    double& worst = farthest[begin / kBlock];
    std::vector<std::uint16_t> list;
    std::vector<Vec3> points;
    std::vector<std::size_t> face_of;
    points.reserve(kEight);
    const auto flush = [&] {
      At at[kEight];
      Vec3 there[kEight];
      At then[kEight];
      field.near(points, limit, list);
      field.evaluate(points, list, at);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double slope = at[i].gradient.squaredNorm();
        Vec3 step = slope > 0 ? Vec3(at[i].gradient * ((1 - at[i].value) / slope)) : Vec3(Vec3::Zero());
        if (const double length = step.norm(); length > limit) step *= limit / length;
        there[i] = points[i] + step;
        if (face_of[i] == mesh.faces.size()) continue;
        const auto& f = mesh.faces[face_of[i]];
        const Vec3 flat = (state.places[f[1]] - state.places[f[0]]).cross(state.places[f[2]] - state.places[f[0]]);
        report.facing[face_of[i]] = flat.dot(at[i].gradient) < 0 ? 1 : -1;
      }
      field.evaluate({there, points.size()}, list, then);
      for (std::size_t i = 0; i < points.size(); ++i) {
        // A second step where the field bends; what is left of it then must be little.
        const double slope = then[i].gradient.squaredNorm();
        const Vec3 step = slope > 0 ? Vec3(then[i].gradient * ((1 - then[i].value) / slope)) : Vec3::Constant(limit);
        const double off = step.norm() < 0.5 * limit ? (there[i] + step - points[i]).norm() : 2 * limit;
        worst = std::max(worst, std::min(off, 2 * limit));
      }
      points.clear();
      face_of.clear();
    };
    const auto add = [&](const Vec3& p, std::size_t face) {
      points.push_back(p);
      face_of.push_back(face);
      if (points.size() == kEight) flush();
    };
    for (std::size_t f = begin; f < end; ++f) {
      const auto& v = mesh.faces[f];
      const Vec3 &a = state.places[v[0]], &b = state.places[v[1]], &c = state.places[v[2]];
      add((a + b + c) / 3, f);
      if (v[0] < v[1]) add((a + b) / 2, mesh.faces.size());
      if (v[1] < v[2]) add((b + c) / 2, mesh.faces.size());
      if (v[2] < v[0]) add((c + a) / 2, mesh.faces.size());
    }
    if (!points.empty()) flush();
  });
  for (const double d : farthest) report.farthest = std::max(report.farthest, d);
  return report;
}

}  // namespace hazumi::metaball
