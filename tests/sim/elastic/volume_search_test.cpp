// The thesis's optimisation, and the closed form that takes its place: both reach the volume, and the closed form moves less.
#include <catch2/catch.hpp>
#include <thread>

#include "core/sim/elastic/kept_volume.h"
#include "core/sim/elastic/volume_search.h"
#include "tests/sim/elastic_support.h"

namespace volume_search_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;

namespace {

/// A body of 2 × 2 × 2 cells whose one half is pinned.
Truss half_pinned() {
  Truss truss = lattice(3, 0.2, 0.05, 500, 0);
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].x() < 0.1) truss.pinned.push_back(i);
  return truss;
}

double weighed(const Truss& truss, std::span<const Vec3> shift) {
  double sum = 0;
  for (std::size_t i = 0; i < shift.size(); ++i) sum += truss.masses[i] * shift[i].squaredNorm();
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("Closed form and optimisation swell a body of which half is pinned; the closed form moves less mass",
          "[elastic][volume]") {
  const Truss truss = half_pinned();
  const EnclosedVolume surface(truss.hull);
  std::vector<Vec3> before = truss.nodes, moved = truss.nodes;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const Vec3 v = kicks(moved.size(), 0.01)[i].impulse;
    before[i] -= v;
    if (truss.nodes[i].x() > 0.1) moved[i] += v;
  }
  for (const double size : {0.8, 1.0, 1.25}) {
    const double wanted = size * surface.volume(truss.nodes);
    const SearchedVolume searched = searched_volume(surface, {before, moved, truss.pinned, wanted});
    CHECK(searched.off < 1e-6);
    CHECK(searched.evaluations > 100);
    std::vector<Vec3> x = moved, shift(x.size());
    const int rounds = move_to_volume(surface, truss.masses, truss.pinned, wanted, x);
    for (std::size_t i = 0; i < x.size(); ++i) shift[i] = x[i] - moved[i];
    INFO("size " << size << ": " << searched.evaluations << " evaluations, " << rounds << " rounds, "
                 << weighed(truss, shift) << " against " << weighed(truss, searched.shift));
    CHECK(rounds >= 0);
    CHECK(rounds <= 5);
    CHECK(std::abs(surface.volume(x) / wanted - 1) < 1e-12);
    CHECK(weighed(truss, shift) <= weighed(truss, searched.shift) * (1 + 1e-9));
    for (const std::uint32_t pin : truss.pinned) {
      CHECK(shift[pin] == Vec3::Zero());
      CHECK(searched.shift[pin] == Vec3::Zero());
    }
  }
}

TEST_CASE("A search gives the same bits in every thread", "[elastic][volume]") {
  const Truss truss = half_pinned();
  const EnclosedVolume surface(truss.hull);
  const double wanted = 1.1 * surface.volume(truss.nodes);
  const auto search = [&] { return searched_volume(surface, {truss.nodes, truss.nodes, truss.pinned, wanted}); };
  const SearchedVolume here = search();
  SearchedVolume there, later;
  std::thread other([&] {
    there = search();
    later = search();
  });
  other.join();
  CHECK(here.off < 1e-6);
  for (std::size_t i = 0; i < here.shift.size(); ++i) {
    CHECK(there.shift[i] == here.shift[i]);
    CHECK(later.shift[i] == here.shift[i]);
  }
}

TEST_CASE("A body whose volume is kept by the optimisation keeps it, its momenta, and its energy but for what is told",
          "[elastic][volume]") {
  Truss truss = lattice(2, 0.3, 0.1, 400, 0);
  const ElasticSetup setup = setup_of(truss);
  auto solver = find_elastic_solver("lagrange")->make(setup);
  REQUIRE(solver.ok());
  auto made = KeptVolume::make(std::move(solver).value(), setup, {VolumeOf::surface, 1, VolumeMethod::optimisation});
  REQUIRE(made.ok());
  const KeptVolume& kept = **made;
  Body b(std::move(made).value());
  b.start(Vec3(1, 0, 0), Vec3(0, 2, 0));
  b.solver->apply_impulses(b.state, kicks(8, 0.05));
  const Momenta start = momenta(b, truss.masses);
  for (int k = 0; k < 12; ++k) {
    const double before = b.energy();
    REQUIRE(b.step());
    const KeptVolumeReading reading = kept.reading(b.state);
    CHECK(std::abs(reading.volume / reading.wanted - 1) < 1e-10);
    CHECK(b.energy() - before == Approx(reading.work).margin(1e-10));
    const Momenta now = momenta(b, truss.masses);
    CHECK((now.linear - start.linear).norm() < 1e-12 * start.scale);
  }
}

}  // namespace volume_search_test
