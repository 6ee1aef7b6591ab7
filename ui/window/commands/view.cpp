// From where and how the scene is looked at.
#include <utility>

#include "ui/model/arrangement.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/element_selection.h"
#include "ui/viewport/contact_view.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

void toggle_shade(Viewport& v, ShadeMode mode) {
  ViewOptions& options = v.options();
  options.shade = options.shade == mode ? ShadeMode::solid : mode;
}

template <bool ViewOptions::*part>
void toggle(Viewport& v) {
  ViewOptions& options = v.options();
  options.*part = !(options.*part);
}
template <bool ViewOptions::*part>
bool shows(const Viewport& v) {
  return v.options().*part;
}

template <ContactView::Shapes shapes>
void show_shapes(Viewport& v) {
  v.contacts().set_shapes(shapes);
}
template <ContactView::Shapes shapes>
bool shows_shapes(Viewport& v) {
  return v.contacts().shapes() == shapes;
}

// None, of the selection, all, and none again.
void next_shapes(Viewport& v) {
  const int next = (static_cast<int>(v.contacts().shapes()) + 1) % 3;
  v.contacts().set_shapes(static_cast<ContactView::Shapes>(next));
}
void next_analysis(Viewport& v) {
  const int next = (static_cast<int>(std::as_const(v).options().analysis) + 1) % 3;
  v.options().analysis = static_cast<AnalysisOverlay>(next);
}

void isolate(UiContext& c) {
  if (c.isolation.on())
    c.isolation.end();
  else
    c.isolation.show_only(objects_of_selected(c.document.scene(), c.selection));
}
QString nothing_to_isolate(UiContext& c) {
  if (c.isolation.on() || !objects_of_selected(c.document.scene(), c.selection).empty()) return {};
  return c.selection.empty() ? tr(kSelectFirst) : tr("Select objects, or a collection that has some.");
}

}  // namespace

const CommandTable& commands_view() {
  static const Command rows[] = {
      {"view.frame_all", "Frame &All", "frame_all", "Home", "View", "Move the view so that everything is seen.",
       [](Viewport& v) { v.frame_all(); }},
      {"view.frame_selected", "Frame &Selected", "frame_selected", ".;Num+.", "View",
       "Move the view so that the selection is seen.", [](Viewport& v) { v.frame_selected(); },
       [](UiContext& c) { return c.selection.empty() && !c.elements.mode() ? tr(kSelectFirst) : QString(); }},
      {"view.front", "&Front", "", "1;Num+1;Alt+1", "View/Viewpoint", "Look along −z.",
       [](Viewport& v) { v.look(QStringLiteral("front")); }},
      {"view.back", "&Back", "", "Ctrl+Num+1", "View/Viewpoint", "Look along +z.",
       [](Viewport& v) { v.look(QStringLiteral("back")); }},
      {"view.right", "&Right", "", "3;Num+3;Alt+3", "View/Viewpoint", "Look along −x.",
       [](Viewport& v) { v.look(QStringLiteral("right")); }},
      {"view.left", "&Left", "", "Ctrl+Num+3", "View/Viewpoint", "Look along +x.",
       [](Viewport& v) { v.look(QStringLiteral("left")); }},
      {"view.top", "&Top", "", "7;Num+7;Alt+7", "View/Viewpoint", "Look straight down.",
       [](Viewport& v) { v.look(QStringLiteral("top")); }},
      {"view.bottom", "B&ottom", "", "Ctrl+Num+7", "View/Viewpoint", "Look straight up.",
       [](Viewport& v) { v.look(QStringLiteral("bottom")); }},
      {"view.isolate", "&Isolate", "isolate", "/;Num+/", "View",
       "Show only the selected objects, or those of the selected collections; once more shows all again.", &isolate,
       &nothing_to_isolate, [](UiContext& c) { return c.isolation.on(); }},
      {"view.ortho", "&Parallel View", "ortho", "5;Num+5;Alt+5", "View",
       "Switch between perspective and parallel view.",
       [](Viewport& v) { v.set_orthographic(!std::as_const(v).camera().orthographic); }, nullptr,
       [](const Viewport& v) { return v.camera().orthographic; }, true},
      {"view.camera", "Through the &Camera", "camera", "0;Num+0;Alt+0", "View",
       "Look through the camera that pictures are taken with; it follows the cuts.",
       [](Viewport& v) { v.set_through_camera(!v.follows_cuts()); }, nullptr,
       [](const Viewport& v) { return v.follows_cuts(); }},
      {"view.camera_to_view", "Camera to &View", "", "Ctrl+Alt+0;Ctrl+Alt+Num+0", "View",
       "Put the scene's camera where you look from now.", [](Viewport& v) { v.camera_to_view(); }},
      {"view.wireframe", "&Wireframe", "shade_wire", "Z", "View", "Switch between surfaces and edges.",
       [](Viewport& v) { toggle_shade(v, ShadeMode::wireframe); }, nullptr,
       [](const Viewport& v) { return v.options().shade == ShadeMode::wireframe; }, true},
      {"view.shade_both", "Surfaces with &Edges", "shade_solid", "Shift+Z", "View",
       "Draw surfaces and the edges on them.", [](Viewport& v) { toggle_shade(v, ShadeMode::solid_wireframe); },
       nullptr, [](const Viewport& v) { return v.options().shade == ShadeMode::solid_wireframe; }},
      {"view.display_models", "&Display Models", "", "", "View", "Draw what is seen in pictures.",
       &toggle<&ViewOptions::display_models>, nullptr, &shows<&ViewOptions::display_models>},
      {"view.helpers", "&Helpers", "", "", "View", "Draw lights, cameras, joints, forces and velocities at the start.",
       &toggle<&ViewOptions::helpers>, nullptr, &shows<&ViewOptions::helpers>},
      {"view.joints", "&Joints", "joint_hinge", "Shift+H", "View",
       "Draw joints, their axes and limits, and what they hold.", &toggle<&ViewOptions::joints>, nullptr,
       &shows<&ViewOptions::joints>},
      {"view.grid", "&Grid", "grid", "Shift+G", "View", "Draw the ground grid and the axes.",
       &toggle<&ViewOptions::grid>, nullptr, &shows<&ViewOptions::grid>},
      {"view.analysis", "&All", "", "", "View/Analysis Models", "Draw the nodes and springs of everything.",
       [](Viewport& v) { v.options().analysis = AnalysisOverlay::all; }, nullptr,
       [](const Viewport& v) { return v.options().analysis == AnalysisOverlay::all; }},
      {"view.analysis_selected", "Of the &Selection", "", "", "View/Analysis Models",
       "Draw the nodes and springs of what is selected.",
       [](Viewport& v) { v.options().analysis = AnalysisOverlay::selected; }, nullptr,
       [](const Viewport& v) { return v.options().analysis == AnalysisOverlay::selected; }},
      {"view.analysis_off", "&None", "", "", "View/Analysis Models", "Do not draw analysis models.",
       [](Viewport& v) { v.options().analysis = AnalysisOverlay::off; }, nullptr,
       [](const Viewport& v) { return v.options().analysis == AnalysisOverlay::off; }},
      {"view.drivers", "Show Dri&vers", "drivers", "Shift+M", "View",
       "Point at the active object to see which nodes and bones move a vertex; click one to see how far it reaches.",
       [](Viewport& v) { v.drivers().set_on(!v.drivers().on()); }, nullptr,
       [](Viewport& v) { return v.drivers().on(); }},
      {"view.contacts", "C&ontacts", "contacts", "C", "View",
       "Draw where things touch in this frame, the normals and the forces.",
       [](Viewport& v) { v.contacts().set_contacts(!v.contacts().contacts()); }, nullptr,
       [](Viewport& v) { return v.contacts().contacts(); }},
      {"view.collision_shapes", "&All", "", "", "View/Collision Shapes", "Draw what everything collides as.",
       &show_shapes<ContactView::Shapes::all>, nullptr, &shows_shapes<ContactView::Shapes::all>},
      {"view.collision_shapes_selected", "Of the &Selection", "", "", "View/Collision Shapes",
       "Draw what the selection collides as.", &show_shapes<ContactView::Shapes::selected>, nullptr,
       &shows_shapes<ContactView::Shapes::selected>},
      {"view.collision_shapes_off", "&None", "", "", "View/Collision Shapes", "Do not draw collision shapes.",
       &show_shapes<ContactView::Shapes::off>, nullptr, &shows_shapes<ContactView::Shapes::off>},
      {"view.collision_cycle", "Collision Shapes: Ne&xt", "collision_shapes", "Shift+C", "View",
       "Collision shapes: none, of the selection, all.", &next_shapes},
      {"view.analysis_cycle", "Analysis Models: &Next", "truss", "M", "View",
       "Analysis models: none, of the selection, all.", &next_analysis},
  };
  static const CommandTable table{5, rows};
  return table;
}

}  // namespace hazumi
