// Analysis model of a frame as JSON (docs/command-line.md, "Data of the analysis model"): pose and nodes of every object,
// in world space, metres, quaternions w-x-y-z.
#include <nlohmann/json.hpp>

#include "core/export/text_sink.h"

namespace hazumi {

namespace {

void append_array(std::string& text, const Vec3f& v) {
  text += '[';
  append_vector(text, v, ',');
  text += ']';
}

std::string bytes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string hash;
  for (int shift = 60; shift >= 0; shift -= 4) hash += kHex[(frame.state_hash >> shift) & 15];
  std::string text =
      "{\n  \"format\": \"hazumi analysis frame\",\n  \"version\": 1,\n  \"frame\": " + std::to_string(frame.index) +
      ",\n  \"time\": ";
  append_number(text, frame.index / scene.settings.frame_rate);
  text += ",\n  \"state\": \"" + hash + "\",\n  \"objects\": [";
  bool first = true;
  for (const auto& [object, moved] : wanted_objects(scene, frame, wanted)) {
    if (!moved) continue;
    text += first ? "\n" : ",\n";
    first = false;
    text += "    {\"id\": " + std::to_string(object->id.value) + ", \"name\": " +
            nlohmann::json(object->name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
            ", \"position\": ";
    append_array(text, moved->position);
    text += ", \"rotation\": [";
    append_number(text, moved->rotation.w());
    text += ',';
    append_vector(text, moved->rotation.vec(), ',');
    text += "], \"nodes\": [";
    for (std::size_t i = 0; i < moved->nodes.size(); ++i) {
      if (i) text += ',';
      append_array(text, moved->nodes[i]);
    }
    text += "]}";
  }
  return text + (first ? "]\n}\n" : "\n  ]\n}\n");
}

Result<std::unique_ptr<FrameSink>> make(const ExportTarget& target) {
  return make_file_sink(target.pattern, [wanted = target.object](const Scene& scene, const Frame& frame) {
    return bytes(scene, frame, wanted);
  });
}

}  // namespace

const ExportFormatInfo& export_json() {
  static const ExportFormatInfo info{"json",
                                     "Analysis model, JSON",
                                     ".json",
                                     "Pose and nodes of the analysis models in world space.",
                                     ExportKind::data,
                                     {},
                                     make};
  return info;
}

}  // namespace hazumi
