// Analysis model of a frame as CSV (docs/command-line.md, "Data of the analysis model"): one row per node; an object
// without nodes has one row with an empty node number and the place of its object frame. World space, metres.
#include "core/export/text_sink.h"

namespace hazumi {

namespace {

std::string csv_bytes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted) {
  std::string text = "frame,time,object,name,node,x,y,z\n";
  std::string start = std::to_string(frame.index) + ",";
  append_number(start, frame.index / scene.settings.frame_rate);
  for (const auto& [object, moved] : wanted_objects(scene, frame, wanted)) {
    if (!moved) continue;
    const std::string head = start + "," + std::to_string(object->id.value) + "," + csv_field(object->name) + ",";
    if (moved->nodes.empty()) {
      text += head + ",";
      append_vector(text, moved->position, ',');
      text += '\n';
    }
    for (std::size_t i = 0; i < moved->nodes.size(); ++i) {
      text += head + std::to_string(i) + ",";
      append_vector(text, moved->nodes[i], ',');
      text += '\n';
    }
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make_csv(const ExportTarget& target) {
  return make_file_sink(target.pattern, [wanted = target.object](const Scene& scene, const Frame& frame) {
    return csv_bytes(scene, frame, wanted);
  });
}

}  // namespace

const ExportFormatInfo& export_csv() {
  static const ExportFormatInfo info{
      "csv",   "Analysis model, CSV", ".csv", "Nodes of the analysis models, one row each.", ExportKind::data, {},
      make_csv};
  return info;
}

}  // namespace hazumi
