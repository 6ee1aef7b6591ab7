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

}  // namespace hazumi::tracked
