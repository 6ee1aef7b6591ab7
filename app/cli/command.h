// What the commands of hazumi-cli share. Each command is one file in this folder: it says its options and
// gives back what to do. Results go to standard output, everything said to a person to standard error.
#pragma once

#include <optional>
#include <string>

#include "app/cli/parser.h"
#include "core/export/export_job.h"
#include "core/scene/derived/mesh_store.h"
#include "core/scene/values/scene.h"

namespace hazumi::cli {

/// Exit codes (docs/command-line.md; scripts rely on them).
enum Exit : int {
  done = 0,
  bad_input = 1,      ///< a scene that cannot be read or does not make sense
  bad_usage = 2,      ///< options that do not fit together or name nothing
  stopped = 3,        ///< the run diverged, or its results could not be written
  interrupted = 130,  ///< by Ctrl+C, as shells have it
};

Run add_info(Words& words);
Run add_validate(Words& words);
Run add_simulate(Words& words);
Run add_render(Words& words);
Run add_export(Words& words);
Run add_formats(Words& words);

/// One line to standard error.
void say(const Diagnostic& diagnostic);
void say(const Diagnostics& diagnostics);
int usage(const std::string& message, const std::string& hint = "");

/// Reads and validates; says what is wrong and gives nothing when there is an error.
std::optional<Scene> open_scene(const std::string& file);
std::optional<FrameRange> read_frames(const std::string& text);  ///< says why not

/// Ctrl+C was pressed. The first press asks the run to stop after the file at hand; the second one ends the program.
void catch_interrupts();
bool was_interrupted();

/// "frame 12 of 90, 3 s left" in place, only when standard error is a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

/// Options that render and export have in common.
struct WriteOptions {
  std::string scene, frames, out;
  bool keep_existing = false, json = false;
  int threads = 0;
  std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>();  ///< of the run and of the sink
  void add(Words& words, const std::string& out_help);
};
/// Writes the frames and tells the paths; the exit code.
int write_frames(const Scene& scene, FrameSink& sink, const WriteOptions& options, const FrameRange& range);

void add_threads(Words& words, int& threads);
std::string hex(std::uint64_t hash);  ///< 16 digits

}  // namespace hazumi::cli
