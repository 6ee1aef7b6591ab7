#include "core/export/gltf_clip.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/export/text_sink.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/particle_shade.h"
#include "core/scene/values/materials.h"

namespace hazumi {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125;
constexpr int kVertices = 34962, kFaces = 34963;

/// The one buffer of the file with its views and accessors.
class Buffer {
 public:
  /// One accessor for tightly packed values. With `box`: their least and largest values are told, as glTF asks of
  /// positions and of times.
  template <class Scalar>
  int add(const std::vector<Scalar>& values, int width, const char* type, bool box = false, int target = 0) {
    static_assert(sizeof(Scalar) == 4);
    Json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", 4 * values.size()}};
    if (target) view["target"] = target;
    const std::size_t at = bytes.size();
    bytes.resize(at + 4 * values.size());
    if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), 4 * values.size());
    Json accessor = {{"bufferView", views.size()},
                     {"componentType", std::is_same_v<Scalar, float> ? kFloat : kUnsigned},
                     {"count", values.size() / static_cast<std::size_t>(width)},
                     {"type", type}};
    if (box) add_box(accessor, values, width);
    views.push_back(std::move(view));
    accessors.push_back(std::move(accessor));
    return static_cast<int>(accessors.size()) - 1;
  }

  std::string bytes;
  Json views = Json::array(), accessors = Json::array();

 private:
  template <class Scalar>
  static void add_box(Json& accessor, const std::vector<Scalar>& values, int width) {
    Json low = Json::array(), high = Json::array();
    for (int k = 0; k < width; ++k) {
      Scalar least = values[static_cast<std::size_t>(k)], most = least;
      for (std::size_t i = static_cast<std::size_t>(k); i < values.size(); i += static_cast<std::size_t>(width)) {
        least = std::min(least, values[i]);
        most = std::max(most, values[i]);
      }
      low.push_back(least);
      high.push_back(most);
    }
    accessor["min"] = std::move(low);
    accessor["max"] = std::move(high);
  }
};

template <class Vector>
std::vector<float> flat(const std::vector<Vector>& vectors) {
  std::vector<float> out;
  out.reserve(3 * vectors.size());
  for (const Vector& v : vectors)
    for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(v[k]));
  return out;
}

std::vector<float> differences(const std::vector<Vec3f>& to, const std::vector<Vec3f>& from) {
  std::vector<float> out;
  out.reserve(3 * to.size());
  for (std::size_t i = 0; i < to.size(); ++i)
    for (int k = 0; k < 3; ++k) out.push_back(to[i][k] - from[i][k]);
  return out;
}

/// Of values that are linear between keys, those that are needed: from a key on the next ones are left out as long as some straight line
/// passes all of them by kNear at most and the last of them is on it (a swinging door). Of unit quaternions that near, the way of
/// slerp is the same to 1e-9.
std::vector<std::size_t> kept_keys(const std::vector<float>& times, const std::vector<float>& values,
                                   std::size_t width) {
  constexpr double kNear = 1e-6;
  const std::size_t n = times.size();
  std::vector<std::size_t> kept{0};
  std::vector<double> low(width), high(width);
  const auto open_door = [&] {
    std::fill(low.begin(), low.end(), -1e300);
    std::fill(high.begin(), high.end(), 1e300);
  };
  open_door();
  for (std::size_t j = 1; j < n; ++j) {
    const auto slope = [&](std::size_t k, double beside) {
      const std::size_t from = kept.back();
      return (static_cast<double>(values[j * width + k]) + beside - static_cast<double>(values[from * width + k])) /
             (static_cast<double>(times[j]) - static_cast<double>(times[from]));
    };
    bool through = true;
    for (std::size_t k = 0; k < width; ++k) through = through && slope(k, 0) >= low[k] && slope(k, 0) <= high[k];
    if (!through) {
      kept.push_back(j - 1);
      open_door();
    }
    for (std::size_t k = 0; k < width; ++k) {
      low[k] = std::max(low[k], slope(k, -kNear));
      high[k] = std::min(high[k], slope(k, kNear));
    }
  }
  if (n > 1) kept.push_back(n - 1);
  return kept;
}

GltfClip::Shape placed(const DisplayMesh& mesh, const GltfClip::Pose& pose) {
  GltfClip::Shape shape;
  for (const Vec3& p : mesh.positions) shape.positions.push_back(pose.position + pose.rotation * p.cast<float>());
  for (const Vec3& n : mesh.normals) shape.normals.push_back(pose.rotation * n.cast<float>());
  return shape;
}

/// Materials have the numbers of a colour dialog (sRGB), glTF's colours are amounts of light.
double light(double shown) {
  const double c = std::clamp(shown, 0.0, 1.0);
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Json material_of(const Surface& surface, const std::string& name) {
  // Half the light of a lobe of exponent n lies as wide as that of a surface of roughness (2/(n+2))^(1/4).
  const double roughness = std::pow(2 / (std::max(surface.shininess, 0.0) + 2), 0.25);
  Json base = Json::array();
  for (int k = 0; k < 3; ++k) base.push_back(light(surface.diffuse[k]));
  base.push_back(std::clamp(surface.opacity, 0.0, 1.0));
  Json material = {
      {"name", name},
      {"pbrMetallicRoughness", {{"baseColorFactor", base}, {"metallicFactor", 0}, {"roughnessFactor", roughness}}}};
  if (surface.opacity < 1) material["alphaMode"] = "BLEND";
  return material;
}

class Writer {
 public:
  Writer(const Scene& scene, const std::vector<int>& frames) {
    for (const int f : frames) times_.push_back(static_cast<float>((f - frames.front()) / scene.settings.frame_rate));
  }

  void add(const Object& object, const GltfClip::Track& track) {
    const int node = static_cast<int>(nodes_.size());
    Json entry = {{"name", object.name}, {"mesh", meshes_.size()}};
    if (track.bends) {
      add_bending(node, object, track);
    } else {
      add_mesh(object, *track.mesh, flat(track.mesh->positions), flat(track.mesh->normals));
      add_poses(node, track.poses, 0, entry);
    }
    add_presence(node, track, entry);
    roots_.push_back(nodes_.size());
    nodes_.push_back(std::move(entry));
  }

  void add(const Object& object, const GltfClip::Stretch& stretch) {
    const int node = static_cast<int>(nodes_.size());
    const std::size_t count = stretch.shapes.size(), end = stretch.first + count;
    Json entry = {{"name", object.name + ", frames " + std::to_string(stretch.first_frame) + " on"},
                  {"mesh", meshes_.size()}};
    const std::vector<float> own(times_.begin() + static_cast<std::ptrdiff_t>(stretch.first),
                                 times_.begin() + static_cast<std::ptrdiff_t>(end));
    add_shapes(
        node, object, *stretch.mesh, count, [&](std::size_t f) { return stretch.shapes[f]; },
        [&] { return buffer_.add(own, 1, "SCALAR", true); });
    std::vector<float> times, scales;
    const auto key = [&](std::size_t frame, float size) {
      times.push_back(times_[frame]);
      scales.insert(scales.end(), 3, size);
    };
    if (stretch.first > 0) key(0, 0);
    key(stretch.first, 1);
    if (end < times_.size()) key(end, 0);
    if (times.size() > 1) {
      entry["scale"] = std::vector<float>(scales.begin(), scales.begin() + 3);
      const int at = buffer_.add(times, 1, "SCALAR", true);
      add_channel(node, "scale", at, buffer_.add(scales, 3, "VEC3"), "STEP");
    }
    roots_.push_back(nodes_.size());
    nodes_.push_back(std::move(entry));
  }

  void add_copies(const ParticleSource& source, const Object& copied, const DisplayMesh& mesh,
                  const std::map<std::uint64_t, GltfClip::Copy>& copies) {
    const double largest = bounds(mesh).size().maxCoeff();
    if (!(largest > 0)) return;
    const std::size_t shared = meshes_.size();
    add_mesh(copied, mesh, flat(mesh.positions), flat(mesh.normals));
    Json children = Json::array();
    for (const auto& [number, copy] : copies) {
      const int node = static_cast<int>(nodes_.size());
      Json entry = {{"name", source.name + " " + std::to_string(number)}, {"mesh", shared}};
      add_poses(node, copy.poses, copy.first, entry);
      add_sizes(node, copy, static_cast<float>(1 / largest), entry);
      children.push_back(node);
      nodes_.push_back(std::move(entry));
    }
    roots_.push_back(nodes_.size());
    nodes_.push_back({{"name", source.name}, {"children", std::move(children)}});
  }

  std::string glb() {
    Json root = {{"asset", {{"version", "2.0"}, {"generator", "Hazumi"}}},
                 {"scene", 0},
                 {"scenes", Json::array({{{"nodes", std::move(roots_)}}})},
                 {"nodes", std::move(nodes_)},
                 {"meshes", std::move(meshes_)},
                 {"materials", std::move(materials_)},
                 {"bufferViews", std::move(buffer_.views)},
                 {"accessors", std::move(buffer_.accessors)},
                 {"buffers", Json::array({{{"byteLength", buffer_.bytes.size()}}})}};
    if (!channels_.empty())
      root["animations"] =
          Json::array({{{"name", "Hazumi"}, {"channels", std::move(channels_)}, {"samplers", std::move(samplers_)}}});
    std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string file = "glTF";
    append_word(file, 2);
    append_word(file, 12 + 8 + text.size() + 8 + buffer_.bytes.size());
    append_word(file, text.size());
    file += "JSON" + text;
    append_word(file, buffer_.bytes.size());
    file += std::string("BIN\0", 4) + buffer_.bytes;
    return file;
  }

 private:
  /// Little-endian, as the format asks.
  static void append_word(std::string& file, std::size_t word) {
    for (int k = 0; k < 4; ++k) file += static_cast<char>(word >> (8 * k) & 0xff);
  }

  /// One primitive for each part, which share their vertices; `targets` are of all of them.
  void add_mesh(const Object& object, const DisplayMesh& mesh, const std::vector<float>& positions,
                const std::vector<float>& normals, const Json& targets = Json::array()) {
    Json attributes = {{"POSITION", buffer_.add(positions, 3, "VEC3", true, kVertices)}};
    if (normals.size() == positions.size()) attributes["NORMAL"] = buffer_.add(normals, 3, "VEC3", false, kVertices);
    Json primitives = Json::array();
    for (const Part& part : mesh.parts) {
      if (part.face_count == 0) continue;
      std::vector<std::uint32_t> indices;
      for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f)
        indices.insert(indices.end(), mesh.faces[f].begin(), mesh.faces[f].end());
      Json primitive = {{"attributes", attributes},
                        {"indices", buffer_.add(indices, 1, "SCALAR", false, kFaces)},
                        {"material", materials_.size()}};
      if (!targets.empty()) primitive["targets"] = targets;
      primitives.push_back(std::move(primitive));
      const std::string name = part.name.empty() ? object.name : object.name + " " + part.name;
      materials_.push_back(material_of(material_of_part(object, part.name).surface, name));
    }
    Json entry = {{"name", object.name}, {"primitives", std::move(primitives)}};
    if (!targets.empty()) entry["weights"] = std::vector<int>(targets.size(), 0);
    meshes_.push_back(std::move(entry));
  }

  void add_channel(int node, const char* path, int times, int values, const char* between) {
    channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", times}, {"output", values}, {"interpolation", between}});
  }
  /// The accessor of all times.
  int all_times() {
    if (time_ < 0) time_ = buffer_.add(times_, 1, "SCALAR", true);
    return time_;
  }
  /// Of what is linear from key to key, those without which it would be elsewhere; the first value is of frame `first`.
  void add_few(int node, const char* path, const std::vector<float>& values, int width, const char* type,
               std::size_t first) {
    const auto wide = static_cast<std::size_t>(width);
    const auto from = times_.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<float> own(from, from + static_cast<std::ptrdiff_t>(values.size() / wide));
    const std::vector<std::size_t> kept = kept_keys(own, values, wide);
    if (kept.size() == times_.size()) {
      const int all = all_times();
      return add_channel(node, path, all, buffer_.add(values, width, type), "LINEAR");
    }
    std::vector<float> times, few;
    for (const std::size_t k : kept) {
      times.push_back(own[k]);
      const auto value = values.begin() + static_cast<std::ptrdiff_t>(k * wide);
      few.insert(few.end(), value, value + width);
    }
    const int at = buffer_.add(times, 1, "SCALAR", true);
    add_channel(node, path, at, buffer_.add(few, width, type), "LINEAR");
  }

  /// What stays where it is needs no keys. The first pose is of frame `first`.
  void add_poses(int node, const std::vector<GltfClip::Pose>& poses, std::size_t first, Json& entry) {
    std::vector<float> places, turns;
    bool moves = false, spins = false;
    Eigen::Quaternionf last = poses.front().rotation;
    for (const GltfClip::Pose& pose : poses) {
      moves = moves || pose.position != poses.front().position;
      spins = spins || pose.rotation.coeffs() != poses.front().rotation.coeffs();
      Eigen::Quaternionf turn = pose.rotation.normalized();
      if (turn.dot(last) < 0) turn.coeffs() = -turn.coeffs();  // linear keys go the short way
      last = turn;
      places.insert(places.end(), pose.position.data(), pose.position.data() + 3);
      turns.insert(turns.end(), turn.coeffs().data(), turn.coeffs().data() + 4);  // x y z w, as glTF has them
    }
    entry["translation"] = std::vector<float>(places.begin(), places.begin() + 3);
    entry["rotation"] = std::vector<float>(turns.begin(), turns.begin() + 4);
    if (moves) add_few(node, "translation", places, 3, "VEC3", first);
    if (spins) add_few(node, "rotation", turns, 4, "VEC4", first);
  }

  /// In steps: 0 where it does not live.
  void add_sizes(int node, const GltfClip::Copy& copy, float scale, Json& entry) {
    std::vector<float> times, sizes;
    const auto key = [&](std::size_t frame, float size) {
      if (!sizes.empty() && sizes.back() == size) return;
      times.push_back(times_[frame]);
      sizes.insert(sizes.end(), 3, size);
    };
    if (copy.first > 0) key(0, 0);
    for (std::size_t k = 0; k < copy.sizes.size(); ++k) key(copy.first + k, scale * copy.sizes[k]);
    const std::size_t end = copy.first + copy.sizes.size();
    if (end < times_.size()) key(end, 0);
    entry["scale"] = std::vector<float>(sizes.begin(), sizes.begin() + 3);
    if (times.size() < 2) return;
    const int at = buffer_.add(times, 1, "SCALAR", true);
    add_channel(node, "scale", at, buffer_.add(sizes, 3, "VEC3"), "STEP");
  }

  void add_bending(int node, const Object& object, const GltfClip::Track& track) {
    const auto shape = [&](std::size_t f) {
      const GltfClip::Shape& own = track.shapes[f];
      return own.positions.empty() ? placed(*track.mesh, track.poses[f]) : own;
    };
    add_shapes(node, object, *track.mesh, track.poses.size(), shape, [&] { return all_times(); });
  }

  /// A morph target for each shape but the first, one at full weight at each of the times.
  template <class ShapeOf, class Times>
  void add_shapes(int node, const Object& object, const DisplayMesh& mesh, std::size_t count, const ShapeOf& shape,
                  const Times& times) {
    const GltfClip::Shape first = shape(0);
    Json targets = Json::array();
    for (std::size_t f = 1; f < count; ++f) {
      const GltfClip::Shape now = shape(f);
      Json target = {{"POSITION", buffer_.add(differences(now.positions, first.positions), 3, "VEC3", true)}};
      if (now.normals.size() == first.normals.size())
        target["NORMAL"] = buffer_.add(differences(now.normals, first.normals), 3, "VEC3");
      targets.push_back(std::move(target));
    }
    add_mesh(object, mesh, flat(first.positions), flat(first.normals), targets);
    if (count < 2) return;
    std::vector<float> weights(count * (count - 1), 0.0f);
    for (std::size_t f = 1; f < count; ++f) weights[f * (count - 1) + f - 1] = 1;
    const int at = times();
    add_channel(node, "weights", at, buffer_.add(weights, 1, "SCALAR"), "LINEAR");
  }

  void add_presence(int node, const GltfClip::Track& track, Json& entry) {
    std::vector<float> scales;
    bool ever_absent = false;
    for (const bool here : track.present) {
      ever_absent = ever_absent || !here;
      scales.insert(scales.end(), 3, here ? 1.0f : 0.0f);
    }
    if (!ever_absent) return;
    entry["scale"] = std::vector<float>(scales.begin(), scales.begin() + 3);
    const int at = all_times();
    add_channel(node, "scale", at, buffer_.add(scales, 3, "VEC3"), "STEP");
  }

  std::vector<float> times_;
  Buffer buffer_;
  int time_ = -1;
  Json roots_ = Json::array(), nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array();
  Json channels_ = Json::array(), samplers_ = Json::array();
};

}  // namespace

Status GltfClip::add(const Scene& scene, const Frame& frame) {
  if (!frames_.empty() && frame.index <= frames_.back())
    return Diagnostic{Severity::error, "", "Frames of a clip must follow each other in time.", "Export them anew."};
  Executor alone;
  for (const auto& [object, unmoved] : wanted_objects(scene, Frame{}, object_)) {
    if (has_moving_metaballs(*object)) continue;
    const ObjectFrame* moved = frame.find(object->id);
    auto at = tracks_.find(object->id);
    if (at == tracks_.end()) {
      if (!frames_.empty()) continue;
      Track track;
      track.mesh = meshes_->get(*object, alone);
      if (track.mesh->empty()) continue;
      at = tracks_.emplace(object->id, std::move(track)).first;
    }
    Track& track = at->second;
    Pose pose{object->transform.position.cast<float>(), object->transform.rotation.cast<float>()};
    const bool present = !moved || moved->present;
    if (moved && present) pose = {moved->position, moved->rotation};
    if (!present && !track.poses.empty()) pose = track.poses.back();
    Shape shape;
    if (moved && present && moved->deformed && moved->vertices.size() == track.mesh->positions.size()) {
      shape = {moved->vertices, moved->normals};
      track.bends = true;
    }
    track.poses.push_back(pose);
    track.present.push_back(present);
    track.shapes.push_back(std::move(shape));
  }
  add_copies(scene, frame);
  if (frames_.empty() && TrackedSkins::any(scene, object_)) skins_ = std::make_shared<TrackedSkins>();
  if (skins_) add_skins(skins_->add(scene, frame, object_));
  frames_.push_back(frame.index);
  if (bytes() > max_bytes_)
    return Diagnostic{Severity::error, "frame " + std::to_string(frame.index),
                      "The frames up to here take more than " + std::to_string(max_bytes_ >> 20) +
                          " MB, which is more than one glTF file may hold.",
                      "Export fewer frames, a larger step, or one object alone; or allow a larger file."};
  return Done{};
}

void GltfClip::add_skins(std::vector<TrackedSkins::Skin> skins) {
  for (TrackedSkins::Skin& skin : skins) {
    if (skin.mesh->faces.empty()) continue;
    std::vector<Stretch>& own = stretches_[skin.object];
    const auto at = std::lower_bound(frames_.begin(), frames_.end(), skin.at.frame);
    if (own.empty() || own.back().mesh != skin.mesh)
      own.push_back({skin.mesh, static_cast<std::size_t>(at - frames_.begin()), skin.at.frame, {}});
    Shape shape;
    for (const Vec3& p : skin.at.positions) shape.positions.push_back(p.cast<float>());
    shape.normals = std::move(skin.at.normals);
    own.back().shapes.push_back(std::move(shape));
  }
}

void GltfClip::add_copies(const Scene& scene, const Frame& frame) {
  const Standing standing(scene);
  for (const ParticleBlock& block : frame.particles) {
    const ParticleSource* source = find_source(scene, block.id);
    if (!source || !shows_copies(*source) || !standing.visible(*source)) continue;
    if (!find_object(scene, shown_copy(*source)) || (object_ && object_->value != source->carrier)) continue;
    auto& copies = copies_[block.id];
    for (std::size_t i = 0; i < block.positions.size(); ++i) {
      Copy& copy = copies.try_emplace(block.numbers[i], Copy{frames_.size(), {}, {}}).first->second;
      const bool bodies = !block.rotations.empty();
      copy.poses.push_back(
          {block.positions[i],
           bodies ? block.rotations[i] : Eigen::Quaternionf(copy_turn(*source, block.numbers[i], block.times[i]))});
      copy.sizes.push_back(bodies ? block.sizes[i]
                                  : particle_shade(*source, block.numbers[i], block.ages[i], block.sizes[i]).size);
    }
  }
}

std::size_t GltfClip::bytes() const {
  constexpr std::size_t kNode = 1200;  // of the text that tells of a node and its keys
  std::size_t sum = 0;
  for (const auto& [id, copies] : copies_)
    for (const auto& [number, copy] : copies) sum += kNode + copy.poses.size() * 14 * sizeof(float);
  for (const auto& [id, own] : stretches_)
    for (const Stretch& stretch : own)
      sum += kNode + stretch.shapes.size() *
                         (2 * sizeof(Vec3f) * stretch.mesh->positions.size() + sizeof(float) * stretch.shapes.size());
  for (const auto& [id, track] : tracks_) {
    const std::size_t n = track.poses.size();
    const std::size_t vertices = track.mesh->positions.size() + track.mesh->normals.size();
    if (track.bends)  // a shape a frame, and in each frame a weight for each of them
      sum += n * (sizeof(Vec3f) * vertices + sizeof(float) * (n - 1));
    else
      sum += n * 7 * sizeof(float);  // place and turn
    sum += n * 3 * sizeof(float);    // size, where it is absent at times
  }
  return sum;
}

Result<std::string> GltfClip::glb(const Scene& scene) {
  if (frames_.empty())
    return Diagnostic{Severity::error, "", "A clip needs at least one frame.", "Choose frames to export."};
  Diagnostics notes;
  if (skins_) {
    add_skins(skins_->finish());
    changes_ = skins_->changes();
    notes = notes_of(changes_, scene);
    skins_.reset();
  }
  Writer writer(scene, frames_);
  bool any = false;
  for (const auto& [object, moved] : wanted_objects(scene, Frame{}, object_)) {
    if (const auto own = stretches_.find(object->id); own != stretches_.end())
      for (const Stretch& stretch : own->second) {
        writer.add(*object, stretch);
        any = true;
      }
    const auto at = tracks_.find(object->id);
    if (at == tracks_.end()) continue;
    writer.add(*object, at->second);
    any = true;
  }
  Executor alone;
  for (const auto& [id, copies] : copies_) {
    const ParticleSource* source = find_source(scene, id);
    const Object* copied = source ? find_object(scene, shown_copy(*source)) : nullptr;
    if (!copied || copies.empty()) continue;
    writer.add_copies(*source, *copied, *meshes_->get(*copied, alone), copies);
    any = true;
  }
  if (!any)
    return Diagnostic{Severity::error, "", "Nothing that is seen is among what was to be exported.",
                      "Show an object, or choose one with a display model."};
  return Result<std::string>(writer.glb(), std::move(notes));
}

}  // namespace hazumi
