// Viewport: what is painted over the picture and said of it, and its menus.
#include <QAction>
#include <QCursor>
#include <QMenu>
#include <QPainter>

#include <functional>
#include <map>

#include "core/scene/derived/following.h"
#include "ui/model/arrangement.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode_bar.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/box_view.h"
#include "ui/viewport/camera_view.h"
#include "ui/viewport/changing.h"
#include "ui/viewport/contact_view.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/force_view.h"
#include "ui/viewport/joining.h"
#include "ui/viewport/mode_input.h"
#include "ui/viewport/motion_view.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/overlay.h"
#include "ui/viewport/picker.h"
#include "ui/viewport/picture.h"
#include "ui/viewport/pull_view.h"
#include "ui/viewport/tool_gizmo.h"
#include "ui/viewport/view_gesture.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/hover_keys.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

/// An empty id is a line.
void append_actions(QMenu* menu, const ActionSet& actions, std::initializer_list<const char*> ids) {
  for (const char* id : ids)
    if (*id)
      menu->addAction(actions[id]);
    else
      menu->addSeparator();
}

/// "Front · parallel", "Perspective", "Close · 85 mm".
QString view_text(const ViewNavigation& navigation) {
  if (const Camera* camera = navigation.looked_through()) {
    const QString name = QString::fromStdString(camera->name).left(60);
    const QString text = QStringLiteral("%1 · %2 mm").arg(name).arg(camera->focal_length, 0, 'g', 3);
    return navigation.locked() ? text + QStringLiteral(" · moves with the view") : text;
  }
  const bool parallel = navigation.camera().orthographic;
  const QString side = side_name(navigation.camera());
  if (side.isEmpty()) return parallel ? QStringLiteral("Parallel") : QStringLiteral("Perspective");
  return side + QStringLiteral(" · ") + (parallel ? QStringLiteral("parallel") : QStringLiteral("perspective"));
}

/// "Ball", "Ball  (3 selected)", "Node 3 in Ball".
QString active_text(const UiContext& context) {
  if (const QString parts = elements_text(context); !parts.isEmpty()) return parts;
  const Scene& scene = context.document.scene();
  const Id active = context.selection.active();
  QString text;
  if (const Object* object = find_object(scene, active))
    text = QString::fromStdString(object->name);
  else
    text = name_of(scene, active);
  if (context.selection.ids().size() > 1) text += QStringLiteral("  (%1 selected)").arg(context.selection.ids().size());
  return text;
}

/// Of what is drawn: another one than the time line's while that is being computed.
int frame_in_picture(const Viewport& view, int asked) {
  if (const FramePtr shown = view.displayed_frame()) return shown->index;
  return view.elements_shown() && !view.gesture() ? asked : 0;  // the start pose
}

/// What a gesture does to keys, or that it changes the start while another frame is shown.
QString edited_pose(const UiContext& context, const TransformGesture& gesture) {
  if (const QString keys = gesture.keys_text(); !keys.isEmpty()) return keys;
  if (const QString note = gesture.note(); !note.isEmpty()) return note;
  const Scene& scene = context.document.scene();
  const auto& ids = context.selection.ids();
  // A curve is the same at every frame.
  const bool curves = std::all_of(ids.begin(), ids.end(), [&](Id id) { return find_curve(scene, id) != nullptr; });
  if (context.playback.frame() == 0 || curves || context.elements.stand()) return {};
  return QStringLiteral("The start pose (frame 0) is edited and shown");
}

}  // namespace

QString Viewport::hint() const {
  if (gesture()) {
    const QString pose = edited_pose(context_, *gesture());
    return (pose.isEmpty() ? pose : pose + QStringLiteral(" · ")) + gesture()->hint();
  }
  if (drag_ == Drag::pull) return pull_->hint();
  if (drag_ == Drag::box) return QStringLiteral("Release to select · Shift adds · Ctrl takes away · Esc cancels");
  if (context_.elements.mode()) return modes_->hint();
  if (joining_->on()) return joining_->hint();
  if (changing_->on()) return changing_->hint();
  if (drivers_->on()) return drivers_->hint();
  if (!context_.selection.empty() || gizmo_->tool().id == "pull") return text_of(gizmo_->tool().tip);
  return QStringLiteral(
      "Click selects · middle drag or Alt+drag orbits, with Shift pans · wheel zooms · Home shows all");
}

void Viewport::announce_hint() {
  const QString now = hint();
  if (now == last_hint_) return;
  last_hint_ = now;
  emit hint_changed(now);
}

void Viewport::paint_overlay(QPainter& painter) {
  const QRectF area = rect();
  const Scene& scene = context_.document.scene();
  const ViewCamera& camera = navigation_->camera();
  painter.setRenderHint(QPainter::Antialiasing);
  cameras_->paint(painter, area);
  forces_->paint(painter);
  boxes_->paint(painter, gesture() != nullptr);
  if (!gesture() && !context_.elements.mode()) drivers_->paint(painter, {camera, view_size(), displayed_frame()}, area);
  if (gesture())
    gesture_->paint(painter, mouse_);
  else
    paint_handles(painter, gizmo(), picker_->handle());
  contacts_->paint(painter, {camera, view_size(), displayed_frame()}, area);
  motion_->paint(painter, camera, view_size());
  if (!gesture()) joining_->paint(painter);
  if (!gesture()) changing_->paint(painter);
  pull_->paint(painter);
  if (drag_ == Drag::box)
    paint_box_select(painter, QRectF(press_, mouse_).normalized(), box_modifiers_ & Qt::ControlModifier);
  modes_->paint(painter);
  paint_axis_gizmo(painter, camera, view_size(), picker_->axis());

  OverlayText text;
  text.view = view_text(*navigation_);
  text.active = active_text(context_);
  const int frame = context_.playback.frame();
  text.frame = QStringLiteral("Frame %1").arg(frame_in_picture(*this, frame));
  if (gesture()) {
    text.value = gesture()->value_text();
    text.note = gesture()->refusal();
    if (text.note.isEmpty()) text.note = edited_pose(context_, *gesture());
  }
  if (joining_->on() && !gesture()) {
    text.value = joint_name(joining_->kind());
    text.note = joining_->kinds();
  }
  if (changing_->on() && !gesture()) text.note = changing_->note();
  if (text.note.isEmpty() && context_.isolation.on())
    text.note = QStringLiteral("%1 of %2 objects are shown: %3 shows the others again")
                    .arg(context_.isolation.shown())
                    .arg(scene.objects.size())
                    .arg(keys_on_screen({context_.actions["view.isolate"]->shortcut()}));
  if (context_.elements.mode() && !elements_shown() && !gesture())
    text.note = context_.elements.mode()->of_curves
                    ? QStringLiteral("Click here to stop and edit the curve")
                    : QStringLiteral("The start pose is edited: click here to go there");
  const Object* inside = context_.elements.in("bones") && elements_shown() ? context_.elements.object() : nullptr;
  if (text.note.isEmpty() && inside && is_skin(*inside))
    text.note = QStringLiteral("Bones and skin as they were bound; outside of this mode they are where keys have them");
  const FillStatus::Phase phase = context_.playback.status().phase;
  const bool filling = phase == FillStatus::Phase::preparing || phase == FillStatus::Phase::compiling ||
                       phase == FillStatus::Phase::running;
  const bool starts = start_pose_shown(context_);
  if (!gesture() && !starts && filling && !context_.playback.shown())
    text.badge = QStringLiteral("computing frame %1…").arg(frame);
  if (!gesture() && !starts && context_.playback.reading()) text.badge = QStringLiteral("reading frame %1…").arg(frame);
  if (scene.objects.empty()) {
    text.empty = QStringLiteral("Add → Sphere, or press Shift+A");
    text.empty_more = QStringLiteral("or drop a scene file here");
  }
  const ModeBar& bar = modes_->bar();
  text.top = bar.isVisible() ? bar.geometry().bottom() + 1.0 : 0.0;
  paint_overlay_text(painter, text, area, tool_bar_->isVisible() ? tool_bar_->width() + 20.0 : 12.0);
}

// Menus ---------------------------------------------------------------------------------------------------------------

QMenu* Viewport::make_add_menu(QWidget* parent) {
  auto* menu = new QMenu(QStringLiteral("Add"), parent);
  const ActionSet& actions = context_.actions;
  if (const ModeInfo* mode = context_.elements.mode(); mode && !mode->add_actions.empty()) {
    for (std::string_view id : mode->add_actions) menu->addAction(actions[id]);
    return menu;
  }
  std::map<QString, QMenu*> submenus;
  for (const Command* command : actions.rows()) {
    const QString category = text_of(command->category);
    if (category.section(QLatin1Char('/'), 0, 0) != QLatin1String("Add") || command->id == "add.menu") continue;
    const QString group = category.section(QLatin1Char('/'), 1);
    QMenu* place = menu;
    if (!group.isEmpty()) {
      QMenu*& submenu = submenus[group];
      if (!submenu) submenu = menu->addMenu(group);
      place = submenu;
    }
    place->addAction(actions[command->id]);
  }
  return menu;
}

QMenu* Viewport::make_context_menu(QWidget* parent) {
  if (context_.elements.mode()) return make_mode_menu(parent);
  auto* menu = new QMenu(parent);
  const ActionSet& actions = context_.actions;
  if (!context_.selection.empty()) {
    append_actions(menu, actions, {"object.move", "object.rotate", "object.scale", ""});
    QMenu* body = menu->addMenu(QStringLiteral("Body"));
    append_actions(
        body, actions,
        {"object.set_flexible", "object.set_rigid", "object.set_point", "object.set_fixed", "", "object.pair"});
    if (context_.actions["object.join_ball"]->isEnabled() || context_.actions["object.join_gear"]->isEnabled())
      menu->addMenu(make_join_menu(menu));
    append_actions(menu, actions,
                   {"", "collection.move", "object.parent", "object.clear_parent", "view.isolate", "", "edit.duplicate",
                    "edit.rename", "edit.hide", "edit.delete", "", "view.frame_selected", "play.last_collision"});
    if (find_camera(context_.document.scene(), context_.selection.active()))
      append_actions(menu, actions, {"", "camera.through", "camera.cut", "camera.make_scene"});
  } else {
    append_actions(menu, actions,
                   {"edit.select_all", "edit.show_all", "view.frame_all", "view.camera_to_view", "camera.add"});
  }
  menu->addSeparator();
  menu->addMenu(make_add_menu(menu));
  return menu;
}

QMenu* Viewport::make_mode_menu(QWidget* parent) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  const ActionSet& actions = context_.actions;
  const bool any = !context_.elements.empty();
  if (any)
    append_actions(menu, actions, {"object.move", "object.rotate", "object.scale", ""});
  else
    append_actions(menu, actions, {"edit.select_all", ""});
  modes_->fill_menu(menu);
  if (any) append_actions(menu, actions, {"", "edit.duplicate", "edit.hide", "edit.delete", "", "view.frame_selected"});
  append_actions(menu, actions, {"", "edit.show_all"});
  if (QMenu* add = make_add_menu(menu); !add->isEmpty()) menu->addMenu(add);
  return menu;
}

QMenu* Viewport::make_collection_menu(QWidget* parent) {
  auto* menu = new QMenu(QStringLiteral("Move to Collection"), parent);
  menu->setObjectName(QStringLiteral("collection_menu"));
  const Scene& scene = context_.document.scene();
  const std::set<Id> here = collections_of_selected(scene, context_.selection);
  const auto add = [&](const QIcon& icon, const QString& text, Id id) {
    QAction* entry = menu->addAction(icon, text);
    entry->setEnabled(here != std::set<Id>{id});
    connect(entry, &QAction::triggered, this,
            [this, id] { move_to_collection(context_.document, context_.selection, id); });
  };
  // As in the outliner: what lies in another one stands below it, further in.
  const std::function<void(std::uint64_t, const QString&)> branch = [&](std::uint64_t in, const QString& indent) {
    for (const auto& collection : scene.collections) {
      if (collection->collection != in) continue;
      const Vec3& c = collection->colour;
      const QColor colour =
          QColor::fromRgbF(static_cast<float>(c.x()), static_cast<float>(c.y()), static_cast<float>(c.z()));
      add(theme_icon(QStringLiteral("collection"), colour), indent + QString::fromStdString(collection->name),
          collection->id);
      branch(collection->id.value, indent + QStringLiteral("    "));
    }
  };
  branch(0, {});
  if (!scene.collections.empty()) {
    menu->addSeparator();
    add({}, QStringLiteral("None"), {});
  }
  menu->addSeparator();
  menu->addAction(context_.actions["collection.new"]);
  return menu;
}

void Viewport::show_collection_menu() {
  QMenu* menu = make_collection_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  keys_->asked(*menu);
  menu->popup(mouse_inside_ ? mapToGlobal(mouse_.toPoint()) : QCursor::pos());
}

QMenu* Viewport::make_join_menu(QWidget* parent) {
  auto* menu = new QMenu(QStringLiteral("Join"), parent);
  menu->setObjectName(QStringLiteral("join_menu"));
  menu->setToolTipsVisible(true);
  append_actions(
      menu, context_.actions,
      {"object.join_ball", "object.join_hinge", "object.join_slider", "object.join_fixed", "object.join_spring",
       "object.join_rope", "object.join_gear", "", "object.join_lead", "object.lead_along", "", "object.join_click"});
  return menu;
}

void Viewport::show_join_menu() {
  QMenu* menu = make_join_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  keys_->asked(*menu);
  menu->popup(mouse_inside_ ? mapToGlobal(mouse_.toPoint()) : QCursor::pos());
}

void Viewport::show_add_menu() {
  QMenu* menu = make_add_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  keys_->asked(*menu);
  menu->popup(mapToGlobal(mouse_inside_ ? mouse_.toPoint() : rect().center()));
}

}  // namespace hazumi
