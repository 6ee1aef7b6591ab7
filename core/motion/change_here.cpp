#include "core/motion/change_here.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/takes.h"

namespace hazumi {
namespace {

constexpr double kSameMoment = 1e-9;                            // s
constexpr double kRowHeight = 110, kBeside = 190, kFirst = 40;  // logical pixels of the editor
using ThreeNames = std::array<std::string_view, 3>;
constexpr ThreeNames kMove{"x", "y", "z"}, kTurn{"rx", "ry", "rz"}, kVelocity{"vx", "vy", "vz"};

double number_of_box(const MotionNode& node, std::string_view name) {
  const MotionParameter* parameter = find_parameter(node, name);
  return parameter ? parameter->number : 0;
}

Vec3 vector_of(const MotionNode& node, const ThreeNames& names) {
  return {number_of_box(node, names[0]), number_of_box(node, names[1]), number_of_box(node, names[2])};
}

void put_value(MotionNode& node, std::string_view name, double value) {
  set_parameter(node, {std::string(name), {}, value});
}

void put_value(MotionNode& node, const ThreeNames& names, const Vec3& value) {
  for (int i = 0; i < 3; ++i) put_value(node, names[static_cast<std::size_t>(i)], value[i]);
}

void add_change(MotionNode& node, const BodyChange& change) {
  const Vec3 move = vector_of(node, kMove) + change.move;
  Quat turn = (change.turn * from_euler_angles(vector_of(node, kTurn))).normalized();
  if (turn.w() < 0) turn.coeffs() *= -1;
  put_value(node, "added", 1);
  put_value(node, "moves", move == Vec3::Zero() ? 0 : 1);
  put_value(node, kMove, move);
  const bool turns = change.turn.vec() != Vec3::Zero() || number_of_box(node, "turns") != 0;
  put_value(node, "turns", turns ? 1 : 0);
  put_value(node, kTurn, turns ? euler_angles(turn) : Vec3(Vec3::Zero()));
  if (!change.velocity) return;
  put_value(node, "throws", 1);
  put_value(node, kVelocity, *change.velocity);
}

MotionNode box_of_change(const Scene& scene, MotionRole role, const char* kind, Id object, double x, double y) {
  MotionNode node;
  node.id = next_id(scene);
  node.role = role;
  node.kind = kind;
  node.object = object.value;
  node.x = x;
  node.y = y;
  return node;
}

/// An event and a procedure below all that is there.
Id with_boxes(Scene& scene, Id object, double time) {
  double below = kFirst;
  for (const auto& node : scene.motion) below = std::max(below, node->y + kRowHeight);
  MotionNode event = box_of_change(scene, MotionRole::event, "time", object, kFirst, below);
  put_value(event, "time", time);
  const Id from = event.id;
  scene.motion.push_back(Shared<MotionNode>(std::move(event)));
  MotionNode place = box_of_change(scene, MotionRole::procedure, "place", object, kFirst + kBeside, below);
  const Id to = place.id;
  scene.motion.push_back(Shared<MotionNode>(std::move(place)));
  scene = with_motion(std::move(scene), from, [to](MotionNode& n) { n.wires.push_back({to.value, false}); });
  return to;
}

}  // namespace

double moment_for(const Scene& scene, int frame) {
  const RunClock clock(scene);
  // In slow motion the frame before shows a part of its sub-step, and must not show anything of this.
  const std::int64_t last = clock.begin(frame) - 1;
  const std::int64_t least = frame > 0 && clock.part(frame - 1) > 0 ? clock.begin(frame - 1) + 1 : 0;
  const std::int64_t substep = std::max({last, least, std::int64_t{0}});
  return clock.film(substep);
}

const MotionNode* change_at(const Scene& scene, Id object, int frame) {
  const double time = moment_for(scene, frame);
  for (const auto& event : scene.motion) {
    const auto at = timed_at(*event);
    if (!at || !event->visible || is_keyed(scene, *event) || event->object != object.value ||
        std::abs(*at - time) > kSameMoment)
      continue;
    for (const MotionWire& wire : event->wires) {
      const MotionNode* to = find_motion(scene, Id{wire.to});
      if (to && to->visible && !is_keyed(scene, *to) && to->kind == "place" && to->object == object.value &&
          number_of_box(*to, "added") != 0)
        return to;
    }
  }
  return nullptr;
}

Scene changed_at(Scene scene, int frame, std::span<const BodyChange> changes, Id take) {
  const Take* current = current_take(scene);
  if (!take || !current || current->id != take)
    scene = with_new_take(std::move(scene), "From frame " + std::to_string(frame)).scene;
  for (const BodyChange& change : changes) {
    const MotionNode* there = change_at(scene, change.object, frame);
    const Id id = there ? there->id : with_boxes(scene, change.object, moment_for(scene, frame));
    scene = with_motion(std::move(scene), id, [&](MotionNode& node) { add_change(node, change); });
  }
  return scene;
}

}  // namespace hazumi
