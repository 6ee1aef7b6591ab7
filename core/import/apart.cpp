#include "core/import/apart.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace hazumi {

namespace {

constexpr std::uint64_t kLargestAnswer = std::uint64_t{2} << 30;

#ifndef HAZUMI_SANITIZED
/// Bytes of private memory that the program has now (Linux; 0 elsewhere).
std::size_t memory_now() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(file >> size >> resident >> shared >> text >> library >> data)) return 0;
  return data * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}
#endif

void limit(int what, std::uint64_t value) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(what), &now) != 0) return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY ? value : std::min<std::uint64_t>(value, now.rlim_max);
  (void)::setrlimit(static_cast<__rlimit_resource>(what), &now);
}

bool send_all(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Starts the program with its standard output in `answer`; -1, and why in `error`, when that fails.
pid_t start(const std::filesystem::path& program, const std::vector<std::string>& arguments, int answer, int& error) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&how);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, answer, STDOUT_FILENO);
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
#endif
#endif
  // Signals as a fresh program has them, whatever the thread that asks has done with its own.
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&how, &none);
  ::posix_spawnattr_setsigdefault(&how, &all);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  error = ::posix_spawn(&process, program.c_str(), &files, &how, argv.data(), environ);
  ::posix_spawnattr_destroy(&how);
  ::posix_spawn_file_actions_destroy(&files);
  return error == 0 ? process : -1;
}

/// Takes the answer out of the pipe: its size, the bytes, and then nothing more. Gives how that ended; `whole` when the
/// answer is as it was announced.
ApartEnd receive(int pipe, std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* cancel,
                 std::string& bytes, bool& whole) {
  std::string head;
  std::uint64_t expected = 0;
  std::size_t got = 0;
  whole = false;
  for (;;) {
    if (cancel != nullptr && cancel->load()) return ApartEnd::cancelled;
    if (std::chrono::steady_clock::now() > deadline) return ApartEnd::too_long;
    pollfd wait{pipe, POLLIN, 0};
    if (::poll(&wait, 1, 20) <= 0) continue;
    if (head.size() < sizeof expected) {
      char buffer[sizeof expected];
      const ssize_t n = ::read(pipe, buffer, sizeof expected - head.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return ApartEnd::done;
      head.append(buffer, static_cast<std::size_t>(n));
      if (head.size() < sizeof expected) continue;
      std::memcpy(&expected, head.data(), sizeof expected);
      if (expected > kLargestAnswer) return ApartEnd::done;
      bytes.resize(expected);
      continue;
    }
    char extra = 0;
    char* to = got < expected ? bytes.data() + got : &extra;
    const ssize_t n = ::read(pipe, to, got < expected ? expected - got : 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      whole = got == expected;
      return ApartEnd::done;
    }
    if (got >= expected) return ApartEnd::done;  // more than was announced
    got += static_cast<std::size_t>(n);
  }
}

}  // namespace

ApartResult run_apart(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const ApartLimits& limits, const std::atomic<bool>* cancel) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {ApartEnd::no_process, {}};
  char seconds[32];  // as every locale reads it
  std::vector<std::string> all{std::string(seconds, std::to_chars(seconds, seconds + 32, limits.seconds).ptr),
                               std::to_string(limits.memory)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  int error = 0;
  const pid_t process = start(program, all, ends[1], error);
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    const bool room = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
    return {room ? ApartEnd::no_process : ApartEnd::no_program, {}};
  }
  const auto deadline =
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(limits.seconds));
  ApartResult result;
  bool whole = false;
  result.end = receive(ends[0], deadline, cancel, result.bytes, whole);
  if (!whole) ::kill(process, SIGKILL);
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

int answer_apart(int count, char** arguments, const std::function<std::string(const std::vector<std::string>&)>& work) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  std::signal(SIGINT, SIG_IGN);  // Ctrl+C is for the program that asks; it ends this one itself
  limit(RLIMIT_CORE, 0);
  double seconds = 0;
  std::uint64_t memory = 0;
  const auto number = [&](int at, auto& value) {
    if (at >= count) return false;
    const char* end = arguments[at] + std::strlen(arguments[at]);
    const auto [rest, error] = std::from_chars(arguments[at], end, value);
    return error == std::errc() && rest == end;
  };
  if (!number(1, seconds) || !number(2, memory) || !(seconds > 0)) return 2;
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(seconds) + 1);
  const int answer = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (answer < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0) return 2;
#ifndef HAZUMI_SANITIZED  // their shadow memory would count, and what they print is wanted
  if (const std::size_t now = memory_now(); now > 0) limit(RLIMIT_DATA, now + memory);
  ::dup2(nowhere, STDERR_FILENO);
#endif
  try {
    const std::string bytes = work(std::vector<std::string>(arguments + 3, arguments + count));
    const std::uint64_t size = bytes.size();
    char head[sizeof size];
    std::memcpy(head, &size, sizeof size);
    return send_all(answer, head, sizeof head) && send_all(answer, bytes.data(), bytes.size()) ? 0 : 1;
  } catch (...) {
    return 1;
  }
}

std::filesystem::path small_program(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = self.parent_path() / name;
  const std::filesystem::path installed = self.parent_path().parent_path() / "libexec" / "hazumi" / name;
  return !std::filesystem::exists(beside, error) && std::filesystem::exists(installed, error) ? installed : beside;
}

}  // namespace hazumi
