#include "core/export/frame_sink.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "core/base/atomic_file.h"

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

Diagnostic cannot_write(const std::filesystem::path& path, const WriteProblem& problem) {
  const int error = problem.error;
  const char* hint = "";
  if (error == ENOSPC || error == EDQUOT) hint = "Make room there, or choose another folder.";
  if (error == EACCES || error == EPERM || error == EROFS) hint = "Choose a folder that you may write to.";
  std::string why = error == EISDIR ? "it is a folder" : error_text(error);
  if (error == ENOENT && !problem.folder.empty()) why = "the folder " + problem.folder.string() + " does not exist";
  if (error == ENOTDIR && !problem.folder.empty()) why = problem.folder.string() + " is not a folder";
  return {Severity::error, "", "Cannot write " + path.string() + ": " + why + ".", hint};
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

Result<std::filesystem::path> clip_path(const std::string& pattern) {
  if (const auto numbered = frame_path(pattern, 0); !numbered) return numbered.diagnostics();
  std::filesystem::path path(pattern);
  if (path.filename().string().find('#') != std::string::npos)
    return pattern_problem(pattern, "The output name has a #, but one file holds all frames.",
                           "Leave the # out: no number is written.");
  return path;
}

Status can_write_beside(const std::filesystem::path& path) {
  if (const auto problem = cannot_replace(path)) return cannot_write(path, *problem);
  return Done{};
}

Status write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  if (const auto problem = replace_file(path, bytes)) return cannot_write(path, *problem);
  return Done{};
}

}  // namespace hazumi
