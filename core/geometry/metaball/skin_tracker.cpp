#include "core/geometry/metaball/skin_tracker.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/metaball/polygonise.h"
#include "core/geometry/metaball/skin_refine.h"
#include "core/geometry/metaball/skin_step.h"

namespace hazumi {

namespace {

using namespace metaball;

constexpr double kFarthest = 2;       // tolerances: a face farther from the surface cuts
constexpr double kSlack = 1e-3;       // of the tolerance
constexpr double kReach = 0.1;        // of the diameter
constexpr double kLargestTurn = 0.1;  // rad of a primitive, and part of its least radius that it moves, in one step
constexpr int kMostSteps = 64;        // in a frame
constexpr int kMendings = 8;          // of faces that turned over, before it is cut

bool same_primitives(const MetaballGroup& a, const MetaballGroup& b) {
  if (a.primitives.size() != b.primitives.size() || a.final_tolerance != b.final_tolerance) return false;
  for (std::size_t i = 0; i < a.primitives.size(); ++i) {
    const MetaballPrimitive &p = a.primitives[i], &q = b.primitives[i];
    if (p.visible != q.visible || p.shape != q.shape || p.radii != q.radii || p.round_xz != q.round_xz ||
        p.round_xy != q.round_xy || p.tube != q.tube || p.weight != q.weight)
      return false;
  }
  return true;
}

/// The group at part t of the way.
MetaballGroup between(const MetaballGroup& a, const MetaballGroup& b, double t) {
  MetaballGroup group = b;
  for (std::size_t i = 0; i < group.primitives.size(); ++i) {
    const MetaballPrimitive &p = a.primitives[i], &q = b.primitives[i];
    group.primitives[i].centre = p.centre + t * (q.centre - p.centre);
    group.primitives[i].rotation = p.rotation.normalized().slerp(t, q.rotation.normalized());
  }
  return group;
}

/// So many that no primitive moves far against another in one. What all do together needs none.
int steps_between(const MetaballGroup& a, const MetaballGroup& b) {
  double most = 0;
  const MetaballPrimitive* first = nullptr;
  Pose all;
  for (std::size_t i = 0; i < a.primitives.size(); ++i) {
    const MetaballPrimitive &p = a.primitives[i], &q = b.primitives[i];
    if (!p.visible || p.weight == 0) continue;
    const Quat turn = (q.rotation.normalized() * p.rotation.normalized().conjugate()).normalized();
    if (first == nullptr) {
      first = &p;
      all = {q.centre - turn * p.centre, turn};
    }
    most =
        std::max({most, turn.angularDistance(all.rotation), (q.centre - all * p.centre).norm() / p.radii.minCoeff()});
  }
  return std::clamp(static_cast<int>(std::ceil(most / kLargestTurn)), 1, kMostSteps);
}

/// Rotation vector.
Vec3 turn_of(const Quat& from, const Quat& to) {
  const Eigen::AngleAxisd turn((to.normalized() * from.normalized().conjugate()).normalized());
  const double angle = turn.angle() > kPi ? turn.angle() - 2 * kPi : turn.angle();
  return angle * turn.axis();
}

struct Rate {
  Vec3 centre, velocity = Vec3::Zero(), spin = Vec3::Zero();
  Vec3 at(const Vec3& x) const { return velocity + spin.cross(x - centre); }
};

/// A group at its time.
struct Timed {
  double time = 0;
  MetaballGroup group;
};

/// Parts of the differences to the frames before and after that make the derivative in between (exact for parabolas).
struct Weights {
  double before = 0, after = 0;
  Weights(double now, const double* then, const double* next) {
    const double a = then ? now - *then : 0, b = next ? *next - now : 0;
    if (then && next) {
      before = b / (a * (a + b));
      after = a / (b * (a + b));
    } else if (then) {
      before = 1 / a;
    } else if (next) {
      after = 1 / b;
    }
  }
};

std::vector<Rate> rates(const Timed* before, const Timed& now, const Timed* after, const MetaballField& field) {
  const Weights part(now.time, before ? &before->time : nullptr, after ? &after->time : nullptr);
  std::vector<Rate> all;
  for (const std::uint32_t i : field.source()) {
    const MetaballPrimitive& p = now.group.primitives[i];
    Rate rate{p.centre};
    if (before) {
      const MetaballPrimitive& then = before->group.primitives[i];
      rate.velocity += part.before * (p.centre - then.centre);
      rate.spin += part.before * turn_of(then.rotation, p.rotation);
    }
    if (after) {
      const MetaballPrimitive& next = after->group.primitives[i];
      rate.velocity += part.after * (next.centre - p.centre);
      rate.spin += part.after * turn_of(p.rotation, next.rotation);
    }
    all.push_back(rate);
  }
  return all;
}

/// Of a point of the surface: with the primitives, and as fast across as the surface goes.
Vec3 material_velocity(const MetaballField& field, const std::vector<Rate>& rates, const Vec3& x) {
  double sum = 0, missing = 0;
  Vec3 mean = Vec3::Zero(), gradient = Vec3::Zero();
  const auto each = [&](const auto& what) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const FieldPrimitive& f = field.primitives()[i];
      if (((x - f.centre).cwiseAbs().array() > f.reach.array()).any()) continue;
      Vec3 slope = Vec3::Zero();
      const double value = f.value(x, slope);
      if (value != 0) what(std::abs(value), slope, rates[i].at(x));
    }
  };
  each([&](double share, const Vec3& slope, const Vec3& v) {
    sum += share;
    mean += share * v;
    gradient += slope;
    missing -= slope.dot(v);
  });
  if (!(sum > 0)) return Vec3::Zero();
  mean /= sum;
  missing += gradient.dot(mean);
  const double square = gradient.squaredNorm();
  return square > 0 ? Vec3(mean - gradient * (missing / square)) : mean;
}

std::string count(int n, const char* one, const char* many) { return std::to_string(n) + " " + (n == 1 ? one : many); }

}  // namespace

std::string change_of_topology(const SkinTopology& before, const SkinTopology& after) {
  if (after.pieces == 0) return "the surface vanishes";
  if (before.pieces == 0) return "the surface appears, in " + count(after.pieces, "piece", "pieces");
  if (before.pieces != after.pieces)
    return count(before.pieces, "piece", "pieces") + (before.pieces == 1 ? " becomes " : " become ") +
           std::to_string(after.pieces);
  const int handles = (before.euler - after.euler) / 2;
  return count(std::abs(handles), "handle", "handles") + (handles > 0 ? " more" : " less");
}

std::string cut_reason(const SkinStretch& stretch) {
  switch (stretch.cut) {
    case SkinCut::beginning:
      return "the first stretch begins";
    case SkinCut::topology:
      return change_of_topology(stretch.before, stretch.topology);
    case SkinCut::distance:
      return "triangles of the one before could not stay near the surface";
    case SkinCut::turned:
      return "a triangle of the one before would have turned over";
    case SkinCut::metaballs:
      return "other metaballs than before";
  }
  return {};
}

std::string cut_sentence(const SkinStretch& stretch) {
  return "frame " + std::to_string(stretch.first) + ": " + cut_reason(stretch);
}

struct SkinTracker::Data {
  // Of the frame before.
  struct Latest {
    int frame = 0;
    Timed timed;
    SkinState state;
    std::vector<Vec3> relaxed;  // on the way to it; empty: it began a stretch
    std::vector<Vec3> came;     // places in the frame before; empty likewise
  };

  std::vector<SkinStretch> stretches;
  SkinMesh mesh;                    // of the present stretch
  std::vector<signed char> facing;  // of its faces in its first frame
  std::optional<Latest> latest;
  std::optional<Timed> earlier;  // the frame before that, with the same primitives

  static SkinBounds bounds_of(const MetaballField& field, double tolerance) {
    const double diameter = field.largest_diameter();
    return {diameter, kReach * diameter, kSlack * tolerance * diameter};
  }
  double limit(const MetaballField& field, const MetaballGroup& group) const {
    return kFarthest * group.final_tolerance * field.largest_diameter();
  }

  void begin(int frame, SkinCut cut, const SkinTopology& topology, std::shared_ptr<const DisplayMesh> surface,
             const Pose& place, const Timed& timed, SkinState& state, Executor& executor) {
    SkinStretch stretch;
    stretch.first = stretch.last = frame;
    stretch.cut = cut;
    if (!stretches.empty()) stretch.before = stretches.back().topology;
    stretch.topology = topology;
    const MetaballField field(timed.group);
    const FieldPoints points(field);
    const SkinBounds bounds = bounds_of(field, timed.group.final_tolerance);
    surface =
        refined(std::move(surface), place, points, bounds, timed.group.final_tolerance * bounds.diameter, executor);
    mesh = joined_mesh(*surface, place);
    state = {mesh.start, std::vector<Vec3>(mesh.start.size(), Vec3::Zero())};
    for (std::size_t v = 0; v < mesh.of.size(); ++v) state.normals[mesh.of[v]] += place.rotation * surface->normals[v];
    for (Vec3& n : state.normals) n = n.squaredNorm() > 0 ? n.normalized() : Vec3(0, 1, 0);
    lay_rings(mesh, state.normals);
    const SkinState made = state;
    if (put_on_surface(points, bounds, state, executor)) {
      even_out(mesh, points, bounds, state, executor);
      mesh.start = state.places;
      lay_rings(mesh, state.normals);
    } else {
      state = made;
    }
    for (const auto& f : mesh.faces) mesh.bad.push_back(lies_badly(state, f));
    const FaceReport faces = look_at_faces(mesh, points, state, limit(field, timed.group), executor);
    facing = faces.facing;
    stretch.farthest = faces.farthest;
    stretch.mesh = std::move(surface);
    stretches.push_back(std::move(stretch));
  }

  /// Nothing: the state is that of the next frame.
  std::optional<SkinCut> follow(const Timed& from, const Timed& to, int steps, SkinState& state,
                                std::vector<Vec3>& relaxed, double& farthest, Executor& executor) const {
    relaxed.assign(state.places.size(), Vec3::Zero());
    MetaballGroup before = from.group;
    for (int k = 1; k <= steps; ++k) {
      const MetaballGroup after = k == steps ? to.group : between(from.group, to.group, static_cast<double>(k) / steps);
      const MetaballField old_field(before), field(after);
      const FieldPoints old_points(old_field), points(field);
      const SkinBounds bounds = bounds_of(field, after.final_tolerance);
      if (!carry(old_points, points, primitive_motions(before, after, old_field), bounds, state, executor))
        return SkinCut::distance;
      relax(mesh, points, bounds, state, relaxed, executor);
      if (k == steps) return check(points, limit(field, after), bounds, state, relaxed, farthest, executor);
      before = after;
    }
    return std::nullopt;
  }

  /// Whether the frame keeps what a stretch promises, if need be with vertices moved around faces that turned over.
  std::optional<SkinCut> check(const FieldPoints& points, double most, const SkinBounds& bounds, SkinState& state,
                               std::vector<Vec3>& relaxed, double& farthest, Executor& executor) const {
    for (int round = 0;; ++round) {
      const FaceReport faces = look_at_faces(mesh, points, state, most, executor);
      std::vector<std::uint32_t> turned;
      for (std::uint32_t f = 0; f < facing.size(); ++f)
        if (faces.facing[f] < facing[f]) turned.push_back(f);
      farthest = faces.farthest;
      if (turned.empty()) return farthest > most ? std::optional(SkinCut::distance) : std::nullopt;
      if (round == kMendings || !smooth_around(mesh, turned, round, points, bounds, state, relaxed, executor))
        return SkinCut::turned;
    }
  }

  std::vector<Vec3f> normals_of(const MetaballField& field, const SkinState& state) const {
    const DisplayMesh& shown = *stretches.back().mesh;
    std::vector<Vec3f> normals;
    std::vector<Vec3> sums;
    for (std::size_t v = 0; v < mesh.of.size(); ++v) normals.push_back(state.normals[mesh.of[v]].cast<float>());
    if (std::none_of(mesh.sharp.begin(), mesh.sharp.end(), [](bool s) { return s; })) return normals;
    // Of each side of an edge of the surface: beside it, where its faces are.
    sums.assign(mesh.of.size(), Vec3::Zero());
    for (const auto& f : shown.faces) {
      const Vec3 at[3] = {state.places[mesh.of[f[0]]], state.places[mesh.of[f[1]]], state.places[mesh.of[f[2]]]};
      const Vec3 middle = (at[0] + at[1] + at[2]) / 3;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!mesh.sharp[mesh.of[f[k]]]) continue;
        Vec3 gradient;
        field.value(at[k] + 0.25 * (middle - at[k]), gradient);
        if (gradient.squaredNorm() > 0) sums[f[k]] -= gradient.normalized();
      }
    }
    for (std::size_t v = 0; v < sums.size(); ++v)
      if (sums[v].squaredNorm() > 0) normals[v] = sums[v].normalized().cast<float>();
    return normals;
  }

  /// The latest frame as it is handed out; `next`: the frame after it, of the same primitives; `relaxed` and `places`: on the way there
  /// and there, empty when a stretch begins there.
  SkinFrame finished(const Timed* next, const std::vector<Vec3>& relaxed, const std::vector<Vec3>& places,
                     Executor& executor) const {
    const Latest& now = *latest;
    SkinFrame out;
    out.frame = now.frame;
    out.stretch = stretches.size() - 1;
    const MetaballField field(now.timed.group);
    const std::vector<Rate> all = rates(earlier ? &*earlier : nullptr, now.timed, next, field);
    const bool before = !now.relaxed.empty() && earlier, after = !relaxed.empty() && next;
    const Weights part(now.timed.time, before ? &earlier->time : nullptr, after ? &next->time : nullptr);
    std::vector<Vec3f> velocities(now.state.places.size());
    executor.blocks(velocities.size(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 &x = now.state.places[i], &n = now.state.normals[i];
        const Vec3 u = material_velocity(field, all, x);
        Vec3 more = Vec3::Zero();
        if (before && after)
          more = part.before * (x - now.came[i]) + part.after * (places[i] - x) - u;
        else if (before)
          more = part.before * now.relaxed[i];
        else if (after)
          more = part.after * relaxed[i];
        velocities[i] = (u + more - n * n.dot(more)).cast<float>();
      }
    });
    out.normals = normals_of(field, now.state);
    for (const std::uint32_t i : mesh.of) {
      out.positions.push_back(now.state.places[i]);
      out.velocities.push_back(velocities[i]);
    }
    return out;
  }

  std::optional<SkinFrame> add(int frame, Timed timed, std::shared_ptr<const DisplayMesh> surface, Pose place,
                               Executor& executor) {
    if (!surface) {
      PolygoniseOptions options;
      options.tolerance = timed.group.final_tolerance;
      surface = std::make_shared<const DisplayMesh>(polygonise(timed.group, options, executor));
      place = Pose{};
    }
    const SkinTopology topology = skin_topology(*surface);
    std::optional<SkinFrame> out;
    std::optional<SkinCut> cut;
    SkinState state;
    std::vector<Vec3> relaxed;
    double farthest = 0;
    const bool same = latest && same_primitives(latest->timed.group, timed.group);
    if (!latest)
      cut = SkinCut::beginning;
    else if (!same)
      cut = SkinCut::metaballs;
    else if (!(topology == stretches.back().topology))
      cut = SkinCut::topology;
    if (!cut) {
      const int steps = steps_between(latest->timed.group, timed.group);
      for (const int more : {1, 4}) {
        state = latest->state;
        cut = follow(latest->timed, timed, more * steps, state, relaxed, farthest, executor);
        if (!cut) break;
      }
    }
    if (cut) relaxed.clear();
    if (latest) out = finished(same ? &timed : nullptr, relaxed, state.places, executor);
    if (cut) {
      begin(frame, *cut, topology, std::move(surface), place, timed, state, executor);
    } else {
      stretches.back().last = frame;
      stretches.back().farthest = std::max(stretches.back().farthest, farthest);
    }
    earlier.reset();
    if (same) earlier = std::move(latest->timed);
    std::vector<Vec3> came;
    if (latest && !cut) came = std::move(latest->state.places);
    latest = Latest{frame, std::move(timed), std::move(state), std::move(relaxed), std::move(came)};
    return out;
  }
};

SkinTracker::SkinTracker() : data_(std::make_unique<Data>()) {}
SkinTracker::~SkinTracker() = default;
SkinTracker::SkinTracker(SkinTracker&&) noexcept = default;
SkinTracker& SkinTracker::operator=(SkinTracker&&) noexcept = default;

std::optional<SkinFrame> SkinTracker::add(int frame, double time, const MetaballGroup& group,
                                          std::shared_ptr<const DisplayMesh> surface, const Pose& place,
                                          Executor& executor) {
  return data_->add(frame, {time, group}, std::move(surface), place, executor);
}

std::optional<SkinFrame> SkinTracker::last() const {
  Executor alone;
  return data_->latest ? std::optional(data_->finished(nullptr, {}, {}, alone)) : std::nullopt;
}

const std::vector<SkinStretch>& SkinTracker::stretches() const { return data_->stretches; }

}  // namespace hazumi
