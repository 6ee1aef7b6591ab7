// The sounds of the open scene, decoded by a worker with what their waveforms are drawn from: each file once, kept while the scene
// names it. Until one is there it is silent, and its place in the strip says so.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QObject>

#include "core/base/diagnostic.h"
#include "core/sound/peaks.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DiagnosticsModel;
class DocumentController;

struct DecodedSound {
  explicit DecodedSound(SoundClip decoded) : clip(std::move(decoded)), peaks(clip) {}
  SoundClip clip;
  SoundPeaks peaks;
};

class SoundJob : public QObject {
  Q_OBJECT
 public:
  SoundJob(DocumentController& document, DiagnosticsModel& diagnostics);
  ~SoundJob() override;

  /// Null: under way, or not to be had.
  std::shared_ptr<const DecodedSound> find(const std::string& file) const;
  /// Why it is not to be had; empty: it is, or nobody knows yet.
  QString problem(const std::string& file) const;
  bool busy() const { return under_way_ > 0; }
  /// Of all sounds together, samples; what does not fit says so.
  void set_room(std::size_t samples) { room_ = samples; }

 signals:
  void done();  ///< one more is there, or is known not to be

 private:
  struct Entry {
    std::shared_ptr<const DecodedSound> sound;
    std::optional<Diagnostic> problem;
    bool no_room = false;
    std::shared_ptr<std::atomic<bool>> stop;
  };
  /// What a worker brings back of a file.
  struct Decoding {
    std::shared_ptr<const DecodedSound> sound;
    Diagnostics told;
    bool no_room = false;
  };
  static Decoding decoded(const std::string& file, const std::atomic<bool>& stop);
  void look();
  void forget();
  void decode(const std::string& file);
  void keep(const std::string& file, Decoding done);
  void tell();
  std::size_t held() const;  ///< samples
  void tell(const std::string& file, const Diagnostic& problem);

  DocumentController& document_;
  DiagnosticsModel& diagnostics_;
  std::map<std::string, Entry> entries_;
  int under_way_ = 0;
  std::size_t room_ = std::size_t{3} * 3600 * 48'000;  ///< three hours: 2 GB
  Worker worker_;                                      ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
