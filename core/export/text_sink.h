// What the formats of this folder share: a sink made of one function that turns a frame into the bytes of a file, the
// world-space display mesh of an object in a frame, and numbers as text.
#pragma once

#include <functional>

#include "core/export/format.h"

namespace hazumi {

/// One object as it is in a frame, in world space; empty faces when there is nothing to see.
struct WorldMesh {
  const Object* object = nullptr;
  std::vector<Vec3f> positions, normals;    ///< m; one per vertex of `mesh`
  std::shared_ptr<const DisplayMesh> mesh;  ///< faces, texture
  std::vector<Vec3f> velocities = {};       ///< m/s; none: they are not asked for
};

/// Display models of the visible (or the wanted) objects that are present in the frame, in ascending id. Metaballs that
/// nobody has polygonised before are polygonised here, on one thread.
std::vector<WorldMesh> world_meshes(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted,
                                    MeshStore& meshes);

/// Options that formats of models share: "up" (which axis) and "scale" (file units per metre).
std::span<const ExportOption> mesh_options();
/// Turns and scales as the values of mesh_options() say. Where they say nothing, no bit changes.
void place(std::vector<WorldMesh>& worlds, const ExportValues& values);
/// Those, and "tracked": surfaces of metaballs that go with bones keep their vertices (tracked_skins.h).
std::span<const ExportOption> surface_options();
/// A sink for models with surface_options(): `bytes` gets them placed. Of the frame it may read the number alone. Where surfaces are
/// tracked all worlds have velocities.
using MeshBytes = std::function<std::string(const Frame&, const std::vector<WorldMesh>&)>;
Result<std::unique_ptr<FrameSink>> make_mesh_sink(const ExportTarget& target, MeshBytes bytes);

/// Objects that a file is to hold, ascending id, with their entry in the frame (null when they take no part in the run).
std::vector<std::pair<const Object*, const ObjectFrame*>> wanted_objects(const Scene& scene, const Frame& frame,
                                                                         const std::optional<Id>& wanted);

/// Shortest decimal text that reads back as the same float or double; independent of the locale.
void append_number(std::string& text, float number);
void append_number(std::string& text, double number);
/// "1 2 3" with the given separator.
void append_vector(std::string& text, const Vec3f& v, char separator);
/// A CSV field, quoted when it must be.
std::string csv_field(std::string_view text);

using FrameBytes = std::function<std::string(const Scene&, const Frame&)>;
/// Calls `bytes` for every frame and writes what it gives.
Result<std::unique_ptr<FrameSink>> make_file_sink(const std::string& pattern, FrameBytes bytes);

}  // namespace hazumi
