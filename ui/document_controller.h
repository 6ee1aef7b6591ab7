// The one way to change the open scene (docs/architecture.md, "One edit"): edit() validates, makes one undo step, sets the
// scene, tells everybody once. Lives in the interface thread.
#pragma once

#include <functional>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/base/result.h"
#include "core/scene/diff.h"
#include "core/scene/document.h"

namespace hazumi {

class DocumentController : public QObject {
  Q_OBJECT
 public:
  explicit DocumentController(QObject* parent = nullptr);

  const Scene& scene() const { return document_.scene(); }
  Shared<Scene> snapshot() const { return document_.snapshot(); }
  QUndoStack* undo_stack() { return &undo_; }
  const std::filesystem::path& file() const { return document_.file(); }
  bool modified() const { return !undo_.isClean(); }
  MeshCache& meshes() { return meshes_; }

  /// One undo step named `text` ("Move Ball"). `next` is refused, with diagnostics, when it is not valid. A merge_key other
  /// than 0 joins edits with the same key into one step (a drag: take the key from new_gesture() when it begins); a
  /// gesture that returns to where it started leaves no step.
  Status edit(const QString& text, Scene next, quint64 merge_key = 0);
  Status edit_object(const QString& text, Id id, const std::function<void(Object&)>& change, quint64 merge_key = 0);
  quint64 new_gesture() { return ++gesture_; }

  /// Replaces the document (new, open). Clears undo.
  void reset(Scene scene, std::filesystem::path file);
  Status save(const std::filesystem::path& file);
  void mark_saved(const std::filesystem::path& file);

  /// Who knows when an object first touched something in the present run (the playback controller); for diff().
  void set_first_contact(std::function<int(Id)> source) { first_contact_ = std::move(source); }

  /// Window layout to be saved with the scene; neither an edit nor an undo step.
  void set_layout(const std::string& layout);
  /// A document that was recovered after a crash counts as modified although its undo stack is empty.
  void mark_unsaved() { undo_.resetClean(); }
  /// "ball", or "Untitled" when there is no file yet.
  QString title() const;

 signals:
  void changed(const hazumi::ChangeSet& change);   ///< after every edit, undo and redo
  void document_replaced();                        ///< after reset()
  void file_changed();                             ///< saved under another name, or reset
  void refused(const QString& sentence);           ///< an edit was not valid: for the status bar

 private:
  friend class EditCommand;
  void apply(const Shared<Scene>& before, const Shared<Scene>& after);

  Document document_;
  QUndoStack undo_;
  MeshCache meshes_;
  std::string layout_;
  quint64 gesture_ = 0;
  std::function<int(Id)> first_contact_;
};

}  // namespace hazumi
