// What a box of a motion graph shows in the view, and what dragging one of its handles makes of its parameters: a throw its arrow and the arc
// that it will fly, a bounce how often and how low, a squash the ellipse at impact (spec 7.1). Each kind draws its own, in its file.
//
//   c, v     centre of mass and velocity of the body where the box finds it, m, m/s, world
//   g        m/s², gravity that acts on it;  up = −g/|g|, +y without
//   under    m, how far it can come down before it touches something level;  h = up·(x − c) + under, height of a place over where c comes to
//
// Parameters are in the order of the kind's rows, choices as numbers of their entries, as in a run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/math/types.h"
#include "core/scene/values/motion_node.h"

namespace hazumi {

struct MotionKind;
class SketchAir;

/// The body, where the box finds it.
struct SketchBody {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero();
  Pose pose;                                     ///< of the object frame
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< its box, object frame with its scale, m
  double mass = 1;                               ///< kg
  Vec3 gravity = Vec3::Zero();
  std::optional<double> under;             ///< nothing: there is nothing below
  std::optional<Vec3> other;               ///< centre of what `other` means; nothing: anything, or no one thing
  std::span<const Vec3> other_nodes = {};  ///< of its analysis model, if it bends, m, world
  std::optional<Vec3> seat = {};           ///< middle of its own pins, m, world; nothing: it has none
  const CurveWay* way = nullptr;
  const SketchAir* air = nullptr;  ///< null: nothing but gravity acts on it as it flies
  double frame_rate = 60;          ///< 1/s

  Vec3 up() const { return gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitY()); }
  double half_height() const;  ///< m, of its box as it is turned, along up
};

struct SketchLine {
  std::vector<Vec3> points;  ///< world, m
  bool arrow = false;        ///< with a head at its end
  bool faint = false;
};

struct SketchNote {
  Vec3 at = Vec3::Zero();
  std::string text;
};

struct SketchHandle {
  Vec3 at = Vec3::Zero();
  Vec3 root = Vec3::Zero();  ///< where its arrow begins; the same: it has none
  std::string_view label;    ///< what it says: "velocity"
  bool arrow = false;        ///< however short it is, it is taken hold of apart from its root
};

struct MotionSketch {
  std::vector<SketchLine> lines;
  std::vector<Vec3> ticks;  ///< where it is frame by frame
  std::vector<SketchHandle> handles;
  std::vector<SketchNote> notes;
};

/// Nothing: its kind shows nothing, or one of its numbers is an expression, which only a run knows.
std::optional<MotionSketch> sketch_of(const MotionNode& node, const SketchBody& body);

/// The box with that handle at a place, or as near to it as its rows allow.
MotionNode dragged(const MotionNode& node, std::size_t handle, const Vec3& to, const SketchBody& body);

/// Parts of sketches.
namespace sketch {

/// s: the arrow of a velocity is as long as what passes in that time.
inline constexpr double kArrowTime = 0.25;

/// m/s, how fast it comes down on what is under it.
double falls_at(const SketchBody& body, double under);
/// Places along the flight from c at v, at `times` later, s, ascending; fewer where it leaves all bounds.
std::vector<Vec3> flown(const SketchBody& body, const Vec3& velocity, std::span<const double> times);
/// The flight and a tick for each frame of it; back comes its end.
Vec3 add_flight(const SketchBody& body, const Vec3& velocity, double time, MotionSketch& out);
/// The flight, with a tick for each frame, until it touches what is under it; 3 s at most.
void add_arc(const SketchBody& body, const Vec3& velocity, MotionSketch& out);
void add_arrow(const Vec3& from, const Vec3& way, std::string_view label, MotionSketch& out);
/// Three circles.
void add_ball(const Vec3& centre, double radius, MotionSketch& out);
/// Edges of the body's box, each place of the object frame taken by `map` into the world.
template <class Map>
void add_box(const SketchBody& body, const Map& map, MotionSketch& out) {
  constexpr int kParts = 8;  // of an edge: it may be bent
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      Vec3 from = body.low, to;
      if (corner & 1) from[b] = body.high[b];
      if (corner & 2) from[c] = body.high[c];
      to = from;
      to[axis] = body.high[axis];
      SketchLine line;
      for (int k = 0; k <= kParts; ++k) line.points.push_back(map(Vec3(from + k / double{kParts} * (to - from))));
      out.lines.push_back(std::move(line));
    }
}
std::string number_text(double value, int digits = 2);

}  // namespace sketch

}  // namespace hazumi
