// A transform that has ended, with its numbers: vector, angle and axis, or factors (ui/model/last_operation.h).
#pragma once

#include <memory>

#include "ui/model/operation.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

/// "Move Ball", "Rotate 3 objects with All Their Keys", "Move Ball at Frame 60": the undo step.
QString transform_text(const TransformTarget& target, TransformMode mode);

struct TransformChoice {
  std::shared_ptr<const TransformTarget> target, here;  ///< with keys at the frame that is shown; may be null
  bool is_here = false;
};

/// `local_axes`: columns, of the active thing. `local`: what was measured is along them and not along the world's.
std::unique_ptr<Operation> transform_operation(TransformChoice choice, const TransformValue& value,
                                               const Mat3& local_axes, bool local);

}  // namespace hazumi
