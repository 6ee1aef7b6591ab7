// Keys as a person sets them: at the frame that is shown. Panels and tools show the scene as it is at that frame (shown()) and
// hand back what was changed of it (edit()): where a field has keys, or gets them by itself (auto-key), the change is a key.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/base/result.h"
#include "core/base/shared.h"
#include "core/playback/frame.h"
#include "core/scene/derived/keyed.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

/// Of one field of one thing.
struct KeyPlace {
  std::uint64_t target = 0;  ///< id of the thing; 0: the scene
  std::string field;         ///< path; of the scene below "settings."
};

/// Which fields I keys: those of one of the scene's sets, or of one of two that are always there.
struct ActiveSet {
  enum class Kind { place, keyed, own } kind = Kind::place;
  Id own = {};
  friend bool operator==(const ActiveSet&, const ActiveSet&) = default;
};

enum class KeyState { none, elsewhere, here };  ///< no keys; keys, but none at this frame; a key at this frame

class Keying : public QObject {
  Q_OBJECT
 public:
  Keying(DocumentController& document, PlaybackController& playback);

  double time() const;  ///< s, of the frame that is shown
  /// The scene at the frame that is shown; the open scene itself where nothing is keyed. Valid until the next edit or frame.
  const Scene& shown() const { return *snapshot(); }
  Shared<Scene> snapshot() const;
  /// Of shown(), what physics has put there: with a key of its place, or with auto-key, a change of it is one of what is seen.
  const MovedPoses& moved() const {
    snapshot();
    return moved_;
  }
  std::set<Id> placed() const;  ///< whose place or rotation has keys
  /// Where the frame that is shown has those of these that physics moves.
  MovedPoses seen(const std::set<Id>& ids) const;
  /// Why it is not known where physics has one of these at the frame that is shown, a sentence; empty: it is, or keys have them all.
  QString unseen(const std::set<Id>& ids) const;
  /// DocumentController::edit() of what `next`, made from shown(), changes.
  Status edit(const QString& text, Scene next, quint64 merge_key = 0);

  bool automatic() const { return automatic_; }
  void set_automatic(bool on);  ///< every change of a field that can be keyed makes a key

  /// A state of the window, as auto-key is. A set that goes leaves place and rotation.
  const ActiveSet& active_set() const { return active_set_; }
  void set_active_set(const ActiveSet& set);

  KeyState state(const std::vector<KeyPlace>& places) const;
  /// One undo step: keys of what is shown, at this frame. Says why not. `what`: the fields together; empty: their own words.
  Status set_keys(const QString& whose, const std::vector<KeyPlace>& places, const QString& what = {});
  Status delete_keys(const QString& whose, const std::vector<KeyPlace>& places, const QString& what = {});  ///< here
  Status delete_tracks(const QString& whose, const std::vector<KeyPlace>& places);
  /// The frame of the next key after this one (before it: −1) of these things, or of all when there are none.
  std::optional<int> key_frame(int direction, const std::set<Id>& of) const;
  /// Frames with a key of these things (none: all), ascending; keys between two frames at the nearer one.
  std::vector<int> key_frames(const std::set<Id>& of) const;

 signals:
  void shown_changed();  ///< fields may have other values or keys than before; while playing at most ten times a second
  void automatic_changed(bool on);
  void active_set_changed();

 private:
  std::set<Id> physics_has(const std::function<bool(Id)>& asked) const;
  MovedPoses in_frame(const std::function<bool(Id)>& asked) const;
  QString unseen_change(const Scene& shown, const Scene& next) const;
  void on_frame();

  DocumentController& document_;
  PlaybackController& playback_;
  bool automatic_ = false;
  ActiveSet active_set_;
  std::vector<Shared<Track>> tracks_;  ///< of the open scene, as far as it was told
  QTimer rest_;
  mutable std::optional<Shared<Scene>> of_, shown_;
  mutable FramePtr seen_;
  mutable MovedPoses moved_;
  mutable int frame_ = -1;
};

}  // namespace hazumi
