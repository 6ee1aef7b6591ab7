#include "render/gl/mesh_store.h"

#include "core/geometry/mass_properties.h"

namespace hazumi::gl {

namespace {

constexpr std::uint64_t kKeptPictures = 240;

void buffer(GLuint name, GLenum target, std::size_t bytes, const void* data, GLenum usage) {
  glBindBuffer(target, name);
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
}

void attribute(GLuint index, int components, int stride_floats, int offset_floats) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, stride_floats * static_cast<int>(sizeof(float)),
                        reinterpret_cast<const void*>(offset_floats * sizeof(float)));
}

}  // namespace

void MeshStore::begin() { ++picture_; }

Drawable MeshStore::prepare(const DrawMesh& draw) {
  Rest& still = rest(draw.mesh);
  if (!draw.deformed) return {still.vertex_array, still.index_count, still.solid};
  Moving& moving = moving_[draw.id];
  moving.used = picture_;
  if (moving.shown != draw.deformed || moving.mesh != draw.mesh || moving.frame != draw.frame) stream(moving, draw);
  return {moving.vertex_array, still.index_count, still.solid};
}

MeshStore::Rest& MeshStore::rest(const std::shared_ptr<const DisplayMesh>& mesh) {
  Rest& entry = rest_[mesh.get()];
  if (entry.mesh.lock() != mesh) {
    release(entry);
    upload(entry, *mesh);
    entry.mesh = mesh;
  }
  entry.used = picture_;
  return entry;
}

void MeshStore::upload(Rest& entry, const DisplayMesh& source) {
  // A mesh without normals of its own is shaded by those of its faces.
  DisplayMesh with_normals;
  if (source.normals.size() != source.positions.size()) {
    with_normals = source;
    compute_normals(with_normals);
  }
  const DisplayMesh& mesh = with_normals.positions.empty() ? source : with_normals;
  std::vector<float> data;
  data.reserve(6 * mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    for (int k = 0; k < 3; ++k) data.push_back(static_cast<float>(mesh.positions[i][k]));
    for (int k = 0; k < 3; ++k) data.push_back(static_cast<float>(mesh.normals[i][k]));
  }
  glGenVertexArrays(1, &entry.vertex_array);
  glGenBuffers(1, &entry.vertices);
  glGenBuffers(1, &entry.indices);
  glBindVertexArray(entry.vertex_array);
  buffer(entry.vertices, GL_ARRAY_BUFFER, data.size() * sizeof(float), data.data(), GL_STATIC_DRAW);
  attribute(0, 3, 6, 0);
  attribute(1, 3, 6, 3);
  buffer(entry.indices, GL_ELEMENT_ARRAY_BUFFER, mesh.faces.size() * sizeof(mesh.faces[0]), mesh.faces.data(),
         GL_STATIC_DRAW);
  glBindVertexArray(0);
  entry.index_count = static_cast<GLsizei>(3 * mesh.faces.size());
  entry.solid = is_closed(mesh) && mesh_volume(mesh.positions, mesh.faces) > 0;
}

void MeshStore::stream(Moving& moving, const DrawMesh& draw) {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float));
  const std::vector<Vec3f>&positions = draw.deformed->vertices, &normals = draw.deformed->normals;
  if (!moving.vertex_array) {
    glGenVertexArrays(1, &moving.vertex_array);
    glGenBuffers(1, &moving.positions);
    glGenBuffers(1, &moving.normals);
  }
  glBindVertexArray(moving.vertex_array);
  buffer(moving.positions, GL_ARRAY_BUFFER, positions.size() * sizeof(Vec3f), positions.data(), GL_STREAM_DRAW);
  attribute(0, 3, 3, 0);
  buffer(moving.normals, GL_ARRAY_BUFFER, normals.size() * sizeof(Vec3f), normals.data(), GL_STREAM_DRAW);
  attribute(1, 3, 3, 0);
  // The faces are those of the rest mesh, which stays while `moving` holds on to it.
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, rest_[draw.mesh.get()].indices);
  glBindVertexArray(0);
  moving.mesh = draw.mesh;
  moving.frame = draw.frame;
  moving.shown = draw.deformed;
}

void MeshStore::end() {
  for (auto it = moving_.begin(); it != moving_.end();) {
    if (it->second.used + kKeptPictures < picture_) {
      release(it->second);
      it = moving_.erase(it);
    } else {
      rest(it->second.mesh);   // its faces are in use
      ++it;
    }
  }
  for (auto it = rest_.begin(); it != rest_.end();) {
    if (it->second.mesh.expired() || it->second.used + kKeptPictures < picture_) {
      release(it->second);
      it = rest_.erase(it);
    } else {
      ++it;
    }
  }
}

void MeshStore::release(Rest& entry) {
  if (!entry.vertex_array) return;
  glDeleteVertexArrays(1, &entry.vertex_array);
  glDeleteBuffers(1, &entry.vertices);
  glDeleteBuffers(1, &entry.indices);
  entry = {};
}

void MeshStore::release(Moving& moving) {
  if (!moving.vertex_array) return;
  glDeleteVertexArrays(1, &moving.vertex_array);
  glDeleteBuffers(1, &moving.positions);
  glDeleteBuffers(1, &moving.normals);
  moving = {};
}

void MeshStore::destroy() {
  for (auto& entry : rest_) release(entry.second);
  for (auto& entry : moving_) release(entry.second);
  rest_.clear();
  moving_.clear();
}

}  // namespace hazumi::gl
