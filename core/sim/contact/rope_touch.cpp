#include "core/sim/contact/rope_touch.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kMetBy = 1e-3;           // of the radius
constexpr double kAlongEachOther = 0.02;  // sine: such segments touch by their ends
constexpr int kMostAdvances = 64;

struct SegmentsNear {
  double s = 0, t = 0;
  Vec3 apart = Vec3::Zero();  // from the second to the first
  bool crossing = false;
};

/// Nearest places of two segments (Ericson 2005, 5.1.9).
SegmentsNear nearest_of_segments(const SegmentPath& a, const SegmentPath& b, double time) {
  const auto at = [&](const SegmentPath& p, std::size_t k) { return Vec3((1 - time) * p.from[k] + time * p.to[k]); };
  const Vec3 p = at(a, 0), q = at(b, 0), u = at(a, 1) - p, w = at(b, 1) - q, r = p - q;
  const double uu = u.squaredNorm(), ww = w.squaredNorm(), uw = u.dot(w), ur = u.dot(r), wr = w.dot(r);
  const double square = uu * ww - uw * uw;
  const auto part = [](double x, double of) { return of > 0 ? std::clamp(x / of, 0.0, 1.0) : 0.0; };
  SegmentsNear near;
  near.s = square > 1e-12 * uu * ww ? part(uw * wr - ur * ww, square) : 0.5;
  near.t = part(uw * near.s + wr, ww);
  near.s = part(uw * near.t - ur, uu);
  near.t = part(uw * near.s + wr, ww);
  near.apart = r + near.s * u - near.t * w;
  near.crossing =
      square > kAlongEachOther * kAlongEachOther * uu * ww && near.s > 0 && near.s < 1 && near.t > 0 && near.t < 1;
  return near;
}

}  // namespace

bool segments_touch(const SegmentPath& a, const SegmentPath& b, double radius, double margin, SegmentTouch& out) {
  double way = 0;  // m, at most, that a place of one moves against one of the other
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) way = std::max(way, (a.to[i] - a.from[i] - b.to[j] + b.from[j]).norm());
  const SegmentsNear begins = nearest_of_segments(a, b, 0);
  double away = begins.apart.norm();
  if (away - way > radius + margin) return false;
  SegmentsNear met = begins;
  if (away > radius * (1 + kMetBy)) {
    double time = 0;
    for (int k = 0; k < kMostAdvances && away > radius * (1 + kMetBy); ++k) {
      time = std::min(1.0, time + (away - radius) / way);  // way is not 0: then it is out of reach, or at its end
      if (!(time < 1)) break;
      met = nearest_of_segments(a, b, time);
      away = met.apart.norm();
    }
    if (!(time < 1)) met = nearest_of_segments(a, b, 1);
  } else if (const SegmentsNear ends = nearest_of_segments(a, b, 1); begins.apart.dot(ends.apart) > 0) {
    met = ends;
  }
  const double apart = met.apart.norm();
  if (!(apart > 0)) return false;
  out.s = met.s;
  out.t = met.t;
  out.crossing = met.crossing;
  out.normal = met.apart / apart;
  out.gap = out.normal.dot(a.end(met.s) - b.end(met.t)) - radius;
  return out.gap <= margin;
}

}  // namespace hazumi
