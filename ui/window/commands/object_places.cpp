// Where objects are: collections, parents, and curves that they ride on. In the menu Object, behind what is done to objects themselves.
#include "ui/model/arrangement.h"
#include "ui/model/context.h"
#include "ui/model/curve_commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/selection.h"
#include "ui/model/skin_commands.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

const CommandTable& commands_object_places() {
  static const Command rows[] = {
      {"collection.new", "&New Collection", "collection", "Ctrl+G", "Object/Collection",
       "A new collection with the selected objects in it.",
       [](UiContext& c) { (void)add_collection(c.document, c.selection); },
       [](UiContext& c) { return c.selection.empty() ? QString() : no_moving(c.document.scene(), c.selection); }},
      {"collection.move", "&Move to Collection…", "", "Ctrl+M", "Object/Collection",
       "Put the selected objects into a collection, or out of all.", [](Viewport& v) { v.show_collection_menu(); },
       [](UiContext& c) { return no_moving(c.document.scene(), c.selection); }},
      {"collection.select", "&Select Objects in Collection", "", "", "Object/Collection",
       "Select everything in the collection that is visible and not locked.",
       [](UiContext& c) { select_collection(c.document.scene(), c.selection, c.isolation.aside()); },
       [](UiContext& c) { return no_collection(c.document.scene(), c.selection); }},
      {"collection.delete", "&Delete Collection", "", "", "Object/Collection",
       "Remove the selected collections; what is in them stays.",
       [](UiContext& c) { delete_collections(c.document, c.selection, false); },
       [](UiContext& c) { return no_deleting(c.document.scene(), c.selection); }, nullptr, true},
      {"collection.delete_contents", "Delete Collection with &Contents", "delete", "", "Object/Collection",
       "Remove the selected collections and everything in them that is not locked.",
       [](UiContext& c) { delete_collections(c.document, c.selection, true); },
       [](UiContext& c) { return no_deleting(c.document.scene(), c.selection); }},
      {"object.parent", "&Parent to Active", "parent", "Ctrl+P", "Object/Parent",
       "Let the selected fixed objects go with the one that was selected last when it is moved, or moves.",
       [](UiContext& c) { set_parent(c.document, c.selection); },
       [](UiContext& c) { return no_parent(c.document.scene(), c.selection); }},
      {"object.clear_parent", "&Clear Parent", "", "Alt+P", "Object/Parent",
       "Let the selected objects go with nobody; they stay where they are.",
       [](UiContext& c) { clear_parent(c.document, c.selection); },
       [](UiContext& c) { return no_clearing(c.document.scene(), c.selection); }},
      {"object.follow", "Follow a Cur&ve", "follow", "", "Object",
       "Let the selected objects and cameras ride on the selected curve, from its start at the first frame to its end "
       "at the last.",
       [](UiContext& c) { follow_curve(c.document, c.selection); },
       [](UiContext& c) { return no_following(c.document.scene(), c.selection); }, nullptr, true},
      {"object.leave_curve", "Take from C&urve", "", "", "Object",
       "The selected objects and cameras stay where they start, and ride no more.",
       [](UiContext& c) { leave_curve(c.document, c.selection); },
       [](UiContext& c) { return no_leaving(c.document.scene(), c.selection); }},
      {"object.bind_skin", "&Bind to Objects", "bones", "", "Object/Skin",
       "Let the object that was selected last bend with the other selected ones, from where all of them start.",
       [](UiContext& c) { bind_skin(c.document, c.selection); },
       [](UiContext& c) { return no_skin(c.document.scene(), c.selection); }, nullptr, true},
      {"object.release_skin", "&Release", "", "", "Object/Skin",
       "Let the selected skins stand as they were modelled; bones and painted weights stay.",
       [](UiContext& c) { release_skin(c.document, c.selection); },
       [](UiContext& c) { return no_release(c.document.scene(), c.selection); }},
      {"object.select_carriers", "&Select What It Bends With", "", "", "Object/Skin",
       "Select the objects that the selected skins bend with.",
       [](UiContext& c) { select_carriers(c.document.scene(), c.selection); },
       [](UiContext& c) { return no_release(c.document.scene(), c.selection); }},
  };
  static const CommandTable table{4, rows};
  return table;
}

}  // namespace hazumi
