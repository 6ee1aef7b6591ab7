// Takes: named versions of the motion; one of them for each value of a number; and a frame that is changed.
#include "core/scene/derived/takes.h"
#include "ui/editors/take_wall.h"
#include "ui/editors/vary_dialog.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/take_commands.h"
#include "ui/model/text.h"
#include "ui/viewport/changing.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"
#include "ui/window/main_window.h"

namespace hazumi {

namespace {

TakeWall* wall_of(const Viewport& view) { return view.findChild<TakeWall*>(QString(), Qt::FindDirectChildrenOnly); }

void open_wall(MainWindow& w) {
  Viewport& view = *w.viewport();
  if (TakeWall* open = wall_of(view)) {
    open->close();
    return;
  }
  view.changing().end();
  new TakeWall(w.context(), static_cast<const Viewport&>(view).camera(),
               static_cast<const Viewport&>(view).options().grid, &view);
}

QString no_wall(UiContext& c) {
  return c.document.scene().takes.size() > 1 ? QString()
                                             : tr("There is only one take; make others with New Take or Vary.");
}

void vary(MainWindow& w) {
  auto* dialog = new VaryDialog(w.context(), &w);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QDialog::accepted, &w, [dialog, &w] {
    if (dialog->shows_wall()) open_wall(w);
  });
  dialog->show();
}

void change_here(Viewport& v) {
  if (v.changing().on()) return v.changing().end();
  v.changing().begin();
  v.setFocus(Qt::OtherFocusReason);
}

}  // namespace

const CommandTable& commands_takes() {
  static const Command rows[] = {
      {"take.new", "&New Take", "new", "", "Playback/Takes",
       "A copy of the current take to go on with; what is edited then is its own, and the other stays as it is.",
       [](UiContext& c) { add_take(c); }},
      {"take.duplicate", "&Duplicate Take", "duplicate", "", "Playback/Takes",
       "A copy of the current take that is put aside; you stay in this one.",
       [](UiContext& c) { duplicate_take(c, {}); }},
      {"take.delete", "De&lete Take", "delete", "", "Playback/Takes", "Delete the current take and go to the next one.",
       [](UiContext& c) { delete_take(c, {}); }, [](UiContext& c) { return no_deleting_take(c); }},
      {"take.previous", "&Previous Take", "arrow_left", "Ctrl+PgUp", "Playback/Takes",
       "To the take before in the list.", [](UiContext& c) { step_take(c, -1); },
       [](UiContext& c) { return no_other_take(c); }, nullptr, true},
      {"take.next", "Ne&xt Take", "arrow_right", "Ctrl+PgDown", "Playback/Takes", "To the next take in the list.",
       [](UiContext& c) { step_take(c, 1); }, [](UiContext& c) { return no_other_take(c); }},
      {"take.vary", "&Vary a Parameter…", "vary", "", "Playback/Takes",
       "Takes of one number over a range, each named by its value.", &vary, nullptr, nullptr, true},
      {"take.change_here", "&Change from Here", "change_here", "", "Playback/Takes",
       "Move, turn or throw what is selected at the frame that is shown: it goes on from there, in a new take.",
       &change_here, [](UiContext& c) { return no_changing(c); }, [](Viewport& v) { return v.changing().on(); }},
      {"take.wall", "&Wall of Takes", "take_wall", "", "Playback/Takes",
       "Up to 16 takes side by side, playing; a click goes on with one.", &open_wall, &no_wall},
  };
  static const CommandTable table{7, rows};
  return table;
}

}  // namespace hazumi
