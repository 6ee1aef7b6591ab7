#include "ui/viewport/mode_input.h"

#include <algorithm>

#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode_bar.h"
#include "ui/modes/pose_stand.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

/// An action's or a tool's key.
template <class Row>
bool matches(const UiContext& context, const Row& row, int key, Qt::KeyboardModifiers held) {
  const QKeySequence pressed(QKeyCombination(held & ~Qt::KeypadModifier, static_cast<Qt::Key>(key)));
  return key_sequences(context.actions.key_map().keys(row.id, row.keys)).contains(pressed);
}

}  // namespace

void style_tool_button(QToolButton& button) {
  button.setIconSize(QSize(20, 20));
  button.setFixedSize(32, 32);
  button.setFocusPolicy(Qt::NoFocus);
  button.setStyleSheet(QStringLiteral(
      "QToolButton { background: rgba(31,33,36,200); border: 1px solid rgba(0,0,0,90); border-radius: 6px; }"
      "QToolButton:hover { background: rgba(74,78,86,230); }"
      "QToolButton:checked { background: rgba(138,95,51,230); border-color: #f09a3e; }"));
}

ModeInput::ModeInput(UiContext& context, ModeStage& stage, const ViewNavigation& navigation, ViewPicture& picture,
                     QWidget& tool_bar)
    : context_(context), stage_(stage), navigation_(navigation), picture_(picture), tool_bar_(tool_bar) {
  bar_ = new ModeBar(this->context(), stage.widget());
  bar_->on_resize = [this] { emit bars_changed(); };
  ElementSelection& elements = context_.elements;
  stand_ = std::make_unique<PoseStand>(context_);
  connect(&elements, &ElementSelection::changed, this, &ModeInput::changed);
  connect(&elements, &ElementSelection::mode_changed, this, [this] {
    take_tool({});
    hovered_.reset();
    show_tools();
    emit changed();
  });
  connect(&elements, &ElementSelection::look_changed, this, &ModeInput::changed);
  connect(&elements, &ElementSelection::preview_moved, this, &ModeInput::changed);
  connect(&context_.actions, &ActionSet::keys_changed, this, [this] {
    for (const auto& [tool, button] : buttons_)
      button->setToolTip(mode_tooltip(tool->title, context_.actions.key_map().keys(tool->id, tool->keys), tool->tip));
  });
  const auto end_preview = [this] { context_.elements.set_preview({}); };
  connect(&context_.selection, &Selection::changed, this, end_preview);
  connect(&context_.document, &DocumentController::document_replaced, this, end_preview);
  connect(&context_.playback, &PlaybackController::playing_changed, this, end_preview);
}

ModeInput::~ModeInput() {
  // A tool may say at its end that things look different now: nobody is there to draw them.
  blockSignals(true);
  context_.elements.disconnect(this);
}

/// The mode's own tools stand under the usual ones.
void ModeInput::show_tools() {
  for (const auto& [tool, button] : buttons_) delete button;
  buttons_.clear();
  if (const ModeInfo* mode = context_.elements.mode())
    for (const ModeTool& tool : mode->tools) {
      auto* button = new QToolButton(&tool_bar_);
      button->setObjectName(text_of(tool.id));
      button->setAccessibleName(text_of(tool.title));
      button->setIcon(theme_icon(text_of(tool.icon)));
      button->setCheckable(true);
      style_tool_button(*button);
      button->setToolTip(mode_tooltip(tool.title, context_.actions.key_map().keys(tool.id, tool.keys), tool.tip));
      button->setStatusTip(text_of(tool.tip));
      const QString id = text_of(tool.id);
      connect(button, &QToolButton::clicked, this, [this, id] { take_tool(this->tool() == id ? QString() : id); });
      static_cast<QVBoxLayout*>(tool_bar_.layout())->addWidget(button);
      button->show();
      buttons_.emplace_back(&tool, button);
    }
  emit bars_changed();
}

QString ModeInput::tool() const { return tool_ ? text_of(tool_->id) : QString(); }

void ModeInput::take_tool(const QString& id) {
  const ModeInfo* mode = context_.elements.mode();
  const ModeTool* wanted = nullptr;
  if (mode)
    for (const ModeTool& tool : mode->tools)
      if (text_of(tool.id) == id) wanted = &tool;
  run_.reset();
  pressed_ = false;
  tool_ = wanted;
  if (wanted) run_ = wanted->start(context());
  for (const auto& [tool, button] : buttons_) button->setChecked(tool == wanted);
  emit tool_changed();
  emit changed();
}

bool ModeInput::shown() const { return elements_shown(context_); }

void ModeInput::show_start_pose() {
  context_.playback.play(false);
  if (!shown()) context_.playback.to_start();
}

void ModeInput::toggle() {
  const QString why = context_.elements.toggle();
  if (!why.isEmpty()) Bubble::show_at(bar_->button(nullptr), why);
}

QString ModeInput::hint() const {
  const ModeInfo* mode = context_.elements.mode();
  if (!shown() && mode->of_curves) return tr("Click in the view to stop and edit the curve · Tab back to objects");
  if (!shown())
    return tr("%1 are edited in the start pose · click in the view to go there · Tab back to objects")
        .arg(text_of(mode->title));
  if (const auto& stand = context_.elements.stand(); stand && !stand->here)
    return !stand->frame
               ? tr("Frame %1 is not computed yet: %2 is shown where its keys have it")
                     .arg(context_.playback.frame())
                     .arg(QString::fromStdString(context_.elements.object()->name))
               : tr("Frame %1 is not computed yet: the body is shown where it was in frame %2, and can be shaped there")
                     .arg(context_.playback.frame())
                     .arg(stand->frame->index);
  if (run_) {
    const QString hint = run_->hint();
    if (!hint.isEmpty()) return hint;
  }
  auto* self = const_cast<ModeInput*>(this);
  const QString hint = mode->hint && context_.elements.object() ? mode->hint(self->context()) : QString();
  if (!hint.isEmpty()) return hint;
  return tr("Click selects · drag moves · Shift adds · Tab back to objects");
}

void ModeInput::fill_menu(QMenu* menu) const { bar_->fill_menu(menu); }

// Under the mouse -----------------------------------------------------------------------------------------------------

std::optional<ModeView> ModeInput::view() const {
  const ElementSelection& elements = context_.elements;
  const Object* object = elements.object();
  if (!object) return std::nullopt;
  return ModeView{*object,
                  ObjectSpace(elements.place_of(*object)),
                  elements.elements(),
                  elements.active(),
                  hovered_,
                  navigation_.camera(),
                  navigation_.size(),
                  context_.document.meshes(),
                  context_.elements};
}

std::optional<Element> ModeInput::element_under(QPointF mouse, std::optional<Vec3>* surface) const {
  const auto seen = view();
  if (!seen || !shown()) return std::nullopt;
  return element_at(*context_.elements.mode(), *seen, picture_.list(), mouse, surface);
}

void ModeInput::hover(std::optional<Element> element) {
  if (element == hovered_) return;
  hovered_ = element;
  emit changed();
}

Qt::CursorShape ModeInput::cursor() const { return run_ ? run_->cursor() : Qt::ArrowCursor; }

Box3 ModeInput::bounds() const {
  Box3 box;
  const auto seen = view();
  if (!seen) return box;
  const ElementSelection& elements = context_.elements;
  ElementShapes shapes;
  elements.mode()->shapes(*seen, shapes);
  for (const ElementShapes::Shape& shape : shapes.shapes) {
    if (!elements.empty() && !elements.contains(shape.element)) continue;
    for (std::size_t i = shape.first; i < shape.first + shape.count; ++i) box.add(to_double(shapes.points[i]));
  }
  if (!box.valid()) return box;
  // A lone point has no extent: look at it from a distance that suits the object.
  const Vec3 least = Vec3::Constant(0.1 * std::max(0.1, seen->space.transform.scale.maxCoeff()));
  if (box.size().maxCoeff() < least.x()) {
    const Vec3 middle = box.centre();
    box.add(middle - least);
    box.add(middle + least);
  }
  return box;
}

// Mouse and keys ------------------------------------------------------------------------------------------------------

ModePointer ModeInput::pointer(QPointF mouse, Qt::KeyboardModifiers held) {
  ModePointer pointer;
  pointer.pixel = mouse;
  pointer.ray = navigation_.camera().ray(to_glm(mouse), navigation_.size());
  pointer.modifiers = held;
  pointer.element = element_under(mouse, &pointer.surface);
  return pointer;
}

bool ModeInput::press(QPointF mouse, Qt::KeyboardModifiers held) {
  if (!context_.elements.mode()) return false;
  if (!shown()) {
    show_start_pose();
    return true;
  }
  if (!run_ || !run_->press(context(), pointer(mouse, held))) return false;
  pressed_ = true;
  emit changed();
  return true;
}

bool ModeInput::move(QPointF mouse, Qt::KeyboardModifiers held, bool free) {
  if (!run_ || !shown() || (!pressed_ && !free)) return false;
  run_->move(context(), pointer(mouse, held));
  emit changed();
  return pressed_;
}

bool ModeInput::release(QPointF mouse, Qt::KeyboardModifiers held) {
  if (!pressed_) return false;
  pressed_ = false;
  if (run_) run_->release(context(), pointer(mouse, held));
  emit changed();
  return true;
}

bool ModeInput::wheel(double notches, Qt::KeyboardModifiers held) {
  if (!run_ || !shown() || !run_->wheel(context(), notches, held)) return false;
  emit changed();
  return true;
}

void ModeInput::click(QPointF mouse, Qt::KeyboardModifiers held) {
  const auto hit = element_under(mouse);
  const bool adds = held & Qt::ShiftModifier;
  if (hit && adds)
    context_.elements.toggle(*hit);
  else if (hit)
    context_.elements.select_only(*hit);
  else if (!adds)
    context_.elements.clear();
}

void ModeInput::click_ring(QPointF mouse, Qt::KeyboardModifiers held) {
  ElementSelection& elements = context_.elements;
  const auto seen = view();
  const auto hit = element_under(mouse);
  if (!seen || !hit || !elements.mode()->ring) return;
  const Elements ring = elements.mode()->ring(*seen, *hit);
  if (held & Qt::ShiftModifier)
    elements.add(ring);
  else
    elements.set(ring, *hit);
}

void ModeInput::select_box(const QRectF& box, Qt::KeyboardModifiers held) {
  ElementSelection& elements = context_.elements;
  const auto seen = view();
  if (!seen || !shown()) return;
  const Elements hits = elements_in(*elements.mode(), *seen, box);
  if (held & Qt::ShiftModifier) {
    elements.add(hits);
  } else if (held & Qt::ControlModifier) {
    Elements left = elements.elements();
    for (const Element& element : hits) left.erase(element);
    elements.set(std::move(left));
  } else {
    elements.set(hits);
  }
}

bool ModeInput::hold(QPointF mouse) {
  const auto hit = element_under(mouse);
  if (!hit) return false;
  if (!context_.elements.contains(*hit)) context_.elements.select_only(*hit);
  return true;
}

bool ModeInput::leave_by_key() {
  if (!context_.elements.mode()) return false;
  if (tool_)
    take_tool({});
  else
    context_.elements.leave();
  return true;
}

bool ModeInput::takes_key(int key, Qt::KeyboardModifiers held) const {
  const ModeInfo* mode = context_.elements.mode();
  if (key == Qt::Key_Escape && context_.elements.preview()) return true;
  if (!mode) return false;
  if (key == Qt::Key_Escape) return true;
  for (const ModeAction& action : mode->actions)
    if (matches(context_, action, key, held)) return true;
  for (const ModeTool& tool : mode->tools)
    if (matches(context_, tool, key, held)) return true;
  return false;
}

bool ModeInput::key(int key, Qt::KeyboardModifiers held) {
  const ModeInfo* mode = context_.elements.mode();
  if (key == Qt::Key_Escape && context_.elements.preview()) {
    context_.elements.set_preview({});
    return true;
  }
  if (!mode) return false;
  if (run_ && shown() && run_->key(context(), key, held)) {
    emit changed();
    return true;
  }
  if (key == Qt::Key_Escape) return leave_by_key();
  for (const ModeAction& action : mode->actions)
    if (matches(context_, action, key, held)) {
      const QString why = action.why_not ? action.why_not(context()) : QString();
      if (!why.isEmpty())
        Bubble::show_at(bar_->button(mode), why);
      else
        (void)bar_->trigger(action);
      return true;
    }
  for (const ModeTool& tool : mode->tools)
    if (matches(context_, tool, key, held)) {
      take_tool(tool_ == &tool ? QString() : text_of(tool.id));
      return true;
    }
  return false;
}

// Picture -------------------------------------------------------------------------------------------------------------

void ModeInput::draw(RenderList& list) const {
  if (context_.elements.preview()) return context_.elements.preview()(list);
  const auto seen = view();
  if (!seen || !shown()) return;
  context_.elements.mode()->draw(*seen, list);
  if (run_) run_->draw(*seen, list);
}

void ModeInput::paint(QPainter& painter) const {
  const auto seen = view();
  if (!seen || !shown()) return;
  if (context_.elements.mode()->paint) context_.elements.mode()->paint(*seen, painter);
  if (run_) run_->paint(*seen, painter);
}

}  // namespace hazumi
