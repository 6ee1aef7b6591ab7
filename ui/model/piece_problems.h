// What the list of problems says of analysis models in pieces that nothing joins, with the largest kept by a click.
#pragma once

#include "ui/model/problem.h"

namespace hazumi {

std::vector<Problem> piece_problems(const Scene& scene);

}  // namespace hazumi
