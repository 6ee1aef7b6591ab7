// Analysis models of tetrahedra in pieces that nothing joins: for validate(), which warns of them.
#pragma once

#include <string>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

struct LooseModel {
  Id object;
  std::uint32_t pieces = 2;
  std::string path;  ///< "objects[2] \"Bar\" analysis.strung.tetrahedra"
  std::string message, hint;
};

/// Of bodies that bend, in the order of the scene's objects. Springs join as tetrahedra do.
std::vector<LooseModel> loose_models(const Scene& scene);

}  // namespace hazumi
