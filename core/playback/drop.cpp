// The shapes of a run at time 0, one of them moved down step by step. A step sees the whole way (contact/narrow.h), so that no sheet
// is too thin; the one in which something is met is halved until it ends before. Where boxes say that there is only air, it is
// skipped.
#include "core/playback/drop.h"

#include <algorithm>
#include <cmath>

#include "core/motion/compile.h"
#include "core/scene/derived/family.h"
#include "core/sim/contact/narrow.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

class Drop {
 public:
  Drop(const Model& model, const std::function<bool()>& cancelled)
      : cancelled_(cancelled), shapes_(model.bodies.size()) {
    const State state = initial_state(model);
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Body& body = model.bodies[i];
      BodyShape& shape = shapes_[i];
      shape.body = &body;
      shape.active =
          body.proxy.shape != ContactShape::none && body.proxy.info && body.present(0, state.bodies[i].values);
      if (!shape.active) continue;
      read_shape(body, state.bodies[i].values, false, shape);
      read_shape(body, state.bodies[i].values, true, shape);
      finish_shape(shape);
    }
  }

  bool active(std::uint32_t i) const { return shapes_[i].active && !shapes_[i].unbounded(); }
  double bottom(std::uint32_t i) const { return shapes_[i].swept.low.y(); }

  /// How far i falls onto others than `waiting`; nothing: there is nothing under it.
  std::optional<double> fall(std::uint32_t i, const std::set<std::uint32_t>& waiting) {
    at_ = i;
    origin_ = shapes_[i];
    size_ = origin_.swept;
    others_.clear();
    for (std::uint32_t j = 0; j < shapes_.size(); ++j)
      if (j != i && shapes_[j].active && !waiting.contains(j) && above_or_below(j) &&
          !ignore_each_other(shapes_[j].proxy().groups, origin_.proxy().groups))
        others_.push_back(j);
    beside_.clear();
    const double top = raised();
    note_beside(top);
    std::optional<double> y = descend(top);
    move(y.value_or(0), y.value_or(0));
    if (y) *y = -*y;
    return y;
  }

 private:
  static constexpr double kLeastUp = 0.1;    // of a normal: what is steeper is no reason to go up
  static constexpr double kStep = 0.1;       // of the height of the object
  static constexpr int kMostSteps = 20'000;  // then it is as deep as it gets
  static constexpr int kHalvings = 60, kLifts = 40;
  static constexpr double kClear = 0.1;  // of the slop: the gap that is made where something is raised

  bool above_or_below(std::uint32_t j) const {
    if (shapes_[j].unbounded()) return shapes_[j].plane_normal().y() > kLeastUp;
    const Box3& box = shapes_[j].swept;
    return box.low.x() <= size_.high.x() && size_.low.x() <= box.high.x() && box.low.z() <= size_.high.z() &&
           size_.low.z() <= box.high.z();
  }
  /// Heights between which j is, below or above the object.
  std::pair<double, double> heights(std::uint32_t j) const {
    const BodyShape& shape = shapes_[j];
    if (!shape.unbounded()) return {shape.swept.low.y(), shape.swept.high.y()};
    const Vec3 n = shape.plane_normal();
    std::pair<double, double> out{1e300, -1e300};
    for (const double x : {size_.low.x(), size_.high.x()})
      for (const double z : {size_.low.z(), size_.high.z()}) {
        const Vec3& o = shape.to.position;
        const double y = o.y() - (n.x() * (x - o.x()) + n.z() * (z - o.z())) / n.y();
        out = {std::min(out.first, y), std::max(out.second, y)};
      }
    return out;
  }
  /// The object on its way from one height to another, m beside where it was.
  void move(double from, double to) {
    BodyShape& shape = shapes_[at_];
    const Vec3 start = from * Vec3::UnitY(), end = to * Vec3::UnitY();
    shape.from.position = origin_.from.position + start;
    shape.to.position = origin_.to.position + end;
    for (std::size_t n = 0; n < shape.nodes_from.size(); ++n) shape.nodes_from[n] = origin_.nodes_from[n] + start;
    for (std::size_t n = 0; n < shape.nodes_to.size(); ++n) shape.nodes_to[n] = origin_.nodes_to[n] + end;
    finish_shape(shape);
  }
  /// Steep sides that it is in before it falls: they are beside it and hold nothing.
  void note_beside(double y) {
    move(y, y);
    for (const std::uint32_t j : others_) {
      search_.find(shapes_, {std::minmax(at_, j)}, {}, contacts_);
      for (const Contact& c : contacts_)
        if (c.gap < -kClear * c.slop && rise(c) <= kLeastUp) beside_.insert(j);
    }
  }
  /// Part of the normal that points up, for what falls.
  double rise(const Contact& c) const { return c.body_a == at_ ? c.normal.y() : -c.normal.y(); }
  /// What it has to go up at the end of this way to be free of what is under it, m; 0: it is free.
  double blocked(double from, double to) {
    move(from, to);
    const Box3 swept = shapes_[at_].swept;
    double up = 0;
    for (const std::uint32_t j : others_) {
      if (!shapes_[j].unbounded() && !shapes_[j].swept.meets(swept)) continue;
      search_.find(shapes_, {std::minmax(at_, j)}, {}, contacts_);
      for (const Contact& c : contacts_) {
        const double part = rise(c);
        const bool carries = part > kLeastUp && c.gap < 0;
        // Falling, it must not get into a steep side either, nor past an edge into what is then over it.
        const bool wedges = to < from && c.gap < -kClear * c.slop && !beside_.contains(j);
        if (carries || wedges) up = std::max(up, (kClear * c.slop - c.gap) / std::max(part, kLeastUp));
      }
    }
    return up;
  }
  /// Height at which it is in nothing that is under it.
  double raised() {
    double y = 0;
    for (int lift = 0; lift < kLifts; ++lift) {
      const double up = blocked(y, y);
      if (up == 0) return y;
      y += up;
    }
    double top = -1e300;  // stuck: above everything that it is in
    for (const std::uint32_t j : others_)
      if (const auto [low, high] = heights(j); low <= size_.high.y()) top = std::max(top, high);
    return top - size_.low.y() + 1e-3 * size_.size().y();
  }
  std::optional<double> descend(double y) {
    const double step = std::max(kStep * size_.size().y(), 1e-3 * size_.size().maxCoeff());
    for (int steps = 0; steps < kMostSteps && !cancelled_(); ++steps) {
      double below = -1e300;  // of what is wholly under it, the highest
      bool beside = false;
      for (const std::uint32_t j : others_) {
        const auto [low, high] = heights(j);
        const double margin = 1e-3 * size_.size().maxCoeff() + shapes_[j].proxy().thickness + thickness();
        if (high + margin < size_.low.y() + y)
          below = std::max(below, high + margin);
        else
          beside = beside || low <= size_.high.y() + y;
      }
      if (!beside) {
        if (below == -1e300) return std::nullopt;
        y = below - size_.low.y();
        if (blocked(y, y - step) == 0) {
          y -= step;
          continue;
        }
      } else if (blocked(y, y - step) == 0) {
        y -= step;
        continue;
      }
      double free = 0, met = step;
      for (int k = 0; k < kHalvings && met - free > 1e-10 * size_.size().maxCoeff(); ++k) {
        const double middle = 0.5 * (free + met);
        (blocked(y, y - middle) > 0 ? met : free) = middle;
      }
      y -= free;
      // Of a long way edges that only pass each other may count as met; then it goes on from here.
      const double nudge = 1e-5 * size_.size().maxCoeff();
      if (blocked(y, y - nudge) > 0) return y;
      y -= nudge;
    }
    return std::nullopt;
  }
  double thickness() const { return origin_.proxy().thickness; }

  const std::function<bool()>& cancelled_;
  std::vector<BodyShape> shapes_;
  std::vector<std::uint32_t> others_;
  std::set<std::uint32_t> beside_;
  ContactSearch search_;
  std::vector<Contact> contacts_;
  std::uint32_t at_ = 0;
  BodyShape origin_;  ///< where it was
  Box3 size_;         ///< around it there
};

/// What stands moves here: two that stand never meet in a run. What goes with them goes down too, and holds nobody up.
Scene with_movers(Scene scene, const std::set<Id>& ids) {
  for (Shared<Object>& object : scene.objects)
    if (ids.contains(object->id) && !body_kind(object->body.kind).moves &&
        object->contact.shape != ContactShape::plane &&
        !(object->contact.shape == ContactShape::automatic && object->display.kind == DisplayKind::primitive &&
          object->display.primitive.shape == PrimitiveShape::plane))
      object = object.edited([](Object& o) { o.body.kind = kMovingBody; });
  for (const Id id : with_families(scene, ids))
    if (!ids.contains(id)) scene = with_object(std::move(scene), id, [](Object& o) { o.contact.enabled = false; });
  return scene;
}

}  // namespace

Dropped drop(const Scene& scene, const std::set<Id>& ids, MeshStore& meshes, const std::function<bool()>& cancelled) {
  Dropped out;
  const Scene moving = with_movers(scene, ids);
  const auto surfaces = meshes.prepare(moving, 1, cancelled);
  out.cancelled = !surfaces || cancelled();
  if (out.cancelled) return out;
  const auto model = compile(moving, meshes);
  if (!model.ok()) {
    out.failure = model.error();
    return out;
  }
  Drop drop(*model.value(), cancelled);
  const BodyList& bodies = model.value()->bodies;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!ids.contains(bodies[i].id)) continue;
    if (drop.active(i))
      order.push_back(i);
    else
      out.touching_nothing.push_back(bodies[i].id);
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return drop.bottom(a) < drop.bottom(b); });
  std::set<std::uint32_t> waiting(order.begin(), order.end());
  for (const std::uint32_t i : order) {
    waiting.erase(i);
    const std::optional<double> way = drop.fall(i, waiting);
    out.cancelled = cancelled();
    if (out.cancelled) return out;
    if (way)
      out.falls.emplace_back(bodies[i].id, *way);
    else
      out.over_nothing.push_back(bodies[i].id);
  }
  return out;
}

}  // namespace hazumi
