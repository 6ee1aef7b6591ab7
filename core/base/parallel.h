// Parallel loops whose result cannot depend on the number of threads: the range is cut into blocks of a fixed
// size (by the caller, never by the thread count), every block writes its own slots, reductions are done by the
// caller over blocks in order. An Executor is owned by whoever runs a job and handed down; there is no global pool.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace hazumi {

class Executor {
 public:
  /// threads ≥ 1, the calling thread counted; 1 runs everything inline.
  explicit Executor(int threads = 1);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const;

  /// Calls body(begin, end) for [0,n) cut into blocks of `block` (the last may be shorter), in any order, from
  /// any thread; returns when all are done. The first exception thrown by a body (lowest block) is rethrown.
  /// Not re-entrant: a body must not call blocks() on the same executor.
  void blocks(std::size_t n, std::size_t block, const std::function<void(std::size_t, std::size_t)>& body);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace hazumi
