#include "ui/modes/element_selection.h"

#include <QCoreApplication>

#include "core/scene/derived/collections.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/mode.h"

namespace hazumi {

ElementSelection::ElementSelection(DocumentController& document, Selection& selection, QObject* parent)
    : QObject(parent), document_(document), selection_(selection), index_(document.undo_stack()->index()) {
  connect(&document, &DocumentController::changed, this, &ElementSelection::on_document);
  connect(&document, &DocumentController::document_replaced, this, [this] {
    leave();
    index_ = document_.undo_stack()->index();
  });
  connect(&selection, &Selection::changed, this, &ElementSelection::on_selection);
  connect(document.undo_stack(), &QUndoStack::indexChanged, this, &ElementSelection::on_undo_index);
}

bool ElementSelection::in(std::string_view mode_id) const { return mode_ && mode_->id == mode_id; }

const Object* ElementSelection::object() const { return mode_ ? edited_.find(document_.scene(), object_) : nullptr; }

QString ElementSelection::enter(const ModeInfo& mode) {
  const Id id = selection_.active();
  const QString why = mode_refusal(document_.scene(), id, mode);
  if (!why.isEmpty()) return why;
  if (mode_ == &mode && object_ == id) return {};
  mode_ = last_mode_ = &mode;
  object_ = id;
  steps_.clear();
  const bool had = !elements_.empty();
  elements_.clear();
  active_ = {};
  remember();
  emit mode_changed();
  if (had) emit changed();
  return {};
}

void ElementSelection::leave() {
  if (!mode_) return;
  mode_ = nullptr;
  object_ = {};
  steps_.clear();
  const bool had = !elements_.empty();
  elements_.clear();
  active_ = {};
  emit mode_changed();
  if (had) emit changed();
}

QString ElementSelection::toggle() {
  if (mode_) {
    leave();
    return {};
  }
  QString first_reason;
  std::vector<const ModeInfo*> wanted = modes_in_order();
  if (last_mode_) wanted.insert(wanted.begin(), last_mode_);
  const bool curve = find_curve(document_.scene(), selection_.active()) != nullptr;
  for (const ModeInfo* mode : wanted) {
    if (mode->of_curves != curve) continue;
    const QString why = enter(*mode);
    if (why.isEmpty()) return {};
    if (first_reason.isEmpty()) first_reason = why;
  }
  return first_reason;
}

std::set<std::uint32_t> ElementSelection::numbers(std::uint8_t type) const {
  std::set<std::uint32_t> result;
  for (const Element& element : elements_)
    if (element.type == type) result.insert(element.number);
  return result;
}

void ElementSelection::set(Elements elements) { set(std::move(elements), active_); }

void ElementSelection::set(Elements elements, Element active) {
  if (!mode_) return;
  take(std::move(elements), active);
  remember();
}

void ElementSelection::take(Elements elements, Element active) {
  if (!elements.count(active)) active = elements.empty() ? Element{} : *elements.rbegin();
  if (elements == elements_ && active == active_) return;
  elements_ = std::move(elements);
  active_ = active;
  emit changed();
}

void ElementSelection::toggle(Element element) {
  Elements next = elements_;
  if (next.erase(element)) {
    set(std::move(next));
  } else {
    next.insert(element);
    set(std::move(next), element);
  }
}

void ElementSelection::add(const Elements& elements) {
  Elements next = elements_;
  next.insert(elements.begin(), elements.end());
  set(std::move(next), elements.empty() ? active_ : *elements.rbegin());
}

void ElementSelection::set_soft(double radius) {
  if (radius == soft_) return;
  soft_ = radius;
  emit look_changed();
}

void ElementSelection::set_stand(std::optional<ElementStand> stand) {
  if (stand == stand_) return;
  stand_ = std::move(stand);
  emit look_changed();
}

void ElementSelection::set_mirror(int axis) {
  if (axis == mirror_) return;
  mirror_ = axis;
  emit look_changed();
}

void ElementSelection::set_preview(Preview preview) {
  if (!preview && !preview_) return;
  preview_ = std::move(preview);
  emit look_changed();
}

void ElementSelection::remember() {
  const QUndoStack* stack = document_.undo_stack();
  steps_[index_] = {index_ > 0 ? stack->command(index_ - 1) : nullptr, elements_, active_};
}

void ElementSelection::on_document() {
  if (!mode_) return;
  const Object* now = object();
  if (!now || !mode_->why_not(*now).isEmpty()) {
    leave();
    return;
  }
  // Not remembered: at this moment the undo stack still stands at the step before.
  const Elements there = mode_->elements(*now);
  Elements left;
  for (const Element& element : elements_)
    if (there.count(element)) left.insert(element);
  take(std::move(left), active_);
}

void ElementSelection::on_undo_index(int index) {
  if (index == index_) return;
  index_ = index;
  if (!mode_) return;
  const auto known = steps_.find(index);
  const QUndoCommand* command = index > 0 ? document_.undo_stack()->command(index - 1) : nullptr;
  const Object* now = object();
  if (now && known != steps_.end() && known->second.command == command) {
    const Elements there = mode_->elements(*now);
    Elements again;
    for (const Element& element : known->second.elements)
      if (there.count(element)) again.insert(element);
    take(std::move(again), known->second.active);
  } else {
    remember();
  }
}

void ElementSelection::on_selection() {
  if (!mode_ || selection_.active() == object_) return;
  const ModeInfo* mode = mode_;
  if (!mode_refusal(document_.scene(), selection_.active(), *mode).isEmpty()) {
    leave();
    return;
  }
  (void)enter(*mode);
}

}  // namespace hazumi
