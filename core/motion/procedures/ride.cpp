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
  if (const auto nodes = nodes_to_ride(parent, theirs, place, context.parameters.subspan(kRideFirst, 3)))
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
    k.begin = ride_begin;
    k.direct = ride_direct;
    k.over = ride_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
