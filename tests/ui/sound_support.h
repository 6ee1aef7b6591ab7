// A device that writes down what it is given and says how much has been heard, by a clock of its own.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "ui/model/sound_output.h"

namespace hazumi::test {

/// What a FakeDevice and its test share.
struct Heard {
  struct Take {
    std::vector<float> stereo;
    bool over = false;  ///< its source came to an end
  };
  std::vector<Take> takes;  ///< one for each start
  bool plays = false;       ///< not stopped
  bool there = true, stuck = false;
  double pace = 1;  ///< seconds of the device in a second

  const std::vector<float>& last() const { return takes.back().stereo; }
  double seconds() const { return static_cast<double>(last().size() / 2) / 48'000; }
};

class FakeDevice : public SoundOutput {
 public:
  explicit FakeDevice(std::shared_ptr<Heard> heard) : heard_(std::move(heard)) {}
  bool there() const override { return heard_->there; }
  double rate() const override { return 48'000; }
  void start(SoundSource source) override {
    source_ = std::move(source);
    heard_->takes.emplace_back();
    heard_->plays = true;
    began_ = Clock::now();
    before_ = 0;
    pull(0);
  }
  void stop() override {
    source_ = {};
    heard_->plays = false;
  }
  double heard() const override {
    if (heard_->stuck) return before_;
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    before_ = seconds * heard_->pace * rate();
    pull(before_);
    return before_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// As devices do, a little ahead of what is heard.
  void pull(double heard) const {
    constexpr std::size_t kAhead = 2'400;
    std::vector<float>& into = heard_->takes.back().stereo;
    const std::size_t wanted = 2 * (static_cast<std::size_t>(heard) + kAhead);
    if (!source_ || heard_->takes.back().over || into.size() >= wanted) return;
    const std::size_t from = into.size();
    into.resize(wanted);
    heard_->takes.back().over = !source_(static_cast<std::int64_t>(from / 2), std::span(into).subspan(from));
  }

  std::shared_ptr<Heard> heard_;
  SoundSource source_;
  Clock::time_point began_;
  mutable double before_ = 0;
};

}  // namespace hazumi::test
