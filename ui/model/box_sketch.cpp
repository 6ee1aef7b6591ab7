#include "ui/model/box_sketch.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/facts.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/motion/kinds.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostBodies = 8;
constexpr std::size_t kMostFaces = 50'000;  // of which the centre is worked out while it is drawn

/// Of whose motion it is: objects, in order of id.
std::vector<const Object*> bodies_of(const Scene& scene, const MotionNode& box) {
  if (const Object* own = find_object(scene, Id{box.object})) return {own};
  std::vector<const Object*> all;
  for (const Id id : things_in(scene, Id{box.object}))
    if (const Object* object = find_object(scene, id); object && all.size() < kMostBodies) all.push_back(object);
  return all;
}

/// The frame of its last start up to the one that is shown.
FramePtr frame_of(const UiContext& context, const MotionNode& box, Id body, const FramePtr& shown) {
  const auto log = context.playback.log();
  if (!shown || !log) return shown;
  for (auto mark = log->motion.rbegin(); mark != log->motion.rend(); ++mark) {
    const auto& [frame, what] = *mark;
    if (frame > shown->index || what.box != box.id || what.object != body) continue;
    if (what.turn != MotionTurn::started && what.turn != MotionTurn::happened) continue;
    const FramePtr there = context.playback.cache().frame(frame);
    return there ? there : shown;
  }
  return shown;
}

Vec3 middle_of(std::span<const Vec3f> places, std::span<const double> masses) {
  Vec3 sum = Vec3::Zero();
  double all = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double mass = masses.size() == places.size() ? masses[i] : 1;
    sum += mass * places[i].cast<double>();
    all += mass;
  }
  return all > 0 ? Vec3(sum / all) : sum;
}

/// Centre of mass in the object frame, with its scale.
Vec3 own_centre(const DisplayMesh& mesh, const Box3& box) {
  if (mesh.faces.size() <= kMostFaces) {
    const MassProperties whole = mass_properties(mesh, 1);
    if (whole.volume > 0) return whole.centre;
  }
  return box.valid() ? Vec3(0.5 * (box.low + box.high)) : Vec3(Vec3::Zero());
}

struct Seen {
  Pose pose;
  Vec3 centre = Vec3::Zero();
};

std::optional<Seen> seen_in(const FramePtr& frame, const Object& object, const Vec3& own) {
  Seen seen{{object.transform.position, object.transform.rotation}, {}};
  const ObjectFrame* there = frame ? frame->find(object.id) : nullptr;
  if (there && !there->present) return std::nullopt;
  if (there) seen.pose = {there->position.cast<double>(), there->rotation.cast<double>().normalized()};
  seen.centre = seen.pose.position + seen.pose.rotation * own;
  if (there && there->deformed && !there->nodes.empty())
    seen.centre = middle_of(there->nodes, object_truss(object, {}).masses);
  return seen;
}

/// Nodes of what bends, world: as the frame has them, else as it was made.
std::vector<Vec3> nodes_in(const FramePtr& frame, const Object& object, const Pose& pose) {
  std::vector<Vec3> all;
  if (!bends(object.body)) return all;
  const ObjectFrame* there = frame ? frame->find(object.id) : nullptr;
  if (there && !there->nodes.empty())
    for (const Vec3f& node : there->nodes) all.push_back(node.cast<double>());
  else
    for (const Vec3& node : object_truss(object, {}).nodes) all.push_back(pose.position + pose.rotation * node);
  return all;
}

/// Middle of its pins.
std::optional<Vec3> seat_in(const FramePtr& frame, const Object& object, const Pose& pose) {
  const std::vector<Vec3> nodes = nodes_in(frame, object, pose);
  if (nodes.empty()) return std::nullopt;
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const std::uint32_t pin : object_truss(object, {}).pinned)
    if (pin < nodes.size()) {
      sum += nodes[pin];
      ++count;
    }
  return count > 0 ? std::optional<Vec3>(sum / count) : std::nullopt;
}

/// m/s at that frame: as it goes on from it, as it begins at the start.
Vec3 velocity_at(const UiContext& context, const FramePtr& frame, const Object& object, const Seen& now,
                 const Vec3& own, const Vec3& gravity) {
  if (!frame || frame->index == 0) return object.body.velocity;
  const double rate = context.document.scene().settings.frame_rate;
  if (const FramePtr before = context.playback.cache().frame(frame->index - 1))
    if (const auto was = seen_in(before, object, own)) return rate * (now.centre - was->centre) + 0.5 / rate * gravity;
  return Vec3::Zero();
}

}  // namespace

std::optional<double> room_under(const Scene& scene, Id body, const SketchBody& values) {
  const Vec3 up = values.up();
  const double half = values.half_height();
  std::optional<double> least;
  for (const auto& other : scene.objects) {
    if (other->id == body || body_kind(other->body.kind).moves || !other->contact.enabled) continue;
    if (other->display.kind != DisplayKind::primitive) continue;
    const Transform& at = other->transform;
    const Primitive& shape = other->display.primitive;
    const Vec3 from = at.rotation.conjugate() * (values.centre - at.position), way = at.rotation.conjugate() * up;
    const Vec3 size = 0.5 * shape.size.cwiseProduct(at.scale.cwiseAbs());
    // The axis of it that is upright, and whether the body is over it.
    int axis = -1;
    for (int k = 0; k < 3; ++k)
      if (std::abs(way[k]) > 0.9999) axis = k;
    const bool plane = shape.shape == PrimitiveShape::plane, box = shape.shape == PrimitiveShape::box;
    if (axis < 0 || (plane && axis != 1) || (!plane && !box)) continue;
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    if (!plane && (std::abs(from[b]) > size[b] || std::abs(from[c]) > size[c])) continue;
    const double room = way[axis] * from[axis] - (plane ? 0 : size[axis]) - half;
    if (room > -half) least = std::min(least.value_or(room), std::max(room, 0.0));
  }
  return least;
}

std::vector<BoxPlace> box_places(const UiContext& context, const MotionNode& box, const FramePtr& shown) {
  std::vector<BoxPlace> all;
  const Scene& scene = context.document.scene();
  const MotionKind* kind = kind_of(box);
  if (!kind || !kind->sketch) return all;
  MeshStore& meshes = context.document.meshes();
  for (const Object* object : bodies_of(scene, box)) {
    const auto mesh = meshes.mesh(*object);
    const Box3 bounds = meshes.facts(mesh)->box();
    const Vec3 own = own_centre(*mesh, bounds);
    const FramePtr frame = frame_of(context, box, object->id, shown);
    const auto seen = seen_in(frame, *object, own);
    if (!seen) continue;
    BoxPlace place{box.id, object->id, {}, {}, {}, {}};
    SketchBody& values = place.values;
    values.centre = seen->centre;
    values.pose = seen->pose;
    if (bounds.valid()) values.low = bounds.low, values.high = bounds.high;
    if (body_kind(object->body.kind).moves) values.mass = object_mass(*object, *mesh);
    if (object->body.gravity) values.gravity = scene.settings.gravity;
    values.velocity = velocity_at(context, frame, *object, *seen, own, values.gravity);
    values.under = room_under(scene, object->id, values);
    values.frame_rate = scene.settings.frame_rate;
    // Of a large mesh as of a ball: nobody sees the difference, and waits for its surface.
    const DisplayMesh* surface = mesh->faces.size() <= MeshFacts::kSmall ? mesh.get() : nullptr;
    const double film = frame ? frame->index / values.frame_rate : 0;
    place.air = SketchAir::round(scene, *object, surface, values.mass, film);
    values.air = place.air.get();
    if (const Object* other = find_object(scene, Id{box.other})) {
      const auto other_mesh = meshes.mesh(*other);
      const auto there = seen_in(frame, *other, own_centre(*other_mesh, meshes.facts(other_mesh)->box()));
      if (there) {
        values.other = there->centre;
        place.other_nodes = std::make_shared<const std::vector<Vec3>>(nodes_in(frame, *other, there->pose));
        values.other_nodes = *place.other_nodes;
      }
      values.seat = seat_in(frame, *object, seen->pose);
    } else if (const Shared<Curve>* curve = find_shared_curve(scene, box.other)) {
      place.way = way_of(*curve);
      values.way = place.way.get();
    }
    all.push_back(std::move(place));
  }
  return all;
}

}  // namespace hazumi
