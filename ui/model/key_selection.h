// Which keys are selected, one of them active (the last one clicked), and which tracks: one selection for the time line, the dope
// sheet and the curves. Not part of the scene and not undone, but undo and redo of an edit of keys bring back what was selected then.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QObject>

#include "core/base/shared.h"
#include "core/scene/values/track.h"
#include "ui/model/key_edits.h"

class QUndoCommand;

namespace hazumi {

class DocumentController;

struct KeyRef {
  Id track;
  double time = 0;  ///< s
  friend bool operator==(const KeyRef&, const KeyRef&) = default;
};

class KeySelection : public QObject {
  Q_OBJECT
 public:
  explicit KeySelection(DocumentController& document, QObject* parent = nullptr);

  const KeyTimes& keys() const { return now_.keys; }
  const std::optional<KeyRef>& active() const { return now_.active; }
  bool empty() const { return now_.keys.empty(); }
  std::size_t count() const;
  bool contains(const KeyRef& key) const;

  /// Those that are in the scene. Active none: what was active, or the last one.
  void set(KeyTimes keys, std::optional<KeyRef> active = {});
  void select_only(const KeyRef& key) { set({{key.track, {key.time}}}, key); }
  void add(const KeyTimes& keys, std::optional<KeyRef> active = {});
  void remove(const KeyTimes& keys);
  void clear() { set({}); }

  /// Tracks whose rows were clicked: their curves are shown. None: all are.
  const std::set<Id>& tracks() const { return tracks_; }
  void set_tracks(std::set<Id> tracks);

  /// An editor that can be seen shows the keys of these tracks; none said: all. Keys are selected only where an editor shows them, or
  /// where there is none to be seen: nothing is done to keys out of sight.
  void set_shown(const QObject* editor, std::optional<std::set<Id>> tracks);
  void set_hidden(const QObject* editor);

 signals:
  void changed();         ///< of keys
  void tracks_changed();  ///< which tracks are selected

 private:
  struct Chosen {
    KeyTimes keys;
    std::optional<KeyRef> active;
  };
  struct Remembered {
    const QUndoCommand* step = nullptr;  ///< the last one that was done
    std::shared_ptr<const Chosen> chosen;
  };

  void take(Chosen chosen);
  void leave_unseen(KeyTimes& keys) const;
  void on_change();
  void on_step(int step);
  void remember();
  const QUndoCommand* last_step(int step) const;

  DocumentController& document_;
  Chosen now_;
  std::set<Id> tracks_;
  std::map<const QObject*, std::optional<std::set<Id>>> shown_;  ///< tracks by the editor that shows them
  std::vector<Shared<Track>> before_;     ///< the tracks of the scene, to see that an edit touched them
  std::map<int, Remembered> remembered_;  ///< by how many steps were done
  int step_ = 0;
  bool touched_ = false;
};

}  // namespace hazumi
