// MeshCache: display meshes by value (what shape, what scale), least recently used ones dropped beyond a
// budget. A mesh is built outside the lock: two threads that want the same new mesh may both build it, the
// first one in stays.
#include <bit>
#include <list>
#include <mutex>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/scene/scene.h"

namespace hazumi {

namespace {

constexpr std::size_t kBudget = std::size_t{128} << 20;  // bytes; meshes in use elsewhere live on anyway

struct Key {
  DisplayKind kind = DisplayKind::none;
  Primitive primitive;
  std::shared_ptr<const DisplayMesh> mesh;  // keeps it alive, so that its address stays its identity
  Vec3 scale = Vec3::Ones();

  friend bool operator==(const Key& a, const Key& b) {
    return a.kind == b.kind && a.mesh == b.mesh && a.primitive == b.primitive && a.scale == b.scale;
  }
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    Hasher hasher;
    hasher.add(static_cast<int>(key.kind));
    // + 0.0: equal keys must hash equally, and -0.0 == 0.0.
    for (double x : key.scale) hasher.add(x + 0.0);
    if (key.kind == DisplayKind::mesh) {
      hasher.add(static_cast<std::uint64_t>(std::bit_cast<std::uintptr_t>(key.mesh.get())));
    } else {
      hasher.add(static_cast<int>(key.primitive.shape));
      for (double x : key.primitive.size) hasher.add(x + 0.0);
      for (int n : key.primitive.divisions) hasher.add(n);
    }
    return hasher.value();
  }
};

std::size_t memory_use(const DisplayMesh& mesh) {
  return sizeof mesh + mesh.positions.size() * sizeof(Vec3) + mesh.normals.size() * sizeof(Vec3) +
         mesh.texture.size() * sizeof(Vec2) + mesh.faces.size() * sizeof(mesh.faces[0]) +
         mesh.parts.size() * sizeof(Part);
}

/// Positions are scaled; normals by the inverse transpose, which for a diagonal matrix is 1/scale.
void apply_scale(DisplayMesh& mesh, const Vec3& scale) {
  for (Vec3& p : mesh.positions) p = p.cwiseProduct(scale);
  for (Vec3& n : mesh.normals) {
    const Vec3 m = n.cwiseQuotient(scale);
    const double length = m.norm();
    if (length > 0) n = m / length;
  }
}

}  // namespace

struct MeshCache::Data {
  struct Entry {
    Key key;
    std::shared_ptr<const DisplayMesh> mesh;
    std::size_t bytes = 0;
  };
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index;
  std::size_t bytes = 0;

  std::shared_ptr<const DisplayMesh> find(const Key& key) {
    const auto at = index.find(key);
    if (at == index.end()) return nullptr;
    entries.splice(entries.begin(), entries, at->second);
    return at->second->mesh;
  }
};

MeshCache::MeshCache() : data_(std::make_unique<Data>()) {}
MeshCache::~MeshCache() = default;

std::shared_ptr<const DisplayMesh> MeshCache::mesh(const Object& object) {
  Key key;
  key.kind = object.display.kind;
  if (key.kind == DisplayKind::mesh) {
    if (object.display.mesh.mesh == nullptr) key.kind = DisplayKind::none;
    // An unscaled mesh file needs no copy.
    if (object.display.mesh.mesh != nullptr && object.transform.scale == Vec3::Ones())
      return object.display.mesh.mesh;
  }
  if (key.kind == DisplayKind::mesh) key.mesh = object.display.mesh.mesh;
  if (key.kind == DisplayKind::primitive) key.primitive = object.display.primitive;
  if (key.kind != DisplayKind::none) key.scale = object.transform.scale;

  {
    const std::lock_guard lock(data_->mutex);
    if (auto found = data_->find(key)) return found;
  }
  DisplayMesh mesh;
  if (key.kind == DisplayKind::primitive) mesh = make_primitive(key.primitive);
  if (key.kind == DisplayKind::mesh) mesh = *key.mesh;
  if (key.scale != Vec3::Ones()) apply_scale(mesh, key.scale);
  const std::size_t bytes = memory_use(mesh);
  auto shared = std::make_shared<const DisplayMesh>(std::move(mesh));

  const std::lock_guard lock(data_->mutex);
  if (auto found = data_->find(key)) return found;
  data_->entries.push_front({key, shared, bytes});
  data_->index.emplace(std::move(key), data_->entries.begin());
  data_->bytes += bytes;
  while (data_->bytes > kBudget && data_->entries.size() > 1) {
    data_->bytes -= data_->entries.back().bytes;
    data_->index.erase(data_->entries.back().key);
    data_->entries.pop_back();
  }
  return shared;
}

}  // namespace hazumi
