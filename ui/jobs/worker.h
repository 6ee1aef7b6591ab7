// One background thread for work that may wait for a disk or take long: tasks run in order, results go back to the
// interface thread as queued calls. Destroying the worker drops what has not begun and waits for the task that runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include <QObject>

namespace hazumi {

class Worker {
 public:
  Worker();
  ~Worker();

  /// Runs `work` in the thread. It must not touch widgets; it reports with deliver().
  void post(std::function<void()> work);
  /// Drops tasks that have not begun; a running task sees cancelled() until it ends.
  void clear();
  bool cancelled() const { return cancelled_; }

  /// From a task: calls `result` in the thread of `receiver`. The receiver must own the worker (or outlive it); a call that
  /// is still queued when the receiver goes is dropped by Qt.
  template <class Call>
  static void deliver(QObject* receiver, Call result) {
    QMetaObject::invokeMethod(receiver, std::move(result), Qt::QueuedConnection);
  }

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stop_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

}  // namespace hazumi
