#include "core/sim/contact/thin.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr int kDirections = 8;         // in which a region is spanned
constexpr double kKnownFarther = 0.1;  // of the size of the region: so much a known one may lie behind another
constexpr double kSpreadKnown = 1.5;   // of the distance to the others
constexpr double kKnownDeeper = 20;    // slops: a known one stands for others that are deeper by less
constexpr std::size_t kFewPlaces =
    4;  // times as many as may stay: a region of more is spanned without looking for equal places

struct Candidate {
  const Contact* contact;
  bool known = false, kept = false;
};

bool is_known(std::span<const RowMemory> rows, std::uint64_t feature) {
  const auto at = std::lower_bound(rows.begin(), rows.end(), feature,
                                   [](const RowMemory& m, std::uint64_t f) { return m.key.feature < f; });
  return at != rows.end() && at->key.feature == feature;
}

/// Keeps those that are not at the place of one before them.
void keep_places(const std::vector<Candidate*>& region, double near) {
  for (std::size_t k = 0; k < region.size(); ++k)
    region[k]->kept =
        std::none_of(region.begin(), region.begin() + static_cast<std::ptrdiff_t>(k), [&](const Candidate* other) {
          return other->kept && (other->contact->point - region[k]->contact->point).squaredNorm() < near * near;
        });
}

/// Keeps more of them until there are `most`: always the one that is farthest from all kept, as long as that is farther than `near`.
/// What bends sags where it is not held: there depth counts as well.
void keep_spread(const std::vector<Candidate*>& region, std::size_t most, double near, double sags) {
  std::vector<double> away(region.size(), 1e300);
  std::size_t count = 0;
  const auto closer = [&](const Candidate& kept) {
    for (std::size_t k = 0; k < region.size(); ++k)
      away[k] = std::min(away[k], (region[k]->contact->point - kept.contact->point).norm());
  };
  for (const Candidate* c : region)
    if (c->kept) closer(*c), ++count;
  for (; count < most; ++count) {
    std::size_t best = region.size();
    double farthest = near;
    for (std::size_t k = 0; k < region.size(); ++k) {
      const double deep = std::max(0.0, -region[k]->contact->gap) / sags;
      const double far = away[k] * ((region[k]->known ? kSpreadKnown : 1) + deep);
      if (!region[k]->kept && far > farthest) farthest = far, best = k;
    }
    if (best == region.size()) return;
    region[best]->kept = true;
    closer(*region[best]);
  }
}

/// Of one region: the deepest, those that reach farthest in eight directions of the plane, then what lies between.
void span_region(const std::vector<Candidate*>& region, const ThinLimits& limits) {
  const Vec3 n = region.front()->contact->normal;
  const Vec3 u = n.cross(std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitZ()).normalized(), v = n.cross(u);
  std::vector<Vec2> flat;
  Vec2 low = Vec2::Constant(1e300), high = -low;
  Candidate* deepest = region.front();
  for (Candidate* c : region) {
    flat.emplace_back(u.dot(c->contact->point), v.dot(c->contact->point));
    low = low.cwiseMin(flat.back());
    high = high.cwiseMax(flat.back());
    if (c->contact->gap < deepest->contact->gap) deepest = c;
  }
  const double bonus = kKnownFarther * (high - low).norm();
  for (int d = 0; d < kDirections; ++d) {
    const double angle = 2 * kPi * (d + 0.25) / kDirections;
    const Vec2 direction(std::cos(angle), std::sin(angle));
    Candidate* best = region.front();
    double farthest = -1e300;
    for (std::size_t k = 0; k < region.size(); ++k) {
      const Candidate& c = *region[k];
      const double reach = direction.dot(flat[k]) + (c.known ? bonus : 0) - (touches(*c.contact) ? 0 : 2 * bonus);
      if (reach > farthest) farthest = reach, best = region[k];
    }
    best->kept = true;
  }
  deepest->kept = true;
  keep_spread(region, limits.most, limits.near, limits.sags);
}

/// Of one region that bends: the deepest, and what lies spread over it.
void cover_region(const std::vector<Candidate*>& region, const ThinLimits& limits) {
  const auto depth = [](const Candidate* c) {
    return -c->contact->gap + (c->known ? kKnownDeeper * c->contact->slop : 0);
  };
  const auto deeper = [&](const Candidate* x, const Candidate* y) { return depth(x) < depth(y); };
  if (limits.deepest_first) {
    std::vector<Candidate*> order = region;
    std::stable_sort(order.begin(), order.end(), [&](const Candidate* x, const Candidate* y) { return deeper(y, x); });
    keep_places(order, limits.near);
    return;
  }
  (*std::max_element(region.begin(), region.end(), deeper))->kept = true;
  keep_spread(region, limits.most, limits.near, limits.sags);
}

/// Of all that are kept, when they are too many for one pair (a ring of contacts): the deepest, and those that lie spread.
void limit_pair(std::vector<Candidate>& all, const ThinLimits& limits) {
  std::vector<Candidate*> kept;
  for (Candidate& c : all)
    if (c.kept) kept.push_back(&c);
  if (kept.size() <= limits.most_of_pair) return;
  Candidate* deepest = kept.front();
  for (Candidate* c : kept) {
    c->kept = false;
    if (c->contact->gap < deepest->contact->gap) deepest = c;
  }
  deepest->kept = true;
  keep_spread(kept, limits.most_of_pair, 0, limits.sags);
}

}  // namespace

void thin_contacts(std::vector<Contact>& contacts, std::size_t first, std::span<const RowMemory> known,
                   const ThinLimits& limits) {
  if (contacts.size() - first < 2) return;
  const std::vector<Contact> found(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end());
  std::vector<Candidate> all;
  for (const Contact& c : found) all.push_back({&c, is_known(known, c.feature), false});
  std::sort(all.begin(), all.end(), [](const Candidate& x, const Candidate& y) {
    return x.known != y.known ? x.known : x.contact->feature < y.contact->feature;
  });
  std::vector<char> placed(all.size(), 0);
  std::vector<Candidate*> region;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (placed[i]) continue;
    region.clear();
    for (std::size_t k = i; k < all.size(); ++k)
      if (!placed[k] && all[k].contact->normal.dot(all[i].contact->normal) > limits.alike) {
        placed[k] = 1;
        region.push_back(&all[k]);
      }
    if (limits.bends) {
      cover_region(region, limits);
      continue;
    }
    if (region.size() > limits.most * kFewPlaces) {
      span_region(region, limits);
      continue;
    }
    keep_places(region, limits.near);
    std::erase_if(region, [](const Candidate* c) { return !c->kept; });
    if (region.size() <= limits.most) continue;
    for (Candidate* c : region) c->kept = false;
    span_region(region, limits);
  }
  limit_pair(all, limits);
  std::sort(all.begin(), all.end(),
            [](const Candidate& x, const Candidate& y) { return x.contact->feature < y.contact->feature; });
  contacts.resize(first);
  for (const Candidate& c : all)
    if (c.kept && (contacts.size() == first || contacts.back().feature != c.contact->feature))
      contacts.push_back(*c.contact);
}

}  // namespace hazumi
