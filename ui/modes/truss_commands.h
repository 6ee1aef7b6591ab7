// What menus, keys, tools and the analysis panel do to a strung truss. Each is one undo step.
#pragma once

#include <functional>

#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/values.h"
#include "ui/modes/mode.h"

namespace hazumi {

/// The truss of the object in truss mode; null in every other mode.
std::shared_ptr<const StrungTruss> edited_truss(const ElementSelection& elements);
OptionalSymmetry symmetry_of(const ElementSelection& elements);

NodeSelection selected_nodes(const Elements& elements);
SpringSelection selected_springs(const Elements& elements);
/// The selected nodes and the ends of the selected springs.
NodeSelection meant_nodes(const StrungTruss& truss, const Elements& elements);
/// The selected springs, else those between the selected nodes.
SpringSelection meant_springs(const StrungTruss& truss, const Elements& elements);
Elements as_elements(const NodeSelection& nodes, const SpringSelection& springs = {});

enum class SelectAfter { same, result };
/// One undo step on the edited truss. Afterwards the same nodes and springs are selected under their new numbers, or what the
/// edit says. False: refused, or nothing changed.
bool edit_truss(UiContext& context, const QString& text, const std::function<TrussEdit(const StrungTruss&)>& change,
                SelectAfter after = SelectAfter::same, quint64 merge_key = 0);
/// An edit that keeps all numbers.
bool replace_truss(UiContext& context, const QString& text, StrungTruss truss, quint64 merge_key = 0);

/// Makes the truss of an object one that is strung by hand: the catalogue shape as it stands, or one fitted to the display
/// model where there is none. Masses and factors are taken over; the motion is the same.
void string_by_hand(Object& object, MeshStore& meshes);
/// What the factors of its truss stand on. `mass`: kg, of the whole body.
TrussTotals totals_of(const Object& object, double mass);
/// Box of the display model before the object's scale; not valid when there is nothing to see.
Box3 display_box(const Object& object, MeshStore& meshes);

void pin_nodes(UiContext& context);  ///< all pinned: they are let go
void connect_nodes(UiContext& context);
void merge_selected_nodes(UiContext& context);
/// Each of the meant springs in `parts` equal ones with new nodes between, which are selected.
void divide_selected_springs(UiContext& context, int parts);
void mirror_whole_truss(UiContext& context, int axis, bool keep_positive);
void grow_elements(UiContext& context, bool grow);

}  // namespace hazumi
