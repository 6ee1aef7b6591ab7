// What frames can be written as, besides pictures. One file per format in this folder defines
// `const ExportFormatInfo& export_NAME()`; a generated table finds it (cmake/HazumiTargets.cmake). Every format writes
// one file per frame, whole or not at all, and is documented in docs/command-line.md.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/export/frame_sink.h"
#include "core/scene/derived/mesh_store.h"

namespace hazumi {

struct ExportTarget {
  std::string pattern;                                                ///< as frame_path() takes it
  std::optional<Id> object;                                           ///< only this one; else all visible ones
  std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>();  ///< the program's; else one of the sink's own
};

struct ExportFormatInfo {
  std::string_view name;         ///< on the command line: "obj"
  std::string_view label;        ///< on screen: "Wavefront OBJ"
  std::string_view extension;    ///< ".obj"
  std::string_view description;  ///< one sentence
  /// Refuses a pattern that frame_path() refuses.
  Result<std::unique_ptr<FrameSink>> (*make)(const ExportTarget& target);
};

/// All formats, in order of their names.
std::span<const ExportFormatInfo* const> export_formats();
const ExportFormatInfo* find_export_format(std::string_view name);

}  // namespace hazumi
