#include "ui/model/last_operation.h"

#include "core/scene/validate.h"
#include "ui/model/document_controller.h"
#include "ui/model/edit_command.h"
#include "ui/model/sentence.h"

namespace hazumi {

LastOperation::LastOperation(DocumentController& document) : document_(document) {
  // Not `changed`: at that moment the undo stack still stands at the step before, and a mesh that was read changes the scene too.
  connect(document.undo_stack(), &QUndoStack::indexChanged, this, &LastOperation::look);
  connect(&document, &DocumentController::document_replaced, this, &LastOperation::drop);
}

/// The step at the top of the stack, when it is this gesture's.
const EditCommand* LastOperation::step(quint64 key) const {
  const QUndoStack* stack = document_.undo_stack();
  if (stack->index() == 0 || stack->index() != stack->count()) return nullptr;
  const auto* top = dynamic_cast<const EditCommand*>(stack->command(stack->index() - 1));
  return top && top->merge_key() == key ? top : nullptr;
}

void LastOperation::look() {
  if (!editing_ && operation_ && !step(key_)) drop();
}

void LastOperation::drop() {
  if (!operation_) return;
  operation_.reset();
  note_.clear();
  before_ = {};
  key_ = 0;
  emit replaced();
}

Status LastOperation::begin(const QString& text, std::unique_ptr<Operation> operation, quint64 key) {
  if (key == 0) key = document_.new_gesture();
  Operation::Made made = operation->make(document_.scene());
  editing_ = true;
  const Status status = document_.edit(text, std::move(made.scene), key);
  editing_ = false;
  if (!status.ok()) {
    look();
    return status;
  }
  if (made.select) made.select();
  put(std::move(operation), key, nullptr, made.note);
  return status;
}

void LastOperation::take(std::unique_ptr<Operation> operation, quint64 key, const Vec3* move) {
  put(std::move(operation), key, move, {});
}

void LastOperation::put(std::unique_ptr<Operation> operation, quint64 key, const Vec3* move, const QString& note) {
  const EditCommand* top = step(key);
  if (!top) return;
  const bool goes_on = operation_ && key == key_ && move && operation_->moved(*move);
  if (!goes_on) operation_ = std::move(operation);
  before_ = top->before();
  text_ = top->text();
  note_ = note;
  key_ = key;
  emit replaced();
}

QString LastOperation::adjust(std::size_t row, const FieldValue& value) {
  if (!operation_) return {};
  const FieldValue old = operation_->value(row);
  operation_->set(row, value);
  Operation::Made made = operation_->make(*before_);
  QString problem = made.problem;
  // Asked before the edit: it is said at the field, not over the view.
  if (problem.isEmpty())
    for (const Diagnostic& diagnostic : validate_change(document_.scene(), made.scene))
      if (diagnostic.severity == Severity::error && problem.isEmpty()) problem = sentence_of(diagnostic);
  if (!problem.isEmpty()) {
    operation_->set(row, old);
    emit adjusted();
    return problem;
  }
  editing_ = true;
  if (!made.text.isEmpty() && made.text != text_) {
    // Back to the scene before takes the step off the stack; the next one has the name.
    (void)document_.edit(text_, *before_, key_);
    text_ = made.text;
  }
  (void)document_.edit(text_, std::move(made.scene), key_);
  if (made.select) made.select();
  editing_ = false;
  note_ = made.note;
  emit adjusted();
  return {};
}

}  // namespace hazumi
