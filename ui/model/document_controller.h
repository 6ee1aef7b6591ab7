// The one way to change the open scene (docs/architecture.md, "One edit"): edit() takes families along, validates, makes one undo step, sets the
// scene, tells everybody once. Lives in the interface thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/base/result.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/diff.h"
#include "core/scene/document.h"

namespace hazumi {

class EditCommand;
class LastOperation;

class DocumentController : public QObject {
  Q_OBJECT
 public:
  explicit DocumentController(QObject* parent = nullptr);
  ~DocumentController() override;

  const Scene& scene() const { return document_.scene(); }
  Shared<Scene> snapshot() const { return document_.snapshot(); }
  QUndoStack* undo_stack() { return &undo_; }
  const std::filesystem::path& file() const { return document_.file(); }
  bool modified() const { return !undo_.isClean(); }
  MeshStore& meshes() { return *meshes_; }
  /// The one store of the program, for what works in other threads and may outlive the document.
  const std::shared_ptr<MeshStore>& mesh_store() const { return meshes_; }

  /// One undo step named `text` ("Move Ball"). `next` is refused, with diagnostics, when it is not valid. A merge_key other
  /// than 0 joins edits with the same key into one step (a drag: take the key from new_gesture() when it begins); a
  /// gesture that returns to where it started leaves the undo stack as it was, with what could be redone before it. What goes
  /// with something that the edit moves follows in the same step (scene/derived/family.h).
  Status edit(const QString& text, Scene next, quint64 merge_key = 0);
  Status edit_object(const QString& text, Id id, const std::function<void(Object&)>& change, quint64 merge_key = 0);
  quint64 new_gesture() { return ++gesture_; }
  /// The scene after `step` of the undo steps, 0: before the first. All steps stay; one change is told, however far it is.
  void go_to_step(int step);
  /// How many steps can be taken back, 0: all. What is too much goes at once, the oldest first.
  void set_undo_limit(int steps);
  /// The step at the top as long as its numbers can be changed.
  LastOperation& last_operation() { return *last_operation_; }

  /// A mesh that was read for the file name `mesh.file`. Objects that use the name and have no mesh get it now, and after
  /// each edit, undo and redo: no step of its own, since a file that has been read is nothing a person did.
  void supply_mesh(const MeshReference& mesh);
  /// How a mesh file is named in this scene: relative when it lies in the scene's folder, absolute else (it is then
  /// copied beside the scene on save).
  std::string mesh_name(const std::filesystem::path& mesh_file) const;

  /// Replaces the document (new, open). Clears undo.
  void reset(Scene scene, std::filesystem::path file);
  /// The scene as a file has it: with the layout.
  Shared<Scene> as_saved() const;
  void mark_saved(const std::filesystem::path& file);

  /// Who knows in which frame of the present run a cause was first there (the playback controller); for diff().
  void set_first_frame(std::function<int(const Cause&)> source) { first_frame_ = std::move(source); }

  /// Window layout to be saved with the scene; neither an edit nor an undo step.
  void set_layout(const std::string& layout);
  /// A document that was recovered after a crash counts as modified although its undo stack is empty.
  void mark_unsaved() { undo_.resetClean(); }
  /// "ball", or "Untitled" when there is no file yet.
  QString title() const;

 signals:
  void changed(const hazumi::ChangeSet& change);            ///< after every edit, undo and redo
  void document_replaced();                                 ///< after reset()
  void file_changed();                                      ///< saved under another name, or reset
  void refused(const QString& sentence);                    ///< an edit was not valid: for the status bar
  void thinner_cloth_wanted(hazumi::Id object, int nodes);  ///< the job makes it (ui/jobs/cloth_job.h)
  void told(const QString& sentence);  ///< what came of an edit, where it is not seen: for the status bar

 private:
  friend class EditCommand;
  const Scene& start_of(quint64 merge_key) const;
  void apply(const Shared<Scene>& after);
  Shared<Scene> with_known_meshes(const Shared<Scene>& scene) const;
  void push(std::unique_ptr<EditCommand> command);
  bool joins_saved_step(quint64 merge_key) const;
  void remember_redo(quint64 merge_key);
  void restore_redo();

  Document document_;
  QUndoStack undo_;
  std::shared_ptr<MeshStore> meshes_ = std::make_shared<MeshStore>();
  std::string layout_;
  quint64 gesture_ = 0;
  std::vector<MeshReference> known_meshes_;  ///< told apart by name in the scene and settings; newest last
  /// What the first edit of a gesture pushed out of the stack, in the order of the stack: comes back when the gesture
  /// returns to its start.
  struct LostRedo {
    quint64 merge_key = 0;
    int index = 0, clean = -1;
    std::vector<std::unique_ptr<EditCommand>> steps;
  };
  LostRedo lost_;
  bool quiet_ = false;  ///< the stack is being rearranged: commands do not touch the scene
  std::function<int(const Cause&)> first_frame_;
  std::unique_ptr<LastOperation> last_operation_;
};

}  // namespace hazumi
