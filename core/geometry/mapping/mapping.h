// Mapping analysis → display (spec 1.6): how the nodes of the analysis model move the vertices of the display
// model. One class per kind in core/geometry/mapping/; make_mapping() picks one. Derivations:
// docs/numerics/mapping.md.
//
// A mapping is made once at reference and never changes: what it gives is a pure function of the node
// positions and of the body frame, so frames are the same after any scrub and on any number of threads.
//
//   nodes  where the nodes are now (world, or any frame), in the order of Truss::nodes
//   frame  the body frame in the same space: origin in the centre of mass, rotation away from the reference.
//   Kinds whose
//          drivers leave a turn or a thickness open (nodes on a line, flat sheets) take it from here
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/mapping/mapping_settings.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/truss/truss.h"

namespace hazumi {

struct NodeWeight {
  std::uint32_t node = 0;
  double weight = 0;  ///< how far the vertex goes when only this node goes 1 m, the frame at rest; may be negative
};

struct BoneWeight {
  std::uint32_t bone = 0;  ///< Bone::id
  double weight = 0;       ///< 0…1
};

/// What drives one display vertex.
struct DriverInfo {
  std::vector<NodeWeight> nodes;
  std::vector<BoneWeight> bones;  ///< skeleton only; weights sum to 1
  /// m: the vertex is never farther from the origin of the frame than Σ|weight| × farthest node + offset.
  double offset = 0;
  /// Whether the vertex is exactly Σ weight X' + (1 − Σ weight) o + R arm, with o and R of the frame. Where not: Mapping::rates.
  bool linear = false;
  Vec3 arm = Vec3::Zero();  ///< m
};

struct NodeBlock {
  std::uint32_t node = 0;
  Mat3 block = Mat3::Zero();
};

/// Where a vertex is and how it follows what moves it, to first order:
///   δx = Σ block δX' + origin δo + turn δθ,   R → exp(δθ) R
/// Where nodes and frame move as one rigid body, so does the vertex.
struct VertexRate {
  Vec3 place = Vec3::Zero();
  std::vector<NodeBlock> nodes;
  Mat3 origin = Mat3::Zero(), turn = Mat3::Zero();
};

/// Share of each node of `drivers`, |weight| / Σ|weight|, heaviest first; at most `most`.
std::vector<NodeWeight> node_shares(const DriverInfo& drivers, std::size_t most);

class Mapping {
 public:
  virtual ~Mapping() = default;
  MappingKind kind() const { return kind_; }  ///< never automatic
  std::size_t vertex_count() const { return vertex_count_; }

  /// Deformed vertices and unit normals in the space of `nodes`. Float: for eyes and exporters. One entry per
  /// vertex.
  virtual void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                            std::span<Vec3f> normals, Executor& executor) const = 0;
  /// The same positions in double precision, for contact: points[k] is where vertex vertices[k] is.
  virtual void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                          std::span<Vec3> points) const = 0;
  /// For contact with a plane: as map_points, but only those with n·p − level ≤ slack are needed. `hits`:
  /// numbers k of all of these, ascending (a few more may be among them); points of the others have no
  /// meaning.
  virtual void map_points_below(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                                const Vec3& n, double level, double slack, std::span<Vec3> points,
                                std::vector<std::size_t>& hits) const;
  virtual DriverInfo drivers(std::size_t vertex) const = 0;
  /// rates[k] is that of vertices[k]: for contact. By drivers(), where those are linear; what has others answers itself.
  virtual void rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                     std::span<VertexRate> rates) const;
  /// Weight of one node, or of one bone (its id), at every vertex: for colouring. `out`: one per vertex.
  virtual void node_heat(std::uint32_t node, std::span<float> out) const;
  virtual void bone_heat(std::uint32_t bone, std::span<float> out) const;

 protected:
  Mapping(MappingKind kind, std::size_t vertices) : kind_(kind), vertex_count_(vertices) {}

 private:
  MappingKind kind_;
  std::size_t vertex_count_;
};

struct MadeMapping {
  std::shared_ptr<const Mapping> mapping;  ///< null: nothing to map, the display model goes with the body frame
  std::string note;                        ///< why it is another kind than the one asked for; else empty
};

/// `settings`: lengths already scaled as mesh and truss are. Never fails: what cannot be made becomes the
/// nearest kind that can, with a note. Null without display vertices, nodes, or (linear) hull.
MadeMapping make_mapping(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss);

/// What the result of make_mapping depends on: equal keys, equal mappings. Of the mesh positions, normals and
/// faces.
std::uint64_t mapping_key(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss);

/// Centre of mass of the nodes at reference.
Vec3 reference_origin(const Truss& truss);

}  // namespace hazumi
