#include "core/scene/derived/pose_sculpt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hazumi {

double soft_share(double t) {
  const double left = 1 - t * t;
  return t < 1 ? left * left : 0;
}

std::vector<double> soft_shares(std::span<const Vec3> rest, std::span<const std::uint32_t> chosen, double radius) {
  std::vector<double> shares(rest.size(), 0.0);
  for (std::size_t i = 0; radius > 0 && i < rest.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t node : chosen)
      if (node < rest.size()) nearest = std::min(nearest, (rest[i] - rest[node]).squaredNorm());
    shares[i] = soft_share(std::sqrt(nearest) / radius);
  }
  for (const std::uint32_t node : chosen)
    if (node < rest.size()) shares[node] = 1;
  return shares;
}

void grab_nodes(std::span<Vec3> nodes, const Vec3& centre, double radius, const Vec3& way) {
  for (Vec3& x : nodes) x += soft_share((x - centre).norm() / radius) * way;
}

void smooth_nodes(std::span<Vec3> nodes, std::span<const Vec3> rest, std::span<const Spring> springs,
                  const Vec3& centre, double radius, double strength) {
  std::vector<Vec3> sum(nodes.size(), Vec3::Zero());
  std::vector<double> count(nodes.size(), 0.0);
  for (const Spring& s : springs) {
    sum[s.a] += nodes[s.b] - rest[s.b];
    sum[s.b] += nodes[s.a] - rest[s.a];
    count[s.a] += 1;
    count[s.b] += 1;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = strength * soft_share((nodes[i] - centre).norm() / radius);
    if (count[i] > 0 && share > 0) nodes[i] += share * (sum[i] / count[i] - (nodes[i] - rest[i]));
  }
}

Vec3 middle_of_nodes(std::span<const Vec3> nodes) {
  if (nodes.empty()) return Vec3::Zero();
  Vec3 low = nodes[0], high = nodes[0];
  for (const Vec3& x : nodes) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return 0.5 * (low + high);
}

Vec3 longest_axis(std::span<const Vec3> nodes, const Vec3& towards) {
  const Vec3 middle = middle_of_nodes(nodes);
  Vec3 reach = Vec3::Zero();
  for (const Vec3& x : nodes) reach = reach.cwiseMax((x - middle).cwiseAbs());
  int longest = 0;
  for (int i = 1; i < 3; ++i)
    if (reach[i] > reach[longest] * (1 + 1e-9)) longest = i;
  return (towards[longest] < middle[longest] ? -1.0 : 1.0) * Vec3::Unit(longest);
}

}  // namespace hazumi
