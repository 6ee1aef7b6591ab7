// What is done to the selection. In an edit mode the same commands mean the selected elements.
#include <algorithm>

#include <QClipboard>
#include <QGuiApplication>

#include "core/scene/derived/collections.h"
#include "ui/model/clipboard.h"
#include "ui/model/commands.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/last_operation.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/adjust_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"
#include "ui/window/main_window.h"

namespace hazumi {

namespace {

QString undo_text(UiContext& c) {
  const QUndoStack* undo = c.document.undo_stack();
  return undo->canUndo() ? tr("&Undo %1").arg(undo->undoText()) : tr("&Undo");
}

QString redo_text(UiContext& c) {
  const QUndoStack* undo = c.document.undo_stack();
  return undo->canRedo() ? tr("&Redo %1").arg(undo->redoText()) : tr("&Redo");
}

/// Copies follow the mouse at once; of a menu those of objects stand beside the originals.
void duplicate(Viewport& v) {
  UiContext& c = v.context();
  if (c.elements.mode())
    (void)v.duplicate_elements_and_move();
  else if (v.hasFocus() && v.mouse_inside())
    (void)v.duplicate_objects_and_move();
  else
    (void)duplicate_selected(c.document, c.selection);
}

QString no_copies(UiContext& c) {
  const QString nothing = nothing_selected(c);
  return nothing.isEmpty() && c.elements.mode() && !c.elements.mode()->duplicate ? tr("These cannot be copied.")
                                                                                 : nothing;
}

/// Elements of a mode belong to their object.
QString no_taking(UiContext& c) {
  if (c.elements.mode()) return tr("Go back to objects (Tab) to copy whole ones.");
  return nothing_selected(c);
}

QString no_bringing(UiContext& c) {
  return c.elements.mode() ? tr("Go back to objects (Tab) to paste whole ones.") : QString();
}

void copy(UiContext& c) { QGuiApplication::clipboard()->setText(copied_text(c.document.scene(), c.selection)); }

void cut(UiContext& c) {
  copy(c);
  c.selection.set(with_contents(c.document.scene(), c.selection.ids()), c.selection.active());
  delete_selected(c.document, c.selection, tr("Cut %1"));
}

void paste(MainWindow& w) {
  UiContext& c = w.context();
  const QString why = paste_text(c.document, c.selection, QGuiApplication::clipboard()->text());
  if (!why.isEmpty()) w.messages()->show_refusal(why);
}

QString no_hiding(UiContext& c) {
  const QString nothing = nothing_selected(c);
  return nothing.isEmpty() && c.elements.mode() && !c.elements.mode()->hide ? tr("These cannot be hidden.") : nothing;
}

QString nothing_hidden(UiContext& c) {
  const auto hidden = [](const auto& thing) { return !thing->visible; };
  const Scene& scene = c.document.scene();
  const bool some = c.elements.mode() ? c.elements.mode()->show_all != nullptr
                                      : std::any_of(scene.objects.begin(), scene.objects.end(), hidden) ||
                                            std::any_of(scene.lights.begin(), scene.lights.end(), hidden) ||
                                            std::any_of(scene.cameras.begin(), scene.cameras.end(), hidden) ||
                                            std::any_of(scene.curves.begin(), scene.curves.end(), hidden) ||
                                            std::any_of(scene.joints.begin(), scene.joints.end(), hidden) ||
                                            std::any_of(scene.forces.begin(), scene.forces.end(), hidden) ||
                                            std::any_of(scene.fields.begin(), scene.fields.end(), hidden) ||
                                            std::any_of(scene.particles.begin(), scene.particles.end(), hidden) ||
                                            std::any_of(scene.collections.begin(), scene.collections.end(), hidden);
  return some ? QString() : tr("Nothing is hidden.");
}

QString nothing_to_adjust(UiContext& c) {
  return c.document.last_operation().operation() ? QString() : tr("What was done last has no numbers to change.");
}

QString no_objects(UiContext& c) {
  return c.document.scene().objects.empty() ? tr("The scene has no objects.") : QString();
}

}  // namespace

const CommandTable& commands_edit() {
  static const Command rows[] = {
      {"edit.undo", "&Undo", "undo", "Ctrl+Z", "Edit", "Take back the last edit.",
       [](UiContext& c) { c.document.undo_stack()->undo(); },
       [](UiContext& c) {
         return c.document.undo_stack()->canUndo() ? QString() : tr("There is nothing to take back.");
       },
       nullptr, false, &undo_text},
      {"edit.redo", "&Redo", "redo", "Ctrl+Shift+Z;Ctrl+Y", "Edit", "Do again what was taken back.",
       [](UiContext& c) { c.document.undo_stack()->redo(); },
       [](UiContext& c) {
         return c.document.undo_stack()->canRedo() ? QString() : tr("There is nothing to do again.");
       },
       nullptr, false, &redo_text},
      {"edit.history", "Undo &History", "recent", "Ctrl+Alt+Z", "Edit",
       "All undo steps as a list; a click on one goes there.",
       [](MainWindow& w) { w.show_panel(QStringLiteral("history")); }},
      {"edit.adjust", "Ad&just Last Operation", "properties", "F9", "Edit",
       "The numbers of what was done last, over the lower corner of the view; others make it anew.",
       [](MainWindow& w) { w.adjust_panel()->take_focus(); }, &nothing_to_adjust},
      {"edit.cut", "Cu&t", "cut", "Ctrl+X", "Edit", "Put the selected objects on the clipboard and remove them.", &cut,
       &no_taking, nullptr, true},
      {"edit.copy", "&Copy", "copy", "Ctrl+C", "Edit",
       "Put the selected objects on the clipboard, for this scene or another one.", &copy, &no_taking},
      {"edit.paste", "&Paste", "paste", "Ctrl+V", "Edit", "Bring in the objects that lie on the clipboard.", &paste,
       &no_bringing},
      {"edit.duplicate", "&Duplicate", "duplicate", "Shift+D;Ctrl+D", "Edit",
       "Copy the selected objects, slightly moved.", &duplicate, &no_copies},
      {"edit.delete", "De&lete", "delete", "X;Del", "Edit", "Remove what is selected.",
       [](UiContext& c) { c.elements.mode() ? remove_elements(c) : delete_selected(c.document, c.selection); },
       &nothing_selected},
      {"edit.rename", "Re&name…", "rename", "F2", "Edit", "Give the active object another name.",
       [](MainWindow& w) { w.rename_active(); },
       [](UiContext& c) { return c.selection.active() ? QString() : tr(kSelectFirst); }},
      {"edit.hide", "&Hide", "hide", "H", "Edit", "Hide what is selected; it still takes part in the motion.",
       [](UiContext& c) { c.elements.mode() ? hide_elements(c) : hide_selected(c.document, c.selection); }, &no_hiding,
       nullptr, true},
      {"edit.show_all", "Sho&w All", "show", "Alt+H", "Edit", "Show everything that is hidden.",
       [](UiContext& c) { c.elements.mode() ? show_all_elements(c) : show_all(c.document); }, &nothing_hidden},
      {"edit.select_all", "Select &All", "", "A;Ctrl+A", "Edit", "Select every object that is visible and not locked.",
       [](UiContext& c) {
         c.elements.mode() ? select_all_elements(c) : select_all(c.document.scene(), c.selection, c.isolation.aside());
       },
       &no_objects, nullptr, true},
      {"edit.select_none", "Select N&one", "", "Alt+A;Ctrl+Shift+A", "Edit", "Clear the selection.",
       [](UiContext& c) { c.elements.mode() ? c.elements.clear() : c.selection.clear(); }, &nothing_selected},
      {"edit.invert", "&Invert Selection", "", "Ctrl+I", "Edit",
       "Select what is not selected, and the other way round.",
       [](UiContext& c) {
         c.elements.mode() ? invert_elements(c)
                           : invert_selection(c.document.scene(), c.selection, c.isolation.aside());
       },
       &no_objects},
      {"edit.preferences", "Pr&eferences…", "properties", "Ctrl+,", "Edit",
       "Keys, saving, the display, undo and snapping as you like them, and what computed frames may take of memory and "
       "disk.",
       [](MainWindow& w) { w.show_preferences(); }, nullptr, nullptr, true},
  };
  static const CommandTable table{2, rows};
  return table;
}

}  // namespace hazumi
