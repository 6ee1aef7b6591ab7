// What is done to objects: transforms, kinds of bodies, tools.
#include <algorithm>

#include "ui/editors/array_dialog.h"
#include "ui/model/commands.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/overlap_problems.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/model/variants.h"
#include "ui/modes/mode.h"
#include "ui/tools/transform_math.h"
#include "ui/tools/transform_target.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"

namespace hazumi {

namespace {

template <BodyKind kind>
void set_body(UiContext& c) {
  set_body_kind(c.document, c.selection, kind);
}

/// Some selected object is so; looks no further than the first.
template <class Test>
bool some_object(const UiContext& c, Test test) {
  const Scene& scene = c.document.scene();
  return std::any_of(c.selection.ids().begin(), c.selection.ids().end(), [&](Id id) {
    const Object* object = find_object(scene, id);
    return object && test(*object);
  });
}

QString no_body(UiContext& c) {
  if (some_object(c, [](const Object&) { return true; })) return {};
  return c.selection.empty() ? tr(kSelectFirst) : tr("Only objects have a body; select one.");
}

QString nothing_to_bend(UiContext& c) {
  const bool bends = some_object(
      c, [](const Object& o) { return o.display.kind != DisplayKind::none || o.analysis.kind != AnalysisKind::none; });
  if (bends) return {};
  const QString none = no_body(c);
  return none.isEmpty() ? tr("The object has neither a display nor an analysis model to bend.") : none;
}

QString no_dropping(UiContext& c) {
  return c.elements.mode() ? tr("Go back to objects (Tab) to drop whole ones.") : no_body(c);
}

QString no_array(UiContext& c) {
  if (c.elements.mode()) return tr("Go back to objects (Tab) to copy whole ones.");
  const Scene& scene = c.document.scene();
  const bool some = std::any_of(c.selection.ids().begin(), c.selection.ids().end(), [&](Id id) {
    return find_object(scene, id) || find_light(scene, id) || find_camera(scene, id) || find_curve(scene, id) ||
           find_joint(scene, id) || find_force_field(scene, id) || find_source(scene, id);
  });
  return some ? QString() : tr(kSelectFirst);
}

void drop_selected(MainWindow& w) {
  std::set<Id> ids;
  for (const Object* object : selected_objects_of(w.context().document.scene(), w.context().selection))
    ids.insert(object->id);
  w.session().drop_job.begin(ids);
}

/// Over the lower corner of the view: modes and tools stay in sight, and what it previews.
void open_array(MainWindow& w) {
  auto* dialog = new ArrayDialog(w.context(), &w);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->adjustSize();
  constexpr int kMargin = 12;
  const int top = std::max(kMargin, w.viewport()->height() - dialog->height() - kMargin);
  dialog->move(w.viewport()->mapToGlobal(QPoint(kMargin, top)));
  dialog->open();
}

void unbend(UiContext& c) { start_unbent(c.document, c.selection); }

QString nothing_bent(UiContext& c) {
  if (some_object(c, [](const Object& o) { return starts_bent(o.body); })) return {};
  return c.selection.empty() ? tr(kSelectFirst) : tr("The object starts in its rest shape.");
}

QString no_turning(UiContext& c) {
  if (!c.elements.object()) {
    const Scene& scene = c.document.scene();
    // A field that acts everywhere has no shape.
    const bool some = std::any_of(c.selection.ids().begin(), c.selection.ids().end(), [&](Id id) {
      const ForceField* field = find_force_field(scene, id);
      return find_curve(scene, id) || find_source(scene, id) || (field && field->shape != FieldShape::everywhere);
    });
    return some ? QString() : no_body(c);
  }
  const QString nothing = nothing_selected(c);
  if (!nothing.isEmpty() || c.elements.mode()->can_turn || c.elements.elements().size() > 1) return nothing;
  return tr("A single point has nothing to turn or scale; select several.");
}

/// A light is turned to shine elsewhere, a camera to look elsewhere.
QString no_rotating(UiContext& c) {
  if (c.elements.object() || ObjectsTarget::movable(c.document.scene(), c.selection.ids()).empty())
    return no_turning(c);
  return {};
}

QString no_pair(UiContext& c) {
  if (c.selection.empty()) return tr(kSelectFirst);
  return selected_objects_of(c.document.scene(), c.selection).size() == 2 ? QString()
                                                                          : tr("Select two objects: a pair is of two.");
}

QString no_mesh_file(UiContext& c) {
  const Object* active = find_object(c.document.scene(), c.selection.active());
  if (active && active->display.kind == DisplayKind::mesh && !active->display.mesh.source.empty()) return {};
  return active                ? tr("The object does not show a mesh file.")
         : c.selection.empty() ? tr(kSelectFirst)
                               : tr("Only objects have a body; select one.");
}

bool uses(const Viewport& v, const char* tool) { return v.tool() == QLatin1String(tool) && v.mode_tool().isEmpty(); }

}  // namespace

const CommandTable& commands_object() {
  static const Command rows[] = {
      {"object.move", "&Move", "move", "G", "Object", "Move with the mouse; X Y Z for an axis, numbers for metres.",
       [](Viewport& v) { (void)v.begin_transform(TransformMode::move); }, &nothing_selected},
      {"object.rotate", "&Rotate", "rotate", "R", "Object",
       "Rotate with the mouse; X Y Z for an axis, numbers for degrees.",
       [](Viewport& v) { (void)v.begin_transform(TransformMode::rotate); }, &no_rotating},
      {"object.scale", "&Scale", "scale", "S", "Object",
       "Scale with the mouse; X Y Z for an axis, numbers for a factor.",
       [](Viewport& v) { (void)v.begin_transform(TransformMode::scale); }, &no_turning},
      {"object.drop", "&Drop to Floor", "drop", "End", "Object",
       "Let the selected objects go straight down until they touch the floor or what else is under them.",
       &drop_selected, &no_dropping},
      {"object.array", "Arra&y…", "array", "Ctrl+Shift+D", "Object",
       "Copies of the selected objects in a row or around a centre.", &open_array, &no_array},
      {"mode.toggle", "Edit &Inside", "edit_mode", "Ctrl+Tab", "Object",
       "Edit the parts of the active object, or whole objects again. In the view, Tab does the same.",
       [](Viewport& v) { v.toggle_mode(); }},
      {"object.mesh_file", "Mes&h File…", "import", "", "Object",
       "Repair, simplify, turn or scale the mesh file of the active object anew.",
       [](MainWindow& w) { w.adjust_mesh(); }, &no_mesh_file, nullptr, true},
      {"object.variant_next", "Next Analysis &Variant", "truss", "Shift+V", "Object/Analysis Variants",
       "Switch the active object to its next analysis model.", &use_next_variant,
       [](UiContext& c) { return variants_problem(c, true); }},
      {"object.variant_duplicate", "&Duplicate as Variant", "duplicate", "", "Object/Analysis Variants",
       "A copy of the analysis model to string in another way; the other one stays.", &duplicate_variant,
       [](UiContext& c) { return variants_problem(c, false); }},
      {"object.variant_compare", "&Compare Side by Side", "compare", "", "Object/Analysis Variants",
       "Put a copy of the object with the next analysis model beside it and play both.", &compare_variants,
       [](UiContext& c) { return variants_problem(c, true); }},
      {"object.set_flexible", "Make &Flexible", "flexible", "Ctrl+1", "Object",
       "Let the selected objects bend and bounce; an analysis model is added where there is none.",
       &set_body<kBendingBody>, &nothing_to_bend, nullptr, true},
      {"object.set_rigid", "Make Ri&gid", "rigid", "Ctrl+2", "Object", "Let the selected objects move without bending.",
       &set_body<kMovingBody>, &no_body},
      {"object.set_point", "Make &Point", "point", "Ctrl+3", "Object",
       "Let the selected objects move as points: no rotation.", &set_body<kFlyingBody>, &no_body},
      {"object.set_fixed", "Make Fi&xed", "fixed", "Ctrl+4", "Object", "Keep the selected objects where they are.",
       &set_body<kStandingBody>, &no_body},
      {"object.start_unbent", "Start &Unbent", "start_unbent", "", "Object",
       "Let the selected objects begin in their rest shape again, where a frame of the run left them bent.", &unbend,
       &nothing_bent},
      {"object.pair", "Restitution and Friction of a P&air", "pair", "", "Object",
       "Give the two selected objects a restitution and a friction of their own, whatever their materials say.",
       [](UiContext& c) { add_pair(c.document, c.selection); }, &no_pair, nullptr, true},
      {"object.move_apart", "Move &Apart", "move", "", "Object",
       "Move what overlaps at the start by the least that separates it; what is fixed stays.",
       [](UiContext& c) { move_apart(c.document, c.playback); }, [](UiContext& c) { return no_overlap(c.playback); }},
      {"tool.select", "&Select", "select", "W", "Object/Tool",
       "Click or draw a box to select; drag the view with the middle button.",
       [](Viewport& v) { v.set_tool(QStringLiteral("select")); }, nullptr,
       [](const Viewport& v) { return uses(v, "select"); }},
      {"tool.move", "&Move", "move", "Shift+W", "Object/Tool", "Handles to move the selection.",
       [](Viewport& v) { v.set_tool(QStringLiteral("move")); }, nullptr,
       [](const Viewport& v) { return uses(v, "move"); }},
      {"tool.rotate", "&Rotate", "rotate", "Shift+R", "Object/Tool", "Handles to rotate the selection.",
       [](Viewport& v) { v.set_tool(QStringLiteral("rotate")); }, nullptr,
       [](const Viewport& v) { return uses(v, "rotate"); }},
      {"tool.scale", "S&cale", "scale", "Shift+S", "Object/Tool", "Handles to scale the selection.",
       [](Viewport& v) { v.set_tool(QStringLiteral("scale")); }, nullptr,
       [](const Viewport& v) { return uses(v, "scale"); }},
  };
  static const CommandTable table{4, rows};
  return table;
}

}  // namespace hazumi
