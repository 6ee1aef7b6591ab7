// Poses that do not fit their analysis model: for validate(), which warns of them, and for whoever offers remedies.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

enum class PoseFault {
  nodes,     ///< of another number of nodes than the analysis model: no run takes it
  inverted,  ///< tetrahedra, cells or the whole are inside out in it: taken all the same
  groups,    ///< nodes of groups that the analysis model does not have
};

struct FaultyPose {
  PoseFault fault;
  Id object;
  std::uint32_t pose = 0;  ///< id; 0: of groups
  std::string path;        ///< "objects[2] \"Bar\" analysis.poses[0] \"Twist\""
  std::string message, hint;
};

/// In the order of the scene's objects and their poses, at most one of each.
std::vector<FaultyPose> pose_faults(const Scene& scene);

/// Parts of the analysis model that are inside out where its nodes are at `nodes`: tetrahedra, else cells of a grid by their middle, else
/// the whole by its hull (1). Another number of nodes, or places that are no numbers: 0.
std::size_t inside_out(const Truss& truss, std::span<const Vec3> nodes);

}  // namespace hazumi
