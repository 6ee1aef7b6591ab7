// Runs work on foreign bytes in a process of its own: format libraries written for trusted files overrun
// buffers and loop on damaged ones, and neither may take the program with it. The process is a fork (no
// program file has to be found) that ends without running destructors or flushing anything of ours; only the
// bytes that work() returns come back.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace hazumi {

struct ApartLimits {
  double seconds = 120;                       ///< wall clock, then the process is ended
  std::size_t memory = std::size_t{4} << 30;  ///< bytes more than the program has now
};

enum class ApartEnd { done, crashed, too_long, cancelled, no_process };

struct ApartResult {
  ApartEnd end = ApartEnd::done;
  std::string bytes;  ///< what work() returned, when done
};

/// Waits for the end, looking at `cancel` every 20 ms. work() may throw and may crash; both are `crashed`. It
/// must not wait for other threads: they do not exist in the copy.
ApartResult run_apart(const std::function<std::string()>& work, const ApartLimits& limits,
                      const std::atomic<bool>* cancel = nullptr);

}  // namespace hazumi
