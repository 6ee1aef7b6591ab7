// Display meshes of objects in their object frame, scale applied, rotation and position not: one store for the window, runs,
// export and thumbnails, made by who composes the program and handed down, never global. Meshes are told apart by content
// (shape, scale, for metaballs all that their surface depends on), so what one user has had made is there for all. Bounded:
// the least recently used meshes that nobody holds are dropped beyond a budget. Any thread may ask.
//
// Primitives and mesh files cost nothing to speak of and are made when asked for. A metaball group is polygonised, which
// may take seconds, and so there are two ways to ask:
//  - mesh() and ready() never wait and never polygonise: for the interface thread;
//  - get(), surface() and prepare() do: for workers. However many ask at once, one of them polygonises and the others wait
//    for it. One that is cancelled leaves nothing half-made behind; the next that waits begins anew.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/parallel.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class MeshFacts;

class MeshStore {
 public:
  MeshStore();
  ~MeshStore();

  // --- These never wait ---

  /// Never null; an object without display model, or with a missing file, gives an empty mesh. Metaballs: the final mesh
  /// if there is one, else the newest preview of the object with this id, else an empty mesh.
  std::shared_ptr<const DisplayMesh> mesh(const Object& object);
  /// Final mesh. Null when the object shows metaballs that nobody has polygonised yet.
  std::shared_ptr<const DisplayMesh> ready(const Object& object);
  /// The group's mesh with the preview tolerance, before the object's scale: mesh() gives it for the object with this id
  /// until there is a newer preview, or the final mesh of what the object has become by then. Previews are of the scene
  /// that is edited; nothing but mesh() gives them.
  void supply_preview(const Object& object, std::shared_ptr<const DisplayMesh> mesh);
  void forget_previews();  ///< another scene was opened: its ids mean other objects
  /// What is known about a mesh, this one's or another (geometry/mesh/facts.h); kept while the mesh lives. Never null.
  std::shared_ptr<MeshFacts> facts(const std::shared_ptr<const DisplayMesh>& mesh);
  /// Surfaces that were polygonised to their end since the store was made.
  std::size_t polygonised() const;

  // --- These wait for the polygoniser: never from the interface thread ---

  /// Asked every 20 ms in the thread that waits; true ends the waiting, and the polygoniser within a fraction of a second.
  using Cancelled = std::function<bool()>;
  /// Gives the mesh of a group with the final tolerance, before any scale; null when `cancel` became true.
  using Polygonise = std::function<std::shared_ptr<const DisplayMesh>(const std::atomic<bool>& cancel)>;
  struct Polygonised {
    std::shared_ptr<const DisplayMesh> mesh;  ///< null: cancelled
    double seconds = 0;                       ///< that the polygoniser took
  };
  /// The final mesh; null only when cancelled. The polygoniser runs on the executor's threads.
  std::shared_ptr<const DisplayMesh> get(const Object& object, Executor& executor, const Cancelled& cancelled = {});
  /// The final mesh of an object that shows metaballs, before its scale, by a polygoniser of one's own: one that remembers
  /// what did not change since the last time. Its meshes must be those of polygonise(), bit for bit.
  Polygonised surface(const Object& object, const Polygonise& make, const Cancelled& cancelled = {});

  /// Final meshes of all metaballs of a scene. While they are held the store does not drop them.
  using Held = std::vector<std::shared_ptr<const DisplayMesh>>;
  /// Nothing when cancelled. `progress(done, all)` before each group that has to be polygonised; never called when there is
  /// none. threads < 1: as many as the machine has.
  std::optional<Held> prepare(const Scene& scene, int threads, const Cancelled& cancelled = {},
                              const std::function<void(int done, int all)>& progress = {});
  /// What prepare() left, without waiting. Nothing when a group has not been polygonised.
  std::optional<Held> prepared(const Scene& scene);

 private:
  std::shared_ptr<const DisplayMesh> ready_whole(const Object& object);

  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
