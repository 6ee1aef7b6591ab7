// Analysis variants of the active object (core/scene/values/variants.h) as commands: each is one undo step.
#pragma once

#include <QString>

#include "core/base/id.h"
#include "ui/model/context.h"

namespace hazumi {

/// Why the commands below do nothing now, a sentence; empty: they can. `others`: more than one variant is needed.
QString variants_problem(const UiContext& context, bool others);

/// A copy of the active object's analysis model under a new name is in use.
void duplicate_variant(UiContext& context);
/// Every selected object that has a variant of that name uses it.
void use_variant(UiContext& context, const QString& name);
/// The next by name, after the last the first.
void use_next_variant(UiContext& context);
void rename_variant(UiContext& context, const QString& name);
void delete_variant(UiContext& context);
/// A copy of the active object with the next variant beside it; both are selected and play from the start.
void compare_variants(UiContext& context);

}  // namespace hazumi
