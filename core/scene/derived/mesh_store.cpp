#include "core/scene/derived/mesh_store.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <future>
#include <list>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/geometry/mesh/facts.h"
#include "core/geometry/mesh/shards.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/scene/derived/breaking.h"

namespace hazumi {

namespace {

constexpr std::size_t kBudget = std::size_t{128} << 20;  // bytes; meshes that somebody holds stay beyond it
constexpr std::size_t kMostShards = 2000;                // a mesh is not cut around more nodes
constexpr std::chrono::milliseconds kLook{20};           // between two looks at whether a waiting thread was cancelled

struct ShapeKey {
  DisplayKind kind = DisplayKind::none;
  Primitive primitive;
  std::shared_ptr<const DisplayMesh> mesh;  // keeps it alive, so that its address stays its identity
  std::uint64_t metaballs = 0;              // hash of all that their surface and its looks depend on
  Vec3 scale = Vec3::Ones();
  std::uint64_t nodes = 0;  // hash of those that it is cut around; 0: it is whole

  friend bool operator==(const ShapeKey& a, const ShapeKey& b) {
    return a.kind == b.kind && a.mesh == b.mesh && a.primitive == b.primitive && a.metaballs == b.metaballs &&
           a.scale == b.scale && a.nodes == b.nodes;
  }
};

struct KeyHash {
  std::size_t operator()(const ShapeKey& key) const {
    Hasher hasher;
    hasher.add(static_cast<int>(key.kind));
    // + 0.0: equal keys must hash equally, and -0.0 == 0.0.
    for (double x : key.scale) hasher.add(x + 0.0);
    hasher.add(key.nodes);
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

ShapeKey key_of(const Object& object) {
  ShapeKey key;
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

/// The key of the surface itself, of which meshes of all scales are made.
ShapeKey unscaled(ShapeKey key) {
  key.scale = Vec3::Ones();
  return key;
}

std::shared_ptr<const DisplayMesh> build(const ShapeKey& key) {
  DisplayMesh mesh;
  if (key.kind == DisplayKind::primitive) mesh = make_primitive(key.primitive);
  if (key.kind == DisplayKind::mesh) mesh = *key.mesh;
  if (key.scale != Vec3::Ones()) apply_scale(mesh, key.scale);
  return std::make_shared<const DisplayMesh>(std::move(mesh));
}

/// Runs the polygoniser; in a thread of its own when somebody has to be asked meanwhile whether it is still wanted.
std::shared_ptr<const DisplayMesh> run_polygoniser(const MeshStore::Polygonise& make,
                                                   const MeshStore::Cancelled& cancelled) {
  std::atomic<bool> stop{false};
  if (!cancelled) return make(stop);
  auto made = std::async(std::launch::async, [&] { return make(stop); });
  try {
    while (made.wait_for(kLook) != std::future_status::ready)
      if (!stop && cancelled()) stop = true;
  } catch (...) {
    stop = true;  // the future waits for the thread
    throw;
  }
  return made.get();
}

const std::shared_ptr<const DisplayMesh>& empty_mesh() {
  static const auto mesh = std::make_shared<const DisplayMesh>();
  return mesh;
}

}  // namespace

struct MeshStore::Data {
  struct Entry {
    ShapeKey key;
    std::shared_ptr<const DisplayMesh> mesh;
    std::size_t bytes = 0;
    double seconds = 0;  // of the polygoniser
  };
  struct Preview {
    std::shared_ptr<const DisplayMesh> plain, shown;  // before and after the object's scale
    Vec3 scale = Vec3::Ones();
  };
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first
  std::unordered_map<ShapeKey, std::list<Entry>::iterator, KeyHash> index;
  std::size_t bytes = 0;
  std::unordered_map<Id, Preview> previews;  // the newest of each object
  std::set<std::uint64_t> under_way;         // ShapeKey::metaballs of what some thread polygonises now
  std::condition_variable ended;             // one of them
  std::size_t polygonised = 0;
  // By address; the weak pointer tells another mesh that came to lie at the same address later.
  struct Known {
    std::weak_ptr<const DisplayMesh> mesh;
    std::shared_ptr<MeshFacts> facts;
  };
  std::unordered_map<const DisplayMesh*, Known> known;
  std::size_t sweep_at = 64;  // entries, when those of meshes that are gone are dropped

  // --- under mutex ---

  Entry* find(const ShapeKey& key) {
    const auto at = index.find(key);
    if (at == index.end()) return nullptr;
    entries.splice(entries.begin(), entries, at->second);
    return &*at->second;
  }

  /// The mesh that is in the store from now on: this one, or one that another thread put in meanwhile.
  std::shared_ptr<const DisplayMesh> put(const ShapeKey& key, std::shared_ptr<const DisplayMesh> mesh,
                                         double seconds = 0) {
    if (const Entry* found = find(key)) return found->mesh;
    entries.push_front({key, mesh, memory_use(*mesh), seconds});
    index.emplace(key, entries.begin());
    bytes += entries.front().bytes;
    // Whoever holds a mesh may ask for it again by content, and must not have it made twice.
    for (auto last = entries.end(); bytes > kBudget && --last != entries.begin();) {
      if (last->mesh.use_count() > 1) continue;
      bytes -= last->bytes;
      index.erase(last->key);
      last = entries.erase(last);
    }
    return mesh;
  }

  std::shared_ptr<const DisplayMesh> preview(const Object& object) {
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

MeshStore::MeshStore() : data_(std::make_unique<Data>()) {}
MeshStore::~MeshStore() = default;

// What can break is cut around the nodes of its analysis model, for all who see it: frames have its vertices.
std::shared_ptr<const DisplayMesh> MeshStore::ready(const Object& object) {
  std::shared_ptr<const DisplayMesh> whole = ready_whole(object);
  if (!whole || whole->empty() || !can_break(object)) return whole;
  const Truss truss = object_truss(object, *whole);
  if (truss.nodes.empty() || truss.nodes.size() > kMostShards) return whole;
  Hasher hasher;
  for (const Vec3& node : truss.nodes)
    for (const double x : node) hasher.add(x + 0.0);
  ShapeKey key = key_of(object);
  key.nodes = hasher.value() | 1u;
  {
    const std::lock_guard lock(data_->mutex);
    if (const Data::Entry* found = data_->find(key)) return found->mesh;
  }
  auto cut = std::make_shared<const DisplayMesh>(cut_into_shards(*whole, truss.nodes));
  const std::lock_guard lock(data_->mutex);
  return data_->put(key, std::move(cut));
}

std::shared_ptr<const DisplayMesh> MeshStore::ready_whole(const Object& object) {
  const ShapeKey key = key_of(object);
  // An unscaled mesh file needs no copy.
  if (key.kind == DisplayKind::mesh && key.scale == Vec3::Ones()) return key.mesh;
  std::shared_ptr<const DisplayMesh> made;
  {
    const std::lock_guard lock(data_->mutex);
    if (const Data::Entry* found = data_->find(key)) return found->mesh;
    if (key.kind == DisplayKind::metaballs) {
      const Data::Entry* surface = data_->find(unscaled(key));
      if (surface == nullptr) return nullptr;
      made = surface->mesh;
    }
  }
  // Made without the lock: of two threads that both do it the first one's mesh stays.
  made = made ? scaled(made, key.scale) : build(key);
  const std::lock_guard lock(data_->mutex);
  return data_->put(key, std::move(made));
}

std::shared_ptr<const DisplayMesh> MeshStore::mesh(const Object& object) {
  std::shared_ptr<const DisplayMesh> shown = ready(object);
  if (shown && object.display.kind != DisplayKind::metaballs) return shown;
  const bool preview = shown == nullptr;
  if (preview) {
    const std::lock_guard lock(data_->mutex);
    shown = data_->preview(object);
  }
  // What the polygoniser makes is closed and faces outward; cut into shards it is another mesh.
  const std::shared_ptr<MeshFacts> known = facts(shown);
  known->set_passing(preview);
  if (object.transform.scale.minCoeff() > 0 && (preview || !can_break(object))) known->say_solid();
  return shown;
}

void MeshStore::supply_preview(const Object& object, std::shared_ptr<const DisplayMesh> mesh) {
  if (object.display.kind != DisplayKind::metaballs || mesh == nullptr) return;
  const std::lock_guard lock(data_->mutex);
  data_->previews[object.id] = {std::move(mesh), nullptr, Vec3::Ones()};
}

void MeshStore::forget_previews() {
  const std::lock_guard lock(data_->mutex);
  data_->previews.clear();
}

std::size_t MeshStore::polygonised() const {
  const std::lock_guard lock(data_->mutex);
  return data_->polygonised;
}

MeshStore::Polygonised MeshStore::surface(const Object& object, const Polygonise& make, const Cancelled& cancelled) {
  const ShapeKey key = unscaled(key_of(object));
  for (;;) {
    {
      std::unique_lock lock(data_->mutex);
      if (const Data::Entry* found = data_->find(key)) return {found->mesh, found->seconds};
      if (data_->under_way.insert(key.metaballs).second) break;
      data_->ended.wait_for(lock, kLook);
    }
    if (cancelled && cancelled()) return {};
  }
  // From here on others wait for this thread: whatever happens, it says when it has ended.
  struct Turn {
    Data& data;
    std::uint64_t mine;
    ~Turn() {
      const std::lock_guard lock(data.mutex);
      data.under_way.erase(mine);
      data.ended.notify_all();
    }
  } turn{*data_, key.metaballs};
  const auto began = std::chrono::steady_clock::now();
  std::shared_ptr<const DisplayMesh> mesh = run_polygoniser(make, cancelled);
  if (mesh == nullptr) return {};
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  const std::lock_guard lock(data_->mutex);
  ++data_->polygonised;
  return {data_->put(key, std::move(mesh), took.count()), took.count()};
}

std::shared_ptr<const DisplayMesh> MeshStore::get(const Object& object, Executor& executor,
                                                  const Cancelled& cancelled) {
  if (auto mesh = ready(object)) return mesh;
  const auto make = [&](const std::atomic<bool>& cancel) -> std::shared_ptr<const DisplayMesh> {
    PolygoniseOptions options;
    options.tolerance = object.display.metaballs.final_tolerance;
    options.cancel = &cancel;
    DisplayMesh mesh = polygonise(object.display.metaballs, options, executor);
    if (mesh.empty() && cancel) return nullptr;
    return std::make_shared<const DisplayMesh>(std::move(mesh));
  };
  std::shared_ptr<const DisplayMesh> plain = surface(object, make, cancelled).mesh;
  if (plain != nullptr && can_break(object)) return ready(object);
  if (plain == nullptr || object.transform.scale == Vec3::Ones()) return plain;
  auto mesh = scaled(plain, object.transform.scale);
  const std::lock_guard lock(data_->mutex);
  return data_->put(key_of(object), std::move(mesh));
}

std::optional<MeshStore::Held> MeshStore::prepare(const Scene& scene, int threads, const Cancelled& cancelled,
                                                  const std::function<void(int, int)>& progress) {
  Held held;
  std::vector<const Object*> wanted;
  for (const auto& object : scene.objects) {
    if (object->display.kind != DisplayKind::metaballs) continue;
    if (auto mesh = ready(*object))
      held.push_back(std::move(mesh));
    else
      wanted.push_back(object.get());
  }
  if (wanted.empty()) return held;
  Executor executor(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (progress) progress(static_cast<int>(i), static_cast<int>(wanted.size()));
    auto mesh = get(*wanted[i], executor, cancelled);
    if (mesh == nullptr) return std::nullopt;
    held.push_back(std::move(mesh));
  }
  return held;
}

std::optional<MeshStore::Held> MeshStore::prepared(const Scene& scene) {
  Held held;
  for (const auto& object : scene.objects) {
    if (object->display.kind != DisplayKind::metaballs) continue;
    auto mesh = ready(*object);
    if (mesh == nullptr) return std::nullopt;
    held.push_back(std::move(mesh));
  }
  return held;
}

std::shared_ptr<MeshFacts> MeshStore::facts(const std::shared_ptr<const DisplayMesh>& mesh) {
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
