// What holds objects together: joints of what is selected, and by clicking.
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/model/joint_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/viewport/joining.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/refusals.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

QString in_a_mode(UiContext& c) {
  return c.elements.mode() ? tr("Go back to objects (Tab) to join whole ones.") : QString();
}

template <JointKind kind>
void join(UiContext& c) {
  (void)join_selected(c.document, c.selection, kind);
}

template <JointKind kind>
QString not_joined(UiContext& c) {
  const QString why = in_a_mode(c);
  return why.isEmpty() ? no_joining(c.document.scene(), c.selection, kind) : why;
}

void lead_along(UiContext& c) { (void)lead_along_curve(c.document, c.selection, c.playback.frame()); }

QString not_led_along(UiContext& c) {
  const QString why = in_a_mode(c);
  return why.isEmpty() ? no_leading(c.document.scene(), c.selection) : why;
}

/// Some kind is possible.
QString none_joined(UiContext& c) {
  const QString why = not_joined<JointKind::ball>(c);
  return why.isEmpty() || not_joined<JointKind::gear>(c).isEmpty() ? QString() : why;
}

template <JointKind kind>
void click(Viewport& v) {
  v.joining().begin(kind);
  v.setFocus(Qt::OtherFocusReason);
}

/// As what was clicked last.
void click_or_end(Viewport& v) {
  if (v.joining().on()) return v.joining().end();
  v.joining().begin(v.joining().kind());
  v.setFocus(Qt::OtherFocusReason);
}

}  // namespace

const CommandTable& commands_object_joints() {
  static const Command rows[] = {
      {"object.join", "&Join…", "joint_hinge", "Ctrl+J", "Object/Join",
       "Join the selected objects, or the only one to the world: a menu of kinds at the mouse.",
       [](Viewport& v) { v.show_join_menu(); }, &none_joined},
      {"object.join_click", "Join by C&licking", "joint_ball", "Shift+J", "Object/Join",
       "Click a point on one object, then one on another, or beside them all for the world.", &click_or_end, &in_a_mode,
       [](Viewport& v) { return v.joining().on(); }},
      {"object.join_ball", "&Ball", "joint_ball", "", "Object/Join",
       "Joined at a place about which they turn freely; several objects in a row.", &join<JointKind::ball>,
       &not_joined<JointKind::ball>, nullptr, true},
      {"object.join_hinge", "&Hinge", "joint_hinge", "", "Object/Join",
       "Joined at an axis about which they turn; several objects in a row.", &join<JointKind::hinge>,
       &not_joined<JointKind::hinge>},
      {"object.join_slider", "&Slider", "joint_slider", "", "Object/Join",
       "Joined at an axis along which they slide without turning.", &join<JointKind::slider>,
       &not_joined<JointKind::slider>},
      {"object.join_fixed", "&Fixed", "joint_fixed", "", "Object/Join", "Joined so that they move as one.",
       &join<JointKind::fixed>, &not_joined<JointKind::fixed>},
      {"object.join_spring", "S&pring", "joint_spring", "", "Object/Join",
       "Joined by a spring with a damper from one to the other.", &join<JointKind::spring>,
       &not_joined<JointKind::spring>},
      {"object.join_rope", "&Rope", "joint_rope", "", "Object/Join",
       "Joined by a rope, which lets them come nearer but no farther apart.", &join<JointKind::rope>,
       &not_joined<JointKind::rope>},
      {"object.join_gear", "&Gear", "joint_gear", "", "Object/Join",
       "Two hinges that turn together: select them, or the objects that turn on them.", &join<JointKind::gear>,
       &not_joined<JointKind::gear>},
      {"object.join_lead", "L&ead to a Place", "joint_lead", "", "Object/Join",
       "Takes one object where its target is, in the world, or on the object that is selected besides. G moves the "
       "target, I keys it; "
       "the rest is physics.",
       &join<JointKind::lead>, &not_joined<JointKind::lead>},
      {"object.lead_along", "Lead along the Cur&ve", "joint_lead", "", "Object/Join",
       "Takes the middle of the selected objects along the selected curve, from this frame to the last one.",
       &lead_along, &not_led_along},
      {"add.joint_ball", "&Ball", "joint_ball", "", "Add/Joint", "Join by clicking: a ball joint.",
       &click<JointKind::ball>, &in_a_mode},
      {"add.joint_hinge", "&Hinge", "joint_hinge", "", "Add/Joint", "Join by clicking: a hinge.",
       &click<JointKind::hinge>, &in_a_mode},
      {"add.joint_slider", "&Slider", "joint_slider", "", "Add/Joint", "Join by clicking: a slider.",
       &click<JointKind::slider>, &in_a_mode},
      {"add.joint_fixed", "&Fixed", "joint_fixed", "", "Add/Joint", "Join by clicking: a fixed joint.",
       &click<JointKind::fixed>, &in_a_mode},
      {"add.joint_spring", "S&pring", "joint_spring", "", "Add/Joint", "Join by clicking: a spring with a damper.",
       &click<JointKind::spring>, &in_a_mode},
      {"add.joint_rope", "&Rope", "joint_rope", "", "Add/Joint", "Join by clicking: a rope.", &click<JointKind::rope>,
       &in_a_mode},
      {"add.joint_gear", "&Gear", "joint_gear", "", "Add/Joint", "Join by clicking: a gear of two hinges.",
       &click<JointKind::gear>, &in_a_mode},
      {"add.joint_lead", "&Lead", "joint_lead", "", "Add/Joint",
       "Join by clicking: a place of an object, then where it is led to.", &click<JointKind::lead>, &in_a_mode},
      {"add.joint_pull", "P&ull", "joint_pull", "", "Add/Joint",
       "Join by clicking: a place of an object, then where a damped spring draws it to, as a hand does.",
       &click<JointKind::pull>, &in_a_mode},
  };
  static const CommandTable table{4, rows};
  return table;
}

}  // namespace hazumi
