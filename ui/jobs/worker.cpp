#include "ui/jobs/worker.h"

namespace hazumi {

Worker::Worker() : thread_([this] { run(); }) {}

Worker::~Worker() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    cancelled_ = true;
    tasks_.clear();
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::post(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void Worker::clear() {
  std::lock_guard lock(mutex_);
  tasks_.clear();
  cancelled_ = true;
}

void Worker::run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
      if (stop_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      cancelled_ = false;
    }
    task();
  }
}

}  // namespace hazumi
