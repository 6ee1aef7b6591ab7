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

struct Loop {
  std::size_t n = 0, block = 1, count = 0;
  const std::function<void(std::size_t, std::size_t)>* body = nullptr;
  std::atomic<std::size_t> next{0};
  std::mutex error_mutex;
  std::size_t error_block = 0;
  std::exception_ptr error;

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

}  // namespace

struct Executor::Pool {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, finished;
  Loop* loop = nullptr;
  std::uint64_t generation = 0;
  std::size_t busy = 0;
  bool stop = false;

  void run() {
    std::uint64_t seen = 0;
    for (;;) {
      Loop* mine = nullptr;
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop || generation != seen; });
        if (stop) return;
        seen = generation;
        mine = loop;
      }
      if (mine) mine->work();
      {
        std::lock_guard lock(mutex);
        --busy;
      }
      finished.notify_one();
    }
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
  if (pool_->workers.empty() || loop.count == 1) {
    loop.work();
  } else {
    {
      std::lock_guard lock(pool_->mutex);
      pool_->loop = &loop;
      pool_->busy = pool_->workers.size();
      ++pool_->generation;
    }
    pool_->wake.notify_all();
    loop.work();
    std::unique_lock lock(pool_->mutex);
    pool_->finished.wait(lock, [&] { return pool_->busy == 0; });
    pool_->loop = nullptr;
  }
  if (loop.error) std::rethrow_exception(loop.error);
}

}  // namespace hazumi
