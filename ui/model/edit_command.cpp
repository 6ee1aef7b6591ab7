#include "ui/model/edit_command.h"

#include "core/scene/diff.h"
#include "ui/model/document_controller.h"

namespace hazumi {

bool same_scene(const Scene& a, const Scene& b) {
  if (a.name != b.name || a.description != b.description) return false;
  const ChangeSet change = diff(a, b, [](const Cause&) { return 0; });
  return change.empty() && !change.look && change.first_frame == kNoFrame;
}

EditCommand::EditCommand(DocumentController& document, const QString& text, Shared<Scene> before, Shared<Scene> after,
                         quint64 merge_key)
    : QUndoCommand(text),
      document_(document),
      before_(std::move(before)),
      after_(std::move(after)),
      merge_key_(merge_key) {}

void EditCommand::undo() { document_.apply(before_); }
void EditCommand::redo() { document_.apply(after_); }

std::unique_ptr<EditCommand> EditCommand::copy() const {
  return std::make_unique<EditCommand>(document_, text(), before_, after_, merge_key_);
}

bool EditCommand::mergeWith(const QUndoCommand* other) {
  const auto* next = dynamic_cast<const EditCommand*>(other);
  if (!next || next->merge_key_ != merge_key_ || document_.quiet_) return false;
  after_ = next->after_;
  if (same_scene(*before_, *after_)) setObsolete(true);
  return true;
}

}  // namespace hazumi
