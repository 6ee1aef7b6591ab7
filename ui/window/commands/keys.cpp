// Keys: setting and deleting them at the frame that is shown, and going from one to the next.
#include <QApplication>
#include <QCursor>

#include "core/scene/derived/tracks.h"
#include "ui/model/baking.h"
#include "ui/model/commands.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/keying_sets.h"
#include "ui/model/last_operation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/viewport/motion_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/key_button.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

/// The field under the mouse, when it can be keyed.
FieldWidget* field_under_mouse() {
  for (QWidget* at = QApplication::widgetAt(QCursor::pos()); at; at = at->parentWidget())
    if (auto* field = qobject_cast<FieldWidget*>(at))
      return field->key() && field->key()->isVisible() ? field : nullptr;
  return nullptr;
}

/// What is under the mouse can have no keys, and says why; empty: it does not.
QString unkeyed_under_mouse() {
  for (QWidget* at = QApplication::widgetAt(QCursor::pos()); at; at = at->parentWidget())
    if (const QString sentence = unkeyed_sentence(*at); !sentence.isEmpty()) return sentence;
  return {};
}

/// Place and rotation say themselves what they are of: a light has a target.
QString what_is_keyed(UiContext& c) {
  const ActiveSet& set = c.keying.active_set();
  return set.kind == ActiveSet::Kind::place ? QString() : name_of(c, set);
}

void set_keys(UiContext& c) {
  if (FieldWidget* field = field_under_mouse()) {
    if (field->key()->state() != KeyState::here) field->key()->click();
    return;
  }
  if (const QString why = unkeyed_under_mouse(); !why.isEmpty()) return void(emit c.document.refused(why));
  tell(c, c.keying.set_keys(whose_keys(c), places_of_active_set(c), what_is_keyed(c)));
}

void delete_keys(UiContext& c) {
  if (FieldWidget* field = field_under_mouse()) {
    if (field->key()->state() == KeyState::here) field->key()->click();
    return;
  }
  tell(c, c.keying.delete_keys(whose_keys(c), places_of_active_set(c), what_is_keyed(c)));
}

QString no_place(UiContext& c) { return no_places(c); }

QString no_key_here(UiContext& c) {
  if (c.document.scene().tracks.empty()) return tr("Nothing has keys yet.");
  return {};
}

void go_to_key(UiContext& c, int direction) {
  if (const auto frame = c.keying.key_frame(direction, c.selection.ids())) {
    c.playback.play(false);
    c.playback.set_frame(*frame);
  }
}

QString no_key(UiContext& c, int direction) {
  if (c.document.scene().tracks.empty()) return tr("Nothing has keys yet.");
  if (c.keying.key_frame(direction, c.selection.ids())) return {};
  return direction > 0 ? tr("There is no key after this frame.") : tr("There is no key before this frame.");
}

/// What keys lead, among what is selected.
std::set<Id> led_ones(UiContext& c) {
  std::set<Id> ids;
  for (const LedTracks& led : led_objects(c.document.scene()))
    if (c.selection.contains(led.object)) ids.insert(led.object);
  return ids;
}

QString none_led(UiContext& c) {
  if (c.selection.empty()) return tr(kSelectFirst);
  return led_ones(c).empty() ? tr("No keys lead what is selected: key its place at a later frame first.") : QString();
}

void bake(UiContext& c) {
  const Scene& scene = c.document.scene();
  const std::set<Id> ids = bakeable(scene, c.selection.ids());
  tell(c, c.document.last_operation().begin(tr("Bake %1 to Keys").arg(selection_text(scene, c.selection)),
                                            bake_operation(c.playback, scene, ids)));
}

QString no_bake(UiContext& c) {
  return bake_problem(c.playback, c.document.scene(), bakeable(c.document.scene(), c.selection.ids()));
}

void give_back(UiContext& c) {
  tell(c, c.document.edit(tr("Give %1 Back to Physics").arg(selection_text(c.document.scene(), c.selection)),
                          given_back(c.document.scene(), led_ones(c))));
}

void lead(UiContext& c, bool on) {
  const QString text = on ? tr("Lead %1 from Here") : tr("Let %1 Go Here");
  tell(c, c.document.edit(text.arg(selection_text(c.document.scene(), c.selection)),
                          led_from(c.document.scene(), led_ones(c), c.keying.time(), on)));
}

}  // namespace

const CommandTable& commands_keys() {
  static const Command rows[] = {
      {"key.set", "&Set Key", "key", "I", "Keys",
       "Key place and rotation of what is selected at this frame, or what the keying set says; with the mouse over a "
       "field, that field.",
       &set_keys, &no_place},
      {"key.delete", "&Delete Key", "key_delete", "Alt+I", "Keys",
       "Delete the keys of place and rotation at this frame; with the mouse over a field, that of the field.",
       &delete_keys, &no_key_here},
      {"key.automatic", "&Auto-Key", "record", "", "Keys",
       "Every change of a field that can be keyed sets a key at the frame that is shown.",
       [](UiContext& c) { c.keying.set_automatic(!c.keying.automatic()); }, nullptr,
       [](UiContext& c) { return c.keying.automatic(); }, true},
      {"key.let_go", "&Let Go Here", "let_go", "", "Keys",
       "From this frame on physics has what keys lead, with the speed that it had.",
       [](UiContext& c) { lead(c, false); }, &none_led, nullptr, true},
      {"key.lead", "L&ead Again Here", "key", "", "Keys",
       "From this frame on it goes where its keys say again; how soon is Back to keys in Properties.",
       [](UiContext& c) { lead(c, true); }, &none_led},
      {"key.bake", "&Bake to Keys", "bake", "", "Keys",
       "What was simulated of the selected rigid bodies becomes keys, as few as a tolerance allows (F9).", &bake,
       &no_bake, nullptr, true},
      {"key.take_flight", "Take Flight as Keys", "", "", "Keys",
       "What Show Physics Flight draws becomes keys from the play head on, as few as a tolerance allows (F9).",
       [](Viewport& v) { (void)v.motion().take_flight(); }, [](Viewport& v) { return v.motion().no_flight(); }},
      {"key.give_back", "&Give Back to Physics", "rigid", "", "Keys",
       "Delete the keys of place and rotation: it begins as it did, and physics moves it.", &give_back, &none_led},
      {"key.next", "&Next Key", "key_next", "Up", "Keys",
       "To the next frame with a key of what is selected, or of anything.", [](UiContext& c) { go_to_key(c, 1); },
       [](UiContext& c) { return no_key(c, 1); }, nullptr, true},
      {"key.previous", "&Previous Key", "key_previous", "Down", "Keys",
       "To the frame before this one with a key of what is selected, or of anything.",
       [](UiContext& c) { go_to_key(c, -1); }, [](UiContext& c) { return no_key(c, -1); }},
  };
  static const CommandTable table{6, rows};
  return table;
}

}  // namespace hazumi
