// What elastic solvers are, for tips.
#pragma once

#include <QString>

namespace hazumi {

/// A line of each: "Springs in a body frame (lagrange): …".
QString solver_descriptions();

}  // namespace hazumi
