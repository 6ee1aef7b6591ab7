// Joints of a scene: what holds two bodies together, or one to the world. What comes of them in a run is in
// core/sim/constraint/linkage.h.
//
//   ball, hinge, slider, fixed   one place: that of end a. Where it is on b, and how b is turned to a, is what both have at the start,
//                                so that no joint begins apart
//   spring, rope                 two places, and a length between them
//   gear                         two hinges: turn of the first + ratio × turn of the second stays as it began
//   lead                         the place on a is where b's is: of an object, of the world, or so far along a curve. All of it may be
//                                keyed (spec 2.1)
//   pull                         a damped spring from the place on a to b's, which is in the world and may be keyed: a hand that drags
//                                (spec 6.5). As quick for what is light as for what is heavy
#pragma once

#include <cstdint>
#include <string>

#include "core/base/id.h"
#include "core/base/kept.h"
#include "core/math/types.h"

namespace hazumi {

enum class JointKind { ball, hinge, slider, fixed, spring, rope, gear, lead, pull };

struct JointEnd {
  std::uint64_t object = 0;   ///< id; 0: the world
  Vec3 place = Vec3::Zero();  ///< m, in the object's own axes before its scale; of the world: world
};

struct Joint {
  Id id;
  std::string name = "Joint";
  bool visible = true;
  bool locked = false;           ///< not selectable in the viewport
  std::uint64_t collection = 0;  ///< id of the collection that it is in; 0: none
  JointKind kind = JointKind::ball;
  JointEnd a, b;
  Quat turn = Quat::Identity();  ///< its z is the axis of hinge and slider, in the axes of a's object
  bool on = true;                ///< it holds
  bool collide = false;          ///< the two that it holds touch each other all the same
  bool limited = false;          ///< hinge and slider
  double least_turn = -0.7853981633974483,
         most_turn = 0.7853981633974483;    ///< rad, of b against a about the axis; 0 at the start
  double least_way = -0.5, most_way = 0.5;  ///< m, of b against a along the axis
  bool motor = false;                       ///< hinge and slider
  double motor_turn = 3.141592653589793;    ///< rad/s, of b against a about the axis
  double motor_speed = 1;                   ///< m/s, along it
  double motor_torque = 10;                 ///< N m, and no more than that
  double motor_force = 100;                 ///< N
  bool measured = true;                     ///< spring and rope: as long as the places are apart at the start
  double length = 1;                        ///< m, else
  double stiffness = 500, damping = 1;      ///< spring, N/m and N s/m
  std::uint64_t first = 0, second = 0;      ///< gear: ids of its hinges
  double ratio = 1;                         ///< gear
  std::uint64_t curve = 0;                  ///< lead: id of the curve that it goes along; 0: where b is
  double along = 0;                         ///< 0…1 of that curve's length
  double strictness = 1;                    ///< lead: share of the force that would keep it there, 0…1
  double pull_rate = 4;                     ///< pull, Hz: of its swing, were it not damped critically
  double pull_most = 20;                    ///< pull: most force, in weights (9.80665 m/s²) of a; 0: whatever it takes
  double break_force = 0;                   ///< N, and N m for a turn; 0: it never breaks
  Kept kept;
};

}  // namespace hazumi
