// What frames can be written as. One file per format defines `const ExportFormatInfo& export_NAME()` in this folder (models and
// data) or `picture_NAME()` in render/formats (pictures); generated tables find it (cmake/HazumiTargets.cmake). From the row
// come the dialog's and the command line's entry, with all options. A format writes one file per frame, or one for all of
// them, whole or not at all, and is documented in docs/command-line.md.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/export/frame_sink.h"
#include "core/export/options.h"
#include "core/scene/derived/mesh_store.h"

namespace hazumi {

struct ExportTarget {
  std::string pattern;                                                ///< as output_path() takes it
  std::optional<Id> object;                                           ///< only this one; else all visible ones
  ExportValues values = {};                                           ///< of the format's options
  std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>();  ///< the program's; else one of the sink's own
  Id camera = {};                                                     ///< of pictures; none: the scene's, with its cuts
};

/// What a file holds, and the heading that the format stands under.
enum class ExportKind { pictures, models, data };

struct ExportFormatInfo {
  std::string_view name;         ///< on the command line: "obj"
  std::string_view label;        ///< on screen: "Wavefront OBJ"
  std::string_view extension;    ///< ".obj"
  std::string_view description;  ///< one sentence
  ExportKind kind;
  std::span<const ExportOption> options;
  /// Refuses a pattern that output_path() refuses, and an object where it cannot be alone.
  Result<std::unique_ptr<FrameSink>> (*make)(const ExportTarget& target);
  bool one_file = false;  ///< for all frames, as its sinks say too
};

/// Where the format puts a frame: frame_path(), or clip_path() when one file has them all.
Result<std::filesystem::path> output_path(const ExportFormatInfo& format, const std::string& pattern, int frame);

/// The formats of this folder, in order of their names. render/picture_formats.h has all there are.
std::span<const ExportFormatInfo* const> export_formats();
const ExportFormatInfo* find_export_format(std::string_view name);

/// "name=value" as typed ("name" alone switches on), checked and put among the values. What cannot be is one sentence.
Status set_export_option(const ExportFormatInfo& format, std::string_view text, ExportValues& values);

/// A line per option, for help: "  up=y|z   y     Up axis. Which axis …".
std::string describe_options(const ExportFormatInfo& format);

}  // namespace hazumi
