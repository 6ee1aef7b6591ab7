// What menus, context menus, panels and keys do to the selected objects when no tool is needed. Each is one undo step.
#pragma once

#include <set>
#include <string_view>

#include <QString>

#include "core/base/id.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

/// A floor, a light that casts a shadow, and the default camera: what "New" opens.
Scene make_new_scene();

/// Look and physics of a preset (core/scene/values/materials.h).
Material material_from(std::string_view preset);
/// As new bodies do: brass is heavy without another click.
void follow_material(Object& object);
/// Adds the primitive beside what is there, a metre above the floor, rigid (a plane: fixed, in the ground), and selects it.
Id add_primitive(DocumentController& document, Selection& selection, PrimitiveShape shape);
/// A rope that hangs from a joint at its upper end; of two selected objects, from one to the other, a little longer than it is far.
Id add_rope(DocumentController& document, Selection& selection);
/// Makes a rope of what has an analysis model: number of segments, solver, values by its size.
void make_rope(Object& object);
/// A cloth above the floor, which meets itself as well.
Id add_cloth(DocumentController& document, Selection& selection);
/// A skin that keeps its volume; Size of its volume may be keyed.
Id add_balloon(DocumentController& document, Selection& selection);
/// The object becomes one: its analysis model, what solves it, and a plane's divisions, so that folds are seen.
void make_cloth(Object& object);
/// What a body of cloth of `area` (m²) is solved with; its mass and stiffness, unless it is flexible already.
void behave_as_cloth(Object& object, double area);
/// A rigid object that shows a mesh that was read from a file (MeshReference::source), standing on the floor clear of the
/// others, with the looks of the file. None when the scene cannot take it.
Id add_mesh(DocumentController& document, Selection& selection, MeshReference mesh);
/// The object shows the mesh in place of what it showed; its place, body and analysis model stay, its materials when it
/// keeps its looks. False: refused.
bool replace_mesh(DocumentController& document, Id id, MeshReference mesh, bool keeps_looks = false);
/// Materials from what the mesh file says (Part::surface): the look of most faces becomes the object's, other parts get
/// materials of their own. A mesh without looks leaves the object's material.
void take_looks_of_file(Object& object);
Id add_light(DocumentController& document, Selection& selection, LightKind kind);

/// A pair of the two selected objects, with the restitution and friction that they have now; selected. Where there is one it is
/// selected only.
Id add_pair(DocumentController& document, Selection& selection);
/// The objects among the selected things, in the order of the scene.
std::vector<const Object*> selected_objects_of(const Scene& scene, const Selection& selection);

/// Copies stand beside the originals, so that they do not start inside each other; the copies become the selection. Of pairs and
/// joints those are copied whose two objects are, of collections what is in them too.
/// m, along x: to where things like these would stand free.
double shift_beside(const Scene& scene, const std::set<Id>& ids, MeshStore& meshes);
/// `beside`: where it is free; else copies are where the originals are, for a gesture that takes them from there.
bool duplicate_selected(DocumentController& document, Selection& selection, quint64 merge_key = 0, bool beside = true);
/// Copies that lie on their originals go beside them after all: who has just made them leaves them there.
void put_copies_beside(DocumentController& document, const Selection& selection, quint64 merge_key);
/// What is locked stays, and is said. `step`: "Cut %1"; empty: "Delete %1".
void delete_selected(DocumentController& document, Selection& selection, const QString& step = {});
void hide_selected(DocumentController& document, Selection& selection);
void show_all(DocumentController& document);
void rename(DocumentController& document, Id id, const QString& name);
/// Flexible: an analysis model that fits the display model is added where there is none.
void set_body_kind(DocumentController& document, const std::vector<Id>& objects, BodyKind kind);
void set_body_kind(DocumentController& document, Selection& selection, BodyKind kind);
/// Without what Start from This Frame left of how they are bent.
void start_unbent(DocumentController& document, const Selection& selection);
/// Analysis model in the size of the display model: grid in a plane, cells in a box, icosahedron in a sphere…
AnalysisModel fitting_analysis(const Object& object, MeshStore& meshes);
/// How far along x what comes in has to stand away from where it stood, to be clear of every body; nothing when it is clear.
/// What is fixed counts only when nothing else comes in: a floor may lie on a floor.
Vec3 free_place_for(const Scene& scene, const Scene& part, MeshStore& meshes);
/// How far along x a copy of the object has to stand away from it to be clear of every body.
Vec3 free_place_beside(const Scene& scene, Id id, MeshStore& meshes);

/// What is seen and not locked. `aside`: Isolation::aside().
void select_all(const Scene& scene, Selection& selection, const std::set<Id>& aside = {});
void invert_selection(const Scene& scene, Selection& selection, const std::set<Id>& aside = {});
/// Takes things that are no longer in the scene out of the selection.
void drop_missing(const Scene& scene, Selection& selection);
QString name_of(const Scene& scene, Id id);  ///< of an object, a light …; empty when it is gone
/// "Ball", "3 objects".
QString selection_text(const Scene& scene, const Selection& selection);

}  // namespace hazumi
