// Viewport: edit modes (ui/modes). Which elements are seen, picked and moved, and the tools and keys of the present mode.
#include <QKeyEvent>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/element_target.h"
#include "ui/modes/mode_bar.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/canvas.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

bool matches(std::string_view keys, int key, Qt::KeyboardModifiers held) {
  if (keys.empty()) return false;
  const QKeySequence pressed(QKeyCombination(held & ~Qt::KeypadModifier, static_cast<Qt::Key>(key)));
  for (const QString& wanted : text_of(keys).split(QLatin1Char(';')))
    if (QKeySequence(wanted, QKeySequence::PortableText) == pressed) return true;
  return false;
}

}  // namespace

ElementSelection& Viewport::elements() const { return context_.elements; }

ModeContext Viewport::mode_context() { return {context_, *this, elements()}; }

void Viewport::make_modes() {
  mode_bar_ = new ModeBar(mode_context(), this);
  mode_bar_->on_resize = [this] { place_bars(); };
  connect(&elements(), &ElementSelection::changed, this, [this] {
    if (gesture_ && !gesture_->editing()) drop_gesture();
    refresh();
  });
  connect(&elements(), &ElementSelection::mode_changed, this, [this] {
    drop_gesture();
    set_mode_tool({});
    hovered_element_.reset();
    show_mode_tools();
    refresh();
  });
  connect(&elements(), &ElementSelection::look_changed, this, &Viewport::refresh);
  connect(&elements(), &ElementSelection::preview_moved, this, &Viewport::refresh);
  const auto end_preview = [this] { elements().set_preview({}); };
  connect(&context_.selection, &Selection::changed, this, end_preview);
  connect(&context_.document, &DocumentController::document_replaced, this, end_preview);
  connect(&context_.playback, &PlaybackController::playing_changed, this, end_preview);
  place_bars();
}

void Viewport::place_bars() {
  if (tool_bar_) {
    tool_bar_->adjustSize();
    tool_bar_->move(10, 10);
  }
  if (!mode_bar_) return;
  mode_bar_->adjustSize();
  mode_bar_->move(tool_bar_ && tool_bar_->isVisibleTo(this) ? tool_bar_->geometry().right() + 11 : 10, 10);
  refresh_overlay();
}

/// The mode's own tools stand under the usual ones.
void Viewport::show_mode_tools() {
  for (const auto& [tool, button] : mode_tool_buttons_) delete button;
  mode_tool_buttons_.clear();
  const ModeInfo* mode = elements().mode();
  if (mode && tool_bar_)
    for (const ModeTool& tool : mode->tools) {
      auto* button = new QToolButton(tool_bar_);
      button->setObjectName(text_of(tool.id));
      button->setAccessibleName(text_of(tool.title));
      button->setIcon(theme_icon(text_of(tool.icon)));
      button->setIconSize(QSize(20, 20));
      button->setFixedSize(32, 32);
      button->setFocusPolicy(Qt::NoFocus);
      button->setCheckable(true);
      button->setStyleSheet(tool_button_style());
      button->setToolTip(mode_tooltip(tool.title, tool.keys, tool.tip));
      button->setStatusTip(text_of(tool.tip));
      const QString id = text_of(tool.id);
      connect(button, &QToolButton::clicked, this, [this, id] { set_mode_tool(mode_tool() == id ? QString() : id); });
      static_cast<QVBoxLayout*>(tool_bar_->layout())->addWidget(button);
      button->show();
      mode_tool_buttons_.emplace_back(&tool, button);
    }
  place_bars();
}

QString Viewport::mode_tool() const { return mode_tool_ ? text_of(mode_tool_->id) : QString(); }

void Viewport::set_mode_tool(const QString& id) {
  const ModeInfo* mode = elements().mode();
  const ModeTool* wanted = nullptr;
  if (mode)
    for (const ModeTool& tool : mode->tools)
      if (text_of(tool.id) == id) wanted = &tool;
  drop_gesture();
  tool_run_.reset();
  tool_pressed_ = false;
  mode_tool_ = wanted;
  if (wanted) tool_run_ = wanted->start(mode_context());
  for (const auto& [tool, button] : mode_tool_buttons_) button->setChecked(tool == wanted);
  context_.actions.refresh();
  set_hover(mouse_);
  refresh();
}

bool Viewport::elements_shown() const {
  return elements().mode() && !context_.playback.playing() &&
         context_.playback.frame() <= std::max(0, context_.document.scene().settings.first_frame);
}

void Viewport::show_start_pose() {
  context_.playback.play(false);
  context_.playback.to_start();
}

std::optional<ModeView> Viewport::mode_view() const {
  const Object* object = elements().object();
  if (!object) return std::nullopt;
  return ModeView{*object, ObjectSpace(*object), elements().elements(),      elements().active(), hovered_element_,
                  camera_, view_size(),          context_.document.meshes(), elements()};
}

std::optional<Element> Viewport::element_under(QPointF mouse, std::optional<Vec3>* surface) {
  const auto view = mode_view();
  if (!view || !elements_shown()) return std::nullopt;
  return element_at(*elements().mode(), *view, render_list(), mouse, surface);
}

void Viewport::draw_mode(RenderList& list) const {
  if (elements().preview()) return elements().preview()(list);
  const auto view = mode_view();
  if (!view || !elements_shown()) return;
  elements().mode()->draw(*view, list);
  if (tool_run_) tool_run_->draw(*view, list);
}

ModePointer Viewport::mode_pointer(Qt::KeyboardModifiers modifiers) {
  ModePointer pointer;
  pointer.pixel = mouse_;
  pointer.ray = camera_.ray({static_cast<float>(mouse_.x()), static_cast<float>(mouse_.y())}, view_size());
  pointer.modifiers = modifiers;
  pointer.element = element_under(mouse_, &pointer.surface);
  return pointer;
}

/// True: the press belongs to the mode's tool, or was used to go back to the start pose.
bool Viewport::mode_press(Qt::KeyboardModifiers modifiers) {
  if (!elements().mode()) return false;
  if (!elements_shown()) {
    show_start_pose();
    return true;
  }
  if (!tool_run_) return false;
  const ModePointer pointer = mode_pointer(modifiers);
  if (!tool_run_->press(mode_context(), pointer)) return false;
  tool_pressed_ = true;
  refresh();
  return true;
}

bool Viewport::mode_move(Qt::KeyboardModifiers modifiers) {
  if (!tool_run_ || !elements_shown() || (!tool_pressed_ && drag_ != Drag::none)) return false;
  tool_run_->move(mode_context(), mode_pointer(modifiers));
  refresh();
  return tool_pressed_;
}

bool Viewport::mode_release(Qt::KeyboardModifiers modifiers) {
  if (!tool_pressed_) return false;
  tool_pressed_ = false;
  if (tool_run_) tool_run_->release(mode_context(), mode_pointer(modifiers));
  set_hover(mouse_);
  refresh();
  return true;
}

void Viewport::click_element(QPointF mouse, Qt::KeyboardModifiers modifiers) {
  const auto hit = element_under(mouse);
  const bool adds = modifiers & Qt::ShiftModifier;
  if (hit && adds)
    elements().toggle(*hit);
  else if (hit)
    elements().select_only(*hit);
  else if (!adds)
    elements().clear();
}

void Viewport::box_elements(const QRectF& box, Qt::KeyboardModifiers modifiers) {
  const auto view = mode_view();
  if (!view || !elements_shown()) return;
  const Elements hits = elements_in(*elements().mode(), *view, box);
  if (modifiers & Qt::ShiftModifier) {
    elements().add(hits);
  } else if (modifiers & Qt::ControlModifier) {
    Elements left = elements().elements();
    for (const Element& element : hits) left.erase(element);
    elements().set(std::move(left));
  } else {
    elements().set(hits);
  }
}

/// Dragging an element moves it, and selects it first when it is not.
bool Viewport::drag_element() {
  const auto hit = element_under(press_);
  if (!hit) return false;
  if (!elements().contains(*hit)) elements().select_only(*hit);
  return begin_drag(TransformMode::move, {}, press_);
}

bool Viewport::duplicate_elements_and_move() {
  const quint64 key = duplicate_elements(context_);
  if (key == 0) return false;
  TransformConstraint free;
  const QPointF start = mouse_inside_ ? mouse_ : QPointF(mapFromGlobal(QCursor::pos()));
  return start_gesture(TransformMode::move, free, start, false, key);
}

void Viewport::click_ring(QPointF mouse, Qt::KeyboardModifiers modifiers) {
  const auto view = mode_view();
  const auto hit = element_under(mouse);
  if (!view || !hit || !elements().mode()->ring) return;
  const Elements ring = elements().mode()->ring(*view, *hit);
  if (modifiers & Qt::ShiftModifier)
    elements().add(ring);
  else
    elements().set(ring, *hit);
}

bool Viewport::leave_mode_by_key() {
  if (!elements().mode()) return false;
  if (mode_tool_)
    set_mode_tool({});
  else
    elements().leave();
  return true;
}

void Viewport::toggle_mode() {
  const QString why = elements().toggle();
  if (!why.isEmpty()) Bubble::show_at(mode_bar_->button(nullptr), why);
}

/// Is this key the mode's while the viewport has the focus?
bool Viewport::takes_mode_key(int key, Qt::KeyboardModifiers held) const {
  const ModeInfo* mode = elements().mode();
  if (key == Qt::Key_Escape && elements().preview()) return true;
  if (!mode) return false;
  if (key == Qt::Key_Escape) return true;
  for (const ModeAction& action : mode->actions)
    if (matches(action.keys, key, held)) return true;
  for (const ModeTool& tool : mode->tools)
    if (matches(tool.keys, key, held)) return true;
  return false;
}

bool Viewport::mode_key(int key, Qt::KeyboardModifiers held) {
  const ModeInfo* mode = elements().mode();
  if (key == Qt::Key_Escape && elements().preview()) {
    elements().set_preview({});
    return true;
  }
  if (!mode) return false;
  if (tool_run_ && elements_shown() && tool_run_->key(mode_context(), key, held)) {
    refresh();
    return true;
  }
  if (key == Qt::Key_Escape) return leave_mode_by_key();
  for (const ModeAction& action : mode->actions)
    if (matches(action.keys, key, held)) {
      const QString why = action.why_not ? action.why_not(mode_context()) : QString();
      if (!why.isEmpty())
        Bubble::show_at(mode_bar_->button(mode), why);
      else
        (void)mode_bar_->trigger(action);
      return true;
    }
  for (const ModeTool& tool : mode->tools)
    if (matches(tool.keys, key, held)) {
      set_mode_tool(mode_tool_ == &tool ? QString() : text_of(tool.id));
      return true;
    }
  return false;
}

QMenu* Viewport::make_mode_menu(QWidget* parent) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  const auto append = [&](std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      if (!*id)
        menu->addSeparator();
      else if (QAction* action = context_.actions.all().value(QLatin1String(id)))
        menu->addAction(action);
    }
  };
  if (!elements().empty()) {
    append({"object.move", "object.rotate", "object.scale", ""});
  } else {
    append({"edit.select_all", ""});
  }
  mode_bar_->fill_menu(menu);
  if (!elements().empty()) append({"", "edit.duplicate", "edit.hide", "edit.delete", "", "view.frame_selected"});
  menu->addSeparator();
  append({"edit.show_all"});
  if (QMenu* add = make_add_menu(menu); !add->isEmpty()) menu->addMenu(add);
  return menu;
}

QString Viewport::mode_hint() const {
  const ModeInfo* mode = elements().mode();
  if (!elements_shown())
    return tr("%1 are edited in the start pose · click in the view to go there · Tab back to objects")
        .arg(text_of(mode->title));
  if (tool_run_) {
    const QString hint = tool_run_->hint();
    if (!hint.isEmpty()) return hint;
  }
  auto* self = const_cast<Viewport*>(this);
  const QString hint = mode->hint && elements().object() ? mode->hint(self->mode_context()) : QString();
  if (!hint.isEmpty()) return hint;
  return tr("Click selects · drag moves · Shift adds · Tab back to objects");
}

Box3 Viewport::selected_elements_box() const {
  Box3 box;
  const auto view = mode_view();
  if (!view) return box;
  ElementShapes shapes;
  elements().mode()->shapes(*view, shapes);
  for (const ElementShapes::Shape& shape : shapes.shapes) {
    if (!elements().empty() && !elements().contains(shape.element)) continue;
    for (std::size_t i = shape.first; i < shape.first + shape.count; ++i) box.add(to_double(shapes.points[i]));
  }
  if (!box.valid()) return box;
  // A lone point has no extent: look at it from a distance that suits the object.
  const Vec3 least = Vec3::Constant(0.1 * std::max(0.1, view->space.transform.scale.maxCoeff()));
  if (box.size().maxCoeff() < least.x()) {
    const Vec3 middle = box.centre();
    box.add(middle - least);
    box.add(middle + least);
  }
  return box;
}

}  // namespace hazumi
