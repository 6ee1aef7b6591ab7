// Forces on what is selected, whole objects or nodes.
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/force_commands.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/truss_commands.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

std::vector<std::uint32_t> pushed_nodes_of(UiContext& c) {
  if (!c.elements.in("truss")) return {};
  const NodeSelection nodes = selected_nodes(c.elements.elements());
  return {nodes.begin(), nodes.end()};
}

/// On nodes it is what bends that is pushed: its own truss has their numbers.
void push_selected(UiContext& c) {
  if (!c.elements.mode()) return (void)add_forces(c.document, c.selection);
  const Id object = c.elements.object_id();
  const std::vector<std::uint32_t> nodes = pushed_nodes_of(c);
  c.elements.leave();
  (void)add_force_on_nodes(c.document, c.selection, object, nodes);
}

QString not_pushed(UiContext& c) {
  if (!c.elements.mode()) return no_pushing(c.document.scene(), c.selection);
  if (pushed_nodes_of(c).empty()) return tr("Select nodes of the analysis model, or go back to objects (Tab).");
  const Object* object = find_object(c.document.scene(), c.elements.object_id());
  return object && bends(object->body)
             ? QString()
             : tr("Only nodes of what bends can be pushed: make it flexible, or push it as a whole.");
}

}  // namespace

const CommandTable& commands_object_forces() {
  static const Command rows[] = {
      {"object.force", "Add &Force", "force", "", "Object",
       "An arrow that pushes what is selected, whole objects or the selected nodes, as keys say: drag its tip; I keys "
       "it.",
       &push_selected, &not_pushed},
  };
  static const CommandTable table{4, rows};
  return table;
}

}  // namespace hazumi
