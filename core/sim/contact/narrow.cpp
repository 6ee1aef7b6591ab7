// Anchors, and the elementary cases with planes and spheres.
#include "core/sim/contact/narrow.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "core/sim/contact/narrow_mesh.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/surface_tree.h"
#include "core/sim/contact/thin.h"

namespace hazumi {

constexpr std::size_t kMostRigid = 8, kMostSoft = 32, kRegions = 4;  // contacts of one region
constexpr double kAlikeSoft = 0.9;                                   // cosine of the normals of one region that bends
constexpr double kSpreadSoft = 0.08;  // of the size: how far contacts of such a region lie apart
constexpr std::size_t kMostItself = 400;
constexpr double kSpreadItself = 0.04;
constexpr std::size_t kAny = 1u << 20;
constexpr double kSags = 1;      // of the reach of rows
constexpr double kOnePlace = 2;  // of the reach of rows
constexpr int kRounds = 64;
constexpr std::size_t kFewPairs = 4;

namespace {

std::uint64_t part_at(const BodyParts* parts, const ContactAnchor& anchor) {
  if (!parts || anchor.kind != ContactAnchor::nodal) return 0;
  for (std::size_t k = 0; k < anchor.weights.size(); ++k) {
    if (anchor.weights[k] == 0) continue;
    if (!anchor.skin[k]) return parts->of_node[anchor.nodes[k]];
    if (!anchor.skin[k]->nodes.empty()) return parts->of_node[anchor.skin[k]->nodes[0].node];
  }
  return 0;
}

}  // namespace

std::uint64_t ContactSink::parts_of(const ContactAnchor& on_i, const ContactAnchor& on_j) const {
  return part_at(of_i_, on_i) << 32 | part_at(of_j_, on_j);
}

bool ContactSink::empty(const ContactAnchor& on_i, const ContactAnchor& on_j) const {
  const std::uint64_t parts = parts_of(on_i, on_j);
  return std::none_of(out_.begin() + static_cast<std::ptrdiff_t>(first_), out_.end(),
                      [&](const Contact& c) { return c.parts == parts; });
}

void ContactSink::add(std::uint64_t feature, const Vec3& point, const Vec3& normal, double gap,
                      const ContactAnchor& on_i, const ContactAnchor& on_j, const ShortList<ContactStart>& starts) {
  if (!(normal.squaredNorm() > 0.5)) return;  // a vertex right on another one, as cuts begin: no direction leads out
  Contact c;
  const bool swap = i_ > j_;
  c.body_a = swap ? j_ : i_;
  c.body_b = swap ? i_ : j_;
  c.a = swap ? on_j : on_i;
  c.b = swap ? on_i : on_j;
  c.normal = swap ? Vec3(-normal) : normal;
  c.starts = starts;
  for (ContactStart& start : c.starts) start = {swap ? Vec3(-start.normal) : start.normal, start.gap - thickness_};
  c.feature = feature;
  c.point = point;
  c.gap = gap - thickness_;
  c.slop = slop_;
  c.parts = parts_of(on_i, on_j);
  out_.push_back(c);
}

const RowMemory* ContactSink::remembered(std::uint64_t feature, int loose) const {
  const std::uint64_t low = feature >> loose << loose;
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), low,
                                   [](const RowMemory& m, std::uint64_t f) { return m.key.feature < f; });
  return at != rows_.end() && at->key.feature >> loose == feature >> loose ? &*at : nullptr;
}

/// Parts are thinned as bodies of their own: one that gets no row since others have them all would fall through.
void ContactSink::thin(bool deforms) {
  if (!of_i_ && !of_j_) return thin_from(first_, deforms, kAny, 1);
  std::vector<Contact> all(out_.begin() + static_cast<std::ptrdiff_t>(first_), out_.end());
  std::stable_sort(all.begin(), all.end(), [](const Contact& x, const Contact& y) { return x.parts < y.parts; });
  out_.resize(first_);
  const auto nodes_of = [](const BodyParts* parts, std::uint64_t part) -> std::size_t {
    return parts ? parts->sizes[static_cast<std::size_t>(part)] : 0;
  };
  const auto share_of = [&](const BodyParts* parts, std::uint64_t part) {
    return parts ? static_cast<double>(nodes_of(parts, part)) / static_cast<double>(parts->of_node.size()) : 1.0;
  };
  for (auto at = all.begin(); at != all.end();) {
    const std::uint64_t parts = at->parts;
    const auto end = std::find_if(at, all.end(), [&](const Contact& c) { return c.parts != parts; });
    const std::size_t first = out_.size();
    out_.insert(out_.end(), at, end);
    const std::uint64_t i = parts >> 32, j = parts & 0xffffffffu;
    thin_from(first, deforms, nodes_of(of_i_, i) + nodes_of(of_j_, j),
              std::cbrt(std::min(share_of(of_i_, i), share_of(of_j_, j))));
    at = end;
  }
}

/// `nodes`: of the parts that touch; along one normal these can take no more rows than they are. `size`: of the smaller one, by the body's.
void ContactSink::thin_from(std::size_t first, bool deforms, std::size_t nodes, double size) {
  ThinLimits limits{kMostRigid, kRegions * kMostRigid, 0.995, false, false, kOnePlace * margin()};
  // On one flat face the border of a soft body sinks before its middle does: there rows stand closer.
  const bool flat = std::all_of(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                                [&](const Contact& c) { return c.normal == out_[first].normal; });
  if (deforms && flat)
    limits.most = limits.most_of_pair = kMostSoft;
  else if (deforms)
    limits = {kMostSoft, kMostSoft, kAlikeSoft, true, false, std::max(limits.near, kSpreadSoft * size * slop_ / kSlop)};
  if (deforms) limits.sags = kSags * margin();
  // One that touches itself may do so all along, and where it is thin.
  if (i_ == j_ && !of_i_)
    limits = {kMostItself, kMostItself, kAlikeSoft, true, true, std::max(limits.near, kSpreadItself * slop_ / kSlop)};
  if (limp) limits = {kAny, kAny, kAlikeSoft, true, true, kOnePlace * margin()};
  limits.most = std::min(limits.most, nodes);
  limits.most_of_pair = std::min(limits.most_of_pair, 3 * nodes);
  thin_contacts(out_, first, rows_, limits);
}

ContactAnchor body_anchor(const BodyShape& shape, const Vec3& p) {
  ContactAnchor anchor;
  anchor.offset = shape.to.rotation.conjugate() * (p - shape.to.position);
  return anchor;
}

ContactAnchor sphere_anchor(const BodyShape& shape, const Vec3& p) {
  const Body& body = *shape.body;
  ContactAnchor anchor;
  if (!body.deforms) {
    if (body.proxy.shape != ContactShape::sphere || body.proxy.centre.norm() > 1e-6 * body.proxy.radius)
      return body_anchor(shape, p);
    anchor.kind = ContactAnchor::world_axes;
    anchor.offset = p - shape.to.position;
    return anchor;
  }
  anchor.kind = ContactAnchor::nodal;
  const std::vector<Vec3>& x = shape.nodes_to;
  const Vec3 direction = (p - shape.to.position).normalized();
  double best = -2;
  for (const auto& face : body.truss.hull) {
    const Vec3 middle = (x[face[0]] + x[face[1]] + x[face[2]]) / 3.0 - shape.to.position;
    const double along = direction.dot(middle.normalized());
    if (along > best) best = along, anchor.nodes = face;
  }
  if (best > -2) {
    Mat3 basis;
    for (int k = 0; k < 3; ++k) basis.col(k) = x[anchor.nodes[k]] - shape.to.position;
    const Vec3 e = basis.fullPivLu().solve(direction);
    for (int k = 0; k < 3; ++k) anchor.weights[k] = std::max(0.0, e[k]);
  } else {  // no hull: the nearest node
    double nearest = 1e300;
    for (std::uint32_t k = 0; k < x.size(); ++k)
      if ((x[k] - p).squaredNorm() < nearest) nearest = (x[k] - p).squaredNorm(), anchor.nodes = {k, k, k};
    anchor.weights = {1, 0, 0};
  }
  double sum = anchor.weights[0] + anchor.weights[1] + anchor.weights[2];
  if (!(sum > 1e-12)) anchor.weights = {1, 1, 1}, sum = 3;
  for (double& w : anchor.weights) w /= sum;
  Vec3 held = Vec3::Zero();
  for (int k = 0; k < 3; ++k) held += anchor.weights[k] * x[anchor.nodes[k]];
  anchor.offset = shape.to.rotation.conjugate() * (p - held);
  return anchor;
}

namespace {

/// Fills only the skin points of a flexible body that come near the plane.
std::vector<std::size_t> near_skin(BodyShape& shape, const Vec3& n, double level, double margin) {
  const std::vector<std::uint32_t>& skin = shape.proxy().skin;
  shape.points_to.resize(skin.size());
  shape.points_ready = false;
  std::vector<std::size_t> hits;
  shape.mapping().map_points_below(shape.nodes_to, shape.to, skin, n, level, 2 * margin, shape.points_to, hits);
  return hits;
}

}  // namespace

void points_plane(BodyShape& points, const BodyShape& plane, ContactSink& sink) {
  const Vec3 n = plane.plane_normal();
  const double level = n.dot(plane.centre_to());
  const auto meet = [&](std::size_t k) {
    const Vec3& p = points.points_to[k];
    const double gap = n.dot(p) - level;
    if (gap > sink.margin()) return;
    sink.add(static_cast<std::uint32_t>(k), p, n, gap, point_anchor(points, k), body_anchor(plane, p - gap * n));
  };
  if (points.body->deforms && !points.proxy().skin.empty() && !points.points_ready) {
    for (std::size_t k : near_skin(points, n, level, sink.margin())) meet(k);
    return;
  }
  fill_points(points);
  for (std::size_t k = 0; k < points.points_to.size(); ++k) meet(k);
}

void sphere_plane(const BodyShape& sphere, const BodyShape& plane, ContactSink& sink) {
  const Vec3 n = plane.plane_normal();
  const double level = n.dot(plane.centre_to()) + sphere.proxy().radius;
  const Vec3 c = sphere.centre_to();
  const double gap = n.dot(c) - level;
  if (gap > sink.margin()) return;
  const Vec3 p = c - sphere.proxy().radius * n;
  sink.add(0, p, n, gap, sphere_anchor(sphere, p), body_anchor(plane, p - gap * n));
}

namespace {

struct Approach {
  Vec3 normal = Vec3::UnitY();
  double gap = 0;
};

/// Of a ball's centre, from d0 to d1 relative to that of another, which moves straight: |d₀ + s (d₁ − d₀)| = R at the first s in 0…1.
Approach approach(const Vec3& d0, const Vec3& d1, double radius) {
  const Vec3 move = d1 - d0;
  Approach out;
  if (d1.norm() > 1e-12) out.normal = d1.normalized();
  if (d0.norm() > radius) {
    const double qa = move.squaredNorm(), qb = d0.dot(move), qc = d0.squaredNorm() - radius * radius;
    const double root = qb * qb - qa * qc;
    if (qa > 0 && qb < 0 && root >= 0) {
      const double s = (-qb - std::sqrt(root)) / qa;
      if (s <= 1) out.normal = (d0 + s * move).normalized();
    }
  }
  out.gap = out.normal.dot(d1) - radius;
  return out;
}

}  // namespace

void sphere_sphere(const BodyShape& a, const BodyShape& b, ContactSink& sink) {
  const double radius_a = a.proxy().radius, radius_b = b.proxy().radius;
  const Vec3 before = a.centre_from() - b.centre_from(), after = a.centre_to() - b.centre_to();
  const auto [n, gap] = approach(before, after, radius_a + radius_b);
  if (gap > sink.margin()) return;
  const Vec3 on_b = b.centre_to() + radius_b * n, on_a = a.centre_to() - radius_a * n;
  ShortList<ContactStart> start;
  if (before.norm() <= radius_a + radius_b + sink.margin() && n.dot(before) > kCurves * before.norm())
    start.push_back({before.normalized(), before.norm() - radius_a - radius_b});
  sink.add(0, 0.5 * (on_a + on_b), n, gap, sphere_anchor(a, on_a), sphere_anchor(b, on_b), start);
}

void points_sphere(BodyShape& points, const BodyShape& sphere, ContactSink& sink) {
  fill_points(points);
  const double radius = sphere.proxy().radius;
  for (std::size_t k = 0; k < points.points_to.size(); ++k) {
    const Vec3 p = points.points_to[k];
    const auto [n, gap] = approach(points.points_from[k] - sphere.centre_from(), p - sphere.centre_to(), radius);
    if (gap <= sink.margin()) sink.add(k, p, n, gap, point_anchor(points, k), sphere_anchor(sphere, p - gap * n));
  }
}

namespace {

void meet(PairMarks& marks, std::vector<BodyShape>& shapes, std::uint32_t i, std::uint32_t j,
          std::span<const RowMemory> rows, std::vector<Contact>& out) {
  const FoundPair pair = i == j ? FoundPair() : find_pair(*shapes[i].proxy().info, *shapes[j].proxy().info);
  if (i != j && !pair.row) return;
  const std::uint64_t bodies = bodies_key(i, j);
  const auto before = [](const RowMemory& m, std::uint64_t key) { return m.key.bodies < key; };
  const auto first = std::lower_bound(rows.begin(), rows.end(), bodies, before);
  const auto last = std::lower_bound(first, rows.end(), bodies + 1, before);
  if (pair.swapped) std::swap(i, j);
  BodyShape &a = shapes[i], &b = shapes[j];
  double size = 1e300;  // of the smaller of the two that can move
  for (const BodyShape* s : {&a, &b})
    if (s->body->moves) size = std::min(size, s->parts && s->parts->count > 1 ? s->proxy().reach : s->size);
  const double thickness = a.proxy().thickness + b.proxy().thickness;
  ContactSink sink(marks, out, i, j, std::max(1e-9, kSlop * size), thickness, {first, last}, a.parts.get(),
                   b.parts.get());
  sink.limp = a.limp || b.limp;
  if (i == j)
    a.proxy().info->itself(a, sink);
  else
    pair.row->find(a, b, sink);
}

}  // namespace

std::unique_ptr<PairMarks> ContactSearch::take_marks() {
  const std::lock_guard lock(marking_);
  if (marks_.empty()) return std::make_unique<PairMarks>();
  std::unique_ptr<PairMarks> marks = std::move(marks_.back());
  marks_.pop_back();
  return marks;
}

void ContactSearch::give_back(std::unique_ptr<PairMarks> marks) {
  const std::lock_guard lock(marking_);
  marks_.push_back(std::move(marks));
}

/// Pairs by rounds. Parts of what deforms are put in their places when a pair comes near them (SurfaceTree), so that in one round it is of
/// one pair alone; pairs beyond the last round come one after the other.
void ContactSearch::share_out(const std::vector<BodyShape>& shapes, const Pairs& pairs) {
  rounds_.resize(kRounds + 1);
  for (std::vector<std::uint32_t>& round : rounds_) round.clear();
  taken_.assign(shapes.size(), 0);
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const bool of_i = shapes[i].body->deforms, of_j = shapes[j].body->deforms;
    const int round = std::countr_one((of_i ? taken_[i] : 0) | (of_j ? taken_[j] : 0));
    rounds_[static_cast<std::size_t>(round)].push_back(k);
    if (round == kRounds) continue;
    if (of_i) taken_[i] |= std::uint64_t{1} << round;
    if (of_j) taken_[j] |= std::uint64_t{1} << round;
  }
}

void ContactSearch::find(std::vector<BodyShape>& shapes, const Pairs& pairs, std::span<const RowMemory> rows,
                         std::vector<Contact>& out, Executor* executor) {
  out.clear();
  if (!executor || executor->threads() == 1 || pairs.size() < kFewPairs) {
    std::unique_ptr<PairMarks> marks = take_marks();
    for (const auto& [i, j] : pairs) meet(*marks, shapes, i, j, rows, out);
    return give_back(std::move(marks));
  }
  // What all pairs of a body read is there before they are looked at.
  for (const auto& [i, j] : pairs)
    for (BodyShape* shape : {&shapes[i], &shapes[j]}) {
      if (shape->body->deforms) continue;
      if (shape->proxy().surface) SurfaceTree ready(*shape);
      if (!shape->proxy().points.empty()) fill_points(*shape);
    }
  share_out(shapes, pairs);
  if (found_.size() < pairs.size()) found_.resize(pairs.size());
  for (std::size_t round = 0; round < rounds_.size(); ++round) {
    const std::vector<std::uint32_t>& of = rounds_[round];
    const std::size_t block =
        round == kRounds ? std::max<std::size_t>(of.size(), 1) : std::clamp<std::size_t>(of.size() / 64, 1, 16);
    in_blocks(executor, of.size(), block, [&](std::size_t begin, std::size_t end) {
      std::unique_ptr<PairMarks> marks = take_marks();
      for (std::size_t k = begin; k < end; ++k) {
        found_[of[k]].clear();
        meet(*marks, shapes, pairs[of[k]].first, pairs[of[k]].second, rows, found_[of[k]]);
      }
      give_back(std::move(marks));
    });
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) std::move(found_[k].begin(), found_[k].end(), std::back_inserter(out));
}

}  // namespace hazumi
