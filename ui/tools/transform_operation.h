// A transform that has ended, with its numbers: vector, angle and axis, or factors (ui/model/last_operation.h).
#pragma once

#include <memory>

#include "ui/model/operation.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

/// `local_axes`: columns, of the active thing. `local`: what was measured is along them and not along the world's.
std::unique_ptr<Operation> transform_operation(std::shared_ptr<const TransformTarget> target,
                                               const TransformValue& value, const Mat3& local_axes, bool local);

}  // namespace hazumi
