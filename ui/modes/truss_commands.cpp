#include "ui/modes/truss_commands.h"

#include <algorithm>
#include <limits>

#include <QCoreApplication>

#include "core/geometry/truss/divide.h"
#include "core/geometry/truss/select.h"
#include "core/scene/values/field_rows.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

std::vector<std::uint32_t> numbers_of(const Elements& elements, std::uint8_t type) {
  std::vector<std::uint32_t> numbers;
  for (const Element& element : elements)
    if (element.type == type) numbers.push_back(element.number);
  return numbers;
}

/// The selection of `before` in the numbers of `edit`.
Elements renumbered(const StrungTruss& before, const TrussEdit& edit, const Elements& elements) {
  Elements kept;
  for (const Element& element : elements) {
    if (element.type == 0 && element.number < edit.node_map.size()) {
      if (const std::uint32_t node = edit.node_map[element.number]; node != kNoNode) kept.insert({0, node});
    } else if (element.type == 1 && element.number < before.springs.size()) {
      const StrungSpring& spring = before.springs[element.number];
      const std::uint32_t a = edit.node_map[spring.a], b = edit.node_map[spring.b];
      if (a == kNoNode || b == kNoNode) continue;
      if (const auto found = find_spring(edit.truss, a, b)) kept.insert({1, *found});
    }
  }
  return kept;
}

struct Division {
  int parts = 2;
};
std::span<const Field<Division>> division_fields() {
  using Owner = Division;
  static const std::vector<Field<Division>> table = {
      ROW(parts, "Parts", "", "", rows::within(2, kMostParts, 0.2), look, rows::always,
          "How many equal springs each one becomes."),
  };
  return table;
}

struct Reach {
  double longest = 0;  // m
};
std::span<const Field<Reach>> reach_fields() {
  using Owner = Reach;
  static const std::vector<Field<Reach>> table = {
      ROW(longest, "Longest spring", "", "m", rows::within(0, 1e6, 0.01), look, rows::always,
          "Nodes further from each other get no spring; lengths are those of the object before its scale."),
  };
  return table;
}

/// The two that are furthest from each other.
double widest(const StrungTruss& truss, const NodeSelection& nodes) {
  double most = 0;
  for (const std::uint32_t a : nodes)
    for (const std::uint32_t b : nodes)
      most = std::max(most, (truss.nodes[a].position - truss.nodes[b].position).norm());
  return most;
}

}  // namespace

std::shared_ptr<const StrungTruss> edited_truss(const ElementSelection& elements) {
  const Object* object = elements.in("truss") ? elements.object() : nullptr;
  return object && object->analysis.kind == AnalysisKind::strung ? object->analysis.strung : nullptr;
}

OptionalSymmetry symmetry_of(const ElementSelection& elements) {
  if (elements.mirror() < 0) return std::nullopt;
  TrussSymmetry symmetry;
  symmetry.axis = elements.mirror();
  return symmetry;
}

NodeSelection selected_nodes(const Elements& elements) { return numbers_of(elements, 0); }
SpringSelection selected_springs(const Elements& elements) { return numbers_of(elements, 1); }

NodeSelection meant_nodes(const StrungTruss& truss, const Elements& elements) {
  NodeSelection nodes = selected_nodes(elements);
  const NodeSelection ends = nodes_of_springs(truss, selected_springs(elements));
  nodes.insert(nodes.end(), ends.begin(), ends.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes, [&](std::uint32_t n) { return n >= truss.nodes.size(); });
  return nodes;
}

SpringSelection meant_springs(const StrungTruss& truss, const Elements& elements) {
  SpringSelection springs = selected_springs(elements);
  if (springs.empty()) springs = springs_of_nodes(truss, selected_nodes(elements));
  std::erase_if(springs, [&](std::uint32_t s) { return s >= truss.springs.size(); });
  return springs;
}

Elements as_elements(const NodeSelection& nodes, const SpringSelection& springs) {
  Elements elements;
  for (std::uint32_t node : nodes) elements.insert({0, node});
  for (std::uint32_t spring : springs) elements.insert({1, spring});
  return elements;
}

bool edit_truss(UiContext& context, const QString& text, const std::function<TrussEdit(const StrungTruss&)>& change,
                SelectAfter after, quint64 merge_key) {
  const auto before = edited_truss(context.elements);
  if (!before) return false;
  TrussEdit edit = change(*before);
  if (edit.truss == *before) return false;
  const Elements next = after == SelectAfter::result ? as_elements(edit.selected)
                                                     : renumbered(*before, edit, context.elements.elements());
  if (!replace_truss(context, text, std::move(edit.truss), merge_key)) return false;
  context.elements.set(next);
  return true;
}

bool replace_truss(UiContext& context, const QString& text, StrungTruss truss, quint64 merge_key) {
  const Object* object = context.elements.object();
  if (!object) return false;
  auto shared = std::make_shared<const StrungTruss>(std::move(truss));
  const QString title = tr("%1 of %2").arg(text, QString::fromStdString(object->name));
  return context.document
      .edit_object(
          title, object->id, [&](Object& o) { o.analysis.strung = shared; }, merge_key)
      .ok();
}

Box3 display_box(const Object& object, MeshStore& meshes) {
  Object unit = object;
  unit.transform.scale = Vec3::Ones();
  return bounds(*meshes.mesh(unit));
}

void string_by_hand(Object& object, MeshStore& meshes) {
  AnalysisModel& analysis = object.analysis;
  if (analysis.kind == AnalysisKind::strung && analysis.strung) return;
  if (analysis.kind == AnalysisKind::none || analysis.kind == AnalysisKind::strung) {
    const std::string name = analysis.name;
    analysis = fitting_analysis(object, meshes);
    analysis.name = name;
    if (const Box3 box = display_box(object, meshes); box.valid()) {
      const Vec3 least = Vec3::Constant(std::max(1e-3, 0.01 * box.size().maxCoeff()));
      analysis.size = box.size().cwiseMax(least);
      analysis.offset = box.centre();
    }
  }
  Object unit = object;
  unit.transform.scale = Vec3::Ones();
  unit.body.mass_source = MassSource::given;
  unit.body.mass = unit.body.stiffness = unit.body.damping = 1;
  unit.body.stiffness_source = StiffnessSource::given;
  analysis.strung = std::make_shared<const StrungTruss>(to_strung(object_truss(unit, DisplayMesh{})));
  analysis.kind = AnalysisKind::strung;
}

TrussTotals totals_of(const Object& object, double mass) {
  TrussTotals totals;
  totals.mass = mass;
  totals.stiffness = object.body.stiffness;
  totals.damping = object.body.damping;
  totals.from_material = object.body.stiffness_source == StiffnessSource::material;
  totals.young = object.material.substance.young;
  totals.cross_section = object.body.cross_section;
  totals.scale = object.transform.scale;
  return totals;
}

void pin_nodes(UiContext& context) {
  const auto truss = edited_truss(context.elements);
  if (!truss) return;
  const NodeSelection nodes = meant_nodes(*truss, context.elements.elements());
  const bool all = std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t n) { return truss->nodes[n].pinned; });
  const QString count = nodes.size() == 1 ? tr("a node") : tr("%1 nodes").arg(nodes.size());
  (void)edit_truss(context, (all ? tr("Let %1 go") : tr("Pin %1")).arg(count),
                   [&](const StrungTruss& t) { return set_pinned(t, nodes, !all, symmetry_of(context.elements)); });
}

void connect_nodes(UiContext& context) {
  const NodeSelection nodes = selected_nodes(context.elements.elements());
  const auto before = edited_truss(context.elements);
  if (!before || nodes.size() < 2) return;
  const Object& object = *context.elements.object();
  auto operation = std::make_unique<OperationOf<Reach>>(
      rows_of(reach_fields()), Reach{widest(*before, nodes)},
      [&elements = context.elements, truss = before, nodes, symmetry = symmetry_of(context.elements),
       chosen = context.elements.elements(), id = object.id](const Scene& scene, const Reach& now) {
        constexpr double kEqual = 1 + 1e-9;  // the number itself reaches
        TrussEdit edit = string_all(*truss, nodes, now.longest * kEqual, symmetry);
        if (edit.truss == *truss)
          return Operation::Made{scene, nullptr, tr("All selected nodes that are so near are connected already.")};
        const auto select = [&elements, kept = renumbered(*truss, edit, chosen)] { elements.set(kept); };
        auto strung = std::make_shared<const StrungTruss>(std::move(edit.truss));
        return Operation::Made{with_object(scene, id, [&](Object& o) { o.analysis.strung = strung; }), select, {}};
      });
  const QString text = tr("Connect %1 nodes of %2").arg(nodes.size()).arg(QString::fromStdString(object.name));
  if (string_all(*before, nodes, std::numeric_limits<double>::infinity(), symmetry_of(context.elements)).truss ==
      *before)
    emit context.document.refused(tr("All selected nodes are connected already."));
  else
    (void)context.document.last_operation().begin(text, std::move(operation));
}

void merge_selected_nodes(UiContext& context) {
  const auto truss = edited_truss(context.elements);
  if (!truss) return;
  const NodeSelection nodes = meant_nodes(*truss, context.elements.elements());
  (void)edit_truss(
      context, tr("Merge %1 nodes").arg(nodes.size()), [&](const StrungTruss& t) { return merge_nodes(t, nodes); },
      SelectAfter::result);
}

void divide_selected_springs(UiContext& context, int parts) {
  const auto truss = edited_truss(context.elements);
  if (!truss) return;
  const SpringSelection springs = meant_springs(*truss, context.elements.elements());
  const Object& object = *context.elements.object();
  const StiffnessRule rule =
      object.body.stiffness_source == StiffnessSource::material ? StiffnessRule::length : StiffnessRule::given;
  const QString count = springs.size() == 1 ? tr("a spring") : tr("%1 springs").arg(springs.size());
  auto operation = std::make_unique<OperationOf<Division>>(
      rows_of(division_fields()), Division{parts},
      [&elements = context.elements, truss, springs, rule, symmetry = symmetry_of(context.elements), id = object.id](
          const Scene& before, const Division& now) {
        TrussEdit edit = divide_springs(*truss, springs, now.parts, rule, symmetry);
        const auto select = [&elements, chosen = as_elements(edit.selected)] { elements.set(chosen); };
        auto divided = std::make_shared<const StrungTruss>(std::move(edit.truss));
        return Operation::Made{with_object(before, id, [&](Object& o) { o.analysis.strung = divided; }), select, {}};
      });
  const QString text = tr("Divide %1 of %2").arg(count, QString::fromStdString(object.name));
  (void)context.document.last_operation().begin(text, std::move(operation));
}

void mirror_whole_truss(UiContext& context, int axis, bool keep_positive) {
  TrussSymmetry symmetry;
  symmetry.axis = axis;
  const QString name = QStringLiteral("xyz").mid(axis, 1);
  const QString text = keep_positive ? tr("Mirror +%1 to −%1") : tr("Mirror −%1 to +%1");
  (void)edit_truss(context, text.arg(name),
                   [&](const StrungTruss& t) { return mirror_truss(t, symmetry, keep_positive); });
}

void grow_elements(UiContext& context, bool grow) {
  ElementSelection& elements = context.elements;
  const auto truss = edited_truss(elements);
  if (!truss || elements.empty()) return;
  const NodeSelection chosen = selected_nodes(elements.elements());
  // Only springs: what touches them, or those that only touch others of them.
  if (chosen.empty()) {
    const SpringSelection springs = selected_springs(elements.elements());
    NodeSelection nodes = nodes_of_springs(*truss, springs);
    if (grow) return elements.set(as_elements({}, springs_of_nodes(*truss, nodes, true)));
    nodes = shrink_selection(*truss, nodes);
    SpringSelection left = springs_of_nodes(*truss, nodes, true);
    std::erase_if(left, [&](std::uint32_t s) { return !std::binary_search(springs.begin(), springs.end(), s); });
    return elements.set(as_elements({}, left));
  }
  const NodeSelection next = grow ? grow_selection(*truss, chosen) : shrink_selection(*truss, chosen);
  const bool with_springs = !selected_springs(elements.elements()).empty();
  elements.set(as_elements(next, with_springs ? springs_of_nodes(*truss, next) : SpringSelection{}));
}

}  // namespace hazumi
