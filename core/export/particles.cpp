// Particles of a frame as CSV (docs/command-line.md): one row each. World space, SI; colour and size as they are drawn.
#include "core/export/text_sink.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/particle_shade.h"

namespace hazumi {

namespace {

std::string particle_rows(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted) {
  const Standing standing(scene);
  std::string text = "frame,time,source,name,number,x,y,z,vx,vy,vz,size,mass,age,red,green,blue,opacity\n";
  std::string start = std::to_string(frame.index) + ",";
  append_number(start, frame.index / scene.settings.frame_rate);
  for (const ParticleBlock& block : frame.particles) {
    const ParticleSource* source = find_source(scene, block.id);
    if (!source || !standing.visible(*source) || (wanted && wanted->value != source->carrier)) continue;
    const std::string head = start + "," + std::to_string(source->id.value) + "," + csv_field(source->name) + ",";
    for (std::size_t i = 0; i < block.positions.size(); ++i) {
      const ParticleShade shade = particle_shade(*source, block.numbers[i], block.ages[i], block.sizes[i]);
      text += head + std::to_string(block.numbers[i]) + ",";
      append_vector(text, block.positions[i], ',');
      text += ',';
      append_vector(text, block.velocities[i], ',');
      for (const float value : {shade.size, block.masses[i], block.times[i], shade.colour.x(), shade.colour.y(),
                                shade.colour.z(), shade.opacity}) {
        text += ',';
        append_number(text, value);
      }
      text += '\n';
    }
  }
  return text;
}

Result<std::unique_ptr<FrameSink>> make_table(const ExportTarget& target) {
  return make_file_sink(target.pattern, [wanted = target.object](const Scene& scene, const Frame& frame) {
    return particle_rows(scene, frame, wanted);
  });
}

}  // namespace

const ExportFormatInfo& export_particles() {
  static const ExportFormatInfo info{
      "particles", "Particles, CSV", ".csv", "Particles, one row each.", ExportKind::data, {}, make_table};
  return info;
}

}  // namespace hazumi
