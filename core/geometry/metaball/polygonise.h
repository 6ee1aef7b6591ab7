// Interval polygoniser (spec 4.2): the surface Σ ρ = 1 of a group as a closed, 2-manifold, outward oriented
// mesh, refined where it curves. No piece is missed: a cell is dropped only when the interval of Σ ρ over it
// excludes 1. Deterministic: the same group and tolerance give the same bytes on any number of threads,
// whatever was polygonised before.
#pragma once

#include <atomic>
#include <memory>

#include "core/base/parallel.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/group.h"

namespace hazumi {

struct PolygoniseOptions {
  double tolerance = 0.004;  ///< chord error, relative like MetaballGroup::final_tolerance
  const std::atomic<bool>* cancel = nullptr;
};

/// Empty mesh when the group has no surface, or when it was cancelled. Vertices carry normals from the
/// field's gradient (split where the field is sharp) and, with own_colours, looks (DisplayMesh::looks). One
/// part, "Surface".
DisplayMesh polygonise(const MetaballGroup& group, const PolygoniseOptions& options, Executor& executor);

/// The same result, remembering between calls what did not change: dragging one primitive of many redoes only
/// the cells it touched before and touches now.
class Polygoniser {
 public:
  Polygoniser();
  ~Polygoniser();
  Polygoniser(Polygoniser&&) noexcept;
  Polygoniser& operator=(Polygoniser&&) noexcept;

  /// Null only when cancelled. For the same group and tolerance as last time: the same mesh.
  std::shared_ptr<const DisplayMesh> update(const MetaballGroup& group, const PolygoniseOptions& options,
                                            Executor& executor);

 private:
  std::shared_ptr<const DisplayMesh> make(const MetaballGroup& group, const PolygoniseOptions& options,
                                          Executor& executor);
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
