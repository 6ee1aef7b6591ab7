// Where sound goes: a device of the computer, or in tests somebody who writes down what comes. It has a thread of its own, in which
// it asks for what it plays; nobody waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace hazumi {

/// Fills left, right, left, … from sample `first` since the start on. False: that was the last.
using SoundSource = std::function<bool(std::int64_t first, std::span<float> stereo)>;

class SoundOutput {
 public:
  virtual ~SoundOutput() = default;
  /// False: there is nothing to hear with, now or at all.
  virtual bool there() const = 0;
  virtual double rate() const = 0;  ///< 1/s
  /// In place of what played before.
  virtual void start(SoundSource source) = 0;
  virtual void stop() = 0;
  /// Of what was started last, how much has been heard, not only handed to the device: samples.
  virtual double heard() const = 0;
};

/// Null: built without Qt Multimedia.
std::unique_ptr<SoundOutput> make_sound_output();

}  // namespace hazumi
