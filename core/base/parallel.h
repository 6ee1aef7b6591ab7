// Parallel loops whose result cannot depend on the number of threads: the range is cut into blocks of a fixed
// size (by the caller, never by the thread count), every block writes its own slots, reductions are done by the
// caller over blocks in order. An Executor is owned by whoever runs a job and handed down; there is no global pool.
//
// Loops may be nested: a body that is one block of a loop over bodies may have loops of its own over its elements.
// Threads are never more than the executor has. One that is free takes blocks of the loop that was opened first, so
// that many bodies are shared out whole, and the blocks of one body when there are no others left. Who opens a loop
// works on it itself and then waits for blocks of it that others have begun: these wait for nobody but those that
// have begun blocks of loops opened later, so that no two wait for each other.
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
  /// A body may call it on the same executor.
  void blocks(std::size_t n, std::size_t block, const std::function<void(std::size_t, std::size_t)>& body);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

/// The same, inline where there is no executor.
template <class Body>
void in_blocks(Executor* executor, std::size_t n, std::size_t block, const Body& body) {
  if (executor && executor->threads() > 1 && n > block)
    executor->blocks(n, block, std::cref(body));
  else
    for (std::size_t begin = 0; begin < n; begin += block) body(begin, begin + block < n ? begin + block : n);
}

}  // namespace hazumi
