#include "render/image_sink.h"

#include "render/picture_formats.h"

namespace hazumi {

Result<std::unique_ptr<FrameSink>> make_image_sink(const std::string& pattern, const PictureOptions& options,
                                                   std::shared_ptr<MeshStore> meshes, bool sound) {
  const Result<std::filesystem::path> first = frame_path(pattern, 0);
  if (!first) return first.diagnostics();
  const ExportFormatInfo* format = picture_format_of(pattern);
  if (!format) {
    std::string known;
    for (const ExportFormatInfo* each : picture_formats())
      known += (known.empty() ? "" : ", ") + std::string(each->extension);
    return Diagnostic{Severity::error, pattern, "No pictures are written with this extension.",
                      "End the name with one of these: " + known + "."};
  }
  ExportTarget target{pattern, std::nullopt, {}, std::move(meshes), options.camera};
  target.values = {{"width", options.width},
                   {"height", options.height},
                   {"samples", options.samples},
                   {"sound", sound},
                   {"render_quality", options.final_quality}};
  if (options.transparent) {
    if (!find_option(format->options, "transparent"))
      return Diagnostic{Severity::error, pattern, "A " + std::string(format->label) + " file cannot be transparent.",
                        "Write PNG, or switch the transparent background off."};
    target.values["transparent"] = 1;
  }
  return format->make(target);
}

}  // namespace hazumi
