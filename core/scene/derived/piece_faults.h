// Analysis models of tetrahedra in pieces that nothing joins: for validate(), which warns of them, and what is done about it.
#pragma once

#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

struct LooseModel {
  Id object;
  std::uint32_t pieces = 2;
  std::size_t nodes = 0, largest = 0;  ///< of all pieces, of the largest
  std::string path;                    ///< "objects[2] \"Bar\" analysis.strung.tetrahedra"
  std::string message, hint;
};

/// Of bodies that bend, in the order of the scene's objects. Springs join as tetrahedra do.
std::vector<LooseModel> loose_models(const Scene& scene);

/// The scene with the largest piece of the object's analysis model alone: by the volume of its tetrahedra, of equal ones that with more
/// nodes, then the first. What knows nodes by their numbers goes along: poses and their groups, how it starts, forces on nodes; a force
/// whose nodes are all gone is switched off, since it would push by its place then.
Scene with_largest_piece(const Scene& scene, Id object);

}  // namespace hazumi
