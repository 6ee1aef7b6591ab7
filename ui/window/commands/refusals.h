// Reasons that commands of several menus have for not being possible now.
#pragma once

#include <QString>

#include "core/base/result.h"
#include "ui/model/context.h"

namespace hazumi {

inline constexpr const char* kSelectFirst = "Select an object first.";

/// Of objects, or in an edit mode of elements; "" when something is.
QString nothing_selected(UiContext& context);
/// In the status bar, where an edit was refused.
void tell(UiContext& context, const Status& status);

}  // namespace hazumi
