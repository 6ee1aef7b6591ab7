// What leads add up of the examples of regions, against a sum over the regions.
#include "core/sim/elastic/example_warps.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "core/math/rotation.h"
#include "core/sim/elastic/body_frame.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/edits.h"

namespace example_warps_test {

using namespace hazumi;
using namespace hazumi::shape_matching;
using hazumi::test::EditDice;

namespace {

/// A lattice, its regions, and two shapes of it.
struct Taught {
  Truss truss;
  std::vector<std::uint32_t> start{0}, nodes, group;
  std::vector<double> shares, masses, reference;
  std::vector<Vec3> centres;
  ExampleWarps::Posed posed;
  std::vector<double> stretched;
  std::size_t n = 0;

  Regions regions() const { return {start, nodes, shares, truss.masses, masses, reference, centres, {}}; }
  Vec3 rest(std::size_t i) const { return {reference[3 * i], reference[3 * i + 1], reference[3 * i + 2]}; }
  Vec3 warp(std::size_t k, std::size_t r, std::size_t i) const {
    const RegionPose& pose = posed.regions[k][r];
    const Vec3 q = rest(i) - centres[r];
    return pose.back * (posed.nodes[k][i] - pose.middle) - q - pose.stretch * q;
  }

  Taught(double twist, double bend) : truss(elastic_test::lattice(8, 0.1, 0.001, 800, 0.01)), n(truss.nodes.size()) {
    std::vector<std::vector<std::uint32_t>> near(n);
    for (std::uint32_t i = 0; i < n; ++i) near[i].push_back(i);
    for (const auto& t : truss.tetrahedra)
      for (const std::uint32_t a : t)
        for (const std::uint32_t b : t)
          if (a != b) near[a].push_back(b);
    std::vector<double> count(n, 0.0);
    for (auto& list : near) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const std::uint32_t i : list) ++count[i];
      nodes.insert(nodes.end(), list.begin(), list.end());
      start.push_back(static_cast<std::uint32_t>(nodes.size()));
    }
    for (std::size_t i = 0; i < n; ++i) {
      truss.masses[i] *= 1 + 0.1 * static_cast<double>(i % 7);
      shares.push_back(truss.masses[i] / count[i]);
      for (int c = 0; c < 3; ++c) reference.push_back(truss.nodes[i][c]);
      group.push_back(truss.nodes[i].y() > 0.35 ? 1 : 0);
    }
    std::vector<Vec3> twisted, bent;
    for (const Vec3& x : truss.nodes) {
      twisted.push_back(Quat(Eigen::AngleAxisd(twist * x.z(), Vec3::UnitZ())) * x);
      bent.push_back(x + Vec3(bend * x.z() * x.z(), 0, 0));
    }
    posed.nodes = {twisted, bent};
    for (std::size_t r = 0; r < n; ++r) add_region(r);
  }

  void add_region(std::size_t r) {
    double mass = 0;
    Vec3 centre = Vec3::Zero(), middles[2] = {Vec3::Zero(), Vec3::Zero()};
    for (std::size_t j = start[r]; j < start[r + 1]; ++j) {
      mass += shares[nodes[j]];
      centre += shares[nodes[j]] * rest(nodes[j]);
      for (std::size_t k = 0; k < 2; ++k) middles[k] += shares[nodes[j]] * posed.nodes[k][nodes[j]];
    }
    masses.push_back(mass);
    centres.push_back(centre / mass);
    posed.regions.resize(2);
    stretched.resize(4, 0.0);
    for (std::size_t k = 0; k < 2; ++k) {
      Mat3 fit = Mat3::Zero(), moment = Mat3::Zero();
      for (std::size_t j = start[r]; j < start[r + 1]; ++j) {
        const Vec3 q = rest(nodes[j]) - centres[r];
        fit += shares[nodes[j]] * (posed.nodes[k][nodes[j]] - middles[k] / mass) * q.transpose();
        moment += shares[nodes[j]] * q * q.transpose();
      }
      const Mat3 a = fit * inverse3(moment);
      const Mat3 back = polar_rotation(a, Quat::Identity()).toRotationMatrix().transpose();
      const Mat3 d = back * a - Mat3::Identity();
      posed.regions[k].push_back({back, d, middles[k] / mass});
      stretched[group[r] * 2 + k] += (d * moment * d).trace();
    }
  }
};

Mat3 of(const double* sum) {
  Mat3 m;
  for (int c = 0; c < 3; ++c) m.col(c) << sum[4 * c], sum[4 * c + 1], sum[4 * c + 2];
  return m;
}

}  // namespace

TEST_CASE("What leads add up is what their regions say", "[elastic][examples]") {
  const Taught of_lattice(0.4, 0.3);
  const std::size_t n = of_lattice.n;
  ExampleWarps warps;
  const std::vector<double> grams =
      warps.build(of_lattice.regions(), of_lattice.posed, of_lattice.group, of_lattice.stretched);
  INFO(warps.count() << " leads of " << n << " regions");
  CHECK(warps.count() < n / 8);  // 1/14
  CHECK(warps.count() >= 2);     // of each group

  EditDice dice(5);
  std::vector<double> a(3 * n), b(3 * n, 0.0), padded(4 * n), sums(warps.sum_count()), maps(warps.sum_count(), 0.0);
  for (double& one : a) one = dice.between(-1, 1);
  const std::vector<std::uint32_t> used = {0, 1};
  warps.gather(a.data(), used, padded.data(), sums.data());
  double both = 0, size = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    // R_lead U = R_k of each region: as these lie in the example, whoever leads them.
    double leads = 0, regions = 0;
    for (std::size_t lead = 0; lead < warps.count(); ++lead)
      leads += (of_lattice.posed.regions[k][warps.leads()[lead]].back * of(warps.sum(sums.data(), k, lead))).trace();
    for (std::size_t r = 0; r < n; ++r) {
      double of_itself = 0;
      for (std::size_t j = of_lattice.start[r]; j < of_lattice.start[r + 1]; ++j) {
        const std::uint32_t i = of_lattice.nodes[j];
        const Vec3 w = of_lattice.warp(k, r, i), turned = of_lattice.posed.regions[k][r].back.transpose() * w;
        of_itself += of_lattice.shares[i] * w.squaredNorm();
        if (grams[4 * r + 3 * k] > 0)
          regions += of_lattice.shares[i] * turned.dot(Vec3(a[3 * i], a[3 * i + 1], a[3 * i + 2]));
      }
      CHECK(grams[4 * r + 3 * k] == Approx(of_itself).margin(1e-20));
    }
    CHECK(leads == Approx(regions).epsilon(1e-10));
    for (std::size_t lead = 0; lead < warps.count(); ++lead)
      for (std::size_t c = 0; c < ExampleWarps::kSums; ++c)
        if (c % 4 != 3) {
          double& one = warps.sum(maps.data(), k, lead)[c];
          one = dice.between(-1, 1);
          both += one * warps.sum(sums.data(), k, lead)[c];
        }
  }
  // Nodes are moved as they are felt: the one is the transpose of the other, and the middle stays.
  warps.spread(maps.data(), used, padded.data(), b.data());
  double felt = 0;
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 x(a[3 * i], a[3 * i + 1], a[3 * i + 2]), moved(b[3 * i], b[3 * i + 1], b[3 * i + 2]);
    felt += of_lattice.truss.masses[i] * x.dot(moved);
    middle += of_lattice.truss.masses[i] * moved;
    size += of_lattice.truss.masses[i] * moved.norm();
  }
  CHECK(felt == Approx(both).epsilon(1e-10));
  CHECK(middle.norm() < 1e-12 * size);
}

TEST_CASE("Regions that turn far against each other lead themselves", "[elastic][examples]") {
  const Taught gently(0.4, 0.3), sharply(4, 0.3);
  ExampleWarps few, many;
  few.build(gently.regions(), gently.posed, gently.group, gently.stretched);
  many.build(sharply.regions(), sharply.posed, sharply.group, sharply.stretched);
  INFO(few.count() << " and " << many.count() << " leads of " << gently.n << " regions");
  CHECK(2 * many.count() > 3 * few.count());
}

}  // namespace example_warps_test
