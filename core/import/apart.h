// Runs a small program of ours on foreign bytes: format libraries written for trusted files overrun buffers and loop on
// damaged ones, and neither may take the program with it. The small program is started with what to work on and its limits
// as arguments; it sets the limits itself before it begins (answer_apart), and what it gives comes back through a pipe.
// Nothing of the program that asks is in it: no memory, no locks, no open files.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hazumi {

struct ApartLimits {
  double seconds = 120;                       ///< wall clock, then the process is ended
  std::size_t memory = std::size_t{4} << 30;  ///< bytes more than the small program has when it begins
};

enum class ApartEnd { done, crashed, too_long, cancelled, no_process, no_program };

struct ApartResult {
  ApartEnd end = ApartEnd::done;
  std::string bytes;  ///< what the small program answered, when done
};

/// Waits for the end, looking at `cancel` every 20 ms. The small program may crash, or end without an answer, with more or
/// less than it announced: all of them are `crashed`. no_program: there is no such file, or it cannot be started.
ApartResult run_apart(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const ApartLimits& limits, const std::atomic<bool>* cancel = nullptr);

/// The whole of the small program's main(): takes the limits from its arguments, calls work() with the others, sends what it
/// returns. An exception is no answer. What a library prints about its troubles goes nowhere.
int answer_apart(int count, char** arguments, const std::function<std::string(const std::vector<std::string>&)>& work);

/// One of our small programs: beside the one that runs (as built), or in ../libexec/hazumi (as installed). Where it was
/// looked for first when there is none.
std::filesystem::path small_program(const std::string& name);

}  // namespace hazumi
