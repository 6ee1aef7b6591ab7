// What a tracked surface is asked for, measured without the tracker: counts, distances both ways, faces that turn over, velocities against
// differences, and the frames at which the topology of each frame's own surface changes.
#pragma once

#include <algorithm>
#include <functional>

#include "core/geometry/metaball/polygonise.h"
#include "core/geometry/metaball/skin_tracker.h"
#include "tests/geometry/metaball_check.h"

namespace hazumi::tracked {

using MovingGroup = std::function<MetaballGroup(double)>;  ///< of the time, s

struct Run {
  std::vector<SkinStretch> stretches;
  std::vector<SkinFrame> frames;
  std::vector<MetaballGroup> groups;
  std::vector<std::shared_ptr<const DisplayMesh>> surfaces;
  double rate = 60;
};

inline Run follow(const MovingGroup& group, int count, double rate = 60, int threads = 2) {
  Run run;
  run.rate = rate;
  SkinTracker tracker;
  Executor executor(threads);
  for (int f = 0; f < count; ++f) {
    run.groups.push_back(group(f / rate));
    PolygoniseOptions options;
    options.tolerance = run.groups.back().final_tolerance;
    run.surfaces.push_back(std::make_shared<const DisplayMesh>(polygonise(run.groups.back(), options, executor)));
    if (auto done = tracker.add(f, f / rate, run.groups.back(), run.surfaces.back(), Pose{}, executor))
      run.frames.push_back(std::move(*done));
  }
  if (auto done = tracker.last()) run.frames.push_back(std::move(*done));
  run.stretches = tracker.stretches();
  return run;
}

struct Figures {
  bool counts_hold = true, stretches_join = true;
  int turned = 0;       ///< faces over all frames that look the other way than in the first of the stretch
  double farthest = 0;  ///< tolerances, of middles of faces and edges from the surface
  double missed =
      0;  ///< tolerances, of the frame's own vertices from the tracked mesh: some 300 of every `each`-th frame
  double velocity = 0;  ///< largest |v − difference| of the largest speed in its frame, of vertices and primitives
  double velocity_mean = 0;              ///< root of the sum of squares of it over that of the differences
  std::size_t compared = 0, beyond = 0;  ///< velocities; those off by more than 5 % of that speed
  std::size_t vertices = 0;              ///< of the largest stretch
};

inline DisplayMesh mesh_at(const Run& run, const SkinFrame& frame) {
  DisplayMesh mesh;
  mesh.positions = frame.positions;
  mesh.faces = run.stretches[frame.stretch].mesh->faces;
  return mesh;
}

inline int outward(const MetaballField& field, const std::vector<Vec3>& p, const std::array<std::uint32_t, 3>& f) {
  Vec3 gradient;
  field.value((p[f[0]] + p[f[1]] + p[f[2]]) / 3, gradient);
  return (p[f[1]] - p[f[0]]).cross(p[f[2]] - p[f[0]]).dot(gradient) < 0 ? 1 : -1;
}

inline Figures measure(const Run& run, int each = 12) {
  Figures out;
  double off = 0, all = 0;
  std::vector<int> facing;
  for (std::size_t k = 0; k < run.frames.size(); ++k) {
    const SkinFrame& frame = run.frames[k];
    const SkinStretch& stretch = run.stretches[frame.stretch];
    const MetaballField field(run.groups[k]);
    const double tolerance = run.groups[k].final_tolerance * field.largest_diameter();
    const DisplayMesh mesh = mesh_at(run, frame);
    out.counts_hold = out.counts_hold && frame.positions.size() == stretch.mesh->positions.size() &&
                      frame.velocities.size() == frame.positions.size() && frame.frame >= stretch.first &&
                      frame.frame <= stretch.last && frame.frame == static_cast<int>(k);
    out.vertices = std::max(out.vertices, frame.positions.size());
    if (frame.frame == stretch.first) facing.clear();
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const int now = outward(field, mesh.positions, mesh.faces[f]);
      if (frame.frame == stretch.first)
        facing.push_back(now);
      else if (now < facing[f])
        ++out.turned;
    }
    if ((k + 1) % static_cast<std::size_t>(each) == 0 && !mesh.faces.empty()) {
      out.farthest = std::max(out.farthest, chord_error(mesh, field) / tolerance);
      const reference::Welded welded = reference::weld(mesh);
      const reference::Near near(welded, 2.5 * tolerance);
      const std::vector<Vec3>& own = run.surfaces[k]->positions;
      for (std::size_t v = 0; v < own.size(); v += 1 + own.size() / 300)
        out.missed = std::max(out.missed, near.distance(own[v]) / tolerance);
    }
    if (frame.frame == stretch.first || frame.frame == stretch.last) continue;
    const SkinFrame &before = run.frames[k - 1], &after = run.frames[k + 1];
    double fastest = 0, worst = 0;
    for (std::size_t i = 0; i < run.groups[k].primitives.size(); ++i)
      fastest = std::max(
          fastest,
          0.5 * run.rate * (run.groups[k + 1].primitives[i].centre - run.groups[k - 1].primitives[i].centre).norm());
    for (std::size_t v = 0; v < frame.positions.size(); ++v) {
      const Vec3 difference = 0.5 * run.rate * (after.positions[v] - before.positions[v]);
      const double wrong = (frame.velocities[v].cast<double>() - difference).norm();
      fastest = std::max(fastest, difference.norm());
      worst = std::max(worst, wrong);
      off += wrong * wrong;
      all += difference.squaredNorm();
    }
    if (fastest > 1e-6) out.velocity = std::max(out.velocity, worst / fastest);
    for (std::size_t v = 0; v < frame.positions.size(); ++v) {
      const Vec3 difference = 0.5 * run.rate * (after.positions[v] - before.positions[v]);
      ++out.compared;
      out.beyond += (frame.velocities[v].cast<double>() - difference).norm() > 0.05 * fastest;
    }
  }
  for (std::size_t s = 0; s + 1 < run.stretches.size(); ++s)
    out.stretches_join = out.stretches_join && run.stretches[s].last + 1 == run.stretches[s + 1].first;
  out.velocity_mean = all > 0 ? std::sqrt(off / all) : 0;
  return out;
}

/// How far along its normal the surface of a field is from a point, m; within `most` to both sides.
inline double along_normal(const MetaballField& field, const Vec3& x, const Vec3& n, double most) {
  double s = 0;
  for (int round = 0; round < 30; ++round) {
    Vec3 gradient;
    const double value = field.value(x + s * n, gradient), slope = gradient.dot(n);
    if (slope == 0) break;
    const double step = (1 - value) / slope;
    s = std::clamp(s + step, -most, most);
    if (std::abs(step) < 1e-13) break;
  }
  return s;
}

/// Velocities of some 2,000 vertices a frame against what moves, where both frames beside are of the same stretch; parts of the
/// largest speed in the frame.
struct VelocityFigures {
  double along = 0;   ///< largest: the part along the normal against the surface's, a 128th of a frame to both sides
  double across = 0;  ///< largest: the part across it against the difference of places in the frames beside
  double ahead = 0;  ///< largest: x ± v dt from the surface a quarter of a frame away, over dt: what motion blur shows
  double ahead_mean = 0;  ///< the same, root of the sum of squares over that of the speeds
  std::size_t compared = 0;
  std::size_t ahead_beyond = 0;  ///< by more than 5 %
};

inline VelocityFigures measure_velocities(const Run& run, const MovingGroup& group) {
  VelocityFigures out;
  double off = 0, all = 0;
  const double h = 1 / run.rate, little = h / 128, quarter = h / 4;
  for (std::size_t k = 1; k + 1 < run.frames.size(); ++k) {
    const SkinFrame &before = run.frames[k - 1], &frame = run.frames[k], &after = run.frames[k + 1];
    if (before.stretch != after.stretch) continue;
    const double t = frame.frame * h;
    const MetaballGroup then[2] = {group(t - little), group(t + little)},
                        far[2] = {group(t - quarter), group(t + quarter)};
    const MetaballField then_field[2] = {MetaballField(then[0]), MetaballField(then[1])};
    const MetaballField far_field[2] = {MetaballField(far[0]), MetaballField(far[1])};
    const MetaballField now(run.groups[k]);
    const double most = 0.1 * now.largest_diameter();
    double fastest = 1e-6, along = 0, across = 0, ahead = 0;
    for (std::size_t i = 0; i < run.groups[k].primitives.size(); ++i)
      fastest = std::max(
          fastest,
          0.5 * run.rate * (run.groups[k + 1].primitives[i].centre - run.groups[k - 1].primitives[i].centre).norm());
    std::vector<double> beside;
    for (std::size_t v = 0; v < frame.positions.size(); v += 1 + frame.positions.size() / 2000) {
      const Vec3& x = frame.positions[v];
      const Vec3 velocity = frame.velocities[v].cast<double>();
      Vec3 gradient;
      now.value(x, gradient);
      const Vec3 n = -gradient.normalized();
      if (!(n.dot(frame.normals[v].cast<double>()) > 1 - 1e-5)) continue;  // an edge has a normal of each side
      const Vec3 difference = 0.5 * run.rate * (after.positions[v] - before.positions[v]),
                 wrong = velocity - difference;
      fastest = std::max(fastest, difference.norm());
      const double speed =
          (along_normal(then_field[1], x, n, most) - along_normal(then_field[0], x, n, most)) / (2 * little);
      along = std::max(along, std::abs(velocity.dot(n) - speed));
      across = std::max(across, (wrong - n * n.dot(wrong)).norm());
      all += 2 * difference.squaredNorm();
      for (const int side : {0, 1}) {
        const Vec3 there = x + (side ? quarter : -quarter) * velocity;
        far_field[side].value(there, gradient);
        if (!(gradient.squaredNorm() > 0)) continue;
        beside.push_back(std::abs(along_normal(far_field[side], there, -gradient.normalized(), most)) / quarter);
        ahead = std::max(ahead, beside.back());
        off += beside.back() * beside.back();
      }
    }
    out.along = std::max(out.along, along / fastest);
    out.across = std::max(out.across, across / fastest);
    out.ahead = std::max(out.ahead, ahead / fastest);
    out.compared += beside.size();
    out.ahead_beyond += static_cast<std::size_t>(
        std::count_if(beside.begin(), beside.end(), [&](double b) { return b > 0.05 * fastest; }));
  }
  out.ahead_mean = all > 0 ? std::sqrt(off / all) : 0;
  return out;
}

}  // namespace hazumi::tracked
