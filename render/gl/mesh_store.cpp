#include "render/gl/mesh_store.h"

#include "core/geometry/mesh/mass_properties.h"

namespace hazumi::gl {

namespace {

constexpr std::uint64_t kKeptPictures = 240;
constexpr float kFacePixels = 8;               // of its rectangle on the screen, for each face of a small thing
constexpr std::size_t kMostThinned = 100'000;  // faces in a picture: about 10 ms

void buffer(GLuint name, GLenum target, std::size_t bytes, const void* data, GLenum usage) {
  glBindBuffer(target, name);
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
}

void attribute(GLuint index, int components, int stride_floats, int offset_floats) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, stride_floats * static_cast<int>(sizeof(float)),
                        reinterpret_cast<const void*>(offset_floats * sizeof(float)));
}

// Texture coordinates and looks beside positions and normals: two floats, ten floats, or both, one after the other.
std::vector<float> extras_of(const DisplayMesh& mesh, bool pictured, bool looks) {
  std::vector<float> data;
  data.reserve(mesh.positions.size() * static_cast<std::size_t>((pictured ? 2 : 0) + (looks ? 10 : 0)));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (pictured)
      for (int k = 0; k < 2; ++k) data.push_back(static_cast<float>(mesh.texture[i][k]));
    if (!looks) continue;
    const VertexLook& look = mesh.looks[i];
    for (const Vec3f& colour : {look.ambient, look.diffuse, look.specular})
      for (int k = 0; k < 3; ++k) data.push_back(colour[k]);
    data.push_back(look.shininess);
  }
  return data;
}

// Points the attributes of the bound vertex array at the buffer of extras.
void attach_extras(GLuint extras, bool pictured, bool looks) {
  if (!extras) return;
  glBindBuffer(GL_ARRAY_BUFFER, extras);
  const int first = pictured ? 2 : 0, stride = first + (looks ? 10 : 0);
  if (pictured) attribute(2, 2, stride, 0);
  if (!looks) return;
  for (int k = 0; k < 3; ++k) attribute(static_cast<GLuint>(3 + k), 3, stride, first + 3 * k);
  attribute(6, 1, stride, first + 9);
}

}  // namespace

void MeshStore::begin() {
  ++picture_;
  thinned_ = 0;
}

/// The least that are enough for so many pixels; null: all faces. What is not known yet is made a few meshes a picture.
const CoarseFaces* MeshStore::level_for(const DrawMesh& draw, float pixels, std::size_t& number) {
  if (draw.deformed || !draw.facts) return nullptr;
  if (!draw.facts->levelled()) {
    if (thinned_ > kMostThinned) return nullptr;
    thinned_ += draw.mesh->faces.size();
  }
  const std::vector<CoarseFaces>& levels = draw.facts->levels(*draw.mesh);
  // What is big has a worker for its levels, and is looked at from near.
  const float wanted = draw.facts->coarse() ? pixels : pixels / kFacePixels;
  for (number = levels.size(); number-- > 0;)
    if (static_cast<float>(levels[number].faces.size()) >= wanted) return &levels[number];
  number = 0;
  return draw.facts->coarse();  // of what is big the first, whatever it covers
}

Drawable MeshStore::prepare(const DrawMesh& draw, std::optional<float> pixels) {
  Rest& still = rest(draw.mesh);
  Drawable drawable{still.vertex_array, still.index_count, false, still.looks, still.pictured};
  if (draw.facts) {
    drawable.solid = draw.facts->solid(*draw.mesh);
  } else {
    if (!still.examined) still.solid = is_closed(*draw.mesh) && mesh_volume(draw.mesh->positions, draw.mesh->faces) > 0;
    still.examined = true;
    drawable.solid = still.solid;
  }
  std::size_t level = 0;
  drawable.coarse = pixels ? level_for(draw, *pixels, level) : nullptr;
  if (drawable.coarse) {
    still.levels.resize(std::max(still.levels.size(), level + 1));
    if (!still.levels[level].vertex_array) still.levels[level] = upload_level(still, *drawable.coarse);
    drawable.vertex_array = still.levels[level].vertex_array;
    drawable.index_count = static_cast<GLsizei>(3 * drawable.coarse->faces.size());
    drawable.solid = drawable.solid && drawable.coarse->closed;  // faces that vanished let the far sides be seen
  }
  if (!draw.deformed) return drawable;
  Moving& moving = moving_[draw.id];
  moving.used = picture_;
  if (moving.shown != draw.deformed || moving.mesh != draw.mesh || moving.frame != draw.frame) stream(moving, draw);
  drawable.vertex_array = moving.vertex_array;
  return drawable;
}

void MeshStore::draw_edges(const DrawMesh& draw, const Drawable& drawable) {
  Rest& still = rest(draw.mesh);
  if (!still.edges && draw.facts && !drawable.coarse)
    if (const auto* edges = draw.facts->edges(*draw.mesh)) {
      glGenBuffers(1, &still.edges);
      still.edge_count = static_cast<GLsizei>(edges->size());
      glBindVertexArray(0);
      buffer(still.edges, GL_ELEMENT_ARRAY_BUFFER, edges->size() * sizeof((*edges)[0]), edges->data(), GL_STATIC_DRAW);
    }
  glBindVertexArray(drawable.vertex_array);
  if (!still.edges || drawable.coarse) {
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    drawable.draw();
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    return;
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, still.edges);  // the vertex array remembers it
  glDrawElements(GL_LINES, 2 * still.edge_count, GL_UNSIGNED_INT, nullptr);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, still.indices);
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
  std::vector<float> data(6 * mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      data[6 * i + static_cast<std::size_t>(k)] = static_cast<float>(mesh.positions[i][k]);
      data[6 * i + 3 + static_cast<std::size_t>(k)] = static_cast<float>(mesh.normals[i][k]);
    }
  glGenVertexArrays(1, &entry.vertex_array);
  glGenBuffers(1, &entry.vertices);
  glGenBuffers(1, &entry.indices);
  glBindVertexArray(entry.vertex_array);
  buffer(entry.vertices, GL_ARRAY_BUFFER, data.size() * sizeof(float), data.data(), GL_STATIC_DRAW);
  attribute(0, 3, 6, 0);
  attribute(1, 3, 6, 3);
  entry.looks = !mesh.looks.empty() && mesh.looks.size() == mesh.positions.size();
  entry.pictured = !mesh.textures.empty() && mesh.texture.size() == mesh.positions.size();
  if (entry.looks || entry.pictured) {
    const std::vector<float> extras = extras_of(mesh, entry.pictured, entry.looks);
    glGenBuffers(1, &entry.extras);
    buffer(entry.extras, GL_ARRAY_BUFFER, extras.size() * sizeof(float), extras.data(), GL_STATIC_DRAW);
    attach_extras(entry.extras, entry.pictured, entry.looks);
  }
  buffer(entry.indices, GL_ELEMENT_ARRAY_BUFFER, mesh.faces.size() * sizeof(mesh.faces[0]), mesh.faces.data(),
         GL_STATIC_DRAW);
  glBindVertexArray(0);
  entry.index_count = static_cast<GLsizei>(3 * mesh.faces.size());
}

MeshStore::Rest::Level MeshStore::upload_level(const Rest& entry, const CoarseFaces& coarse) {
  Rest::Level level;
  glGenVertexArrays(1, &level.vertex_array);
  glGenBuffers(1, &level.indices);
  glBindVertexArray(level.vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, entry.vertices);
  attribute(0, 3, 6, 0);
  attribute(1, 3, 6, 3);
  attach_extras(entry.extras, entry.pictured, entry.looks);
  buffer(level.indices, GL_ELEMENT_ARRAY_BUFFER, coarse.faces.size() * sizeof(coarse.faces[0]), coarse.faces.data(),
         GL_STATIC_DRAW);
  glBindVertexArray(0);
  return level;
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
  // Faces, texture coordinates and colours are those of the rest mesh, which stays while `moving` holds on to it.
  const Rest& still = rest_[draw.mesh.get()];
  if (moving.mesh != draw.mesh)
    for (GLuint index = 2; index <= 6; ++index) glDisableVertexAttribArray(index);
  attach_extras(still.extras, still.pictured, still.looks);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, still.indices);
  glBindVertexArray(0);
  moving.mesh = draw.mesh;
  moving.frame = draw.frame;
  moving.shown = draw.deformed;
}

void MeshStore::end() {
  // What this picture does not show is given up at once: it holds on to its frame, and to stream it again costs no more than
  // the next frame of it does. A window at rest after New would keep it for good.
  for (auto it = moving_.begin(); it != moving_.end();) {
    if (it->second.used < picture_) {
      release(it->second);
      it = moving_.erase(it);
    } else {
      rest(it->second.mesh);  // its faces are in use
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
  if (entry.extras) glDeleteBuffers(1, &entry.extras);
  if (entry.edges) glDeleteBuffers(1, &entry.edges);
  for (const Rest::Level& level : entry.levels) {
    if (level.vertex_array) glDeleteVertexArrays(1, &level.vertex_array);
    if (level.indices) glDeleteBuffers(1, &level.indices);
  }
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
