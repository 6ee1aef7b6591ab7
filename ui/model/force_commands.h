// Forces as commands make them: at the middle of each selected object, or on the nodes that are selected in it. One undo step, and an operation:
// F9 has place and force.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// Why what is selected cannot be pushed; empty: it can.
QString no_pushing(const Scene& scene, const Selection& selection);
/// Upwards, as hard as each weighs. The forces become the selection.
bool add_forces(DocumentController& document, Selection& selection);
/// On these nodes of an object, ascending.
bool add_force_on_nodes(DocumentController& document, Selection& selection, Id object,
                        const std::vector<std::uint32_t>& nodes);

}  // namespace hazumi
