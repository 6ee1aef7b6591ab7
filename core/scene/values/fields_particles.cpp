// The field table of sources of particles.
#include "core/scene/values/field_rows.h"

namespace hazumi {

using namespace rows;

namespace {

bool has_radius(const ParticleSource& s) {
  return s.shape == SourceShape::ball || s.shape == SourceShape::disc || s.shape == SourceShape::ring;
}
bool has_axis(const ParticleSource& s) { return s.shape == SourceShape::disc || s.shape == SourceShape::ring; }
bool is_placed(const ParticleSource& s) { return has_radius(s); }
bool is_turned(const ParticleSource& s) { return s.shape != SourceShape::surface; }
bool can_be_carried(const ParticleSource& s) { return s.shape != SourceShape::curve; }
bool on_curve(const ParticleSource& s) { return s.shape == SourceShape::curve; }
bool is_carried(const ParticleSource& s) { return s.carrier != 0 && can_be_carried(s); }
bool bursts(const ParticleSource& s) { return s.burst > 0; }
bool light(const ParticleSource& s) { return s.gives == SourceGives::particles; }
bool heavy(const ParticleSource& s) { return gives_copies(s); }
bool mortal(const ParticleSource& s) { return light(s) || !s.stays; }
bool feels_fields(const ParticleSource& s) { return light(s) && s.fields; }
bool meets_things(const ParticleSource& s) { return light(s) && s.collides; }
bool goes_on(const ParticleSource& s) { return meets_things(s) && s.hit == ParticleHit::bounce; }
bool splits(const ParticleSource& s) { return meets_things(s) && s.hit == ParticleHit::split; }
bool is_streak(const ParticleSource& s) { return light(s) && s.look == ParticleLook::streak; }
bool is_mesh(const ParticleSource& s) { return light(s) && s.look == ParticleLook::mesh; }
bool turns(const ParticleSource& s) { return is_mesh(s) || (light(s) && s.look == ParticleLook::puff); }
bool has_colour(const ParticleSource& s) { return light(s) && s.look != ParticleLook::mesh; }

}  // namespace

// clang-format off

namespace {

constexpr Range kPartOfOne{0, 1, false, 0.01};

std::vector<Field<ParticleSource>> source_birth_rows() {
  using Owner = ParticleSource;
  static constexpr Range kCount{0, 1e6, false, 1};
  return {
      ROW(name, "Name", "Source", "", kName, look, always,
          "What the source is called in lists and messages."),
      rows::sparse(ROW(visible, "Visible", "Source", "", kNone, look, always,
          "Whether the source and its particles are drawn.")),
      rows::sparse(ROW(locked, "Locked", "Source", "", kNone, look, always,
          "A locked source cannot be selected by clicking in the viewport.")),
      rows::sparse(ROW(collection, "Collection", "Source", "", kThing, look, never,
          "Id of the collection that the source is in.")),
      rows::keyed(rows::sparse(ROW(on, "On", "Source", "", kNone, motion, always,
          "Off, no particles are born; those that live go on."))),
      rows::sparse(ROW(gives, "Gives", "Source", "", kNone, motion, always,
          "Particles, or copies of an object: rigid bodies that collide with everything and with each other.")),
      rows::sparse(rows::names_a(Refers::object, ROW(object, "Object", "Source", "", kThing, motion, heavy,
          "The rigid object of which it gives copies. It takes no part in the run itself."))),
      ROW(shape, "Shape", "Source", "", kNone, motion, always,
          "Where particles are born: in a ball, going outwards; on a disc or a ring across the axis; on the surface of the object that "
          "carries the source; or along a curve."),
      rows::sparse(rows::names_a(Refers::object, ROW(carrier, "Carried by", "Source", "", kThing, motion, can_be_carried,
          "The object that the source goes with; none: it stays where it is."))),
      rows::keyed(rows::sparse(ROW(position, "Position", "Source", "m", kAny, motion, is_placed,
          "Where its centre is; of a source that is carried, from the carrier's origin and in its axes."))),
      rows::keyed(rows::sparse(ROW(rotation, "Rotation", "Source", "°", kRotation, motion, is_turned,
          "How it is turned: its axis, along which particles go, is its y axis. Of a source that is carried, in the carrier's axes."))),
      rows::keyed(rows::sparse(ROW(radius, "Radius", "Source", "m", within(0, 1e6, 0.01), motion, has_radius,
          "Radius of the ball, disc or ring; 0: all are born in one place."))),
      rows::sparse(rows::names_a(Refers::curve, ROW(curve, "Curve", "Source", "", kThing, motion, on_curve,
          "The curve on which particles are born."))),
      rows::keyed(rows::sparse(ROW(tilt, "Tilt", "Source", "°", within(0, kPi, 0.01), motion, has_axis,
          "How far the direction leans outwards: 0 along the axis, 90 away from it."))),
      rows::keyed(rows::sparse(ROW(cone, "Cone", "Source", "°", within(0, kPi, 0.01), motion, always,
          "How far directions are spread to each side; 180: all directions."))),
      rows::sparse(ROW(start, "Start", "Birth", "s", within(0, 1e6, 0.01), motion, always,
          "When the first are born.")),
      rows::sparse(ROW(duration, "Duration", "Birth", "s", within(0, 1e6, 0.01), motion, always,
          "How long particles are born; 0: for good.")),
      rows::keyed(rows::sparse(ROW(rate, "Rate", "Birth", "1/s", within(0, 1e6, 1), motion, always,
          "How many are born in a second."))),
      rows::sparse(ROW(burst, "Burst", "Birth", "", kCount, motion, always,
          "How many are born at once at the start.")),
      rows::sparse(ROW(burst_period, "Burst period", "Birth", "s", within(0, 1e6, 0.01), motion, bursts,
          "How long it takes to the next burst; 0: there is one only.")),
      rows::sparse(ROW(most, "At most", "Birth", "", (Range{1, 1e6, false, 100}), motion, light,
          "While so many live, no more are born.")),
      rows::sparse(ROW(most_copies, "Copies at most", "Birth", "", (Range{1, kMostCopies, false, 10}), motion, heavy,
          "While so many are there, no more are born.")),
      rows::sparse(ROW(any_turn, "Turned at random", "Birth", "", kNone, motion, heavy,
          "Whether each copy is turned at random when it is born; else as the object is, with the source.")),
      rows::sparse(ROW(whirl, "Spin at birth", "Birth", "°/s", within(0, radians(60000), 0.01), motion, heavy,
          "How fast copies spin at most when they are born.")),
      rows::sparse(ROW(scale_spread, "Scale spread", "Birth", "", within(0, 0.9, 0.01), motion, heavy,
          "Up to this part larger or smaller than the object, and heavier or lighter by the cube of that.")),
      rows::sparse(ROW(stays, "Stay", "Birth", "", kNone, motion, heavy,
          "Whether copies stay for good; else they vanish at the end of their life.")),
  };
}

std::vector<Field<ParticleSource>> source_motion_rows() {
  using Owner = ParticleSource;
  return {
      rows::sparse(ROW(life, "Life", "Particle", "s", above(0, 1e6), motion, mortal,
          "How long a particle lives.")),
      rows::sparse(ROW(life_spread, "Life spread", "Particle", "", kPartOfOne, motion, mortal,
          "Up to this part more or less.")),
      rows::keyed(rows::sparse(ROW(speed, "Speed", "Particle", "m/s", within(0, 1e4, 0.05), motion, always,
          "How fast particles are when they are born."))),
      rows::sparse(ROW(speed_spread, "Speed spread", "Particle", "", kPartOfOne, motion, always,
          "Up to this part more or less.")),
      rows::sparse(ROW(inherit, "Carrier's speed", "Particle", "", within(-10, 10, 0.01), motion, is_carried,
          "The part of the carrier's own velocity that they have too.")),
      rows::sparse(ROW(mass, "Mass", "Particle", "kg", above(0, 1e6), motion, light,
          "Mass of a particle: what is light is carried along by wind, and floats in water where a ball of its size is heavier.")),
      rows::sparse(ROW(mass_spread, "Mass spread", "Particle", "", within(0, 0.99, 0.01), motion, light,
          "Up to this part more or less.")),
      rows::sparse(ROW(gravity, "Gravity", "Motion", "", within(-100, 100, 0.01), motion, light,
          "How much of the scene's gravity pulls on them; below 0 they rise.")),
      rows::sparse(ROW(fields, "Feel fields", "Motion", "", kNone, motion, light,
          "Whether fields of force act on the particles.")),
      rows::sparse(ROW(air, "Air and water", "Motion", "", within(0, 1000, 0.01), motion, feels_fields,
          "How hard air and water push on them: the drag coefficient of a ball of their size.")),
      rows::sparse(ROW(linear, "Linear drag", "Motion", "1/s", within(0, 1e5, 0.01), motion, light,
          "They lose this part of their speed each second, in any air and without any.")),
      rows::sparse(ROW(quadratic, "Quadratic drag", "Motion", "1/m", within(0, 1e5, 0.01), motion, light,
          "And this part on each metre of their way.")),
      rows::sparse(ROW(collides, "Collide", "Collision", "", kNone, motion, light,
          "Whether particles meet objects; they push none.")),
      rows::sparse(rows::names_a(Refers::collection, ROW(meets, "Meet", "Collision", "", kThing, motion, meets_things,
          "The collection whose objects they meet; none: everything that collides."))),
      rows::sparse(ROW(hit, "When they hit", "Collision", "", kNone, motion, meets_things,
          "Bounce, stay where they hit, die, or go to pieces.")),
      rows::sparse(ROW(bounce, "Bounce", "Collision", "", kPartOfOne, motion, goes_on,
          "Part of the approach speed that a bounce gives back.")),
      rows::sparse(ROW(friction, "Friction", "Collision", "", within(0, 10, 0.01), motion, goes_on,
          "Coulomb's coefficient of friction.")),
      rows::sparse(rows::names_a(Refers::source, ROW(into, "Into", "Collision", "", kThing, motion, splits,
          "The source that makes the pieces, with its own life, speed and looks."))),
      rows::sparse(ROW(pieces, "Pieces", "Collision", "", within(0, 1000, 1), motion, splits,
          "Into how many a particle goes that hits something.")),
  };
}

std::vector<Field<ParticleSource>> source_look_rows() {
  using Owner = ParticleSource;
  return {
      ROW(look, "Look", "Look", "", kNone, look, light,
          "Discs that face the camera, streaks along their way, puffs of smoke, points, or copies of an object."),
      rows::sparse(ROW(size, "Size", "Look", "m", kSize, motion, light,
          "How large they are across: as drawn, as air and water see them, and as they collide.")),
      rows::sparse(ROW(size_spread, "Size spread", "Look", "", within(0, 0.99, 0.01), motion, light,
          "Up to this part more or less.")),
      rows::sparse(ROW(growth, "Growth", "Look", "", within(0, 1000, 0.01), look, light,
          "How many times as large they are drawn at the end of their life.")),
      rows::sparse(rows::as_colour(ROW(colour, "Colour", "Look", "", kColour, look, has_colour,
          "Their colour at birth."))),
      rows::sparse(rows::as_colour(ROW(end_colour, "End colour", "Look", "", kColour, look, has_colour,
          "Their colour at the end of their life."))),
      rows::sparse(ROW(colour_spread, "Colour spread", "Look", "", kPartOfOne, look, has_colour,
          "Up to this part brighter or darker.")),
      rows::sparse(ROW(hue_spread, "Hue spread", "Look", "", kPartOfOne, look, has_colour,
          "How far their hues are apart: 0 all alike, 1 all there are.")),
      rows::keyed(rows::sparse(ROW(opacity, "Opacity", "Look", "", kPartOfOne, look, has_colour,
          "How much they hide of what is behind them."))),
      rows::sparse(ROW(fade_in, "Fade in", "Look", "", kPartOfOne, look, has_colour,
          "The part of their life in which they come to be seen.")),
      rows::sparse(ROW(fade_out, "Fade out", "Look", "", kPartOfOne, look, has_colour,
          "The part of their life, at its end, in which they vanish.")),
      rows::sparse(ROW(glows, "Glow", "Look", "", kNone, look, has_colour,
          "Whether they shine by themselves; else the scene's lights light them.")),
      rows::sparse(ROW(streak, "Streak", "Look", "s", within(0, 10, 0.001), look, is_streak,
          "How much of its way a streak shows.")),
      rows::sparse(rows::names_a(Refers::object, ROW(copies, "Copies of", "Look", "", kThing, look, is_mesh,
          "The object whose display model is drawn at each particle, as large as the particle."))),
      rows::sparse(ROW(spin, "Spin", "Look", "°/s", within(0, radians(600000), 0.01), look, turns,
          "How fast they turn at most.")),
  };
}

}  // namespace

std::span<const Field<ParticleSource>> particle_source_fields() {
  static const std::vector<Field<ParticleSource>> table = [] {
    std::vector<Field<ParticleSource>> all = source_birth_rows();
    rows::append(all, source_motion_rows());
    rows::append(all, source_look_rows());
    return all;
  }();
  return table;
}

// clang-format on

}  // namespace hazumi
