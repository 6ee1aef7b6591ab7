#include "core/import/apart.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <mutex>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAZUMI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAZUMI_SANITIZED 1
#endif
#endif

namespace hazumi {

namespace {

constexpr std::uint64_t kLargestAnswer = std::uint64_t{2} << 30;

/// Bytes of private memory that the program has now (Linux; 0 elsewhere).
std::size_t memory_now() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(file >> size >> resident >> shared >> text >> library >> data)) return 0;
  return data * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int what, std::uint64_t value) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(what), &now) != 0) return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY ? value : std::min<std::uint64_t>(value, now.rlim_max);
  (void)::setrlimit(static_cast<__rlimit_resource>(what), &now);
}

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

[[noreturn]] void child(int fd, const std::function<std::string()>& work, const ApartLimits& limits,
                        std::size_t memory) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (int signal : {SIGINT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);  // Ctrl+C is for the program; it ends this process itself
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.seconds) + 1);
  // What a library prints about its troubles is no message to a person.
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
#ifdef HAZUMI_SANITIZED
  (void)memory;  // the shadow memory would count
#else
  if (memory > 0) limit(RLIMIT_DATA, memory + limits.memory);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
#endif
  int code = 1;
  try {
    const std::string bytes = work();
    const std::uint64_t size = bytes.size();
    char head[sizeof size];
    std::memcpy(head, &size, sizeof size);
    if (write_all(fd, head, sizeof head) && write_all(fd, bytes.data(), bytes.size())) code = 0;
  } catch (...) {
    code = 1;
  }
  ::_exit(code);
}

}  // namespace

ApartResult run_apart(const std::function<std::string()>& work, const ApartLimits& limits,
                      const std::atomic<bool>* cancel) {
  int ends[2];
  const std::size_t memory = memory_now();
  // One fork at a time: a second one in between would hold the pipe of the first open.
  static std::mutex forking;
  pid_t process = -1;
  {
    const std::lock_guard lock(forking);
    if (::pipe2(ends, O_CLOEXEC) != 0) return {ApartEnd::no_process, {}};
    process = ::fork();
    if (process == 0) {
      ::close(ends[0]);
      child(ends[1], work, limits, memory);
    }
    ::close(ends[1]);
  }
  if (process < 0) {
    ::close(ends[0]);
    return {ApartEnd::no_process, {}};
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(limits.seconds);
  ApartResult result;
  std::string head;
  std::uint64_t expected = 0;
  std::size_t got = 0;
  bool open = true;
  while (open && result.end == ApartEnd::done) {
    if (cancel != nullptr && cancel->load())
      result.end = ApartEnd::cancelled;
    else if (std::chrono::steady_clock::now() > deadline)
      result.end = ApartEnd::too_long;
    pollfd wait{ends[0], POLLIN, 0};
    if (result.end != ApartEnd::done || ::poll(&wait, 1, 20) <= 0) continue;
    if (head.size() < sizeof expected) {
      char buffer[sizeof expected];
      const ssize_t n = ::read(ends[0], buffer, sizeof expected - head.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      head.append(buffer, static_cast<std::size_t>(n));
      if (head.size() < sizeof expected) continue;
      std::memcpy(&expected, head.data(), sizeof expected);
      if (expected > kLargestAnswer) break;
      result.bytes.resize(expected);
      continue;
    }
    char extra = 0;
    char* to = got < expected ? result.bytes.data() + got : &extra;
    const std::size_t room = got < expected ? expected - got : 1;
    const ssize_t n = ::read(ends[0], to, room);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      open = false;
    else if (got < expected)
      got += static_cast<std::size_t>(n);
    else
      break;  // more than was announced
  }
  const bool whole = !open && head.size() == sizeof expected && got == expected;
  if (result.end != ApartEnd::done || !whole) ::kill(process, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (result.end == ApartEnd::done && (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    // The processor time is limited too, a little above the wall clock: whichever is seen first.
    result.end = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? ApartEnd::too_long : ApartEnd::crashed;
  }
  if (result.end != ApartEnd::done) result.bytes.clear();
  return result;
}

}  // namespace hazumi
