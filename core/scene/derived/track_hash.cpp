#include "core/scene/derived/track_hash.h"

namespace hazumi {

namespace {

template <class Thing>
bool same(const Thing* a, const Thing* b, void (*add)(Hasher&, const Thing*)) {
  if (a == b) return true;
  Hasher first, second;
  add(first, a);
  add(second, b);
  return first.value() == second.value();
}

void add_numbers(Hasher& hasher, const auto& numbers) {
  for (const double x : numbers) hasher.add(x);
}

}  // namespace

void add_track(Hasher& hasher, const Track* track) {
  hasher.add(std::uint64_t{track != nullptr});
  if (!track) return;
  hasher.add(static_cast<std::uint64_t>(track->before)).add(static_cast<std::uint64_t>(track->after));
  hasher.add(static_cast<std::uint64_t>(track->turn)).add(static_cast<std::uint64_t>(track->keys.size()));
  for (const Key& key : track->keys) {
    hasher.add(key.time).add(static_cast<std::uint64_t>(key.shape)).add(static_cast<std::uint64_t>(key.tangent));
    for (const auto* numbers : {&key.value, &key.in, &key.out}) add_numbers(hasher, *numbers);
    hasher.add(key.reach_in).add(key.reach_out);
  }
}

void add_curve(Hasher& hasher, const Curve* curve) {
  hasher.add(std::uint64_t{curve != nullptr});
  if (!curve) return;
  hasher.add(static_cast<std::uint64_t>(curve->kind)).add(std::uint64_t{curve->closed});
  hasher.add(static_cast<std::uint64_t>(curve->points.size()));
  for (const CurvePoint& point : curve->points) {
    hasher.add(static_cast<std::uint64_t>(point.tangents));
    for (const Vec3* v : {&point.place, &point.in, &point.out}) add_numbers(hasher, *v);
  }
  add_numbers(hasher, curve->transform.position);
  add_numbers(hasher, curve->transform.rotation.coeffs());
  add_numbers(hasher, curve->transform.scale);
}

bool same_keys(const Track* a, const Track* b) { return same(a, b, &add_track); }

bool same_way(const Curve* a, const Curve* b) { return same(a, b, &add_curve); }

}  // namespace hazumi
