// What a person does to boxes and wires on the canvas, as undo steps.
#include <algorithm>

#include <QMenu>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"
#include "ui/panels/motion_canvas.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kHalfBox = 29, kBeside = 24, kBehind = 250;  // logical pixels

}  // namespace

void MotionCanvas::say(const QString& sentence) {
  if (!sentence.isEmpty()) Bubble::show_at(viewport(), sentence);
}

bool MotionCanvas::edit(const QString& text, Scene next) {
  const Status status = context_.document.edit(text, std::move(next));
  if (!status.ok()) say(sentence_of(status.error()));
  return status.ok();
}

Id MotionCanvas::add_at(MotionRole role, std::string_view kind, QPointF middle) {
  touched_ = true;
  const Scene& now = context_.document.scene();
  const Id owner = owner_of_new_box(now, context_.selection, chosen_.active());
  const QPointF corner = middle - QPointF(MotionBox::kWidth / 2, kHalfBox);
  const MotionNode node = new_box(now, role, kind, owner, QPointF(std::round(corner.x()), std::round(corner.y())));
  const Id id = node.id;
  if (!edit(tr("Add \"%1\"").arg(box_title(node)), with_box(now, node))) return {};
  chosen_.set({id}, id);
  return id;
}

void MotionCanvas::add(MotionRole role, std::string_view kind) {
  const MotionBox* active = box(chosen_.active());
  const QPointF wanted =
      active ? active->placed().center() + QPointF(kBehind, 0) : mapToScene(viewport()->rect().center());
  const Id id = add_at(role, kind, free_place(wanted));
  const MotionBox* made = box(id);
  if (made && !mapToScene(viewport()->rect()).boundingRect().contains(made->placed())) frame_all();
}

bool MotionCanvas::preview(MotionRole role, std::string_view kind, QPoint global) {
  const QPoint at = viewport()->mapFromGlobal(global);
  if (!viewport()->rect().contains(at)) {
    end_preview();
    return false;
  }
  preview_ = Preview{role, std::string(kind), mapToScene(at)};
  viewport()->update();
  return true;
}

void MotionCanvas::end_preview() {
  preview_.reset();
  viewport()->update();
}

void MotionCanvas::drop(QPoint global) {
  if (!preview_) return;
  const Preview what = *preview_;
  end_preview();
  if (!viewport()->rect().contains(viewport()->mapFromGlobal(global))) return;
  mouse_ = viewport()->mapFromGlobal(global);
  mouse_inside_ = true;
  add_at(what.role, what.kind, what.middle);
  setFocus(Qt::OtherFocusReason);
}

void MotionCanvas::connect_boxes(Id from, Id to, bool related) {
  const Scene& now = context_.document.scene();
  if (const QString why = no_wire(now, from, to, related); !why.isEmpty()) return say(why);
  const QString text = related ? tr("Relate %1 and %2") : tr("Wire %1 to %2");
  if (edit(text.arg(boxes_text(now, {from}), boxes_text(now, {to})), with_wire(now, from, to, related)))
    chosen_.set_wire({from, to});
}

/// A new box and the wire to it, one step.
void MotionCanvas::add_following(Id from, bool related, MotionRole role, std::string_view kind, QPointF middle) {
  const Scene& now = context_.document.scene();
  const MotionNode* source = find_motion(now, from);
  if (!source) return;
  const MotionNode node =
      new_box(now, role, kind, Id{source->object}, QPointF(std::round(middle.x()), std::round(middle.y() - kHalfBox)));
  const Id id = node.id;
  Scene next = with_box(now, node);
  if (const QString why = no_wire(next, from, id, related); !why.isEmpty()) return say(why);
  next = with_wire(std::move(next), from, id, related);
  if (edit(tr("Add \"%1\" after %2").arg(box_title(node), boxes_text(now, {from})), std::move(next)))
    chosen_.set({id}, id);
}

void MotionCanvas::remove_chosen() {
  const Scene& now = context_.document.scene();
  if (const auto wire = chosen_.wire()) {
    edit(tr("Remove the wire from %1 to %2").arg(boxes_text(now, {wire->first}), boxes_text(now, {wire->second})),
         without_wire(now, wire->first, wire->second));
    return;
  }
  if (chosen_.ids().empty()) return say(tr("Select a box or a wire first."));
  edit(tr("Delete %1").arg(boxes_text(now, chosen_.ids())), without_boxes(now, chosen_.ids()));
}

void MotionCanvas::duplicate_chosen() {
  const Scene& now = context_.document.scene();
  if (chosen_.ids().empty()) return say(tr("Select a box first."));
  BoxCopies copies = with_copies(now, boxes_of(now, chosen_.ids()), tracks_of(now, chosen_.ids()), {kBeside, kBeside});
  const std::set<Id> ids = copies.ids;
  if (edit(tr("Duplicate %1").arg(boxes_text(now, chosen_.ids())), std::move(copies.scene))) chosen_.set(ids);
}

void MotionCanvas::copy_chosen() {
  if (chosen_.ids().empty()) return say(tr("Select a box first."));
  copied_ = boxes_of(context_.document.scene(), chosen_.ids());
  copied_keys_ = tracks_of(context_.document.scene(), chosen_.ids());
}

/// Where the mouse is; they are of the object that is selected in the view when all were of one.
void MotionCanvas::paste() {
  if (copied_.empty()) return say(tr("No boxes were copied."));
  const Scene& now = context_.document.scene();
  QPointF corner(1e300, 1e300);
  for (const MotionNode& node : copied_) corner = {std::min(corner.x(), node.x), std::min(corner.y(), node.y)};
  const QPointF place = mouse_inside_ ? mapToScene(mouse_) : corner + QPointF(kBeside, kBeside);
  std::vector<MotionNode> boxes = copied_;
  const Id owner = owner_of_new_box(now, context_.selection, {});
  const bool one =
      std::all_of(boxes.begin(), boxes.end(), [&](const MotionNode& n) { return n.object == boxes[0].object; });
  if (one && owner)
    for (MotionNode& node : boxes) node.object = owner.value;
  BoxCopies copies = with_copies(now, boxes, copied_keys_, place - corner);
  const std::set<Id> ids = copies.ids;
  const QString text =
      boxes.size() == 1 ? QStringLiteral("\"%1\"").arg(box_title(boxes[0])) : tr("%1 boxes").arg(boxes.size());
  if (edit(tr("Paste %1").arg(text), std::move(copies.scene))) chosen_.set(ids);
}

void MotionCanvas::toggle_loop(const std::set<Id>& ids) {
  Scene next = context_.document.scene();
  std::set<Id> events;
  bool all = true;
  for (const MotionNode& node : boxes_of(next, ids))
    if (node.role == MotionRole::event) {
      events.insert(node.id);
      all = all && node.loop;
    }
  if (events.empty()) return say(tr("Select an event first."));
  const QString text = (all ? tr("No loop of %1") : tr("Loop of %1")).arg(boxes_text(next, events));
  for (const Id id : events) next = with_motion(std::move(next), id, [&](MotionNode& node) { node.loop = !all; });
  edit(text, std::move(next));
}

void MotionCanvas::toggle_used() {
  Scene next = context_.document.scene();
  const std::vector<MotionNode> boxes = boxes_of(next, chosen_.ids());
  if (boxes.empty()) return say(tr("Select a box first."));
  const bool used = std::all_of(boxes.begin(), boxes.end(), [](const MotionNode& node) { return node.visible; });
  const QString text = (used ? tr("Mute %1") : tr("Use %1")).arg(boxes_text(next, chosen_.ids()));
  for (const MotionNode& box : boxes)
    next = with_motion(std::move(next), box.id, [&](MotionNode& node) { node.visible = !used; });
  edit(text, std::move(next));
}

// Menus ---------------------------------------------------------------------------------------------------------------

void MotionCanvas::add_kinds(QMenu& menu, bool procedures, bool events, const Chosen& chosen) {
  menu.setToolTipsVisible(true);
  QString group;
  const auto add = [&](MotionRole role, const MotionKind& kind) {
    const QString role_text = role == MotionRole::event ? tr("Event") : tr("Procedure");
    if (const QString its = QStringLiteral("%1 · %2").arg(role_text, text_of(kind.group)); its != group) {
      group = its;
      QAction* heading = menu.addAction(group);
      heading->setEnabled(false);
    }
    QAction* action = menu.addAction(
        theme_icon(role == MotionRole::event ? QStringLiteral("event") : QStringLiteral("procedure")),
        text_of(kind.label), this, [chosen, role, name = std::string(kind.name)] { chosen(role, name); });
    action->setToolTip(text_of(kind.tooltip));
    action->setObjectName(QStringLiteral("add_%1").arg(text_of(kind.name)));
  };
  const auto by_group = [](auto kinds) {
    std::vector<const MotionKind*> sorted(kinds.begin(), kinds.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const MotionKind* a, const MotionKind* b) { return a->group < b->group; });
    return sorted;
  };
  if (procedures)
    for (const MotionKind* kind : by_group(procedure_kinds())) add(MotionRole::procedure, *kind);
  if (events)
    for (const MotionKind* kind : by_group(event_kinds())) add(MotionRole::event, *kind);
}

void MotionCanvas::add_box_entries(QMenu& menu) {
  const Scene& now = context_.document.scene();
  const MotionNode* active = find_motion(now, chosen_.active());
  if (!active) return;
  const auto entry = [&](const QString& text, const char* name, auto&& run) {
    QAction* action = menu.addAction(text, this, run);
    action->setObjectName(QLatin1String(name));
    return action;
  };
  if (active->role == MotionRole::event) {
    QAction* loop = entry(tr("Loop\tL"), "motion_loop", [this] { toggle_loop(chosen_.ids()); });
    loop->setCheckable(true);
    loop->setChecked(active->loop);
  }
  QAction* mute = entry(tr("Mute\tM"), "motion_mute", [this] { toggle_used(); });
  mute->setCheckable(true);
  mute->setChecked(!active->visible);
  QAction* stop = entry(tr("Stop Here"), "motion_stop",
                        [this, id = active->id] { chosen_.set_stop(id, chosen_.stops().count(id) == 0); });
  stop->setToolTip(tr("Playing pauses at the first frame in which this box happens."));
  stop->setCheckable(true);
  stop->setChecked(chosen_.stops().count(active->id) != 0);
  menu.addSeparator();
  entry(tr("Rename\tDouble click"), "motion_rename", [this, id = active->id] { name_box(id); });
  QAction* object = entry(tr("Select Its Object"), "motion_select_object",
                          [this, id = Id{active->object}] { context_.selection.select_only(id); });
  object->setEnabled(find_object(now, Id{active->object}) != nullptr);
  entry(tr("Group\tCtrl+G"), "motion_group", [this] { group_chosen(); });
  const bool grouped =
      std::any_of(chosen_.ids().begin(), chosen_.ids().end(), [this](Id id) { return !group_of(id).empty(); });
  entry(tr("Ungroup\tCtrl+Shift+G"), "motion_ungroup", [this] { ungroup_chosen(); })->setEnabled(grouped);
  entry(tr("Duplicate\tCtrl+D"), "motion_duplicate", [this] { duplicate_chosen(); });
  entry(tr("Copy\tCtrl+C"), "motion_copy", [this] { copy_chosen(); });
  entry(tr("Delete\tDel"), "motion_delete", [this] { remove_chosen(); });
}

void MotionCanvas::add_wire_entries(QMenu& menu, const Hit& hit) {
  const Scene& now = context_.document.scene();
  const MotionNode *from = find_motion(now, hit.id), *to = find_motion(now, hit.to);
  const auto at = from ? std::find_if(from->wires.begin(), from->wires.end(),
                                      [&](const MotionWire& wire) { return wire.to == hit.to.value; })
                       : std::vector<MotionWire>::const_iterator();
  if (!from || !to || at == from->wires.end()) return;
  const auto step = [this, hit](int steps, const QString& text) {
    const Scene& scene = context_.document.scene();
    edit(text.arg(boxes_text(scene, {hit.to})), with_wire_moved(scene, hit.id, hit.to, steps));
  };
  if (from->wires.size() > 1) {
    menu.addAction(tr("Try Earlier"), this, [step] { step(-1, tr("Try %1 earlier")); })
        ->setEnabled(at != from->wires.begin());
    menu.addAction(tr("Try Later"), this, [step] { step(1, tr("Try %1 later")); })
        ->setEnabled(at + 1 != from->wires.end());
  }
  if (from->role == MotionRole::event && to->role == MotionRole::event)
    menu.addAction(at->related ? tr("Lead There") : tr("Relate Both"), this,
                   [this, hit, related = at->related] { connect_boxes(hit.id, hit.to, !related); });
  menu.addAction(tr("Remove\tDel"), this, [this] { remove_chosen(); });
}

QMenu* MotionCanvas::make_menu(const Hit& hit) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("motion_menu"));
  menu->setToolTipsVisible(true);
  if (hit.part == Part::wire)
    add_wire_entries(*menu, hit);
  else if (hit.part != Part::none)
    add_box_entries(*menu);
  if (hit.part != Part::none) return menu;
  const QPointF place = mapToScene(mouse_);
  add_kinds(*menu->addMenu(tr("Add")), true, true,
            [this, place](MotionRole role, std::string_view kind) { add_at(role, kind, place); });
  menu->addAction(tr("Paste\tCtrl+V"), this, [this] { paste(); })->setEnabled(!copied_.empty());
  menu->addAction(tr("Frame All\tHome"), this, [this] { frame_all(); })->setEnabled(!boxes_.empty());
  return menu;
}

}  // namespace hazumi
