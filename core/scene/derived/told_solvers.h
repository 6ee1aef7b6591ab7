// Elastic solvers that boxes of motion graphs may give objects in a run: a body is made with all of them, and has one at a time.
#pragma once

#include <string_view>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::string_view kSolverProcedure =
    "solver";  ///< kind of the boxes, and name of the row that says which

/// Those that a box may give, by its word or its keys, in the order of the row's choices; of any other box, and one that is not used: none.
std::vector<std::string_view> solvers_of_box(const Scene& scene, const MotionNode& node);

struct ToldSolvers {
  Id object;
  std::vector<std::string_view> solvers;  ///< ascending, each once
};
/// Ascending by object; objects to which no box gives any are left out.
std::vector<ToldSolvers> told_solvers(const Scene& scene);

}  // namespace hazumi
