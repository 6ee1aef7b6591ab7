#include "ui/panels/binding.h"

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/widgets/bubble.h"

namespace hazumi {

BindingBase::BindingBase(UiContext& context, QObject* parent) : QObject(parent), context_(context) {
  connect(&context.selection, &Selection::changed, this, &BindingBase::refresh);
  connect(&context.document, &DocumentController::document_replaced, this, &BindingBase::refresh);
  connect(&context.document, &DocumentController::changed, this, [this](const ChangeSet& change) {
    if (touched(change)) refresh();
  });
}

void BindingBase::refresh() {
  show_values();
  emit shown_changed();
}

const Scene& BindingBase::scene() const { return context_.document.scene(); }

bool BindingBase::commit(const QString& text, const QString& subject, Scene next, bool continues, QWidget* at) {
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  const QString title = subject.isEmpty() ? text : tr("%1 of %2").arg(text, subject);
  const Status status = context_.document.edit(title, std::move(next), gesture_);
  if (status.ok()) return true;
  const QString sentence = sentence_of(status.error());
  refresh();
  if (auto* field = qobject_cast<FieldWidget*>(at))
    field->refuse(sentence);
  else if (at)
    Bubble::show_at(at, sentence);
  return false;
}

FieldValue with_component(const FieldValue& value, const FieldValue& part, int component) {
  if (component < 0 || value.index() != part.index()) return part;
  FieldValue next = value;
  if (auto* vector = std::get_if<Vec3>(&next))
    (*vector)[component] = std::get<Vec3>(part)[component];
  else if (auto* integers = std::get_if<std::array<int, 3>>(&next))
    (*integers)[static_cast<std::size_t>(component)] =
        std::get<std::array<int, 3>>(part)[static_cast<std::size_t>(component)];
  else
    return part;
  return next;
}

}  // namespace hazumi
