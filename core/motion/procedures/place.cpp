// Puts it somewhere, at once, and may give it another velocity: what an animator does to a frame that was simulated. What bends is put as it is
// bent. The motion of its centre goes on, and what turns or trembles about it turns with it.
#include <algorithm>

#include "core/math/rotation.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow tick_row(std::string_view name, std::string_view label, std::string_view tooltip,
                                double fallback) {
  return {.name = name, .label = label, .tooltip = tooltip, .type = FieldType::boolean, .fallback = fallback};
}

constexpr std::string_view kPlace = "Where the object's origin is put; on top: how far it is moved.";
constexpr std::string_view kTurn = "Angles about x, then y, then z of the world to which it is turned.";
constexpr ParameterRow kPlaceRows[] = {
    tick_row("moves", "To a place", "It is put at a place.", 1),
    number_row("x", "X", "m", kPlace, -1e9, 1e9),
    number_row("y", "Y", "m", kPlace, -1e9, 1e9),
    number_row("z", "Z", "m", kPlace, -1e9, 1e9),
    tick_row("turns", "Turned", "It is turned to a rotation.", 0),
    number_row("rx", "Turn X", "°", kTurn, -radians(60000), radians(60000)),
    number_row("ry", "Turn Y", "°", kTurn, -radians(60000), radians(60000)),
    number_row("rz", "Turn Z", "°", kTurn, -radians(60000), radians(60000)),
    tick_row("added", "On top", "It is moved and turned on from where it is, instead of to there.", 0),
    tick_row("throws", "With velocity", "It is given a velocity.", 0),
    number_row("vx", "Velocity X", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("vy", "Velocity Y", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("vz", "Velocity Z", "m/s", "Velocity, world axes.", -1e5, 1e5),
    tick_row("spins", "With spin", "It is given a spin.", 0),
    number_row("sx", "Spin X", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn),
    number_row("sy", "Spin Y", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn),
    number_row("sz", "Spin Z", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn)};

Vec3 three(std::span<const double> p, std::size_t at) { return {p[at], p[at + 1], p[at + 2]}; }

void place_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  const auto& p = context.parameters;
  const Body& body = context.of_body();
  const Pose now = body.object_pose(body.pose(context.values()));
  Pose to = now;
  const bool moves = p[0] != 0, turns = p[4] != 0, added = p[8] != 0;
  if (moves) to.position = added ? Vec3(now.position + three(p, 1)) : three(p, 1);
  if (turns) to.rotation = from_euler_angles(three(p, 5));
  if (turns && added) to.rotation = (to.rotation * now.rotation).normalized();
  if (moves || turns) forces.put = to;
  if (p[9] != 0) forces.kick += three(p, 10) - velocity_of(context.model, context.state, context.body);
  // The spin that it has is turned with it.
  if (p[13] != 0)
    forces.kick_turn +=
        three(p, 14) - to.rotation * (now.rotation.conjugate() * spin_of(context.model, context.state, context.body));
}

bool place_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

enum PlaceRow : std::size_t {
  kPlaceMoves,
  kPlaceX,
  kPlaceTurns = 4,
  kPlaceAngles,
  kPlaceAdded = 8,
  kPlaceThrows,
  kPlaceVelocity
};

Pose put_at(std::span<const double> p, const SketchBody& body) {
  Pose to = body.pose;
  const bool added = p[kPlaceAdded] != 0;
  if (p[kPlaceMoves] != 0) to.position = added ? Vec3(body.pose.position + three(p, kPlaceX)) : three(p, kPlaceX);
  if (p[kPlaceTurns] != 0) {
    to.rotation = from_euler_angles(three(p, kPlaceAngles));
    if (added) to.rotation = (to.rotation * body.pose.rotation).normalized();
  }
  return to;
}

/// Its box where it is put, and the arrow of its velocity.
void sketch_place(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const Pose to = put_at(p, body);
  sketch::add_box(
      body, [&](const Vec3& x) { return Vec3(to.position + to.rotation * x); }, out);
  out.lines.push_back({{body.pose.position, to.position}, false, true});
  if (p[kPlaceMoves] != 0) out.handles.push_back({to.position, to.position, "place"});
  if (p[kPlaceThrows] == 0) return;
  SketchBody there = body;
  there.centre = to.position + to.rotation * (body.pose.rotation.conjugate() * (body.centre - body.pose.position));
  if (body.under) there.under = *body.under + body.up().dot(there.centre - body.centre);
  if (there.under && *there.under < 0) there.under.reset();
  const Vec3 velocity = three(p, kPlaceVelocity);
  sketch::add_arc(there, velocity, out);
  sketch::add_arrow(there.centre, sketch::kArrowTime * velocity, "velocity", out);
  out.notes.push_back({there.centre + sketch::kArrowTime * velocity, sketch::number_text(velocity.norm()) + " m/s"});
}

void drag_place(std::size_t handle, const Vec3& to, const SketchBody& body, std::span<double> p) {
  if (handle == 0 && p[kPlaceMoves] != 0) {
    const Vec3 place = p[kPlaceAdded] != 0 ? Vec3(to - body.pose.position) : to;
    std::copy_n(place.data(), 3, p.begin() + kPlaceX);
    return;
  }
  const Pose put = put_at(p, body);
  const Vec3 centre =
      put.position + put.rotation * (body.pose.rotation.conjugate() * (body.centre - body.pose.position));
  const Vec3 velocity = (to - centre) / sketch::kArrowTime;
  std::copy_n(velocity.data(), 3, p.begin() + kPlaceVelocity);
}

}  // namespace

const ProcedureKind& procedure_place() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"place",
                                   "Put",
                                   "Puts it somewhere at once, as it is bent, and may turn it and give it another "
                                   "velocity; what hangs on pins stays.",
                                   "put {of} at {x}, {y}, {z}",
                                   "Motion",
                                   kPlaceRows,
                                   OtherUse::none,
                                   MotionPlaces::xyz};
    k.processing = Processing::geometric;
    k.claim = Claim::motion;
    k.direct = place_direct;
    k.over = place_over;
    k.sketch = sketch_place;
    k.drag = drag_place;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
