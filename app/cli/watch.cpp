// How the program ends early, and what it tells meanwhile. Reading, compiling, stepping and writing look at was_interrupted() where
// they can; a thread of its own sees to it that none of them holds the end up: files are put in place whole (atomic_file.h), so
// that wherever the program ends, only a part under a name of its own is left to take away.
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#include "app/cli/command.h"

namespace hazumi::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPatience{500};

volatile std::sig_atomic_t g_interrupted = 0;  // the signal
int g_bell[2] = {-1, -1};                      // a pipe from the handler to the watcher

extern "C" void on_signal(int number) {
  const int error = errno;
  g_interrupted = number;
  const char byte = 0;
  (void)!::write(g_bell[1], &byte, 1);
  errno = error;
}

struct Folders {
  std::mutex mutex;
  std::set<fs::path> all;
};
Folders& folders() {
  static auto* const known = new Folders;  // the watcher outlives main()
  return *known;
}

void remove_parts() {
  const std::string mine = ".hazumi-" + std::to_string(::getpid()) + "-";
  const std::lock_guard lock(folders().mutex);
  for (const fs::path& folder : folders().all) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string();
      std::error_code ignored;
      if (name.starts_with(mine) && name.ends_with(".part")) fs::remove(at->path(), ignored);
    }
  }
}

void watch() {
  char byte;
  while (::read(g_bell[0], &byte, 1) < 0 && errno == EINTR) {
  }
  std::this_thread::sleep_for(kPatience);
  remove_parts();
  static constexpr std::string_view kEnd = "\ninfo: Stopped as asked; files written before are whole.\n";
  (void)!::write(STDERR_FILENO, kEnd.data(), kEnd.size());
  ::_exit(128 + g_interrupted);
}

}  // namespace

void catch_interrupts() {
  if (::pipe(g_bell) != 0) return;  // then they end the program as they always do
  std::thread(watch).detach();
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);  // as nohup has it
  }
}

bool was_interrupted() { return g_interrupted != 0; }

void clean_up_in(const fs::path& folder) {
  const std::lock_guard lock(folders().mutex);
  folders().all.insert(folder.empty() ? fs::path(".") : folder);
}

struct Stage::Data {
  std::string text;
  std::mutex mutex;
  std::condition_variable over;
  bool ended = false;
  std::thread thread;

  void run() {
    ProgressLine line;
    std::unique_lock lock(mutex);
    for (int half = 1; !over.wait_for(lock, kPatience, [this] { return ended; }); ++half)
      line.show(text + (half > 1 ? ", " + std::to_string(half / 2) + " s" : std::string()));
  }
};

Stage::Stage(std::string text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  data_ = std::make_unique<Data>();
  data_->text = escaped(text);
  data_->thread = std::thread([data = data_.get()] { data->run(); });
}

Stage::~Stage() {
  if (!data_) return;
  {
    const std::lock_guard lock(data_->mutex);
    data_->ended = true;
  }
  data_->over.notify_one();
  data_->thread.join();
}

}  // namespace hazumi::cli
