#include "core/base/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hazumi {

namespace {

namespace fs = std::filesystem;

bool write_all_bytes(int handle, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 28));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A new file of a name of its own in a folder: closed and deleted unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) {
    // The target's name may already be as long as names can be. The numbers of process and thread keep programs that save
    // the same file apart, O_EXCL anything else.
    const std::string stem = ".hazumi-" + std::to_string(::getpid()) + "-" +
                             std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id())) + "-";
    for (int i = 0; i < 1000 && handle_ < 0; ++i) {
      path_ = folder / (stem + std::to_string(i) + ".part");
      handle_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (handle_ < 0 && errno != EEXIST) break;
    }
    created_ = handle_ >= 0;
  }
  ~TemporaryFile() {
    if (handle_ >= 0) ::close(handle_);
    if (created_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool created() const { return created_; }
  void set_mode(mode_t mode) { (void)::fchmod(handle_, mode); }
  bool write(std::string_view bytes) { return write_all_bytes(handle_, bytes); }
  bool finish() {
    if (::fsync(handle_) != 0 && errno != EINVAL) return false;  // EINVAL: a file system that cannot
    const int handle = handle_;
    handle_ = -1;
    return ::close(handle) == 0;
  }
  bool rename_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    created_ = false;
    return true;
  }

 private:
  fs::path path_;
  int handle_ = -1;
  bool created_ = false;
};

/// A file renamed over /dev/full or a pipe would replace it.
std::optional<WriteProblem> write_through(const fs::path& device, std::string_view bytes) {
  const int handle = ::open(device.c_str(), O_WRONLY | O_CLOEXEC);
  if (handle < 0) return WriteProblem{errno, {}};
  int error = write_all_bytes(handle, bytes) ? 0 : errno;
  if (::close(handle) != 0 && error == 0) error = errno;
  if (error != 0) return WriteProblem{error, {}};
  return std::nullopt;
}

/// Where the bytes go: a link's target is replaced, the link stays.
fs::path target_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return file;
  const fs::path resolved = fs::weakly_canonical(file, error);
  return error ? file : resolved;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// The rename is on the disk once the folder is. Not all file systems can do it; the file is whole either way.
void flush_folder(const fs::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

std::string reason(int error) { return std::error_code(error, std::generic_category()).message(); }

Diagnostic cannot(const char* what, const fs::path& file, const std::string& why, std::string hint) {
  return {Severity::error, file.string(), std::string("The file cannot be ") + what + ": " + why + ".",
          std::move(hint)};
}

}  // namespace

std::optional<WriteProblem> cannot_replace(const fs::path& file) {
  std::error_code error;
  const fs::path folder = folder_of(file);
  if (!fs::exists(folder, error) && !error) return WriteProblem{ENOENT, folder};
  if (!fs::is_directory(folder, error) && !error) return WriteProblem{ENOTDIR, folder};
  // Devices are written through, whatever their folder allows.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return std::nullopt;
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return WriteProblem{errno, folder};
  return std::nullopt;
}

namespace {

/// `write`: takes the temporary file; false: errno says why.
template <class Write>
std::optional<WriteProblem> replace_by(const fs::path& target, const Write& write) {
  if (auto problem = cannot_replace(target)) return problem;
  TemporaryFile temporary(folder_of(target));
  if (!temporary.created()) return WriteProblem{errno, {}};
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) temporary.set_mode(old.st_mode & 07777);
  if (!write(temporary) || !temporary.finish() || !temporary.rename_to(target)) return WriteProblem{errno, {}};
  return std::nullopt;
}

bool copy_bytes(const fs::path& source, TemporaryFile& into, const std::function<bool(std::uintmax_t)>& going) {
  const int handle = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return false;
  std::string block(std::size_t{1} << 20, '\0');
  bool good = true;
  for (ssize_t count = 1; good && count > 0;) {
    do count = ::read(handle, block.data(), block.size());
    while (count < 0 && errno == EINTR);
    good = count >= 0 &&
           into.write(std::string_view(block).substr(0, static_cast<std::size_t>(std::max<ssize_t>(count, 0))));
    if (good && going && !going(static_cast<std::uintmax_t>(count))) {
      good = false;
      errno = ECANCELED;
    }
  }
  const int error = errno;
  ::close(handle);
  errno = error;
  return good;
}

}  // namespace

std::optional<WriteProblem> replace_file(const fs::path& file, std::string_view bytes) {
  std::error_code error;
  const fs::path target = target_of(file);
  const fs::file_type kind = fs::status(target, error).type();
  if (kind == fs::file_type::directory) return WriteProblem{EISDIR, {}};
  if (kind != fs::file_type::regular && kind != fs::file_type::not_found && kind != fs::file_type::none)
    return write_through(target, bytes);
  return replace_by(target, [&](TemporaryFile& temporary) { return temporary.write(bytes); });
}

std::optional<WriteProblem> copy_to_new_file(const fs::path& source, const fs::path& file,
                                             const std::function<bool(std::uintmax_t)>& going) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) return WriteProblem{EEXIST, {}};
  auto problem = replace_by(file, [&](TemporaryFile& temporary) { return copy_bytes(source, temporary, going); });
  if (!problem) flush_folder(folder_of(file));
  return problem;
}

std::string error_text(int error) {
  std::string text = reason(error);
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

Status write_file_atomically(const fs::path& file, std::string_view bytes) {
  if (!file.has_filename()) return cannot("written", file, "the name is empty", "Give the file a name.");
  if (const auto problem = replace_file(file, bytes)) {
    const int error = problem->error;
    if (error == EISDIR) return cannot("written", file, "there is a folder of that name", "Save under another name.");
    return cannot("written", file, reason(error),
                  error == ENOSPC || error == EFBIG || error == EDQUOT
                      ? "Free some space or save to another place."
                      : "Save to another folder or under another name.");
  }
  flush_folder(folder_of(target_of(file)));
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
