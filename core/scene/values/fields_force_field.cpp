// The field table of fields of force. What of a field counts depends on its kind; the rest waits in it for another kind.
#include "core/scene/values/field_rows.h"

namespace hazumi {

using namespace rows;

namespace {

bool is_of(const ForceField& f, FieldKind kind) { return f.kind == kind; }
bool blows(const ForceField& f) { return is_of(f, FieldKind::wind); }
bool whirls(const ForceField& f) { return is_of(f, FieldKind::vortex); }
bool is_air(const ForceField& f) { return blows(f) || whirls(f); }
bool is_water(const ForceField& f) { return is_of(f, FieldKind::water); }
bool brakes(const ForceField& f) { return is_of(f, FieldKind::drag) || is_water(f); }
bool to_centre(const ForceField& f) { return is_of(f, FieldKind::attractor) || is_of(f, FieldKind::point_gravity); }
bool pulls(const ForceField& f) { return to_centre(f) || is_of(f, FieldKind::gravity); }
bool has_core(const ForceField& f) { return whirls(f) || to_centre(f); }
bool in_box(const ForceField& f) { return f.shape == FieldShape::box; }
bool along_curve(const ForceField& f) { return f.shape == FieldShape::curve; }
bool is_round(const ForceField& f) { return f.shape == FieldShape::ball || along_curve(f); }
bool is_bounded(const ForceField& f) { return f.shape != FieldShape::everywhere; }
bool gusts(const ForceField& f) { return blows(f) && f.gust > 0; }
/// Gusts may have keys that bring them.
Effect with_gusts(const ForceField& f) { return blows(f) ? Effect::motion : Effect::look; }

}  // namespace

// clang-format off

std::span<const Field<ForceField>> force_field_fields() {
  using Owner = ForceField;
  static const std::vector<Field<ForceField>> table = {
      ROW(name, "Name", "Field", "", kName, look, always,
          "What the field is called in lists and messages."),
      rows::sparse(ROW(visible, "Visible", "Field", "", kNone, look, always,
          "Whether the field's symbol is drawn in the view; one that is hidden acts all the same.")),
      rows::sparse(ROW(locked, "Locked", "Field", "", kNone, look, always,
          "A locked field cannot be selected by clicking in the viewport.")),
      rows::sparse(ROW(collection, "Collection", "Field", "", kThing, look, never,
          "Id of the collection that the field is in.")),
      ROW(kind, "Kind", "Field", "", kNone, motion, always,
          "Wind: air that blows along the axis. Drag: slows what moves in it. Vortex: air that goes round the axis. Attractor: pulls to "
          "its centre, as hard from anywhere. Water: lifts and slows what is below its surface. Gravity: pulls against the axis. Point "
          "gravity: pulls to its centre, four times as hard at half the distance."),
      rows::keyed(rows::sparse(ROW(on, "On", "Field", "", kNone, motion, always,
          "Off, nothing feels it."))),
      rows::sparse(rows::names_a(Refers::collection, ROW(feels, "Felt by", "Field", "", kThing, motion, always,
          "The collection whose objects feel it; none: everything that moves does."))),
      rows::keyed(rows::sparse(ROW(position, "Position", "Field", "m", kAny, motion, always,
          "Where its centre is; of water a place of its surface."))),
      rows::keyed(rows::sparse(ROW(rotation, "Rotation", "Field", "°", kRotation, motion, always,
          "How it is turned: its axis, along which wind blows and water rises, is its y axis."))),
      rows::sparse(ROW(shape, "Shape", "Shape", "", kNone, motion, always,
          "Where it acts: everywhere, in a box, in a ball, or round a curve, along which it then blows, turns or pulls.")),
      rows::keyed(rows::sparse(ROW(size, "Size", "Shape", "m", kSize, motion, in_box,
          "Full width, height and depth of the box, in the field's own axes."))),
      rows::keyed(rows::sparse(ROW(radius, "Radius", "Shape", "m", within(0, 1e6, 0.01), motion, is_round,
          "Radius of the ball, or how far round the curve it acts."))),
      rows::sparse(rows::names_a(Refers::curve, ROW(curve, "Curve", "Shape", "", kThing, motion, along_curve,
          "The curve round which it acts; it blows, turns and pulls along it."))),
      rows::keyed(rows::sparse(ROW(falloff, "Falloff", "Shape", "m", within(0, 1e6, 0.01), motion, is_bounded,
          "Over this distance outside its shape it fades to nothing; 0: it ends at once."))),
      rows::keyed(rows::sparse(ROW(core, "Core", "Shape", "m", within(0, 1e6, 0.01), motion, has_core,
          "Of a vortex: the radius where its air is fastest. Of what pulls to its centre: nearer than this it pulls less."))),
      rows::keyed(rows::sparse(ROW(speed, "Speed", "Air", "m/s", within(-1e4, 1e4, 0.05), motion, is_air,
          "How fast the air goes: of wind along its axis, of a vortex round it where it is fastest."))),
      rows::keyed(rows::sparse(ROW(gust, "Gusts", "Air", "m/s", within(0, 1e4, 0.02), motion, blows,
          "How strong gusts are: root mean square of what they add to each component of the air's velocity. Their mean is zero."))),
      rows::sparse(rows::read_as(ROW(gust_size, "Gust size", "Air", "m", above(0, 1e6), motion, gusts,
          "How large the largest gusts are; smaller ones are in them."), with_gusts)),
      rows::sparse(rows::read_as(ROW(gust_period, "Gust period", "Air", "s", above(0, 1e6), motion, gusts,
          "How long the largest gusts take to come and go; smaller ones are quicker."), with_gusts)),
      rows::keyed(rows::sparse(ROW(rise, "Rise", "Air", "m/s", within(-1e4, 1e4, 0.02), motion, whirls,
          "How fast the air of a vortex goes along its axis."))),
      rows::keyed(rows::sparse(ROW(inflow, "Inflow", "Air", "m/s", within(-1e4, 1e4, 0.02), motion, whirls,
          "How fast the air of a vortex goes towards its axis."))),
      rows::keyed(rows::sparse(ROW(density, "Air density", "Air", "kg/m³", within(0, 1e6, 0.01), motion, is_air,
          "How heavy the air is: it pushes in proportion. 1.2 is that of air on the ground."))),
      rows::keyed(rows::sparse(ROW(water_density, "Density", "Water", "kg/m³", within(0, 1e6, 1), motion, is_water,
          "How heavy the water is: what is lighter floats. 1000 is that of fresh water."))),
      rows::keyed(rows::sparse(ROW(linear, "Linear drag", "Drag", "1/s", within(0, 1e5, 0.01), motion, brakes,
          "What is in it loses this part of its speed each second."))),
      rows::keyed(rows::sparse(ROW(quadratic, "Quadratic drag", "Drag", "1/m", within(0, 1e5, 0.01), motion, brakes,
          "And this part on each metre of its way, so that fast things are slowed more."))),
      rows::keyed(rows::sparse(ROW(strength, "Strength", "Pull", "m/s²", within(-1e6, 1e6, 0.05), motion, pulls,
          "How hard it pulls; of point gravity, 1 m from its centre. Below 0 it pushes away."))),
  };
  return table;
}

// clang-format on

}  // namespace hazumi
