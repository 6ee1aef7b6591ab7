#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hazumi {

namespace {

constexpr int kLooks = 500;  // before a thread sleeps: some 20 µs, what it takes to wake one

struct Loop {
  std::size_t n = 0, block = 1, count = 0;
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::atomic<std::size_t> next{0};
  std::atomic<int> inside{0};  // workers that know of it; rises under the mutex alone
  std::mutex error_mutex;
  std::size_t error_block = 0;
  std::exception_ptr error;

  bool has_blocks() const { return next.load(std::memory_order_relaxed) < count; }

  void work() {
    for (;;) {
      const std::size_t k = next.fetch_add(1, std::memory_order_relaxed);
      if (k >= count) return;
      try {
        (*body)(k * block, std::min(n, (k + 1) * block));
      } catch (...) {
        std::lock_guard lock(error_mutex);
        if (!error || k < error_block) {
          error = std::current_exception();
          error_block = k;
        }
      }
    }
  }
};

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

struct Executor::Pool {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, finished;
  std::vector<Loop*> open;  // in the order in which they were opened; those without blocks left are skipped
  std::atomic<int> opened{0};
  bool stop = false;

  /// Under the mutex.
  Loop* find() {
    for (Loop* const loop : open)
      if (loop->has_blocks()) return loop;
    return nullptr;
  }

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      Loop* const loop = find();
      if (!loop) {
        if (stop) return;
        const int seen = opened.load(std::memory_order_relaxed);
        lock.unlock();
        for (int look = 0; look < kLooks && opened.load(std::memory_order_relaxed) == seen; ++look) pause();
        lock.lock();
        if (opened.load(std::memory_order_relaxed) == seen && !stop) wake.wait(lock);
        continue;
      }
      loop->inside.fetch_add(1, std::memory_order_relaxed);
      lock.unlock();
      loop->work();
      // What opened it may be gone as soon as nobody is inside: nothing of it is touched from here on.
      const bool last = loop->inside.fetch_sub(1, std::memory_order_acq_rel) == 1;
      lock.lock();
      if (last) finished.notify_all();
    }
  }

  void share(Loop& loop) {
    {
      std::lock_guard lock(mutex);
      open.push_back(&loop);
      opened.fetch_add(1, std::memory_order_relaxed);
    }
    wake.notify_all();
    loop.work();
    std::unique_lock lock(mutex);
    open.erase(std::find(open.begin(), open.end(), &loop));
    const auto alone = [&] { return loop.inside.load(std::memory_order_acquire) == 0; };
    if (alone()) return;
    lock.unlock();
    for (int look = 0; look < kLooks && !alone(); ++look) pause();
    lock.lock();
    finished.wait(lock, alone);
  }
};

Executor::Executor(int threads) : pool_(std::make_unique<Pool>()) {
  for (int i = 1; i < threads; ++i) pool_->workers.emplace_back([this] { pool_->run(); });
}

Executor::~Executor() {
  {
    std::lock_guard lock(pool_->mutex);
    pool_->stop = true;
  }
  pool_->wake.notify_all();
  for (auto& worker : pool_->workers) worker.join();
}

int Executor::threads() const { return static_cast<int>(pool_->workers.size()) + 1; }

void Executor::blocks(std::size_t n, std::size_t block, const std::function<void(std::size_t, std::size_t)>& body) {
  if (n == 0) return;
  Loop loop;
  loop.n = n;
  loop.block = std::max<std::size_t>(block, 1);
  loop.count = (n + loop.block - 1) / loop.block;
  loop.body = &body;
  if (pool_->workers.empty() || loop.count == 1)
    loop.work();
  else
    pool_->share(loop);
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace hazumi
