// The undo step at the top of the stack, as long as it can be adjusted: the operation that made it, and the scene before. Other numbers
// make it anew from there, as the same step under the same name. It is gone when something else was edited, when it was undone, and
// with its document.
#pragma once

#include <memory>

#include <QObject>

#include "core/base/result.h"
#include "ui/model/operation.h"

namespace hazumi {

class DocumentController;
class EditCommand;

class LastOperation : public QObject {
  Q_OBJECT
 public:
  explicit LastOperation(DocumentController& document);

  /// Does it: one undo step with this name. `key`: of a gesture that may go on with what was made; 0: of its own.
  Status begin(const QString& text, std::unique_ptr<Operation> operation, quint64 key = 0);
  /// A gesture or a dialog with this key did it and has ended. Nothing when it left no step at the top of the stack. A move of what
  /// an operation with the same key made counts as that operation's, where it has a number for it.
  void take(std::unique_ptr<Operation> operation, quint64 key, const Vec3* move = nullptr);

  const Operation* operation() const { return operation_.get(); }  ///< null: there is none
  quint64 key() const { return key_; }                             ///< of the gesture; 0: there is none
  const QString& text() const { return text_; }                    ///< of the undo step
  const QString& note() const { return note_; }                    ///< what it made, said in words; mostly empty
  /// Makes it anew. Why not, a sentence, and all is as before; empty: done.
  QString adjust(std::size_t row, const FieldValue& value);

 signals:
  void replaced();  ///< another operation, or none
  void adjusted();  ///< other numbers

 private:
  const EditCommand* step(quint64 key) const;
  void put(std::unique_ptr<Operation> operation, quint64 key, const Vec3* move, const QString& note);
  void look();
  void drop();

  DocumentController& document_;
  std::unique_ptr<Operation> operation_;
  Shared<Scene> before_;
  QString text_, note_;
  quint64 key_ = 0;
  bool editing_ = false;
};

}  // namespace hazumi
