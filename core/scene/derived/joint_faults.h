// Joints that cannot hold what they say: for validate(), which warns of them, and for whoever offers remedies. A scene with such joints is
// read, saved and run all the same; a run leaves out what holds nothing.
#pragma once

#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

enum class JointFault {
  gone,       ///< an end, the curve of a lead, or a hinge of a gear, names what is not there
  itself,     ///< both ends are the same object
  world,      ///< both ends are the world
  no_length,  ///< a spring or rope of no length
  limits,     ///< the least is above the most
  gear,       ///< what a gear should make turn together are not two hinges
  still,      ///< nothing moves either end
  hasty,      ///< a lead or pull to where keys go faster than 10,000 m/s
  carried,    ///< an end is on what something else carries, or on a skin
};

struct FaultyJoint {
  JointFault fault;
  Id joint;
  Id carrier;           ///< carried: who carries the end, where it is one; else none
  bool second = false;  ///< of the second end or hinge
  std::string path;     ///< "joints[2] \"Hinge\" a.object"
  std::string message, hint;
};

/// In the order of the scene's joints, at most one of each.
std::vector<FaultyJoint> joint_faults(const Scene& scene);

/// A lead whose place begins farther than 1 mm from where it leads: it jumps there in the first step.
struct JumpingLead {
  Id joint;
  Vec3 way = Vec3::Zero();  ///< m, world, from the place to its target
  std::string path, message, hint;
};
/// Of leads that lead from the start, in the order of the scene.
std::vector<JumpingLead> jumping_leads(const Scene& scene);

/// A fixed joint that holds something fast to one thing while others hold it to another, and keys lead these two apart. Both hold as well as
/// they can (core/sim/constraint/link_rough.cpp).
struct JointConflict {
  Id joint;
  std::string path, message, hint;
};
/// In the order of the scene's joints, whose earlier ones are told nothing.
std::vector<JointConflict> joint_conflicts(const Scene& scene);

}  // namespace hazumi
