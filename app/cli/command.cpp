#include "app/cli/command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"

namespace hazumi::cli {

namespace {

std::string seconds_text(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

}  // namespace

void say(const Diagnostic& diagnostic) {
  const std::string line = escaped(to_string(diagnostic)) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void say(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) say(diagnostic);
}

int usage(const std::string& message, const std::string& hint) {
  say({Severity::error, "", message, hint});
  return bad_usage;
}

std::string escaped(std::string_view text) {
  std::string out;
  char code[8];
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char c = byte(i);
    // Length of a well-formed character (Unicode 15, table 3-7); 0: none.
    std::size_t length = c < 0x80                ? 1
                         : c >= 0xc2 && c < 0xe0 ? 2
                         : c >= 0xe0 && c < 0xf0 ? 3
                         : c >= 0xf0 && c < 0xf5 ? 4
                                                 : 0;
    if (i + length > text.size()) length = 0;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) length = 0;
    if (length > 2) {
      const unsigned char second = byte(i + 1);
      if ((c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) || (c == 0xf0 && second < 0x90) ||
          (c == 0xf4 && second > 0x8f))
        length = 0;
    }
    const bool control = length == 1 && (c < 32 || c == 127);
    const bool control_of_latin = length == 2 && c == 0xc2 && byte(i + 1) < 0xa0;
    if (c == '\n') {
      out += "\\n";
    } else if (length == 0 || control || control_of_latin) {
      std::snprintf(code, sizeof code, "\\x%02x", c);
      out += code;
      length = 1;
    } else {
      out.append(text.substr(i, length));
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::optional<Scene> open_scene(const std::string& file) {
  const Stage stage("Reading " + file);
  auto scene = load_scene(file);
  Diagnostics diagnostics = scene.diagnostics();
  if (scene) {
    const Diagnostics more = validate(scene.value());
    diagnostics.insert(diagnostics.end(), more.begin(), more.end());
  }
  for (Diagnostic diagnostic : diagnostics) {
    if (diagnostic.path.find(file) == std::string::npos && diagnostic.message.find(file) == std::string::npos)
      diagnostic.path = diagnostic.path.empty() ? file : file + ": " + diagnostic.path;
    say(diagnostic);
  }
  if (!scene || has_error(diagnostics)) return std::nullopt;
  return std::move(scene).value();
}

std::optional<FrameRange> read_frames(const std::string& text) {
  const auto range = parse_frame_range(text);
  if (range) return range.value();
  say(range.diagnostics());
  return std::nullopt;
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}
ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void add_threads(Words& words, int& threads) {
  threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64);
  words.number("--threads", threads, 1, 256, "Threads to use; the results do not depend on it");
}

std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void WriteOptions::add(Words& words, const std::string& out_help) {
  words.place("scene", scene, "Scene file", "SCENE");
  words.text("--frames", frames, "First and last frame, and every how manyth", "A-B[:STEP]", Words::required);
  words.text("--out", out, out_help, "PATH", Words::required);
  words.text("--take", take, kTakeHelp, "NAME");
  words.flag("--keep-existing", keep_existing, "Skip frames whose file is there already");
  words.flag("--json", json, "Tell what was written as JSON");
  add_threads(words, threads);
}

int write_frames(const Scene& scene, FrameSink& sink, const WriteOptions& options, const FrameRange& range) {
  ExportOptions job;
  job.range = range;
  job.keep_existing = options.keep_existing;
  job.threads = options.threads;
  job.meshes = options.meshes;
  if (const Status apart = leaves_input(options.scene, scene, sink, range); !apart) {
    say(apart.diagnostics());
    return bad_usage;
  }
  clean_up_in(sink.path(range.first).parent_path());
  ProgressLine line;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  int told = 0, skipped = 0;
  const auto tell = [&](const std::string& path, bool kept, nlohmann::ordered_json row) {
    row.update({{"path", path}, {"written", !kept}});
    if (options.json)
      files.push_back(std::move(row));
    else if (!kept)
      std::cout << path << std::endl;
  };
  const auto progress = [&](const ExportProgress& p) {
    if (p.done > told && !sink.one_file()) {
      tell(sink.path(p.frame).string(), p.skipped > skipped, {{"frame", p.frame}});
      told = p.done;
      skipped = p.skipped;
    }
    std::string text = std::to_string(p.done) + " of " + std::to_string(p.total) + " frames";
    if (p.seconds_left >= 0) text += ", " + seconds_text(p.seconds_left) + " left";
    line.show(text);
    return !was_interrupted();
  };
  const ExportResult result = run_export(scene, sink, job, nullptr, progress);
  line.clear();
  if (sink.one_file() && result.end == ExportEnd::complete)
    tell(sink.path(range.first).string(), result.skipped > 0, nlohmann::ordered_json::object());
  if (const std::filesystem::path beside = sink.beside(scene, range);
      !beside.empty() && result.end == ExportEnd::complete)
    tell(beside.string(), false, nlohmann::ordered_json::object());
  say(result.diagnostics);
  static constexpr const char* kEnds[] = {"complete", "cancelled", "failed", "diverged"};
  if (options.json) {
    const nlohmann::ordered_json report = {{"end", kEnds[static_cast<int>(result.end)]},
                                           {"written", result.written},
                                           {"skipped", result.skipped},
                                           {"files", files}};
    std::cout << report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  if (result.end == ExportEnd::complete) return done;
  if (result.end != ExportEnd::cancelled) return stopped;
  say({Severity::info, "",
       sink.one_file() ? "Stopped as asked; nothing was written."
                       : "Stopped as asked; the " + std::to_string(result.written) + " files written are whole.",
       ""});
  return interrupted;
}

}  // namespace hazumi::cli
