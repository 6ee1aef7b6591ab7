#include "core/scene/file/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hazumi {

namespace {

namespace fs = std::filesystem;

/// An open file that is closed and deleted unless it was kept.
class Temporary {
 public:
  Temporary(fs::path path, mode_t mode)
      : path_(std::move(path)), handle_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) {}
  ~Temporary() {
    const int kept_error = errno;
    if (handle_ >= 0) ::close(handle_);
    if (created_ && !kept_) ::unlink(path_.c_str());
    errno = kept_error;
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool ok() {
    created_ = handle_ >= 0;
    return created_;
  }
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool finish() {
    if (::fsync(handle_) != 0) return false;
    const int handle = handle_;
    handle_ = -1;
    return ::close(handle) == 0;
  }
  bool rename_to(const fs::path& target) {
    kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return kept_;
  }
  int handle() const { return handle_; }

 private:
  fs::path path_;
  int handle_;
  bool created_ = false, kept_ = false;
};

std::string reason(int error) { return std::error_code(error, std::generic_category()).message(); }

Diagnostic cannot(const char* what, const fs::path& file, const std::string& why, std::string hint) {
  return {Severity::error, file.string(), std::string("The file cannot be ") + what + ": " + why + ".",
          std::move(hint)};
}

Diagnostic cannot_write(const fs::path& file, int error) {
  return cannot("written", file, reason(error),
                error == ENOSPC || error == EFBIG || error == EDQUOT ? "Free some space or save to another place."
                                                                     : "Save to another folder or under another name.");
}

/// The rename is on the disk once the folder is. Not all file systems can do it; the file is whole either
/// way.
void flush_folder(const fs::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

Status write_file_atomically(const fs::path& file, std::string_view bytes) {
  std::error_code error;
  // A link is written through: its target is replaced, the link stays.
  fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
  if (target.empty() || !target.has_filename())
    return cannot("written", file, "the name is empty", "Give the file a name.");
  if (fs::is_directory(target, error))
    return cannot("written", file, "there is a folder of that name", "Save under another name.");
  fs::path folder = target.parent_path();
  if (folder.empty()) folder = ".";

  struct stat old {};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  // The process number keeps two programs that save the same file apart; O_EXCL anything else.
  std::string stem = target.filename().string();
  if (stem.size() > 200) stem.resize(200);
  Temporary temporary(folder / ("." + stem + "." + std::to_string(::getpid()) + ".tmp"), 0666);
  if (!temporary.ok()) return cannot_write(file, errno);
  if (replaces) (void)::fchmod(temporary.handle(), old.st_mode & 07777);
  if (!temporary.write(bytes) || !temporary.finish() || !temporary.rename_to(target)) return cannot_write(file, errno);
  flush_folder(folder);
  return Done{};
}

Result<std::string> read_whole_file(const fs::path& file, std::uintmax_t limit) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) return cannot("opened", file, "it does not exist", "Check the name or pick another file.");
  if (fs::is_directory(status)) return cannot("opened", file, "it is a folder", "Pick a file in it.");
  if (!fs::is_regular_file(status)) return cannot("opened", file, "it is not an ordinary file", "Pick another file.");
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return cannot("read", file, error.message(), "");
  if (size > limit)
    return cannot("read", file,
                  "it is larger than " + std::to_string(limit >> 20) + " MiB, which is more than a scene can be", "");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string bytes(size, '\0');
  if (!in || !in.read(bytes.data(), static_cast<std::streamsize>(size)))
    return cannot("read", file, errno != 0 ? reason(errno) : "it became shorter while it was read",
                  "Check the permissions of the file.");
  return bytes;
}

}  // namespace hazumi
