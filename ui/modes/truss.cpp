// Edit mode of analysis models strung by hand: elements are nodes (type 0) and springs (type 1), by their numbers in the truss.
#include "ui/modes/mode.h"

#include <algorithm>

#include <QCoreApplication>
#include <QInputDialog>

#include "core/geometry/truss/divide.h"
#include "core/geometry/truss/select.h"
#include "ui/model/text.h"
#include "ui/modes/truss_commands.h"
#include "ui/modes/truss_look.h"
#include "ui/modes/truss_tools.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostConnected = 40;  // all pairs of more nodes are never meant

bool strung(const Object& object) { return object.analysis.kind == AnalysisKind::strung && object.analysis.strung; }
const StrungTruss& truss_of(const Object& object) { return *object.analysis.strung; }

QString truss_why_not(const Object& object) {
  const QString name = QString::fromStdString(object.name);
  if (strung(object)) return {};
  if (object.analysis.kind == AnalysisKind::none) return tr("%1 has no analysis model.").arg(name);
  return tr("The truss of %1 comes from the catalogue.").arg(name);
}

QString truss_remedy(const Object& object) {
  return object.analysis.kind == AnalysisKind::none ? tr("Fit a truss and string it by hand")
                                                    : tr("Turn into a hand-strung truss");
}

void apply_truss_remedy(Object& object, MeshStore& meshes) { string_by_hand(object, meshes); }

Elements truss_elements(const Object& object) {
  Elements all;
  if (!strung(object)) return all;
  const StrungTruss& truss = truss_of(object);
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) all.insert(all.end(), {0, i});
  for (std::uint32_t i = 0; i < truss.springs.size(); ++i) all.insert(all.end(), {1, i});
  return all;
}

QString truss_name(const Object& object, const Elements& chosen) {
  const NodeSelection nodes = selected_nodes(chosen);
  const SpringSelection springs = selected_springs(chosen);
  if (nodes.size() == 1 && springs.empty()) return tr("Node %1").arg(nodes.front() + 1);
  if (springs.size() == 1 && nodes.empty() && springs.front() < truss_of(object).springs.size()) {
    const StrungSpring& s = truss_of(object).springs[springs.front()];
    return tr("Spring %1–%2").arg(s.a + 1).arg(s.b + 1);
  }
  if (springs.empty()) return tr("%1 nodes").arg(nodes.size());
  if (nodes.empty()) return tr("%1 springs").arg(springs.size());
  return tr("%1, %2").arg(nodes.size() == 1 ? tr("1 node") : tr("%1 nodes").arg(nodes.size()),
                          springs.size() == 1 ? tr("1 spring") : tr("%1 springs").arg(springs.size()));
}

void truss_shapes(const ModeView& view, ElementShapes& list) {
  const StrungTruss& truss = truss_of(view.object);
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) list.add_point({0, i}, view.space.at(truss.nodes[i].position));
  for (std::uint32_t i = 0; i < truss.springs.size(); ++i) {
    const StrungSpring& s = truss.springs[i];
    list.add_segment({1, i}, view.space.at(truss.nodes[s.a].position), view.space.at(truss.nodes[s.b].position));
  }
}

std::optional<ElementPlace> truss_place(const Object& object, const Elements& chosen, Element) {
  if (!strung(object)) return std::nullopt;
  std::vector<Vec3> places;
  for (std::uint32_t node : meant_nodes(truss_of(object), chosen))
    places.push_back(truss_of(object).nodes[node].position);
  if (places.empty()) return std::nullopt;
  return middle_of(places);
}

OptionalSymmetry symmetry(int axis) {
  if (axis < 0) return std::nullopt;
  TrussSymmetry result;
  result.axis = axis;
  return result;
}

void set_truss(Object& object, TrussEdit edit) {
  object.analysis.strung = std::make_shared<const StrungTruss>(std::move(edit.truss));
}

void move_nodes(Object& object, const Elements& chosen, const ElementMotion& motion) {
  std::vector<NodePlace> places;
  for (std::uint32_t node : meant_nodes(truss_of(object), chosen))
    places.push_back({node, motion.point(truss_of(object).nodes[node].position)});
  set_truss(object, place_nodes(truss_of(object), places, symmetry(motion.mirror)));
}

void remove_nodes(Object& object, const Elements& chosen) {
  // Springs first: taking them away changes no node's number.
  const TrussEdit unstrung = delete_springs(truss_of(object), selected_springs(chosen));
  set_truss(object, delete_nodes(unstrung.truss, selected_nodes(chosen)));
}

Elements duplicate_nodes(Object& object, const Elements& chosen) {
  const NodeSelection nodes = meant_nodes(truss_of(object), chosen);
  TrussEdit edit = duplicate_nodes(truss_of(object), nodes, Vec3::Zero());
  const Elements copies = as_elements(edit.selected);
  set_truss(object, std::move(edit));
  return copies;
}

Elements with_both_sides(const Object& object, const Elements& chosen, int axis) {
  const StrungTruss& truss = truss_of(object);
  return as_elements(with_partners(truss, selected_nodes(chosen), symmetry(axis)),
                     springs_with_partners(truss, selected_springs(chosen), symmetry(axis)));
}

Elements ring(const ModeView& view, Element element) {
  const StrungTruss& truss = truss_of(view.object);
  if (element.type == 1) return as_elements({}, spring_loop(truss, element.number).springs);
  // The level of the node: seen from above around y, else around the upright axis of the screen's nearest one.
  const Vec3 up = view.space.local_way(to_double(view.camera.up()));
  int axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  return as_elements(ring_of_node(truss, element.number, Vec3::Unit(axis), ring_thickness(truss)));
}

// Actions -------------------------------------------------------------------------------------------------------------

QString truss_needs_selection(const ModeContext& context) {
  return context.elements.empty() ? tr("Select a node or a spring first.") : QString();
}

QString needs_two_nodes(const ModeContext& context) {
  const std::size_t count = selected_nodes(context.elements.elements()).size();
  return count < 2 ? tr("Select two or more nodes first.") : QString();
}

QString why_not_connect(const ModeContext& context) {
  const std::size_t count = selected_nodes(context.elements.elements()).size();
  if (count > kMostConnected) return tr("Select at most %1 nodes: every two of them get a spring.").arg(kMostConnected);
  return needs_two_nodes(context);
}

bool all_pinned(const ModeContext& context) {
  const auto truss = edited_truss(context.elements);
  if (!truss || context.elements.empty()) return false;
  const NodeSelection nodes = meant_nodes(*truss, context.elements.elements());
  return std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return truss->nodes[n].pinned; });
}

template <int axis>
void toggle_mirror(const ModeContext& context) {
  context.elements.set_mirror(context.elements.mirror() == axis ? -1 : axis);
}
template <int axis>
bool mirrors(const ModeContext& context) {
  return context.elements.mirror() == axis;
}

template <TrussOptions::Colours colours>
void toggle_colours(const ModeContext& context) {
  TrussOptions& options = TrussOptions::of(context.elements);
  options.set_colours(options.colours() == colours ? TrussOptions::Colours::plain : colours);
}
template <TrussOptions::Colours colours>
bool shows(const ModeContext& context) {
  return TrussOptions::of(context.elements).colours() == colours;
}

template <int parts>
void divide(const ModeContext& context) {
  divide_selected_springs(context.ui, parts);
}

void ask_and_divide(const ModeContext& context) {
  bool taken = false;
  const int parts = QInputDialog::getInt(context.stage.widget(), tr("Divide Springs"),
                                         tr("Equal parts of each spring:"), 5, 2, kMostParts, 1, &taken);
  if (taken) divide_selected_springs(context.ui, parts);
}

QString needs_spring(const ModeContext& context) {
  const auto truss = edited_truss(context.elements);
  return truss && meant_springs(*truss, context.elements.elements()).empty()
             ? tr("Select a spring, or both nodes of one, first.")
             : QString();
}

template <int axis, bool keep_positive>
void mirror(const ModeContext& context) {
  mirror_whole_truss(context.ui, axis, keep_positive);
}

QString no_loose(const ModeContext& context) {
  const auto truss = edited_truss(context.elements);
  return TrussOptions::of(context.elements).loose(truss).empty() ? tr("No node is loose.") : QString();
}

void select_loose(const ModeContext& context) {
  context.elements.set(as_elements(TrussOptions::of(context.elements).loose(edited_truss(context.elements))));
}

void select_connected(const ModeContext& context) {
  const auto truss = edited_truss(context.elements);
  if (truss)
    context.elements.set(as_elements(connected_nodes(*truss, meant_nodes(*truss, context.elements.elements()))));
}

void select_pinned(const ModeContext& context) {
  if (const auto truss = edited_truss(context.elements)) context.elements.set(as_elements(pinned_nodes(*truss)));
}

using Colours = TrussOptions::Colours;

constexpr ModeAction kTrussActions[] = {
    {"truss.pin", "&Pin", "pin", "P", "Hold the selected nodes where they are at the start; once more lets them go.",
     "", false, true, [](const ModeContext& c) { pin_nodes(c.ui); }, &truss_needs_selection, &all_pinned},
    {"truss.connect", "&Connect", "connect", "F", "String a spring between every two of the selected nodes.", "", false,
     true, [](const ModeContext& c) { connect_nodes(c.ui); }, &why_not_connect},
    {"truss.merge", "&Merge", "merge", "M",
     "Make one node of the selected ones, at their centre of mass, with all their springs.", "", false, true,
     [](const ModeContext& c) { merge_selected_nodes(c.ui); }, &needs_two_nodes},
    {"truss.divide_2", "Divide in &2", "divide_spring", "D",
     "Divide each selected spring in two equal ones; together they are as stiff and as heavy as before.",
     "Divide Springs", false, true, &divide<2>, &needs_spring},
    {"truss.divide_3", "Divide in &3", "", "", "Divide each selected spring in three equal ones.", "Divide Springs",
     false, false, &divide<3>, &needs_spring},
    {"truss.divide_4", "Divide in &4", "", "", "Divide each selected spring in four equal ones.", "Divide Springs",
     false, false, &divide<4>, &needs_spring},
    {"truss.divide_8", "Divide in &8", "", "", "Divide each selected spring in eight equal ones.", "Divide Springs",
     false, false, &divide<8>, &needs_spring},
    {"truss.divide", "Divide in &Parts…", "", "Alt+D", "Divide each selected spring in as many equal ones as you say.",
     "Divide Springs", false, false, &ask_and_divide, &needs_spring},
    {"truss.symmetry_x", "Across &x", "mirror_x", "",
     "Symmetric editing: what is done on one side of x = 0 of the object is done on the other.", "Symmetry", true, true,
     &toggle_mirror<0>, nullptr, &mirrors<0>},
    {"truss.symmetry_y", "Across &y", "mirror_y", "",
     "Symmetric editing: what is done on one side of y = 0 of the object is done on the other.", "Symmetry", false,
     true, &toggle_mirror<1>, nullptr, &mirrors<1>},
    {"truss.symmetry_z", "Across &z", "mirror_z", "",
     "Symmetric editing: what is done on one side of z = 0 of the object is done on the other.", "Symmetry", false,
     true, &toggle_mirror<2>, nullptr, &mirrors<2>},
    {"truss.mirror_px", "From +&x to −x", "mirror", "", "The side of negative x becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<0, true>},
    {"truss.mirror_nx", "From −x to +x", "", "", "The side of positive x becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<0, false>},
    {"truss.mirror_py", "From +&y to −y", "", "", "The side of negative y becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<1, true>},
    {"truss.mirror_ny", "From −y to +y", "", "", "The side of positive y becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<1, false>},
    {"truss.mirror_pz", "From +&z to −z", "", "", "The side of negative z becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<2, true>},
    {"truss.mirror_nz", "From −z to +z", "", "", "The side of positive z becomes the mirror image of the other.",
     "Mirror", false, false, &mirror<2, false>},
    {"truss.grow", "&Grow", "", "Ctrl++;Ctrl+=;Ctrl+Shift++", "Add what a spring joins to the selection.", "Select",
     true, false, [](const ModeContext& c) { grow_elements(c.ui, true); }, &truss_needs_selection},
    {"truss.shrink", "&Shrink", "", "Ctrl+-", "Take the rim of the selection away.", "Select", false, false,
     [](const ModeContext& c) { grow_elements(c.ui, false); }, &truss_needs_selection},
    {"truss.select_connected", "&Connected", "", "Ctrl+L", "Everything that springs connect to the selection.",
     "Select", false, false, &select_connected, &truss_needs_selection},
    {"truss.select_pinned", "&Pinned", "", "", "All nodes that are pinned.", "Select", false, false, &select_pinned},
    {"truss.select_loose", "&Loose", "", "", "The nodes that no spring holds in place.", "Select", false, false,
     &select_loose, &no_loose},
    {"truss.colour_stiffness", "&Stiffness", "colours", "", "Colour the springs by their stiffness.", "Colours", true,
     true, &toggle_colours<Colours::stiffness>, nullptr, &shows<Colours::stiffness>},
    {"truss.colour_damping", "&Damping", "", "", "Colour the springs by their damping.", "Colours", false, false,
     &toggle_colours<Colours::damping>, nullptr, &shows<Colours::damping>},
    {"truss.colour_section", "&Cross-section", "", "", "Colour the springs by their cross-section.", "Colours", false,
     false, &toggle_colours<Colours::cross_section>, nullptr, &shows<Colours::cross_section>},
};

constexpr ModeTool kTrussTools[] = {
    {"truss.add_nodes", "Add Nodes", "add_node", "N",
     "Click adds a node on the surface, or at the depth of the selection; with Shift it is joined to the selected "
     "node.",
     &start_add_nodes},
    {"truss.string", "String Springs", "string_spring", "J", "Drag from node to node strings a spring.",
     &start_string_springs},
    {"truss.cut", "Cut Springs", "cut_spring", "K", "Drag over springs cuts them.", &start_cut_springs},
    {"truss.brush", "Brush", "brush", "B",
     "Paint mass, stiffness or damping over the model; what it paints is set in the Analysis panel.",
     &start_truss_brush},
};

QString truss_hint(const ModeContext& context) {
  if (truss_of(*context.object()).nodes.empty()) return tr("The truss is empty · N adds nodes by click");
  if (context.elements.empty())
    return tr(
        "Click a node or a spring · Alt+click a ring · N adds nodes · J strings · K cuts · B paints · Tab back to "
        "objects");
  return tr(
      "Drag or G moves · P pins · F connects · M merges · Shift+D copies · X deletes · Ctrl +/− grows and shrinks");
}

}  // namespace

const ModeInfo& mode_truss() {
  static const ModeInfo info{
      .id = "truss",
      .title = "Truss",
      .icon = "truss",
      .tip = "String nodes and springs by hand, pin them, give them mass, stiffness and damping.",
      .order = 2,
      .panel = "analysis",
      .why_not = &truss_why_not,
      .remedy = &truss_remedy,
      .apply_remedy = &apply_truss_remedy,
      .elements = &truss_elements,
      .name = &truss_name,
      .shapes = &truss_shapes,
      .draw = &draw_truss,
      .draws_analysis = true,
      .place = &truss_place,
      .apply = &move_nodes,
      .remove = &remove_nodes,
      .duplicate = &duplicate_nodes,
      .actions = kTrussActions,
      .tools = kTrussTools,
      .hint = &truss_hint,
      .with_partners = &with_both_sides,
      .ring = &ring,
      .paint = &paint_truss,
  };
  return info;
}

}  // namespace hazumi
