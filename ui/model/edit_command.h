// The only undo command: it holds the scene before and after, which share all that did not change, so it is small.
// Undo and redo are the same exchange in two directions. Edits with the same gesture key merge; a gesture that
// returns to where it started is obsolete and leaves no step.
#pragma once

#include <memory>

#include <QUndoCommand>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;

class EditCommand : public QUndoCommand {
 public:
  EditCommand(DocumentController& document, const QString& text, Shared<Scene> before, Shared<Scene> after,
              quint64 merge_key);
  void undo() override;
  void redo() override;
  int id() const override { return merge_key_ == 0 ? -1 : 1; }
  bool mergeWith(const QUndoCommand* other) override;

  const Shared<Scene>& before() const { return before_; }
  const Shared<Scene>& after() const { return after_; }
  quint64 merge_key() const { return merge_key_; }
  /// The same step again, for a stack that lost it.
  std::unique_ptr<EditCommand> copy() const;

 private:
  DocumentController& document_;
  Shared<Scene> before_, after_;
  quint64 merge_key_;
};

/// True when nothing that a person could have edited differs (the window layout is not an edit).
bool same_scene(const Scene& a, const Scene& b);

}  // namespace hazumi
