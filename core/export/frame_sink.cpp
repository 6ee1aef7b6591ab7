#include "core/export/frame_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <functional>
#include <system_error>
#include <thread>

namespace hazumi {

namespace {

constexpr int kLastFrame = 9'999'999;      ///< 46 hours at 60 frames a second
constexpr std::size_t kLongestRun = 20;    ///< of #
constexpr std::size_t kLongestName = 255;  ///< bytes, what file systems take
constexpr std::size_t kLongestPath = 4095;

Diagnostic range_problem(std::string_view text, const std::string& what) {
  std::string shown(text.substr(0, 60));
  if (text.size() > 60) shown += "…";
  return {Severity::error, "", "“" + shown + "” is not a frame range: " + what + ".",
          "Write it as 10-90, 10-90:5 (every fifth) or 7."};
}

/// A whole number of 1 to 7 digits; nothing else, not even a sign or a blank.
bool read_number(std::string_view text, int& number) {
  if (text.empty() || text.size() > 10) return false;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number <= kLastFrame;
}

Diagnostic pattern_problem(const std::string& pattern, const std::string& what, const std::string& hint) {
  return {Severity::error, pattern.substr(0, 200), what, hint};
}

std::string reason(int error) {
  std::string text = std::generic_category().message(error);
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

Diagnostic cannot_write(const std::filesystem::path& path, const std::string& why, int error) {
  const char* hint = "";
  if (error == ENOSPC || error == EDQUOT) hint = "Make room there, or choose another folder.";
  if (error == EACCES || error == EPERM || error == EROFS) hint = "Choose a folder that you may write to.";
  return {Severity::error, "", "Cannot write " + path.string() + ": " + why + ".", hint};
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 28));
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Devices and pipes are written as they are: a file renamed over /dev/full or a fifo would replace it.
Status write_through(const std::filesystem::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return cannot_write(path, reason(errno), errno);
  int error = write_all(file, bytes) ? 0 : errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) return cannot_write(path, reason(error), error);
  return Done{};
}

}  // namespace

Result<FrameRange> parse_frame_range(std::string_view text) {
  FrameRange range;
  std::string_view frames = text;
  if (text.empty()) return range_problem(text, "it is empty");
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    frames = text.substr(0, colon);
    if (!read_number(text.substr(colon + 1), range.step) || range.step < 1)
      return range_problem(text, "the step after the colon must be a whole number from 1");
  }
  const auto dash = frames.find('-');
  const std::string_view first = frames.substr(0, dash);
  const std::string_view last = dash == std::string_view::npos ? first : frames.substr(dash + 1);
  const std::string limits = " must be a whole number from 0 to " + std::to_string(kLastFrame);
  if (!read_number(first, range.first)) return range_problem(text, "the first frame" + limits);
  if (!read_number(last, range.last)) return range_problem(text, "the last frame" + limits);
  if (range.last < range.first) return range_problem(text, "the last frame comes before the first");
  return range;
}

Result<std::filesystem::path> frame_path(const std::string& pattern, int frame) {
  const std::filesystem::path whole(pattern);
  std::string name = whole.filename().string();
  if (pattern.empty() || name.empty() || name == "." || name == "..")
    return pattern_problem(pattern, "The output has no file name.", "Write it as folder/name.####.png.");
  if (pattern.find('\0') != std::string::npos)
    return pattern_problem(pattern, "The output name holds a zero byte.", "Write it as folder/name.####.png.");
  auto begin = name.find('#');
  if (begin == std::string::npos) {
    begin = name.size() - whole.extension().string().size();
    name.insert(begin, ".####");
    ++begin;
  }
  auto end = name.find_first_not_of('#', begin);
  if (end == std::string::npos) end = name.size();
  if (name.find('#', end) != std::string::npos)
    return pattern_problem(pattern, "The output name has more than one run of #.",
                           "Keep one: it stands for the frame number.");
  const std::size_t width = end - begin;
  if (width > kLongestRun)
    return pattern_problem(pattern, "The output name has a run of " + std::to_string(width) + " #.",
                           "At most 20 digits are written.");
  std::string digits = std::to_string(std::abs(static_cast<long long>(frame)));
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  if (frame < 0) digits.insert(0, 1, '-');
  name.replace(begin, width, digits);
  const std::filesystem::path path = whole.parent_path() / name;
  if (name.size() > kLongestName || path.string().size() > kLongestPath)
    return pattern_problem(pattern, "The output name is too long for a file.", "Choose a shorter one.");
  return path;
}

Status can_write_beside(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path folder = folder_of(path);
  if (!std::filesystem::exists(folder, ignored) && !ignored)
    return cannot_write(path, "the folder " + folder.string() + " does not exist", ENOENT);
  if (!std::filesystem::is_directory(folder, ignored) && !ignored)
    return cannot_write(path, folder.string() + " is not a folder", ENOTDIR);
  // Devices are written through, whatever their folder allows.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) return Done{};
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, reason(errno), errno);
  return Done{};
}

Status write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code ignored;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    const auto resolved = std::filesystem::weakly_canonical(path, ignored);
    if (!ignored) target = resolved;
  }
  const auto kind = std::filesystem::status(target, ignored).type();
  if (kind == std::filesystem::file_type::directory) return cannot_write(path, "it is a folder", EISDIR);
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found &&
      kind != std::filesystem::file_type::none)
    return write_through(target, bytes);
  if (Status folder = can_write_beside(target); !folder) return folder;
  const std::filesystem::path folder = folder_of(target);

  // Beside the target, so that the rename stays in one file system and is one step. The name is our own (the
  // target's may already be as long as names can be) and is tried again if somebody else has it.
  const std::string stem = ".hazumi-" + std::to_string(::getpid()) + "-" +
                           std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id())) + "-";
  std::filesystem::path temporary;
  int file = -1;
  for (int i = 0; i < 1000 && file < 0; ++i) {
    temporary = folder / (stem + std::to_string(i) + ".part");
    file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) return cannot_write(path, reason(errno), errno);
  int error = 0;
  struct stat before;
  if (::stat(target.c_str(), &before) == 0 && ::fchmod(file, before.st_mode & 07777) != 0) error = errno;
  if (error == 0 && !write_all(file, bytes)) error = errno;
  if (error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return cannot_write(path, reason(error), error);
  }
  return Done{};
}

}  // namespace hazumi
