// Dense keys, as recordings and files leave them, become few (core/scene/derived/thin_keys.h).
#pragma once

#include <QString>

#include "ui/model/context.h"

namespace hazumi {

/// Why there is nothing to thin out; "" when three selected keys stand in a row.
QString no_dense_keys(const UiContext& context);
/// One undo step, whose tolerance can be changed afterwards (last_operation.h).
void thin_keys(UiContext& context);

}  // namespace hazumi
