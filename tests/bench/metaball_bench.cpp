// Polygonising metaball groups (spec 4.2). Clusters of uniform density: balls, ellipsoids and boxes in turn, or, as
// tests/bench/metaballs_vs_blender.sh compares them with Blender's at equal error, balls or boxes alone.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "core/geometry/metaball/catalogue.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/geometry/metaball/skin_tracker.h"
#include "core/geometry/metaball/surface_error.h"
#include "tests/support/metaball_creature.h"

namespace {

using namespace hazumi;

constexpr double kPeerSeen =
    0.5748;  // of its radius, where Blender's ball of stiffness 2 is seen at its threshold of 0.6

MetaballGroup cluster(int n) {
  std::mt19937 engine(7);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(engine()) / 4294967296.0);
  };
  const auto vector = [&](double low, double high) {
    const double x = uniform(low, high), y = uniform(low, high), z = uniform(low, high);
    return Vec3(x, y, z);
  };
  MetaballGroup group;
  const double radius = 0.55 * std::cbrt(n);
  for (int i = 0; i < n; ++i) {
    MetaballPrimitive p;
    p.id = static_cast<std::uint32_t>(i + 1);
    do p.centre = vector(-1, 1);
    while (p.centre.norm() > 1);
    p.centre *= radius;
    p.radii = Vec3::Constant(uniform(0.7, 1.1));
    p.weight = 2;
    if (i % 3 != 0) {  // Blender's size is added to a box's and multiplies an ellipsoid's radius
      p.radii = p.radii.cwiseProduct(vector(0.3, 0.7) + Vec3::Constant(i % 3 == 2 ? 0.3 : 0.0));
      const Vec3 axis = vector(-1, 1);
      p.rotation = Quat(Eigen::AngleAxisd(uniform(0, kPi), axis.normalized()));
    }
    if (i % 3 == 2) p.round_xz = p.round_xy = 0.1;
    group.primitives.push_back(p);
  }
  return group;
}

/// 256 primitives on one thread and on two. Bar: 1.6 times.
void metaball_threads(benchmark::State& state) {
  const MetaballGroup group = cluster(256);
  Executor executor(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(polygonise(group, PolygoniseOptions(), executor).faces.size());
}
BENCHMARK(metaball_threads)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Balls or boxes where tests/bench/blender_metaballs.py has them, and seen as large as there.
MetaballGroup peer_cluster(bool boxes, int n) {
  std::minstd_rand engine(7);
  const auto draw = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(engine()) / 2147483647.0);
  };
  const auto vector = [&](double low, double high) {
    const double x = draw(low, high), y = draw(low, high), z = draw(low, high);
    return Vec3(x, y, z);
  };
  MetaballGroup group;
  for (int i = 0; i < n; ++i) {
    MetaballPrimitive p;
    p.id = static_cast<std::uint32_t>(i + 1);
    do p.centre = vector(-1, 1);
    while (p.centre.norm() > 1);
    p.centre *= 0.55 * std::cbrt(n);
    p.weight = 2;
    const double seen = kPeerSeen * draw(0.7, 1.1);
    const Vec3 size = vector(0.3, 0.7);
    p.radii = (Vec3::Constant(seen) + (boxes ? size : Vec3(0, 0, 0))) / seen_fraction(p.weight);
    if (boxes) p.round_xz = p.round_xy = 0.4;
    group.primitives.push_back(p);
  }
  return group;
}

/// HAZUMI_METABALL_TOLERANCE: for comparisons.
double tolerance_or(double otherwise) {
  const char* text = std::getenv("HAZUMI_METABALL_TOLERANCE");
  return text ? std::atof(text) : otherwise;
}

void metaball_cluster(benchmark::State& state) {
  const MetaballGroup group = cluster(static_cast<int>(state.range(0)));
  Executor executor(1);
  PolygoniseOptions options;
  options.tolerance = tolerance_or(0.004);
  std::size_t triangles = 0;
  for (auto _ : state) triangles = polygonise(group, options, executor).faces.size();
  state.counters["triangles"] = static_cast<double>(triangles);
  state.counters["triangles_per_s"] =
      benchmark::Counter(static_cast<double>(triangles), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(metaball_cluster)->Arg(8)->Arg(64)->Arg(256)->Arg(512)->Unit(benchmark::kMillisecond);

void metaball_peer(benchmark::State& state) {
  const MetaballGroup group = peer_cluster(state.range(0) == 1, static_cast<int>(state.range(1)));
  Executor executor(1);
  PolygoniseOptions options;
  options.tolerance = tolerance_or(0.004);
  DisplayMesh mesh;
  for (auto _ : state) mesh = polygonise(group, options, executor);
  const SurfaceError error = surface_error(group, mesh, 20000);
  state.counters["triangles"] = static_cast<double>(mesh.faces.size());
  state.counters["rms"] = error.mean / (2 * 0.9 * kPeerSeen);  // in diameters of a ball
  state.counters["largest"] = error.largest / (2 * 0.9 * kPeerSeen);
}
BENCHMARK(metaball_peer)->ArgsProduct({{0, 1}, {64, 256}})->ArgNames({"boxes", "n"})->Unit(benchmark::kMillisecond);

/// One of 32 primitives, or of 100 in their own colours, moves a little; two threads. Each overlaps many others.
void metaball_drag(benchmark::State& state) {
  MetaballGroup group = cluster(static_cast<int>(state.range(1)));
  group.own_colours = state.range(1) == 100;
  Executor executor(2);
  PolygoniseOptions options;
  options.tolerance = state.range(0) == 0 ? group.preview_tolerance : group.final_tolerance;
  Polygoniser polygoniser;
  auto mesh = polygoniser.update(group, options, executor);
  double step = 0.01;
  for (auto _ : state) {
    group.primitives[5].centre.x() += step;
    step = -step;
    mesh = polygoniser.update(group, options, executor);
  }
  state.counters["triangles"] = static_cast<double>(mesh->faces.size());
}
BENCHMARK(metaball_drag)
    ->ArgsProduct({{0, 1}, {32, 100}})
    ->ArgNames({"final", "metaballs"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// One of a creature's 100 metaballs (a toe, a hump, the head) goes along with the mouse, two threads, colours included; against
/// polygonising from nothing.
void metaball_creature_drag(benchmark::State& state) {
  MetaballGroup group = test::creature_of_metaballs();
  const std::size_t dragged = std::array{50, 17, 92}[static_cast<std::size_t>(state.range(1))];
  const Vec3 start = group.primitives[dragged].centre;
  Executor executor(2);
  PolygoniseOptions options;
  options.tolerance = state.range(0) == 0 ? group.preview_tolerance : group.final_tolerance;
  Polygoniser polygoniser;
  auto mesh = polygoniser.update(group, options, executor);
  int step = 0;
  for (auto _ : state) {
    ++step;
    group.primitives[dragged].centre =
        start + 0.1 * Vec3(std::sin(0.13 * step), std::sin(0.11 * step), std::sin(0.1 * step));
    if (state.range(2) == 0) polygoniser = Polygoniser();
    mesh = polygoniser.update(group, options, executor);
  }
  state.counters["triangles"] = static_cast<double>(mesh->faces.size());
}
BENCHMARK(metaball_creature_drag)
    ->ArgsProduct({{0, 1}, {0, 1, 2}, {0, 1}})
    ->ArgNames({"final", "metaball", "kept"})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// A chain of 16 ellipsoids that swings, frame by frame at 60 a second, two threads: 0 polygonised anew, 1 tracked (the frame's own surface is
/// there, as in an export).
void metaball_moving(benchmark::State& state) {
  const auto chain = [](double t) {
    MetaballGroup group;
    Pose at;
    for (std::uint32_t k = 0; k < 16; ++k) {
      MetaballPrimitive p;
      p.id = k + 1;
      p.radii = Vec3(0.6, 0.4, 0.4);
      p.weight = 2;
      p.centre = at.position;
      p.rotation = at.rotation;
      group.primitives.push_back(p);
      at.rotation = at.rotation * Quat(Eigen::AngleAxisd(0.2 * std::sin(3 * t + 0.5 * k), Vec3::UnitZ()));
      at.position += at.rotation * Vec3(0.25, 0, 0);
    }
    return group;
  };
  Executor executor(2);
  SkinTracker tracker;
  PolygoniseOptions options;
  int frame = 0;
  std::size_t triangles = 0;
  for (auto _ : state) {
    const MetaballGroup group = chain(frame / 60.0);
    if (state.range(0) == 1) state.PauseTiming();
    const auto mesh = std::make_shared<const DisplayMesh>(polygonise(group, options, executor));
    triangles = mesh->faces.size();
    if (state.range(0) == 1) {
      state.ResumeTiming();
      tracker.add(frame, frame / 60.0, group, mesh, Pose{}, executor);
    }
    ++frame;
  }
  state.counters["triangles"] = static_cast<double>(triangles);
  state.counters["stretches"] = static_cast<double>(tracker.stretches().size());
}
BENCHMARK(metaball_moving)->Arg(0)->Arg(1)->ArgName("tracked")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
