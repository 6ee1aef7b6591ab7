// Words of memory as they are, a count before each list; in front a hash of all the rest, so that a disk that gives back something
// else is found out. Both ways name every member of the frame's structs: one that is added does not compile before it is here.
#include "core/playback/frame_bytes.h"

#include <cstring>
#include <type_traits>

#include "core/base/hash.h"

namespace hazumi {

namespace {

// Plain floats, one after the other: what std::memcpy may move, though Eigen's own copying hides it from the language.
static_assert(sizeof(Vec3f) == 3 * sizeof(float) && sizeof(Eigen::Quaternionf) == 4 * sizeof(float));
static_assert(std::is_trivially_copyable_v<Id>);

constexpr std::size_t kChecksum = sizeof(std::uint64_t);

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(bytes.size()));
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    hasher.add(word);
  }
  word = 0;
  if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
  return hasher.add(word).value();
}

class BytesOut {
 public:
  std::vector<std::byte> bytes = std::vector<std::byte>(kChecksum);

  template <class T>
  void one(const T& value) {
    put(&value, sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    one(static_cast<std::uint64_t>(values.size()));
    put(values.data(), values.size() * sizeof(T));
  }

 private:
  void put(const void* from, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
};

class BytesIn {
 public:
  explicit BytesIn(std::span<const std::byte> bytes) : left_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && left_.empty(); }

  template <class T>
  void one(T& value) {
    take(&value, sizeof value);
  }
  /// Sizes a list whose elements follow one by one.
  template <class T>
  void count(std::vector<T>& values, std::size_t least) {
    std::uint64_t size = 0;
    one(size);
    ok_ = ok_ && size <= left_.size() / least;
    if (ok_) values.resize(size);
  }
  template <class T>
  void list(std::vector<T>& values) {
    count(values, sizeof(T));
    take(values.data(), values.size() * sizeof(T));
  }

 private:
  void take(void* to, std::size_t size) {
    ok_ = ok_ && size <= left_.size();
    if (!ok_ || size == 0) return;
    std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }

  std::span<const std::byte> left_;
  bool ok_ = true;
};

/// What make_frame() gives a surface: one part, no textures.
void visit_surface(BytesOut& archive, const std::shared_ptr<const DisplayMesh>& surface) {
  archive.one(surface != nullptr);
  if (!surface) return;
  archive.list(surface->positions);
  archive.list(surface->normals);
  archive.list(surface->faces);
  archive.list(surface->looks);
}
void visit_surface(BytesIn& archive, std::shared_ptr<const DisplayMesh>& surface) {
  bool there = false;
  archive.one(there);
  if (!there || !archive.ok()) return;
  auto mesh = std::make_shared<DisplayMesh>();
  archive.list(mesh->positions);
  archive.list(mesh->normals);
  archive.list(mesh->faces);
  archive.list(mesh->looks);
  if (!mesh->faces.empty()) mesh->parts.push_back({"Surface", 0, static_cast<std::uint32_t>(mesh->faces.size())});
  surface = std::move(mesh);
}

template <class Archive, class F>
void visit_object(Archive& archive, F& object) {
  auto& [id, present, position, rotation, deformed, vertices, normals, surface, nodes] = object;
  archive.one(id);
  archive.one(present);
  archive.one(position);
  archive.one(rotation);
  archive.one(deformed);
  archive.list(vertices);
  archive.list(normals);
  visit_surface(archive, surface);
  archive.list(nodes);
}

template <class Archive, class B>
void visit_instances(Archive& archive, B& block) {
  auto& [id, mesh, positions, rotations, scales] = block;
  (void)mesh;  // shared
  archive.one(id);
  archive.list(positions);
  archive.list(rotations);
  archive.list(scales);
}

template <class Archive, class B>
void visit_polylines(Archive& archive, B& block) {
  auto& [id, points, counts] = block;
  archive.one(id);
  archive.list(points);
  archive.list(counts);
}

template <class Archive, class B>
void visit_particles(Archive& archive, B& block) {
  auto& [id, numbers, positions, velocities, ages, times, sizes, masses, rotations] = block;
  archive.one(id);
  archive.list(numbers);
  archive.list(positions);
  archive.list(velocities);
  archive.list(ages);
  archive.list(times);
  archive.list(sizes);
  archive.list(masses);
  archive.list(rotations);
}

template <class Archive, class C>
void visit_contact(Archive& archive, C& contact) {
  auto& [a, b, point, normal, force] = contact;
  archive.one(a);
  archive.one(b);
  archive.one(point);
  archive.one(normal);
  archive.one(force);
}

}  // namespace

SharedParts shared_parts(const Frame& frame) {
  SharedParts shared;
  for (const InstanceBlock& block : frame.instances) shared.meshes.push_back(block.mesh);
  shared.joints = frame.joints;
  shared.examples = frame.examples;
  shared.bodies = frame.bodies;
  shared.sources = frame.sources;
  shared.looks = frame.looks;
  shared.cues = frame.cues;
  shared.surfaces = frame.surfaces;
  shared.shapes = frame.shapes;
  return shared;
}

std::vector<std::byte> frame_bytes(const Frame& frame) {
  const auto& [index, state_hash, objects, instances, polylines, particles, contacts, joints, examples, bodies, sources,
               looks, cues, surfaces, shapes] = frame;
  (void)joints;  // shared
  (void)examples;
  (void)bodies;
  (void)sources;
  (void)looks;
  (void)cues;
  (void)surfaces;
  (void)shapes;
  BytesOut writer;
  writer.bytes.reserve(frame.memory_use());
  writer.one(index);
  writer.one(state_hash);
  for (const std::size_t size : {objects.size(), instances.size(), polylines.size(), particles.size(), contacts.size()})
    writer.one(static_cast<std::uint64_t>(size));
  for (const auto& object : objects) visit_object(writer, object);
  for (const auto& block : instances) visit_instances(writer, block);
  for (const auto& block : polylines) visit_polylines(writer, block);
  for (const auto& block : particles) visit_particles(writer, block);
  for (const auto& contact : contacts) visit_contact(writer, contact);
  const std::uint64_t hash = checksum(std::span(writer.bytes).subspan(kChecksum));
  std::memcpy(writer.bytes.data(), &hash, sizeof hash);
  return std::move(writer.bytes);
}

FramePtr frame_from_bytes(std::span<const std::byte> bytes, const SharedParts& shared) {
  std::uint64_t hash = 0;
  if (bytes.size() < sizeof hash) return nullptr;
  std::memcpy(&hash, bytes.data(), sizeof hash);
  bytes = bytes.subspan(kChecksum);
  if (checksum(bytes) != hash) return nullptr;
  auto frame = std::make_shared<Frame>();
  BytesIn reader(bytes);
  auto& [index, state_hash, objects, instances, polylines, particles, contacts, joints, examples, bodies, sources,
         looks, cues, surfaces, shapes] = *frame;
  reader.one(index);
  reader.one(state_hash);
  reader.count(objects, 1);
  reader.count(instances, 1);
  reader.count(polylines, 1);
  reader.count(particles, 1);
  reader.count(contacts, 1);
  if (!reader.ok() || instances.size() != shared.meshes.size()) return nullptr;
  for (auto& object : objects) visit_object(reader, object);
  for (auto& block : instances) visit_instances(reader, block);
  for (auto& block : polylines) visit_polylines(reader, block);
  for (auto& block : particles) visit_particles(reader, block);
  for (auto& contact : contacts) visit_contact(reader, contact);
  for (std::size_t i = 0; i < instances.size(); ++i) instances[i].mesh = shared.meshes[i];
  joints = shared.joints;
  examples = shared.examples;
  bodies = shared.bodies;
  sources = shared.sources;
  looks = shared.looks;
  cues = shared.cues;
  surfaces = shared.surfaces;
  shapes = shared.shapes;
  return reader.at_end() ? frame : nullptr;
}

}  // namespace hazumi
