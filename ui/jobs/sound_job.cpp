#include "ui/jobs/sound_job.h"

#include <set>

#include "core/sound/decode.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"

namespace hazumi {

SoundJob::SoundJob(DocumentController& document, DiagnosticsModel& diagnostics)
    : document_(document), diagnostics_(diagnostics) {
  connect(&document_, &DocumentController::changed, this, &SoundJob::look);
  // Opened anew a file may be another one, and what is wrong with it is told again.
  connect(&document_, &DocumentController::document_replaced, this, [this] {
    forget();
    look();
  });
}

SoundJob::~SoundJob() { forget(); }

void SoundJob::forget() {
  for (auto& [file, entry] : entries_) *entry.stop = true;
  entries_.clear();
}

std::shared_ptr<const DecodedSound> SoundJob::find(const std::string& file) const {
  const auto at = entries_.find(file);
  return at == entries_.end() ? nullptr : at->second.sound;
}

QString SoundJob::problem(const std::string& file) const {
  const auto at = entries_.find(file);
  return at == entries_.end() ? QString() : at->second.problem;
}

void SoundJob::look() {
  std::set<std::string> named;
  for (const auto& sound : document_.scene().sounds) named.insert(sound->file);
  for (auto at = entries_.begin(); at != entries_.end();)
    if (named.contains(at->first)) {
      ++at;
    } else {
      *at->second.stop = true;
      at = entries_.erase(at);
    }
  for (const std::string& file : named)
    if (!entries_.contains(file)) decode(file);
}

void SoundJob::decode(const std::string& file) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  entries_[file].stop = stop;
  ++under_way_;
  worker_.post([this, file, stop] {
    Result<SoundClip> read = *stop ? Result<SoundClip>(SoundClip{}) : read_sound(file, *stop);
    const Diagnostics told = read.diagnostics();
    std::shared_ptr<const DecodedSound> sound;
    if (read.ok() && !*stop) sound = std::make_shared<const DecodedSound>(std::move(read).value());
    Worker::deliver(this, [this, file, stop, sound, told] {
      --under_way_;
      if (*stop) return;
      Entry& entry = entries_[file];
      entry.sound = sound;
      if (!told.empty()) entry.problem = sentence_of(told.front());
      if (!told.empty()) tell(file, told.front());
      emit done();
    });
  });
}

void SoundJob::tell(const std::string& file, const Diagnostic& problem) {
  const Scene& scene = document_.scene();
  for (std::size_t i = 0; i < scene.sounds.size(); ++i) {
    if (scene.sounds[i]->file != file) continue;
    Diagnostic placed = problem;
    placed.path = "sounds[" + std::to_string(i) + "] \"" + scene.sounds[i]->name + "\" file";
    diagnostics_.add_load_diagnostic(placed, scene.sounds[i]->id);
  }
}

}  // namespace hazumi
