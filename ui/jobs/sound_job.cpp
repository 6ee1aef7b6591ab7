#include "ui/jobs/sound_job.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>

#include "core/sound/decode.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"

namespace hazumi {

namespace {

Diagnostic no_room_for(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return {Severity::warning, file,
          "The sound \"" + name + "\" is not heard: the sounds of the scene together are too long for the memory.",
          "Delete a sound, or cut the files to what is heard."};
}

}  // namespace

SoundJob::Decoding SoundJob::decoded(const std::string& file, const std::atomic<bool>& stop) {
  Decoding done;
  if (stop) return done;
  try {
    Result<SoundClip> read = read_sound(file, stop);
    done.told = read.diagnostics();
    if (read.ok()) done.sound = std::make_shared<const DecodedSound>(std::move(read).value());
  } catch (const std::bad_alloc&) {
    done.no_room = true;
  }
  return done;
}

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
  return at == entries_.end() || !at->second.problem ? QString() : sentence_of(*at->second.problem);
}

void SoundJob::look() {
  std::set<std::string> named;
  for (const auto& sound : document_.scene().sounds) named.insert(sound->file);
  const auto has_gone = [&](const auto& each) { return !named.contains(each.first); };
  if (std::any_of(entries_.begin(), entries_.end(), has_gone)) {
    // There is room again: what had none is tried anew.
    std::erase_if(entries_, [&](const auto& each) {
      if (has_gone(each)) *each.second.stop = true;
      return has_gone(each) || each.second.no_room;
    });
  }
  for (const std::string& file : named)
    if (!entries_.contains(file)) decode(file);
  tell();
}

void SoundJob::decode(const std::string& file) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  entries_[file].stop = stop;
  ++under_way_;
  worker_.post([this, file, stop] {
    Worker::deliver(this, [this, file, stop, done = decoded(file, *stop)] {
      --under_way_;
      if (!*stop) keep(file, done);
    });
  });
}

void SoundJob::keep(const std::string& file, Decoding done) {
  Entry& entry = entries_[file];
  entry.no_room = done.no_room || (done.sound && held() + done.sound->clip.samples.size() > room_);
  if (entry.no_room)
    entry.problem = no_room_for(file);
  else if (!done.told.empty())
    entry.problem = done.told.front();
  if (!entry.no_room) entry.sound = std::move(done.sound);
  tell();
  emit this->done();
}

std::size_t SoundJob::held() const {
  std::size_t samples = 0;
  for (const auto& [file, entry] : entries_)
    if (entry.sound) samples += entry.sound->clip.samples.size();
  return samples;
}

void SoundJob::tell() {
  const Scene& scene = document_.scene();
  Diagnostics problems;
  for (std::size_t i = 0; i < scene.sounds.size(); ++i) {
    const auto at = entries_.find(scene.sounds[i]->file);
    if (at == entries_.end() || !at->second.problem) continue;
    problems.push_back(*at->second.problem);
    problems.back().path = "sounds[" + std::to_string(i) + "] \"" + scene.sounds[i]->name + "\" file";
  }
  diagnostics_.set_sound_diagnostics(problems);
}

}  // namespace hazumi
