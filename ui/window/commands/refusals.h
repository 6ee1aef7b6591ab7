// Reasons that commands of several menus have for not being possible now.
#pragma once

#include <QString>

#include "ui/model/context.h"

namespace hazumi {

inline constexpr const char* kSelectFirst = "Select an object first.";

/// Of objects, or in an edit mode of elements; "" when something is.
QString nothing_selected(UiContext& context);

}  // namespace hazumi
