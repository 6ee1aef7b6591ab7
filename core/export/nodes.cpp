// Analysis models of a frame as Wavefront OBJ: a vertex for each node, in their order, those inside too, and the faces of the hull. World
// space, metres. Shaped elsewhere it is read as a pose (import/vertex_list.h).
#include "core/export/text_sink.h"
#include "core/scene/derived/poses.h"

namespace hazumi {

namespace {

std::string nodes_bytes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted) {
  std::string text = "# Hazumi, analysis models, frame " + std::to_string(frame.index) + "\n";
  std::size_t first = 1;
  for (const auto& [object, moved] : wanted_objects(scene, frame, wanted)) {
    if (!moved || moved->nodes.empty()) continue;
    std::string name = object->name.empty() ? "object" : object->name;
    for (char& c : name)
      if (static_cast<unsigned char>(c) <= ' ' || c == '#') c = '_';  // names end at the first blank for many readers
    text += "o " + name + "\n";
    for (const Vec3f& x : moved->nodes) {
      text += "v ";
      append_vector(text, x, ' ');
      text += '\n';
    }
    for (const auto& face : analysis_truss(object->analysis).hull) {
      text += 'f';
      for (const std::uint32_t node : face) text += ' ' + std::to_string(first + node);
      text += '\n';
    }
    first += moved->nodes.size();
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make_nodes(const ExportTarget& target) {
  return make_file_sink(target.pattern, [wanted = target.object](const Scene& scene, const Frame& frame) {
    return nodes_bytes(scene, frame, wanted);
  });
}

}  // namespace

const ExportFormatInfo& export_nodes() {
  static const ExportFormatInfo info{
      "nodes",
      "Analysis model, OBJ",
      ".obj",
      "Nodes of the analysis models and the faces of their hulls, to be shaped elsewhere and "
      "read as a pose.",
      ExportKind::data,
      {},
      make_nodes};
  return info;
}

}  // namespace hazumi
