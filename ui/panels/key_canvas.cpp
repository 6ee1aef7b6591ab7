#include "ui/panels/key_canvas.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStatusTipEvent>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/panels/sight.h"
#include "ui/panels/time_strip.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/hover_keys.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kClickSlop = 3;      // pixels the mouse may move in a click
constexpr double kRoomAtEnds = 0.04;  // of the way, when everything is framed
constexpr double kLeastFramed = 12;   // frames

/// Why no entry of the menu can be done, where that is one reason; empty: some can.
QString refused_by_all(const QMenu& menu) {
  QString why;
  for (const QAction* action : menu.actions()) {
    if (action->isSeparator()) continue;
    const QString its = action->menu()        ? refused_by_all(*action->menu())
                        : action->isEnabled() ? QString()
                                              : action->statusTip();
    if (its.isEmpty() || (!why.isEmpty() && its != why)) return {};
    why = its;
  }
  return why;
}

}  // namespace

KeyCanvas::KeyCanvas(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), hover_keys_(new HoverKeys(*this)), sight_(new Sight(*this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  const auto repaint = [this] { update(); };
  connect(&context_.time, &TimeWindow::changed, this, repaint);
  connect(&context_.keys, &KeySelection::changed, this, repaint);
  connect(&context_.document, &DocumentController::changed, this, repaint);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &KeyCanvas::update_head);
  connect(sight_, &Sight::changed, this, [this](bool seen) { seen ? tell_shown() : context_.keys.set_hidden(this); });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    gesture_.reset();
    drag_ = Drag::none;
    if (QWidget::mouseGrabber() == this) releaseMouse();
    update();
  });
}

KeyCanvas::~KeyCanvas() { context_.keys.set_hidden(this); }

TimeScale KeyCanvas::scale() const { return context_.time.scale(width()); }
double KeyCanvas::x_of(double seconds) const { return scale().x_of(seconds * frame_rate(context_)); }
double KeyCanvas::snap(double x) const {
  const double ratio = devicePixelRatioF();
  return std::round(x * ratio) / ratio;
}

void KeyCanvas::update_head() {
  for (const int frame : {shown_head_, context_.playback.frame()})
    update(static_cast<int>(scale().x_of(frame)) - 3, 0, 7, height());
  shown_head_ = context_.playback.frame();
}

void KeyCanvas::frame_all() {
  const KeyTimes all = all_keys(context_.document.scene(), shown_tracks());
  if (all.empty() || shown_tracks().empty()) return context_.time.fit();
  double first = 1e300, last = -1e300;
  for (const auto& [track, times] : all) {
    first = std::min(first, times.front() * frame_rate(context_));
    last = std::max(last, times.back() * frame_rate(context_));
  }
  const double room = std::max(kLeastFramed / 2, (last - first) * kRoomAtEnds);
  context_.time.show(first - room, last + room);
}

void KeyCanvas::frame_selected() {
  double first = 1e300, last = -1e300;
  for (const auto& [track, times] : context_.keys.keys()) {
    first = std::min(first, times.front() * frame_rate(context_));
    last = std::max(last, times.back() * frame_rate(context_));
  }
  if (!(first <= last)) return;
  const double room = std::max(kLeastFramed / 2, (last - first) * kRoomAtEnds);
  context_.time.show(first - room, last + room);
}

// Gestures ------------------------------------------------------------------------------------------------------------

KeyGesture::Place KeyCanvas::place_of(QPointF mouse) { return {scale().frame_at(mouse.x()), height_at(mouse.y())}; }

bool KeyCanvas::begin(KeyGesture::Kind kind, bool copies, bool by_drag, QPointF from) {
  if (context_.keys.empty()) {
    say(no_keys(context_));
    return false;
  }
  gesture_ = std::make_unique<KeyGesture>(
      context_, KeyGesture::Start{kind, copies, by_drag, place_of(from), value_unit()}, values_of_drag());
  if (by_drag) gesture_->mouse_moved(place_of(mouse_), Qt::NoModifier);
  // Until it is taken or given up the mouse may go anywhere, over the view too.
  if (!by_drag && isVisible()) grabMouse();
  tell();
  return true;
}

void KeyCanvas::end(bool take) {
  if (!gesture_) return;
  if (!take) gesture_->give_up();
  gesture_.reset();
  drag_ = Drag::none;
  if (QWidget::mouseGrabber() == this) releaseMouse();
  tell();
  update();
}

void KeyCanvas::set_hint(const QString& hint) {
  hint_ = hint;
  setStatusTip(hint);
}

/// In the status bar: of the gesture while it runs, else of what is under the mouse. Elsewhere it has nothing to say.
void KeyCanvas::tell() {
  setStatusTip(gesture_ ? gesture_->hint() : hovered_.isEmpty() ? hint_ : hovered_);
  QStatusTipEvent event(gesture_ || mouse_inside_ ? statusTip() : QString());
  QApplication::sendEvent(window(), &event);
}

void KeyCanvas::look(std::optional<QPointF> place) {
  const QString now = hover(place);
  if (now != std::exchange(hovered_, now)) tell();
  setCursor(place && (!now.isEmpty() || key_at(*place)) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void KeyCanvas::tell_shown() {
  if (sight_->seen()) context_.keys.set_shown(this, shown_tracks());
}

void KeyCanvas::say(const QString& sentence) {
  if (!sentence.isEmpty()) Bubble::show_at(this, sentence);
}

// Mouse ---------------------------------------------------------------------------------------------------------------

void KeyCanvas::click(const Hit& hit, bool adds) {
  KeySelection& keys = context_.keys;
  if (!adds) return keys.set(hit.keys, hit.which);
  const bool there = keys.contains(hit.which);
  there ? keys.remove(hit.keys) : keys.add(hit.keys, hit.which);
}

void KeyCanvas::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  mouse_ = event->position();
  mouse_inside_ = true;
  if (gesture_) {
    if (event->button() == Qt::RightButton) end(false);
    if (event->button() == Qt::LeftButton) end(true);
    return;
  }
  if (drag_ == Drag::other && event->button() == Qt::RightButton) {
    (void)release_other(false);
    drag_ = Drag::none;
    return update();
  }
  if (drag_ != Drag::none) return;
  press_ = mouse_;
  press_keys_ = event->modifiers();
  if (event->button() == Qt::MiddleButton) {
    drag_ = Drag::pan;
    return setCursor(Qt::ClosedHandCursor);
  }
  pressed_ = key_at(press_);
  if (pressed_) took(&*pressed_);
  was_selected_ = pressed_ && context_.keys.contains(pressed_->which);
  const bool adds = press_keys_ & (Qt::ShiftModifier | Qt::ControlModifier);
  if (event->button() == Qt::RightButton) {
    drag_ = Drag::menu;
    if (pressed_ && !was_selected_) click(*pressed_, adds);
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (!adds && press_other(press_, press_keys_)) {
    drag_ = Drag::other;
    return;
  }
  drag_ = pressed_ ? Drag::key : Drag::box;
  if (!pressed_) return;
  if (adds || !was_selected_)
    click(*pressed_, adds);
  else
    context_.keys.set(context_.keys.keys(), pressed_->which);  // what is taken hold of is active
}

void KeyCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF before = mouse_;
  mouse_ = event->position();
  mouse_inside_ = rect().contains(mouse_.toPoint());
  if (gesture_) {
    gesture_->mouse_moved(place_of(mouse_), event->modifiers());
    return tell();
  }
  const bool moved = std::hypot(mouse_.x() - press_.x(), mouse_.y() - press_.y()) > kClickSlop;
  switch (drag_) {
    case Drag::key:
      if (moved && pressed_ && context_.keys.contains(pressed_->which))
        (void)begin(KeyGesture::Kind::move, false, true, press_);
      return;
    case Drag::box:
      return update();
    case Drag::other:
      (void)drag_other(mouse_, event->modifiers());
      return update();
    case Drag::pan:
      context_.time.pan((before.x() - mouse_.x()) / scale().pixels());
      return pan_vertically(mouse_.y() - before.y());
    case Drag::menu:
      return;
    case Drag::none:
      return look(mouse_);
  }
}

void KeyCanvas::take_box() {
  const QRectF box = QRectF(press_, mouse_).normalized();
  const bool adds = press_keys_ & (Qt::ShiftModifier | Qt::ControlModifier);
  if (box.width() <= kClickSlop && box.height() <= kClickSlop) {
    if (!adds) context_.keys.clear();
    return;
  }
  took(nullptr);
  adds ? context_.keys.add(keys_in(box)) : context_.keys.set(keys_in(box));
}

void KeyCanvas::mouseReleaseEvent(QMouseEvent* event) {
  mouse_ = event->position();
  if (gesture_) {
    if (gesture_->by_drag() && event->button() == Qt::LeftButton) end(true);
    return;
  }
  const Drag drag = std::exchange(drag_, Drag::none);
  const bool adds = press_keys_ & (Qt::ShiftModifier | Qt::ControlModifier);
  if (drag == Drag::box) take_box();
  if (drag == Drag::key && was_selected_ && !adds) click(*pressed_, false);
  if (drag == Drag::other) (void)release_other(true);
  if (drag != Drag::menu) look(mouse_);
  if (drag == Drag::menu) {
    QMenu* menu = make_menu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    hover_keys_->asked(*menu);
    menu->popup(mapToGlobal(mouse_.toPoint()));
  }
  update();
}

void KeyCanvas::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (gesture_) return;
  const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
  if (event->modifiers() & Qt::ShiftModifier) return pan_vertically(notches * 48);
  if (event->modifiers() & Qt::ControlModifier) return zoom_vertically(std::pow(0.88, notches), event->position().y());
  zoom_time(context_, *event, width());
}

void KeyCanvas::enterEvent(QEnterEvent* event) {
  mouse_inside_ = true;
  mouse_ = event->position();
}

void KeyCanvas::leaveEvent(QEvent*) {
  mouse_inside_ = false;
  if (drag_ == Drag::none && !gesture_) look(std::nullopt);
}

// Keys ----------------------------------------------------------------------------------------------------------------

bool KeyCanvas::is(const QKeyEvent& event, const char* command) const {
  const QKeySequence pressed(
      QKeyCombination(event.modifiers() & ~Qt::KeypadModifier, static_cast<Qt::Key>(event.key())));
  return context_.actions[command]->shortcuts().contains(pressed);
}

/// Commands of the window that mean keys here, and keys of this place alone.
bool KeyCanvas::takes(const QKeyEvent& event) {
  if (gesture_ || drag_ == Drag::box || drag_ == Drag::other) return true;
  if (!mouse_inside_ && !hover_keys_->keeps()) return false;
  for (const char* command :
       {"object.move", "object.scale", "edit.delete", "edit.copy", "edit.cut", "edit.paste", "edit.duplicate",
        "edit.select_all", "edit.select_none", "edit.invert", "view.frame_all", "view.frame_selected"})
    if (is(event, command)) return true;
  return event.modifiers() == Qt::NoModifier &&
         (event.key() == Qt::Key_T || event.key() == Qt::Key_V || event.key() == Qt::Key_E);
}

bool KeyCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && takes(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::WindowDeactivate) end(false);
  return QWidget::event(event);
}

void KeyCanvas::keyPressEvent(QKeyEvent* event) {
  if (gesture_) {
    const KeyGesture::Answer answer = gesture_->key(*event);
    if (answer != KeyGesture::Answer::goes_on) return end(answer == KeyGesture::Answer::take);
    return tell();
  }
  if ((drag_ == Drag::box || drag_ == Drag::other) && event->key() == Qt::Key_Escape) {
    if (drag_ == Drag::other) (void)release_other(false);
    drag_ = Drag::none;
    return update();
  }
  if (drag_ != Drag::none || !takes(*event) || !do_key(*event)) QWidget::keyPressEvent(event);
}

bool KeyCanvas::do_key(const QKeyEvent& event) {
  if (is(event, "object.move")) return begin(KeyGesture::Kind::move, false, false, mouse_) || true;
  if (is(event, "object.scale")) return begin(KeyGesture::Kind::scale, false, false, mouse_) || true;
  if (is(event, "edit.duplicate")) return begin(KeyGesture::Kind::move, true, false, mouse_) || true;
  if (is(event, "edit.delete"))
    context_.keys.empty() ? say(no_keys(context_)) : delete_keys(context_);
  else if (is(event, "edit.copy"))
    context_.keys.empty() ? say(no_keys(context_)) : copy_keys(context_);
  else if (is(event, "edit.cut"))
    copy_keys(context_), delete_keys(context_);
  else if (is(event, "edit.paste"))
    say(paste_keys(context_));
  else if (is(event, "edit.select_all"))
    shown_tracks().empty() ? context_.keys.clear() : select_all_keys(context_, shown_tracks());
  else if (is(event, "edit.select_none"))
    context_.keys.clear();
  else if (is(event, "edit.invert"))
    shown_tracks().empty() ? context_.keys.clear() : invert_keys(context_, shown_tracks());
  else if (is(event, "view.frame_all"))
    frame_all();
  else if (is(event, "view.frame_selected"))
    frame_selected();
  else if (event.key() == Qt::Key_T)
    popup("Keys/Way to the Next");
  else if (event.key() == Qt::Key_V)
    popup("Keys/Tangents");
  else if (event.key() == Qt::Key_E)
    popup("Keys/Ease");
  else
    return false;
  return true;
}

/// The entries of a menu of Keys; of one whose inner ones begin so ("Keys/Ease") a menu each, as there.
void KeyCanvas::popup(const char* category) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QHash<QString, QMenu*> menus;
  for (const Command* row : context_.actions.rows()) {
    const QString place = text_of(row->category);
    if (!place.startsWith(QLatin1String(category))) continue;
    QMenu* into = menu;
    if (place != QLatin1String(category)) {
      QMenu*& inner = menus[place];
      if (!inner) inner = menu->addMenu(place.section(QLatin1Char('/'), 1));
      inner->setToolTipsVisible(true);
      into = inner;
    }
    if (row->separated) into->addSeparator();
    into->addAction(context_.actions[row->id]);
  }
  if (const QString why = refused_by_all(*menu); !why.isEmpty()) {
    menu->deleteLater();
    return say(why);
  }
  hover_keys_->asked(*menu);
  menu->popup(mapToGlobal(mouse_.toPoint()));
}

/// The commands of the menu Keys, with what the window's keys do here above them.
QMenu* KeyCanvas::make_menu(QWidget* parent) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  const auto add = [&](const QString& text, const char* keys_of, auto&& run) {
    QAction* action = menu->addAction(text);
    action->setShortcuts(context_.actions[keys_of]->shortcuts());
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    return action;
  };
  const QString why = no_keys(context_);
  const auto add_for_keys = [&](const QString& text, const char* keys_of, auto&& run) {
    QAction* action = add(text, keys_of, run);
    action->setEnabled(why.isEmpty());
    if (why.isEmpty()) return;
    action->setToolTip(why);
    action->setStatusTip(why);
  };
  add_for_keys(tr("Move"), "object.move", [this] { (void)begin(KeyGesture::Kind::move, false, false, mouse_); });
  add_for_keys(tr("Scale"), "object.scale", [this] { (void)begin(KeyGesture::Kind::scale, false, false, mouse_); });
  add_for_keys(tr("Duplicate"), "edit.duplicate", [this] { (void)begin(KeyGesture::Kind::move, true, false, mouse_); });
  add_for_keys(tr("Copy"), "edit.copy", [this] { copy_keys(context_); });
  add(tr("Paste"), "edit.paste", [this] { say(paste_keys(context_)); });
  add_for_keys(tr("Delete"), "edit.delete", [this] { delete_keys(context_); });
  menu->addSeparator();
  QHash<QString, QMenu*> menus;
  for (const Command* row : context_.actions.rows()) {
    const QStringList place = text_of(row->category).split(QLatin1Char('/'));
    if (place[0] != QLatin1String("Keys")) continue;
    QMenu* into = menu;
    if (place.size() > 1) {
      QMenu*& inner = menus[place[1]];
      if (!inner) inner = menu->addMenu(place[1]);
      inner->setToolTipsVisible(true);
      into = inner;
    }
    if (row->separated) into->addSeparator();
    into->addAction(context_.actions[row->id]);
  }
  return menu;
}

// Drawing -------------------------------------------------------------------------------------------------------------

void KeyCanvas::paint_box(QPainter& painter) {
  if (drag_ != Drag::box) return;
  QColor fill = theme_colours().accent;
  fill.setAlpha(30);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme_colours().accent);
  painter.setBrush(fill);
  painter.drawRect(QRectF(press_, mouse_).normalized());
}

}  // namespace hazumi
