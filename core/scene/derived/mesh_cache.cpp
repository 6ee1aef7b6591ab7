// MeshCache: display meshes by value (what shape, what scale), least recently used ones dropped beyond a
// budget. A mesh is built outside the lock: two threads that want the same new mesh may both build it, the
// first one in stays.
#include <algorithm>
#include <bit>
#include <list>
#include <mutex>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/geometry/mesh/facts.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/scene/values/scene.h"

namespace hazumi {

namespace {

constexpr std::size_t kBudget = std::size_t{128} << 20;  // bytes; meshes in use elsewhere live on anyway

struct Key {
  DisplayKind kind = DisplayKind::none;
  Primitive primitive;
  std::shared_ptr<const DisplayMesh> mesh;  // keeps it alive, so that its address stays its identity
  std::uint64_t metaballs = 0;              // hash of all that their surface and its looks depend on
  Vec3 scale = Vec3::Ones();

  friend bool operator==(const Key& a, const Key& b) {
    return a.kind == b.kind && a.mesh == b.mesh && a.primitive == b.primitive && a.metaballs == b.metaballs &&
           a.scale == b.scale;
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
    } else if (key.kind == DisplayKind::metaballs) {
      hasher.add(key.metaballs);
    } else {
      hasher.add(static_cast<int>(key.primitive.shape));
      for (double x : key.primitive.size) hasher.add(x + 0.0);
      for (int n : key.primitive.divisions) hasher.add(n);
      hasher.add(key.primitive.round_along + 0.0).add(key.primitive.round_across + 0.0).add(key.primitive.ratio + 0.0);
    }
    return hasher.value();
  }
};

std::size_t memory_use(const DisplayMesh& mesh) {
  return sizeof mesh + mesh.positions.size() * sizeof(Vec3) + mesh.normals.size() * sizeof(Vec3) +
         mesh.texture.size() * sizeof(Vec2) + mesh.faces.size() * sizeof(mesh.faces[0]) +
         mesh.parts.size() * sizeof(Part) + mesh.looks.size() * sizeof(VertexLook);
}

std::uint64_t surface_hash(const MetaballGroup& group) {
  Hasher hasher;
  hasher.add(shape_hash(group)).add(group.own_colours);
  if (group.own_colours)
    for (const MetaballPrimitive& p : group.primitives) {
      if (!p.visible) continue;
      const Surface& s = p.surface;
      for (const Vec3& colour : {s.ambient, s.diffuse, s.specular})
        for (double x : colour) hasher.add(x);
      hasher.add(s.shininess).add(s.opacity);
    }
  return hasher.value();
}

Key key_of(const Object& object) {
  Key key;
  key.kind = object.display.kind;
  if (key.kind == DisplayKind::mesh) {
    key.mesh = object.display.mesh.mesh;
    if (key.mesh == nullptr) key.kind = DisplayKind::none;
  }
  if (key.kind == DisplayKind::primitive) key.primitive = object.display.primitive;
  if (key.kind == DisplayKind::metaballs) key.metaballs = surface_hash(object.display.metaballs);
  if (key.kind != DisplayKind::none) key.scale = object.transform.scale;
  return key;
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

std::shared_ptr<const DisplayMesh> scaled(const std::shared_ptr<const DisplayMesh>& mesh, const Vec3& scale) {
  if (scale == Vec3::Ones()) return mesh;
  DisplayMesh copy = *mesh;
  apply_scale(copy, scale);
  return std::make_shared<const DisplayMesh>(std::move(copy));
}

std::shared_ptr<const DisplayMesh> build(const Key& key, const Object& object) {
  DisplayMesh mesh;
  if (key.kind == DisplayKind::metaballs) {
    const MetaballGroup& group = object.display.metaballs;
    // Runs, export and thumbnails keep the other cores busy with work of their own.
    Executor executor(1);
    PolygoniseOptions options;
    options.tolerance = group.final_tolerance;
    mesh = polygonise(group, options, executor);
  }
  if (key.kind == DisplayKind::primitive) mesh = make_primitive(key.primitive);
  if (key.kind == DisplayKind::mesh) mesh = *key.mesh;
  if (key.scale != Vec3::Ones()) apply_scale(mesh, key.scale);
  return std::make_shared<const DisplayMesh>(std::move(mesh));
}

const std::shared_ptr<const DisplayMesh>& empty_mesh() {
  static const auto mesh = std::make_shared<const DisplayMesh>();
  return mesh;
}

}  // namespace

struct MeshCache::Data {
  struct Entry {
    Key key;
    std::shared_ptr<const DisplayMesh> mesh;
    std::size_t bytes = 0;
  };
  struct Preview {
    std::shared_ptr<const DisplayMesh> plain, shown;  // before and after the object's scale
    Vec3 scale = Vec3::Ones();
  };
  Metaballs metaballs = Metaballs::built;
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index;
  std::size_t bytes = 0;
  std::unordered_map<Id, Preview> previews;  // the newest of each object
  // By address; the weak pointer tells another mesh that came to lie at the same address later.
  struct Known {
    std::weak_ptr<const DisplayMesh> mesh;
    std::shared_ptr<MeshFacts> facts;
  };
  std::unordered_map<const DisplayMesh*, Known> known;
  std::size_t sweep_at = 64;  // entries, when those of meshes that are gone are dropped

  std::shared_ptr<const DisplayMesh> find(const Key& key) {
    const auto at = index.find(key);
    if (at == index.end()) return nullptr;
    entries.splice(entries.begin(), entries, at->second);
    return at->second->mesh;
  }

  /// The mesh that is in the cache from now on: this one, or one that another thread put in meanwhile.
  std::shared_ptr<const DisplayMesh> put(const Key& key, std::shared_ptr<const DisplayMesh> mesh) {
    const std::lock_guard lock(mutex);
    if (auto found = find(key)) return found;
    entries.push_front({key, mesh, memory_use(*mesh)});
    index.emplace(key, entries.begin());
    bytes += entries.front().bytes;
    while (bytes > kBudget && entries.size() > 1) {
      bytes -= entries.back().bytes;
      index.erase(entries.back().key);
      entries.pop_back();
    }
    return mesh;
  }

  std::shared_ptr<const DisplayMesh> preview(const Object& object) {
    const std::lock_guard lock(mutex);
    const auto at = previews.find(object.id);
    if (at == previews.end()) return empty_mesh();
    Preview& preview = at->second;
    if (preview.shown == nullptr || preview.scale != object.transform.scale) {
      preview.scale = object.transform.scale;
      preview.shown = scaled(preview.plain, preview.scale);
    }
    return preview.shown;
  }
};

MeshCache::MeshCache(Metaballs metaballs) : data_(std::make_unique<Data>()) { data_->metaballs = metaballs; }
MeshCache::~MeshCache() = default;

std::shared_ptr<const DisplayMesh> MeshCache::ready(const Object& object) {
  const Key key = key_of(object);
  // An unscaled mesh file needs no copy.
  if (key.kind == DisplayKind::mesh && key.scale == Vec3::Ones()) return key.mesh;
  {
    const std::lock_guard lock(data_->mutex);
    if (auto found = data_->find(key)) return found;
  }
  return key.kind == DisplayKind::metaballs ? nullptr : data_->put(key, build(key, object));
}

std::shared_ptr<const DisplayMesh> MeshCache::mesh(const Object& object) {
  if (auto mesh = ready(object)) return mesh;
  if (data_->metaballs == Metaballs::supplied) return data_->preview(object);
  const Key key = key_of(object);
  return data_->put(key, build(key, object));
}

void MeshCache::supply(const Object& object, std::shared_ptr<const DisplayMesh> mesh) {
  if (object.display.kind != DisplayKind::metaballs || mesh == nullptr) return;
  data_->put(key_of(object), scaled(mesh, object.transform.scale));
  supply_preview(object, std::move(mesh));  // shown until what the object becomes next is polygonised
}

void MeshCache::supply_preview(const Object& object, std::shared_ptr<const DisplayMesh> mesh) {
  if (object.display.kind != DisplayKind::metaballs || mesh == nullptr) return;
  const std::lock_guard lock(data_->mutex);
  data_->previews[object.id] = {std::move(mesh), nullptr, Vec3::Ones()};
}

void MeshCache::forget_previews() {
  const std::lock_guard lock(data_->mutex);
  data_->previews.clear();
}

std::shared_ptr<MeshFacts> MeshCache::facts(const std::shared_ptr<const DisplayMesh>& mesh) {
  const auto is_it = [&](const Data::Known& known) {
    return known.facts && !known.mesh.owner_before(mesh) && !mesh.owner_before(known.mesh);
  };
  {
    const std::lock_guard lock(data_->mutex);
    const auto at = data_->known.find(mesh.get());
    if (at != data_->known.end() && is_it(at->second)) return at->second.facts;
  }
  auto facts = std::make_shared<MeshFacts>(*mesh);
  const std::lock_guard lock(data_->mutex);
  Data::Known& known = data_->known[mesh.get()];
  if (is_it(known)) return known.facts;
  known = {mesh, facts};
  if (data_->known.size() > data_->sweep_at) {
    std::erase_if(data_->known, [](const auto& entry) { return entry.second.mesh.expired(); });
    data_->sweep_at = std::max<std::size_t>(64, 2 * data_->known.size());
  }
  return facts;
}

}  // namespace hazumi
