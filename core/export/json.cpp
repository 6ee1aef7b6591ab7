// Analysis model of a frame as JSON (docs/command-line.md, "Data of the analysis model"): pose and nodes of every object,
// and the frame's copies and lines that belong to objects, in world space, metres, quaternions w-x-y-z.
#include "core/export/text_sink.h"
#include "core/scene/file/json_tree.h"

namespace hazumi {

namespace {

void append_array(std::string& text, const Vec3f& v) {
  text += '[';
  append_vector(text, v, ',');
  text += ']';
}

void append_points(std::string& text, const std::vector<Vec3f>& points) {
  text += '[';
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i) text += ',';
    append_array(text, points[i]);
  }
  text += ']';
}

void append_rotation(std::string& text, const Eigen::Quaternionf& rotation) {
  text += '[';
  append_number(text, rotation.w());
  text += ',';
  append_vector(text, rotation.vec(), ',');
  text += ']';
}

template <class Numbers, class Append>
void append_list(std::string& text, const Numbers& numbers, const Append& append) {
  text += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i) text += ',';
    append(numbers[i]);
  }
  text += ']';
}

/// Copies and lines, as lists of blocks; left out when there are none.
template <class Block, class Append>
void append_blocks(std::string& text, const char* name, const std::vector<Block>& blocks,
                   const std::optional<Id>& wanted, const Append& append) {
  bool first = true;
  for (const Block& block : blocks) {
    if (wanted && block.id != *wanted) continue;
    text += first ? std::string(",\n  \"") + name + "\": [\n" : ",\n";
    first = false;
    text += "    {\"id\": " + std::to_string(block.id.value);
    append(block);
    text += '}';
  }
  if (!first) text += "\n  ]";
}

std::string json_bytes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted) {
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
    text += "    {\"id\": " + std::to_string(object->id.value) + ", \"name\": " + json::quoted(object->name) +
            ", \"position\": ";
    append_array(text, moved->position);
    text += ", \"rotation\": ";
    append_rotation(text, moved->rotation);
    text += ", \"nodes\": ";
    append_points(text, moved->nodes);
    text += '}';
  }
  text += first ? "]" : "\n  ]";
  append_blocks(text, "instances", frame.instances, wanted, [&](const InstanceBlock& block) {
    text += ", \"positions\": ";
    append_points(text, block.positions);
    if (!block.rotations.empty()) {
      text += ", \"rotations\": ";
      append_list(text, block.rotations, [&](const Eigen::Quaternionf& q) { append_rotation(text, q); });
    }
    if (block.scales.empty()) return;
    text += ", \"scales\": ";
    append_list(text, block.scales, [&](float scale) { append_number(text, scale); });
  });
  append_blocks(text, "polylines", frame.polylines, wanted, [&](const PolylineBlock& block) {
    text += ", \"points\": ";
    append_points(text, block.points);
    text += ", \"counts\": ";
    append_list(text, block.counts, [&](std::uint32_t count) { text += std::to_string(count); });
  });
  return text + "\n}\n";
}

Result<std::unique_ptr<FrameSink>> make_json(const ExportTarget& target) {
  return make_file_sink(target.pattern, [wanted = target.object](const Scene& scene, const Frame& frame) {
    return json_bytes(scene, frame, wanted);
  });
}

}  // namespace

const ExportFormatInfo& export_json() {
  static const ExportFormatInfo info{"json",           "Analysis model, JSON",
                                     ".json",          "Pose and nodes of the analysis models in world space.",
                                     ExportKind::data, {},
                                     make_json};
  return info;
}

}  // namespace hazumi
