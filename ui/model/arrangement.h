// Where things are in the outliner: collections and parents. Each is one undo step. What cannot be done is said in a sentence:
// by the functions no_…, "" when it can.
#pragma once

#include <set>
#include <vector>

#include <QString>

#include "core/base/id.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class Selection;

// Collections ----------------------------------------------------------------------------------------------------------

/// A new collection with the selected things in it, in the collection that all of them are in; selected.
Id add_collection(DocumentController& document, Selection& selection);
/// The selected things, and what goes with them, into the collection; no id: into none.
void move_to_collection(DocumentController& document, const Selection& selection, Id collection);
QString no_moving(const Scene& scene, const Selection& selection);
/// Those that the selected things are in, and selected ones; no id for things that are in none.
std::set<Id> collections_of_selected(const Scene& scene, const Selection& selection);
/// Everything in the collections of the selected things that is seen and not locked.
void select_collection(const Scene& scene, Selection& selection, const std::set<Id>& aside);
QString no_collection(const Scene& scene, const Selection& selection);
/// The selected collections; what is in them stays, or goes with them but for what is locked.
void delete_collections(DocumentController& document, Selection& selection, bool with_contents);
QString no_deleting(const Scene& scene, const Selection& selection);
/// Objects among the selected things and in the selected collections.
std::set<Id> objects_of_selected(const Scene& scene, const Selection& selection);

// Parents ---------------------------------------------------------------------------------------------------------------

/// These objects go with that one from now on; where they are does not change. "": nothing is in the way.
QString no_parent(const Scene& scene, const std::set<Id>& children, Id parent);
Scene with_parent(Scene scene, const std::set<Id>& children, Id parent);
/// The selected objects go with the active one.
void set_parent(DocumentController& document, const Selection& selection);
QString no_parent(const Scene& scene, const Selection& selection);
/// The selected objects go with nobody and stay where they are, in the collection that they were in.
void clear_parent(DocumentController& document, const Selection& selection);
QString no_clearing(const Scene& scene, const Selection& selection);
Scene without_parent(Scene scene, const std::set<Id>& children);
/// What carries the object through a run; null: nothing.
const Object* carrier_of(const Scene& scene, Id id);

}  // namespace hazumi
