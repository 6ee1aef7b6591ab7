// Sound with the motion. While it plays, the device is given the sounds along the way of the play head, around loops and back, and
// the picture keeps to what has been heard of them. Where the two part, as after waiting for the computation, sound begins anew
// where the picture is. For a device that does not play nobody waits; as soon as it does, it comes in. At rest a moved play head is heard for a moment. With every frame, which has no speed, it is silent.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>

#include "core/playback/frame.h"
#include "core/scene/values/scene.h"
#include "core/sound/mix.h"
#include "ui/jobs/sound_job.h"
#include "ui/model/sound_output.h"
#include "ui/model/sound_stream.h"

namespace hazumi {

class PlaybackController;

/// What is heard now; the device's thread reads what the interface changes.
class SoundScore {
 public:
  struct Sounds {
    std::vector<std::shared_ptr<const DecodedSound>> held;
    std::vector<PlacedSound> placed;
  };
  void set(Sounds sounds);
  std::shared_ptr<const Sounds> now() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Sounds> now_ = std::make_shared<const Sounds>();
};

class SoundPlayer : public QObject {
  Q_OBJECT
 public:
  SoundPlayer(DocumentController& document, PlaybackController& playback, SoundJob& sounds);
  ~SoundPlayer() override;

  /// Asked for its device when a scene first has sounds. Never called: silence.
  void set_device(std::function<std::unique_ptr<SoundOutput>()> make);
  bool streams() const { return stream_.has_value(); }
  /// A clock that goes on evenly, and with the device while it is heard.
  double seconds();

 private:
  void refresh();
  void hear_cues();
  void follow();
  void on_frame(int frame);
  void begin();
  void end();
  void leave_stream();
  void fall_asleep();
  bool has_parted();
  void scrub(int frame);

  DocumentController& document_;
  PlaybackController& playback_;
  SoundJob& sounds_;
  std::function<std::unique_ptr<SoundOutput>()> make_;
  std::unique_ptr<SoundOutput> output_;
  std::shared_ptr<SoundScore> score_ = std::make_shared<SoundScore>();
  std::vector<Shared<Sound>> known_;       ///< of which the score is
  std::shared_ptr<const FrameCues> cues_;  ///< that are in it
  std::optional<SoundStream> stream_;      ///< that the device plays
  QElapsedTimer clock_, progress_;
  double offset_ = 0;       ///< s: of our clock when nothing streams
  double stream_from_ = 0;  ///< s of our clock, where the stream began
  double last_heard_ = 0;   ///< samples
  bool audible_ = false;
  bool asleep_ = false;  ///< the device is given silence until it plays
};

}  // namespace hazumi
