// Mouse and keys of the canvas of motion graphs.
#include <algorithm>
#include <cmath>

#include <QGraphicsScene>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/panels/motion_canvas.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/hover_keys.h"
#include "ui/widgets/name_edit.h"

namespace hazumi {

namespace {

constexpr int kSlop = 3;                     // pixels the mouse may move in a click
constexpr double kWireReach = 6, kGrid = 8;  // logical pixels
constexpr int kLongestName = 200;

double length_of(QPointF way) { return std::hypot(way.x(), way.y()); }

}  // namespace

// What is under the mouse ---------------------------------------------------------------------------------------------

Id MotionCanvas::box_at(QPointF place) const {
  Id found;
  for (const auto& node : context_.document.scene().motion)  // the last one lies above
    if (const MotionBox* item = box(node->id); item && item->placed().adjusted(-3, -3, 3, 3).contains(place))
      found = node->id;
  return found;
}

MotionCanvas::Hit MotionCanvas::hit_at(QPointF place) const {
  const Id under = box_at(place);
  if (const MotionBox* item = box(under); item && item->look().event && item->loop_mark().contains(place))
    return {Part::loop, under, {}};
  for (const auto& [id, item] : boxes_) {
    if (length_of(item->exit() - place) <= MotionBox::kPortReach) return {Part::exit, id, {}};
    const bool open = item->look().hovered || item->look().selected;
    if (item->look().event && open && length_of(item->relation() - place) <= MotionBox::kPortReach - 3)
      return {Part::relation, id, {}};
  }
  if (under) return {Part::box, under, {}};
  double nearest = kWireReach / std::min(1.0, zoom_);
  Hit hit;
  for (const auto& [key, item] : wires_)
    if (const double away = item->distance(place); away < nearest) {
      nearest = away;
      hit = {Part::wire, key.first, key.second};
    }
  if (hit.part != Part::none) return hit;
  for (const auto& [name, group] : group_frames())
    if (group.title.contains(place)) return {Part::group, *group.ids.begin(), {}};
  return hit;
}

void MotionCanvas::hover(std::optional<QPointF> place) {
  const Hit now = place ? hit_at(*place) : Hit{};
  if (now == hovered_) return;
  hovered_ = now;
  setCursor(now.part == Part::exit || now.part == Part::relation ? Qt::CrossCursor
            : now.part == Part::none                             ? Qt::ArrowCursor
                                                                 : Qt::PointingHandCursor);
  refresh_looks();
}

// Mouse ---------------------------------------------------------------------------------------------------------------

void MotionCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  mouse_ = event->position().toPoint();
  mouse_inside_ = touched_ = true;
  if (drag_ != Drag::none) {
    if (event->button() == Qt::RightButton) give_up();
    return;
  }
  press_ = mouse_;
  moved_ = false;
  adds_ = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
  pressed_ = hit_at(mapToScene(press_));
  if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
    return setCursor(Qt::ClosedHandCursor);
  }
  const std::set<Id> held = pressed_.part == Part::group ? grouped_with(pressed_.id) : std::set<Id>{pressed_.id};
  was_chosen_ = std::all_of(held.begin(), held.end(), [this](Id id) { return chosen_.contains(id); });
  const bool on_box = pressed_.part != Part::none && pressed_.part != Part::wire;
  if (event->button() == Qt::RightButton) {
    drag_ = Drag::menu;
    if (on_box) chosen_.set(was_chosen_ ? chosen_.ids() : held, pressed_.id);
    if (pressed_.part == Part::wire) chosen_.set_wire({pressed_.id, pressed_.to});
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (pressed_.part == Part::loop) return toggle_loop({pressed_.id});
  if (pressed_.part == Part::wire) return chosen_.set_wire({pressed_.id, pressed_.to});
  if (on_box && pressed_.part != Part::group &&
      (pressed_.part == Part::relation || (event->modifiers() & Qt::AltModifier)))
    return begin_wire(pressed_.id, true);
  if (pressed_.part == Part::exit) return begin_wire(pressed_.id, false);
  drag_ = on_box ? Drag::boxes : Drag::band;
  if (!on_box) return;
  if (adds_)
    for (const Id id : held) chosen_.toggle(id);
  else
    chosen_.set(was_chosen_ ? chosen_.ids() : held, pressed_.id);
  before_ = context_.document.snapshot();
  gesture_ = context_.document.new_gesture();
}

void MotionCanvas::begin_wire(Id from, bool related) {
  drag_ = related ? Drag::relate : Drag::wire;
  pressed_.id = from;
  viewport()->update();
}

void MotionCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint last = mouse_;
  mouse_ = event->position().toPoint();
  mouse_inside_ = viewport()->rect().contains(mouse_);
  moved_ = moved_ || (mouse_ - press_).manhattanLength() > kSlop;
  switch (drag_) {
    case Drag::none:
      return hover(mapToScene(mouse_));
    case Drag::pan:
      return show_view(centre_ - QPointF(mouse_ - last) / zoom_, zoom_);
    case Drag::boxes:
      if (moved_ && chosen_.contains(pressed_.id)) move_boxes(mouse_);
      return;
    case Drag::band:
    case Drag::wire:
    case Drag::relate:
      return viewport()->update();
    case Drag::menu:
      return;
  }
}

/// The box that was taken hold of comes to places that are lined up, and takes the others along.
void MotionCanvas::move_boxes(QPoint mouse) {
  const MotionNode* held = find_motion(*before_, pressed_.id);
  if (!held) return;
  const QPointF way = mapToScene(mouse) - mapToScene(press_);
  const auto lined_up = [](double x) { return std::round(x / kGrid) * kGrid; };
  const QPointF goes(lined_up(held->x + way.x()) - held->x, lined_up(held->y + way.y()) - held->y);
  (void)context_.document.edit(tr("Move %1").arg(boxes_text(*before_, chosen_.ids())),
                               with_boxes_moved(*before_, chosen_.ids(), goes), gesture_);
}

void MotionCanvas::take_band() {
  if (!moved_) {
    if (!adds_) chosen_.clear();
    return;
  }
  const QRectF band = mapToScene(QRect(press_, mouse_).normalized()).boundingRect();
  std::set<Id> inside = adds_ ? chosen_.ids() : std::set<Id>{};
  for (const auto& [id, item] : boxes_)
    if (item->placed().intersects(band)) inside.insert(id);
  chosen_.set(std::move(inside));
}

void MotionCanvas::end_wire() {
  const bool related = drag_ == Drag::relate;
  drag_ = Drag::none;
  viewport()->update();
  const Id from = pressed_.id, to = box_at(mapToScene(mouse_));
  const MotionNode* source = find_motion(context_.document.scene(), from);
  if (!source) return;
  if (!moved_) return chosen_.set({from}, from);
  if (to) {
    if (to != from) connect_boxes(from, to, related);
    return;
  }
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("motion_follow_menu"));
  const QPointF place = mapToScene(mouse_);
  add_kinds(*menu, !related && source->role == MotionRole::event, true,
            [this, from, related, place](MotionRole role, std::string_view kind) {
              add_following(from, related, role, kind, place);
            });
  popup(menu, mouse_);
}

void MotionCanvas::mouseReleaseEvent(QMouseEvent* event) {
  mouse_ = event->position().toPoint();
  switch (drag_) {
    case Drag::wire:
    case Drag::relate:
      if (event->button() == Qt::LeftButton) end_wire();
      break;
    case Drag::band:
      take_band();
      break;
    case Drag::boxes:
      if (!moved_ && was_chosen_ && !adds_)
        chosen_.set(pressed_.part == Part::group ? grouped_with(pressed_.id) : std::set<Id>{pressed_.id}, pressed_.id);
      break;
    case Drag::menu:
      popup(make_menu(pressed_), mouse_);
      break;
    case Drag::pan:
    case Drag::none:
      break;
  }
  drag_ = Drag::none;
  hovered_ = {};
  hover(mapToScene(mouse_));
  viewport()->update();
}

void MotionCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const Hit hit = hit_at(mapToScene(event->position().toPoint()));
  if (event->button() == Qt::LeftButton && hit.part == Part::box) return name_box(hit.id);
  if (event->button() == Qt::LeftButton && hit.part == Part::group) return name_group(hit.id);
  mousePressEvent(event);
}

void MotionCanvas::name_box(Id id) {
  const MotionNode* node = find_motion(context_.document.scene(), id);
  const MotionBox* item = box(id);
  if (!node || !item) return;
  drag_ = Drag::none;
  const QRect place = mapFromScene(item->placed()).boundingRect();
  auto* field = new NameEdit(box_title(*node), "motion_name", kLongestName, viewport());
  field->begin(QRect(place.left(), place.top() + 8, place.width(), 24), this, [this, id](const QString& name) {
    const Scene& now = context_.document.scene();
    const MotionNode* box = find_motion(now, id);
    if (!box || name == box_title(*box)) return;
    edit(name.isEmpty() ? tr("No name of %1").arg(boxes_text(now, {id})) : tr("Rename to \"%1\"").arg(name),
         with_motion(now, id, [&](MotionNode& n) { n.name = name.trimmed().toStdString(); }));
  });
}

/// What a drag did so far is taken back.
void MotionCanvas::give_up() {
  if (drag_ == Drag::boxes && moved_)
    (void)context_.document.edit(tr("Move %1").arg(boxes_text(*before_, chosen_.ids())), *before_, gesture_);
  drag_ = Drag::none;
  viewport()->update();
}

void MotionCanvas::wheelEvent(QWheelEvent* event) {
  event->accept();
  touched_ = true;
  if (drag_ == Drag::boxes) return;
  const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
  const QPoint at = event->position().toPoint();
  const QPointF place = mapToScene(at);
  show_view(centre_, zoom_ * std::pow(1.14, notches));
  show_view(centre_ + place - mapToScene(at), zoom_);
}

void MotionCanvas::leaveEvent(QEvent* event) {
  mouse_inside_ = false;
  if (drag_ == Drag::none) hover(std::nullopt);
  QGraphicsView::leaveEvent(event);
}

void MotionCanvas::popup(QMenu* menu, QPoint at) {
  menu->setAttribute(Qt::WA_DeleteOnClose);
  hover_keys_->asked(*menu);
  menu->popup(viewport()->mapToGlobal(at));
}

// Keys ----------------------------------------------------------------------------------------------------------------

bool MotionCanvas::is(const QKeyEvent& event, const char* command) const {
  const QKeySequence pressed(
      QKeyCombination(event.modifiers() & ~Qt::KeypadModifier, static_cast<Qt::Key>(event.key())));
  return context_.actions[command]->shortcuts().contains(pressed);
}

bool MotionCanvas::takes(const QKeyEvent& event) const {
  if (drag_ != Drag::none) return true;
  if (!mouse_inside_ && !hover_keys_->keeps()) return false;
  for (const char* command : {"edit.delete", "edit.copy", "edit.cut", "edit.paste", "edit.duplicate", "edit.select_all",
                              "edit.select_none", "edit.invert", "view.frame_all", "view.frame_selected"})
    if (is(event, command)) return true;
  if (event.key() == Qt::Key_G && (event.modifiers() & ~Qt::ShiftModifier) == Qt::ControlModifier) return true;
  return event.modifiers() == Qt::NoModifier &&
         (event.key() == Qt::Key_L || event.key() == Qt::Key_M || event.key() == Qt::Key_F);
}

bool MotionCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && takes(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::Enter) mouse_inside_ = true;
  return QGraphicsView::event(event);
}

void MotionCanvas::keyPressEvent(QKeyEvent* event) {
  if (drag_ != Drag::none) {
    if (event->key() == Qt::Key_Escape) give_up();
    return;
  }
  if (!takes(*event) || !do_key(*event)) QWidget::keyPressEvent(event);
}

bool MotionCanvas::do_key(const QKeyEvent& event) {
  std::set<Id> all;
  for (const auto& [id, item] : boxes_) all.insert(id);
  if (is(event, "edit.delete"))
    remove_chosen();
  else if (is(event, "edit.duplicate"))
    duplicate_chosen();
  else if (is(event, "edit.copy"))
    copy_chosen();
  else if (is(event, "edit.cut"))
    copy_chosen(), remove_chosen();
  else if (is(event, "edit.paste"))
    paste();
  else if (is(event, "edit.select_all"))
    chosen_.set(all);
  else if (is(event, "edit.select_none"))
    chosen_.clear();
  else if (is(event, "edit.invert")) {
    for (const Id id : chosen_.ids()) all.erase(id);
    chosen_.set(all);
  } else if (is(event, "view.frame_all") || event.key() == Qt::Key_F)
    frame_all();
  else if (is(event, "view.frame_selected"))
    frame_selected();
  else if (event.key() == Qt::Key_L)
    toggle_loop(chosen_.ids());
  else if (event.key() == Qt::Key_M)
    toggle_used();
  else if (event.key() == Qt::Key_G)
    event.modifiers() & Qt::ShiftModifier ? ungroup_chosen() : group_chosen();
  else
    return false;
  return true;
}

}  // namespace hazumi
