#include "core/sim/contact/thin.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kOneRegion = 0.995;   // cosine of the normals
constexpr double kOnePlace = 0.999;    // the same of contacts at one place
constexpr int kDirections = 8;         // in which a region is spanned
constexpr double kKnownFarther = 0.1;  // of the size of the region: so much a known one may lie behind another
constexpr double kSpreadKnown = 1.5;   // of the distance to the others

struct Candidate {
  Contact contact;
  bool known = false, kept = false;
};

bool is_known(std::span<const RowMemory> rows, std::uint64_t feature) {
  const auto at = std::lower_bound(rows.begin(), rows.end(), feature,
                                   [](const RowMemory& m, std::uint64_t f) { return m.key.feature < f; });
  return at != rows.end() && at->key.feature == feature;
}

void merge_places(std::vector<Candidate>& all, double near) {
  std::vector<Candidate> single;
  for (const Candidate& c : all)
    if (std::none_of(single.begin(), single.end(), [&](const Candidate& other) {
          return other.contact.normal.dot(c.contact.normal) > kOnePlace &&
                 (other.contact.point - c.contact.point).squaredNorm() < near * near;
        }))
      single.push_back(c);
  all.swap(single);
}

/// Marks at most about `most` of a region: the deepest, those that reach farthest in eight directions of the plane, then those
/// farthest from all kept.
void span_region(std::vector<Candidate>& all, const std::vector<std::size_t>& region, std::size_t most) {
  const Vec3 n = all[region.front()].contact.normal;
  Vec3 u = n.cross(std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitZ()).normalized();
  const Vec3 v = n.cross(u);
  std::vector<Vec2> flat;
  Vec2 low = Vec2::Constant(1e300), high = -low;
  std::size_t deepest = 0;
  for (std::size_t k = 0; k < region.size(); ++k) {
    const Contact& c = all[region[k]].contact;
    flat.emplace_back(u.dot(c.point), v.dot(c.point));
    low = low.cwiseMin(flat.back());
    high = high.cwiseMax(flat.back());
    if (c.gap < all[region[deepest]].contact.gap) deepest = k;
  }
  const double bonus = kKnownFarther * (high - low).norm();
  std::size_t count = 0;
  const auto keep = [&](std::size_t k) {
    count += all[region[k]].kept ? 0 : 1;
    all[region[k]].kept = true;
  };
  for (int d = 0; d < kDirections; ++d) {
    const double angle = 2 * kPi * (d + 0.25) / kDirections;
    const Vec2 direction(std::cos(angle), std::sin(angle));
    std::size_t best = 0;
    double farthest = -1e300;
    for (std::size_t k = 0; k < region.size(); ++k) {
      const Candidate& c = all[region[k]];
      const double reach = direction.dot(flat[k]) + (c.known ? bonus : 0) - (touches(c.contact) ? 0 : 2 * bonus);
      if (reach > farthest) farthest = reach, best = k;
    }
    keep(best);
  }
  keep(deepest);
  std::vector<double> away(region.size(), 1e300);
  while (count < most) {
    std::size_t best = region.size();
    double farthest = 0;
    for (std::size_t k = 0; k < region.size(); ++k) {
      if (all[region[k]].kept) continue;
      double least = 1e300;
      for (std::size_t l = 0; l < region.size(); ++l)
        if (all[region[l]].kept) least = std::min(least, (flat[k] - flat[l]).norm());
      if (all[region[k]].known) least *= kSpreadKnown;
      if (least > farthest) farthest = least, best = k;
    }
    if (best == region.size()) break;
    keep(best);
  }
}

}  // namespace

void thin_contacts(std::vector<Contact>& contacts, std::size_t first, std::span<const RowMemory> known,
                   const ThinLimits& limits) {
  if (contacts.size() - first < 2) return;
  std::vector<Candidate> all;
  for (std::size_t k = first; k < contacts.size(); ++k)
    all.push_back({contacts[k], is_known(known, contacts[k].feature), false});
  std::sort(all.begin(), all.end(), [](const Candidate& x, const Candidate& y) {
    return x.known != y.known ? x.known : x.contact.feature < y.contact.feature;
  });
  merge_places(all, limits.near);
  std::vector<char> placed(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (placed[i]) continue;
    std::vector<std::size_t> region;
    for (std::size_t k = i; k < all.size(); ++k)
      if (!placed[k] && all[k].contact.normal.dot(all[i].contact.normal) > kOneRegion) {
        placed[k] = 1;
        region.push_back(k);
      }
    if (region.size() <= limits.most)
      for (const std::size_t k : region) all[k].kept = true;
    else
      span_region(all, region, limits.most);
  }
  contacts.resize(first);
  std::sort(all.begin(), all.end(),
            [](const Candidate& x, const Candidate& y) { return x.contact.feature < y.contact.feature; });
  for (const Candidate& c : all)
    if (c.kept && (contacts.size() == first || contacts.back().feature != c.contact.feature))
      contacts.push_back(c.contact);
}

}  // namespace hazumi
