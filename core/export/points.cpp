// PLY 1.0, binary little endian: particles of a frame as points. Each has its place and velocity, size and colour as it is drawn (a fourth
// number says how opaque), mass, seconds since its birth, the id of its source and its own number; comment lines say which names sources
// have. Metres and y up unless the options say otherwise.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/export/text_sink.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/particle_shade.h"

namespace hazumi {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are copied as they are in memory");

template <class T>
void append_bits(std::string& text, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  text.append(raw, sizeof(T));
}

std::uint8_t byte_of(float value) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0f, 1.0f)));
}

std::string point_bytes(const Scene& scene, const Frame& frame, const ExportTarget& target) {
  const bool z_up = option_value(mesh_options(), target.values, "up") == 1;
  const auto scale = static_cast<float>(option_value(mesh_options(), target.values, "scale"));
  const Standing standing(scene);
  std::string head =
      "ply\nformat binary_little_endian 1.0\ncomment Hazumi, frame " + std::to_string(frame.index) + "\n";
  std::string body;
  std::size_t count = 0;
  for (const ParticleBlock& block : frame.particles) {
    const ParticleSource* source = find_source(scene, block.id);
    if (!source || !standing.visible(*source) || (target.object && target.object->value != source->carrier)) continue;
    std::string name = source->name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    head += "comment source " + std::to_string(source->id.value) + " " + name + "\n";
    const auto append_turned = [&](const Vec3f& v) {
      const Vec3f turned = scale * (z_up ? Vec3f(v.x(), -v.z(), v.y()) : v);
      for (int k = 0; k < 3; ++k) append_bits(body, turned[k]);
    };
    for (std::size_t i = 0; i < block.positions.size(); ++i) {
      const ParticleShade shade = particle_shade(*source, block.numbers[i], block.ages[i], block.sizes[i]);
      append_turned(block.positions[i]);
      append_turned(block.velocities[i]);
      append_bits(body, scale * shade.size);
      append_bits(body, block.masses[i]);
      append_bits(body, block.times[i]);
      for (int k = 0; k < 3; ++k) append_bits(body, byte_of(shade.colour[k]));
      append_bits(body, byte_of(shade.opacity));
      append_bits(body, static_cast<std::uint32_t>(source->id.value));
      append_bits(body, static_cast<std::uint32_t>(block.numbers[i]));
      ++count;
    }
  }
  head +=
      "element vertex " + std::to_string(count) +
      "\nproperty float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float vy\n"
      "property float vz\nproperty float size\nproperty float mass\nproperty float age\nproperty uchar red\n"
      "property uchar green\nproperty uchar blue\nproperty uchar alpha\nproperty uint source\nproperty uint number\n"
      "end_header\n";
  return head + body;
}

Result<std::unique_ptr<FrameSink>> make_points(const ExportTarget& target) {
  return make_file_sink(target.pattern,
                        [target](const Scene& scene, const Frame& frame) { return point_bytes(scene, frame, target); });
}

}  // namespace

const ExportFormatInfo& export_points() {
  static const ExportFormatInfo info{"points",         "Particles, PLY points",
                                     ".ply",           "Particles as points with velocity, size, colour, mass and age.",
                                     ExportKind::data, mesh_options(),
                                     make_points};
  return info;
}

}  // namespace hazumi
