// A BackgroundFill with its cache, and waiting for it without sleeping.
#pragma once

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/playback/background_fill.h"
#include "core/scene/diff.h"
#include "tests/support/small_scenes.h"

namespace hazumi::test {

class FillRun {
 public:
  explicit FillRun(int threads, std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>())
      : fill(
            cache, threads, [this] { notified(); }, std::move(meshes)) {}

  /// As the interface does it: what the edit touches, then the new version.
  void start(const Scene& before, const Scene& after, int last) { start(before, Shared<Scene>(after), last); }
  void start(const Scene& before, Shared<Scene> after, int last) {
    const ChangeSet change = diff(before, *after, [this](const Cause& cause) { return fill.first_frame(cause); });
    fill.start(std::move(after), change.first_frame, last);
  }

  /// Waits until the fill is complete or has stopped.
  FillStatus settle() {
    wait([this] { return is_settled(); });
    return fill.status();
  }
  /// Waits until `frames` are computed, or it will not get there.
  void wait_for(int frames) {
    wait([&] { return cache.size() >= frames || is_settled(); });
  }
  /// Waits until the fill is in this phase, or will not get there.
  FillStatus wait_for(FillStatus::Phase phase) {
    wait([&] { return fill.status().phase == phase || is_settled(); });
    return fill.status();
  }

  void check_equals_fresh(const Scene& scene, int last) {
    const auto fresh = fresh_run(scene, last);
    const auto frames = cache.frames();
    REQUIRE(frames.size() >= fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      INFO("frame " << i);
      REQUIRE(frames[i]->index == static_cast<int>(i));
      REQUIRE(same_bits(*frames[i], fresh[i]));
    }
  }

  FrameCache cache;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;

  bool is_settled() const {
    const auto phase = fill.status().phase;
    return phase == FillStatus::Phase::complete || phase == FillStatus::Phase::stopped;
  }
  void notified() {
    std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  template <class Condition>
  void wait(const Condition& condition) {
    std::unique_lock lock(mutex_);
    // The limit is not a measurement: it only keeps a broken fill from hanging the suite.
    REQUIRE(wake_.wait_for(lock, std::chrono::minutes(2), condition));
  }

 public:
  BackgroundFill fill;  // last: its worker ends before what it calls is gone
};

}  // namespace hazumi::test
