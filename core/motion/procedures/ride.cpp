// Secondary action: it rides on three nodes of something, by its pins, and feels so much of how that moves (riding.h).
#include <algorithm>
#include <cmath>

#include "core/motion/riding.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow node_row(std::string_view name, std::string_view label) {
  return {.name = name,
          .label = label,
          .tooltip = "Node of the parent's analysis model on which it rides; -1: the nearest that span a plane.",
          .type = FieldType::integer,
          .low = -1,
          .high = 1e6,
          .fallback = -1};
}

constexpr ParameterRow kRideRows[] = {
    number_row("feels", "Feels its parent", "",
               "How much of its parent's motion it feels: 0 moves as if that stood, 1 is the physical part.", 0, 1, 1),
    node_row("first", "First node"), node_row("second", "Second node"), node_row("third", "Third node"),
    duration_row("How long; 0: for good. It stays where it is then.", 0)};
enum RideRow : std::size_t { kRideFeels, kRideFirst, kRideDuration = 4 };

void ride_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  std::fill_n(memory.begin(), 3, -1.0);
  if (context.others.empty()) return;
  const Body &part = context.of_body(), &parent = context.model.bodies[context.others[0]];
  if (!parent.deforms || !part.deforms || part.truss.pinned.empty()) return;
  std::vector<Vec3> own(part.truss.nodes.size()), theirs(parent.truss.nodes.size());
  part.positions(context.values(), own);
  parent.positions(context.state.bodies[context.others[0]].values, theirs);
  Vec3 place = Vec3::Zero();
  for (const std::uint32_t pin : part.truss.pinned) place += own[pin] / static_cast<double>(part.truss.pinned.size());
  if (const auto nodes = nodes_to_ride(theirs, place, context.parameters.subspan(kRideFirst, 3)))
    std::copy(nodes->begin(), nodes->end(), memory.begin());
}

/// Inertial forces; and the two do not touch each other.
void ride_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                 BodyForces& forces) {
  forces.stirred = true;
  const Body& part = context.of_body();
  if (const FrameRates felt = felt_by_rider(memory); part.deforms && !part.truss.pinned.empty()) {
    const std::size_t n = part.truss.nodes.size();
    std::vector<Vec3> x(n), u(n);
    part.positions(context.values(), x);
    part.node_velocities(context.values(), u);
    for (std::size_t i = 0; i < n; ++i)
      forces.nodes[i] -= context.parameters[kRideFeels] * part.truss.masses[i] * felt.at(x[i], u[i]);
  }
  ContactTold told;
  told.since = own.start;
  told.pass = true;
  tell_contacts(context, told, forces);
}

bool ride_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[kRideDuration]);
}

/// The three nodes, and how much it feels as an arrow upwards from their middle; of a parent without nodes that arrow alone.
struct RideSeat {
  std::optional<std::array<std::uint32_t, 3>> nodes;
  Vec3 middle = Vec3::Zero();
  double all = 1;  ///< m, as long as the arrow is where it feels all
};

std::optional<RideSeat> seat_of(std::span<const double> p, const SketchBody& body) {
  RideSeat seat;
  seat.nodes = nodes_to_ride(body.other_nodes, body.seat.value_or(body.centre), p.subspan(kRideFirst, 3));
  if (!seat.nodes && !body.other) return std::nullopt;
  if (seat.nodes)
    for (const std::uint32_t node : *seat.nodes) seat.middle += body.other_nodes[node] / 3;
  else
    seat.middle = *body.other;
  seat.all = std::max((body.high - body.low).norm(), 0.1);
  return seat;
}

void sketch_ride(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const auto seat = seat_of(p, body);
  if (!seat) return;
  constexpr std::string_view kLabels[] = {"first node", "second node", "third node"};
  out.lines.push_back({{body.seat.value_or(body.centre), seat->middle}, false, true});
  if (seat->nodes) {
    SketchLine sides;
    for (std::size_t i = 0; i <= 3; ++i) sides.points.push_back(body.other_nodes[(*seat->nodes)[i % 3]]);
    out.lines.push_back(std::move(sides));
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& at = body.other_nodes[(*seat->nodes)[i]];
      out.handles.push_back({at, at, kLabels[i]});
    }
  }
  sketch::add_arrow(seat->middle, p[kRideFeels] * seat->all * body.up(), "feel", out);
  out.notes.push_back({out.handles.back().at, "feels " + sketch::number_text(p[kRideFeels])});
}

/// A node goes to another one that is nearest; three that span no plane stay what they were.
void drag_ride(std::size_t handle, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const auto seat = seat_of(p, body);
  if (!seat) return;
  if (!seat->nodes || handle == 3) {
    p[kRideFeels] = std::clamp(body.up().dot(to - seat->middle) / seat->all, 0.0, 1.0);
    return;
  }
  std::uint32_t nearest = (*seat->nodes)[handle];
  for (std::uint32_t i = 0; i < body.other_nodes.size(); ++i)
    if ((body.other_nodes[i] - to).squaredNorm() < (body.other_nodes[nearest] - to).squaredNorm()) nearest = i;
  std::array<std::uint32_t, 3> next = *seat->nodes;
  next[handle] = nearest;
  const double asked[] = {double(next[0]), double(next[1]), double(next[2])};
  if (next == *seat->nodes || nodes_to_ride(body.other_nodes, body.centre, asked) != next) return;
  std::copy_n(asked, 3, p.begin() + kRideFirst);
}

}  // namespace

const ProcedureKind& procedure_ride() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "ride",
        "Ride on",
        "Secondary action: it rides by its pins on three nodes of its parent, and feels so much of how that moves. Of "
        "flexible bodies with pins.",
        "let {of} ride on {with} and feel {feels} of it",
        "Motion",
        kRideRows,
        OtherUse::thing};
    k.claim = Claim::motion;
    k.shapes = true;
    k.rides = true;
    k.memory = kRiderMemory;
    k.renews = true;
    k.begin = ride_begin;
    k.direct = ride_direct;
    k.over = ride_over;
    k.sketch = sketch_ride;
    k.drag = drag_ride;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
