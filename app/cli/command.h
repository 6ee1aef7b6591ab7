// What the commands of hazumi-cli share. Each command is one file in this folder: it says its options and
// gives back what to do. Results go to standard output, everything said to a person to standard error.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Names as they are, but for what a terminal or the next line of a log would trip over: control characters and bytes that are no
/// UTF-8 become \\n and \\x1b.
std::string escaped(std::string_view text);

/// Whether what is to be written would replace the scene or a file that was read with it, by whatever spelling of its path.
Status leaves_input(const std::string& scene_file, const Scene& scene, const std::filesystem::path& output);
Status leaves_input(const std::string& scene_file, const Scene& scene, FrameSink& sink, const FrameRange& range);

/// Ctrl+C was pressed, or the program is asked to end. It stops after the file at hand; what takes longer than half a second more, or
/// a second press, ends it where it is, without half-written files (watch.cpp).
void catch_interrupts();
bool was_interrupted();
/// A folder that is written into: parts of files are taken away when the program ends early.
void clean_up_in(const std::filesystem::path& folder);

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

/// What is being done, told with its seconds when it takes longer than half a second; only when standard error is a terminal.
class Stage {
 public:
  explicit Stage(std::string text);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

struct NamedThing {
  Id id;
  std::string name;
};
/// By name, or by id as #12. `kind`: "object", for sentences.
Result<Id> chosen_thing(const std::vector<NamedThing>& things, const std::string& kind, const std::string& option,
                        const std::string& wanted);
Result<Id> chosen_camera(const Scene& scene, const std::string& wanted);
/// The scene with that take current; an empty name: as it is. Says why not.
std::optional<Scene> in_chosen_take(Scene scene, const std::string& wanted);
inline constexpr const char* kTakeHelp = "The motion of this take (name, or id as #12); left out: of the current one";
inline constexpr const char* kCameraHelp =
    "Pictures of this camera (name, or id as #12), whatever the scene's cuts say";

/// Options that render and export have in common.
struct WriteOptions {
  std::string scene, frames, out, take;
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
