// The field table of joints. What of a joint counts depends on its kind; the rest waits in it for another kind.
#include "core/scene/values/field_rows.h"

namespace hazumi {

using namespace rows;

namespace {

bool is_of(const Joint& j, JointKind kind) { return j.kind == kind; }
bool holds_bodies(const Joint& j) { return j.kind != JointKind::gear; }
bool gears(const Joint& j) { return is_of(j, JointKind::gear); }
bool hinge(const Joint& j) { return is_of(j, JointKind::hinge); }
bool slider(const Joint& j) { return is_of(j, JointKind::slider); }
bool on_an_axis(const Joint& j) { return hinge(j) || slider(j); }
bool springs(const Joint& j) { return is_of(j, JointKind::spring); }
bool leads(const Joint& j) { return is_of(j, JointKind::lead); }
bool pulls(const Joint& j) { return is_of(j, JointKind::pull); }
bool on_a_curve(const Joint& j) { return leads(j) && j.curve != 0; }
bool has_second(const Joint& j) { return holds_bodies(j) && !on_a_curve(j) && !pulls(j); }
bool measures(const Joint& j) { return springs(j) || is_of(j, JointKind::rope); }
bool two_places(const Joint& j) { return measures(j) || (leads(j) && !on_a_curve(j)) || pulls(j); }
/// The two that it holds would be in each other.
bool in_one_place(const Joint& j) { return holds_bodies(j) && !measures(j) && !leads(j) && !pulls(j); }
bool breaks(const Joint& j) { return !pulls(j); }
bool limited_turn(const Joint& j) { return hinge(j) && j.limited; }
bool limited_way(const Joint& j) { return slider(j) && j.limited; }
bool driven_turn(const Joint& j) { return hinge(j) && j.motor; }
bool driven_way(const Joint& j) { return slider(j) && j.motor; }
bool own_length(const Joint& j) { return measures(j) && !j.measured; }

}  // namespace

// clang-format off

std::span<const Field<Joint>> joint_fields() {
  using Owner = Joint;
  static const std::vector<Field<Joint>> table = {
      ROW(name, "Name", "Joint", "", kName, look, always,
          "What the joint is called in lists and messages."),
      rows::sparse(ROW(visible, "Visible", "Joint", "", kNone, look, always,
          "Whether the joint's symbol is drawn in the view; one that is hidden holds all the same.")),
      rows::sparse(ROW(locked, "Locked", "Joint", "", kNone, look, always,
          "A locked joint cannot be selected by clicking in the viewport.")),
      rows::sparse(ROW(collection, "Collection", "Joint", "", kThing, look, never,
          "Id of the collection that the joint is in.")),
      ROW(kind, "Kind", "Joint", "", kNone, motion, always,
          "Ball: turns freely about a place. Hinge: about an axis. Slider: slides along one. Fixed: neither. Spring, rope: between two "
          "places. Gear: two hinges turn together. Lead: takes a place to its target. Pull: draws it there by a damped spring, as a hand."),
      rows::keyed(rows::sparse(ROW(on, "On", "Joint", "", kNone, motion, always,
          "Off, the joint holds nothing; switched on later, it takes hold of its bodies as they are. Where it is keyed, or a motion sets it, the "
          "two that it holds pass through each other while it is off too, unless they touch each other all the same."))),
      rows::names_a(Refers::object, ROW(a.object, "First", "Ends", "", kThing, motion, holds_bodies,
          "The object at the first end; none: the world.")),
      rows::keyed(ROW(a.place, "First place", "Ends", "m", kAny, motion, holds_bodies,
          "Where the joint is, in the axes of the first object before its scale; without one, in the world.")),
      rows::names_a(Refers::object, ROW(b.object, "Second", "Ends", "", kThing, motion, has_second,
          "The object at the second end; none: the world.")),
      rows::keyed(rows::sparse(ROW(b.place, "Second place", "Ends", "m", kAny, motion, two_places,
          "Where its second end or its target is, in the axes of the second object before its scale; without one, in the world."))),
      rows::keyed(rows::sparse(ROW(turn, "Axis", "Ends", "°", kRotation, motion, on_an_axis,
          "How the axis, which is z unturned, lies in the axes of the first object; without one, in the world."))),
      rows::sparse(ROW(collide, "Touch each other", "Ends", "", kNone, motion, in_one_place,
          "The two that the joint holds touch each other all the same; off, they pass through each other.")),
      rows::sparse(rows::names_a(Refers::curve, ROW(curve, "Curve", "Lead", "", kThing, motion, leads,
          "The curve along which it leads; none: to its second place."))),
      rows::keyed(rows::sparse(ROW(along, "Along", "Lead", "", within(0, 1, 0.002), motion, on_a_curve,
          "How far along the curve the target is: 0 is its start, 1 its end. Key it to lead along the curve."))),
      rows::keyed(rows::sparse(ROW(strictness, "Strictness", "Lead", "", within(0, 1, 0.01), motion, leads,
          "The share of the force that would keep the place on its target: 1 is there all the time, less comes loosely behind, 0 is "
          "free."))),
      rows::sparse(ROW(limited, "Limits", "Limits", "", kNone, motion, on_an_axis,
          "The joint turns or slides no further than its limits.")),
      rows::keyed(rows::sparse(ROW(least_turn, "Least turn", "Limits", "°", kTurns, motion, limited_turn,
          "How far the second end turns back against the first, about the axis; 0 is as it is at the start."))),
      rows::keyed(rows::sparse(ROW(most_turn, "Most turn", "Limits", "°", kTurns, motion, limited_turn,
          "How far the second end turns on against the first, about the axis; 0 is as it is at the start."))),
      rows::keyed(rows::sparse(ROW(least_way, "Least way", "Limits", "m", kAny, motion, limited_way,
          "How far the second end slides back against the first, along the axis; 0 is where it is at the start."))),
      rows::keyed(rows::sparse(ROW(most_way, "Most way", "Limits", "m", kAny, motion, limited_way,
          "How far the second end slides on against the first, along the axis; 0 is where it is at the start."))),
      rows::sparse(ROW(motor, "Motor", "Motor", "", kNone, motion, on_an_axis,
          "Drives the joint.")),
      rows::keyed(rows::sparse(ROW(motor_turn, "Turns", "Motor", "°/s", kSpins, motion, driven_turn,
          "How fast the motor turns the second end against the first, about the axis."))),
      rows::keyed(rows::sparse(ROW(motor_speed, "Speed", "Motor", "m/s", within(-1e5, 1e5, 0.05), motion, driven_way,
          "How fast the motor pushes the second end against the first, along the axis."))),
      rows::keyed(rows::sparse(ROW(motor_torque, "Torque", "Motor", "N m", within(0, 1e9, 0), motion, driven_turn,
          "The motor turns with this torque, and no more."))),
      rows::keyed(rows::sparse(ROW(motor_force, "Force", "Motor", "N", within(0, 1e9, 0), motion, driven_way,
          "The motor pushes with this force, and no more."))),
      rows::sparse(ROW(measured, "As long as it lies", "Length", "", kNone, motion, measures,
          "The length is what the two places are apart at the start; otherwise it is given.")),
      rows::keyed(rows::sparse(ROW(length, "Length", "Length", "m", within(0, 1e6, 0), motion, own_length,
          "Of a spring: where it neither pulls nor pushes. Of a rope: how far apart the two places can get."))),
      rows::keyed(rows::sparse(ROW(stiffness, "Stiffness", "Spring", "N/m", within(0, 1e9, 0), motion, springs,
          "How hard the spring pulls for each metre that it is longer, or pushes for each that it is shorter."))),
      rows::keyed(rows::sparse(ROW(damping, "Damping", "Spring", "N s/m", within(0, 1e9, 0), motion, springs,
          "How hard the spring holds against getting longer or shorter: higher dies away sooner."))),
      rows::keyed(rows::sparse(ROW(pull_rate, "Quickness", "Pull", "Hz", within(0.05, 30, 0.05), motion, pulls,
          "How often a second the object would swing about the target, undamped: higher follows more quickly, whatever its mass."))),
      rows::keyed(rows::sparse(ROW(pull_most, "Most force", "Pull", "weights", within(0, 1e6, 0.1), motion, pulls,
          "It pulls with this many times the object's weight, and no more; 0: with whatever it takes."))),
      rows::sparse(rows::names_a(Refers::joint, ROW(first, "First hinge", "Gear", "", kThing, motion, gears,
          "The hinge of the first wheel."))),
      rows::sparse(rows::names_a(Refers::joint, ROW(second, "Second hinge", "Gear", "", kThing, motion, gears,
          "The hinge of the second wheel."))),
      rows::keyed(rows::sparse(ROW(ratio, "Ratio", "Gear", "", within(-1000, 1000, 0.01), motion, gears,
          "The turn of the first hinge and this times the turn of the second stay as they began: 2 turns the first twice as fast, the "
          "other way round; negative turns both the same way."))),
      rows::keyed(rows::sparse(ROW(break_force, "Breaks at", "Joint", "N", within(0, 1e12, 0), motion, breaks,
          "The joint breaks when it would have to hold with more than this, in N, or in N m where it holds a turn; 0: it never breaks."))),
  };
  return table;
}

// clang-format on

}  // namespace hazumi
