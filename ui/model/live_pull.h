// "Live pull" (spec 6.5): the mouse has hold of a body while it runs, and pulls it by a damped spring (core/scene/values/joint.h, pull). What
// it does is keys, one for each frame that has been shown, of a scene that is run beside the document: no frame is computed ahead of the
// mouse. What is let go flies on. It stays so until the document is changed or another frame asked for, or until it is kept: then it is a
// thing of the document like any other, in one undo step, and runs as it was seen, bit for bit.
#pragma once

#include <vector>

#include <QObject>
#include <QString>

#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class PlaybackController;
class Selection;

class LivePull : public QObject {
  Q_OBJECT
 public:
  LivePull(DocumentController& document, PlaybackController& playback, Selection& selection);

  /// Takes hold of an object where it is in the frame that is shown, and plays from there. `place`: in its own axes before its scale, as it
  /// lies at the start; `at`: m, world, in that frame. Else why not, in a sentence.
  QString take(Id object, const Vec3& place, const Vec3& at);
  /// The mouse is here now: it goes there with the frame that comes.
  void move(const Vec3& at);
  void let_go();

  bool holds() const { return holds_; }           ///< the mouse has hold of something
  bool lasts() const { return !pulls_.empty(); }  ///< the run that is shown has pulls that are not kept
  /// All pulls of the run become things of the document. False: there are none.
  bool keep();
  void give_up();
  bool records() const { return records_; }
  void set_records(bool on);  ///< what is let go is kept at once
  /// The pull that the mouse has; null: none.
  const Joint* held() const { return holds_ ? &pulls_.back().joint : nullptr; }
  const Vec3& target() const { return at_; }

 signals:
  void changed();                      ///< it took hold, moved, let go, was kept or given up
  void told(const QString& sentence);  ///< for the status bar

 private:
  struct Pull {
    Joint joint;
    int from = 0;              ///< frame
    std::vector<Vec3> places;  ///< m, of frame `from` and those behind it
    int until = -1;            ///< frame from which on it is off; −1: it holds
  };
  Scene with_pulls() const;
  void on_frame(int frame);
  void forget();
  void run();

  DocumentController& document_;
  PlaybackController& playback_;
  Selection& selection_;
  std::vector<Pull> pulls_;
  Vec3 at_ = Vec3::Zero();
  bool holds_ = false, records_ = false;
};

}  // namespace hazumi
