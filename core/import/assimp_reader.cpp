#include "core/import/assimp_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include <assimp/GltfMaterial.h>
#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>

#include "core/base/hash.h"
#include "core/base/slot_table.h"
#include "core/geometry/mesh/topology.h"
#include "core/import/assimp_scene.h"
#include "core/import/bvh.h"
#include "core/import/folder_access.h"
#include "core/import/plain_text.h"
#include "core/import/prepare.h"

namespace hazumi {

namespace {

constexpr double kLargest = 1e9;
constexpr std::size_t kMostParts = 10'000;
constexpr std::uintmax_t kMostTextureBytes = std::uintmax_t{64} << 20;

/// A file in memory, given to Assimp.
class MemoryFile : public Assimp::IOStream {
 public:
  explicit MemoryFile(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t Read(void* to, size_t size, size_t count) override {
    if (size == 0) return 0;
    count = std::min(count, (bytes_.size() - at_) / size);
    std::memcpy(to, bytes_.data() + at_, size * count);
    at_ += size * count;
    return count;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const std::size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    if (offset > bytes_.size() || from + offset > bytes_.size()) return aiReturn_FAILURE;
    at_ = from + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return at_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// What Assimp may open: the file itself, and what FolderAccess allows.
class FolderFiles : public Assimp::IOSystem {
 public:
  FolderFiles(std::string name, const std::string& bytes, FolderAccess& access)
      : name_(std::move(name)), bytes_(bytes), access_(access) {}
  bool Exists(const char* file) const override { return tidy_name(file) == name_ || access_.exists(file); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
    if (tidy_name(file) == name_) return new MemoryFile(bytes_);
    std::optional<std::string> bytes = access_.read(file);
    if (!bytes) return nullptr;
    const bool materials = std::filesystem::path(tidy_name(file)).extension() == ".mtl";
    return new MemoryFile(materials ? plain_obj(std::move(*bytes)) : std::move(*bytes));
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string name_;
  const std::string& bytes_;
  FolderAccess& access_;
};

Vec3 clamped(const Vec3& colour) { return colour.cwiseMax(0).cwiseMin(1); }
Vec3 vec(const aiColor3D& c) { return {c.r, c.g, c.b}; }
Vec3 vec(const aiColor4D& c) { return {c.r, c.g, c.b}; }

/// glTF's colours are amounts of light; materials have the numbers of a colour dialog (sRGB).
Vec3 shown(const Vec3& linear) {
  return clamped(linear).unaryExpr(
      [](double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055; });
}

Surface surface_of(const aiMaterial& material, bool linear) {
  Surface surface;
  float number = 0;
  aiColor4D base;
  const auto has = [&](const char* key, unsigned type, unsigned index, float& value) {
    return material.Get(key, type, index, value) == aiReturn_SUCCESS && std::isfinite(value);
  };
  float metallic = 0, roughness = 0;
  const bool rough = has(AI_MATKEY_ROUGHNESS_FACTOR, roughness), metal = has(AI_MATKEY_METALLIC_FACTOR, metallic);
  if (material.Get(AI_MATKEY_BASE_COLOR, base) == aiReturn_SUCCESS && (rough || metal)) {
    surface =
        surface_from_pbr(linear ? shown(vec(base)) : clamped(vec(base)), metal ? metallic : 0, rough ? roughness : 0.5);
  } else {
    aiColor3D colour;
    if (material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == aiReturn_SUCCESS)
      surface.diffuse = linear ? shown(vec(colour)) : clamped(vec(colour));
    surface.ambient = 0.25 * surface.diffuse;
    if (material.Get(AI_MATKEY_COLOR_SPECULAR, colour) == aiReturn_SUCCESS) surface.specular = clamped(vec(colour));
    if (has(AI_MATKEY_SHININESS_STRENGTH, number)) surface.specular = clamped(surface.specular * number);
    if (has(AI_MATKEY_SHININESS, number)) surface.shininess = std::clamp(static_cast<double>(number), 1.0, 128.0);
  }
  // Writers that mean "transparency 0" write opacity 0; what cannot be seen at all is not a material.
  if (has(AI_MATKEY_OPACITY, number) && number > 0) surface.opacity = std::min(1.0, static_cast<double>(number));
  for (Vec3* colour : {&surface.ambient, &surface.diffuse, &surface.specular})
    if (!colour->allFinite()) *colour = Vec3::Constant(0.5);
  return surface;
}

std::string last_name(const std::string& name) { return name.substr(name.find_last_of('/') + 1); }

/// Pixels that lie uncoded in a file, as a bitmap file (BITMAPV4, 32 bits, top row first).
std::vector<unsigned char> bitmap(const aiTexture& texture) {
  const std::uint32_t pixels = 4 * texture.mWidth * texture.mHeight, start = 14 + 108;
  std::vector<unsigned char> out(start + std::size_t{pixels}, 0);
  const auto put = [&](std::size_t at, std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      out[at + static_cast<std::size_t>(i)] = static_cast<unsigned char>(value >> (8 * i));
  };
  put(0, 0x4d42, 2), put(2, start + pixels, 4), put(10, start, 4), put(14, 108, 4);
  put(18, texture.mWidth, 4), put(22, ~texture.mHeight + 1, 4), put(26, 1, 2), put(28, 32, 2), put(30, 3, 4),
      put(34, pixels, 4);
  put(54, 0x00ff0000, 4), put(58, 0x0000ff00, 4), put(62, 0x000000ff, 4), put(66, 0xff000000, 4),
      put(70, 0x73524742, 4);
  for (std::size_t i = 0; i < std::size_t{texture.mWidth} * texture.mHeight; ++i) {
    const aiTexel& t = texture.pcData[i];
    const unsigned char bgra[4] = {t.b, t.g, t.r, t.a};
    std::copy(bgra, bgra + 4, out.begin() + static_cast<std::ptrdiff_t>(start + 4 * i));
  }
  return out;
}

struct Placed {
  explicit Placed(const Eigen::Affine3d& where) : place(where) {
    const Mat3 linear = place.linear();
    if (std::abs(linear.determinant()) > 1e-300) for_normals = linear.inverse().transpose();
  }
  Eigen::Affine3d place;
  Mat3 for_normals = Mat3::Identity();
};

class SceneReader {
 public:
  SceneReader(const aiScene& scene, FolderAccess& access, const std::string& ending, bool cut_skins)
      : scene_(scene),
        access_(access),
        ending_(ending),
        linear_(ending == "gltf" || ending == "glb"),
        cut_skins_(cut_skins) {}

  FileMesh run() {
    read_materials();
    for (unsigned i = 0; i < scene_.mNumMeshes; ++i) {
      const aiMesh& mesh = *scene_.mMeshes[i];
      if (mesh.mNumFaces == 0) continue;
      textured_ = textured_ || mesh.HasTextureCoords(0);
      coloured_ = coloured_ || mesh.HasVertexColors(0);
      normals_ = normals_ && mesh.HasNormals();
    }
    if (ending_ == "stl") normals_ = false;  // one per triangle: smooth surfaces would look faceted
    if (scene_.mRootNode == nullptr) return {kNoFaces, {}};
    add_node(*scene_.mRootNode, Eigen::Affine3d::Identity());
    DisplayMesh& mesh = out_.imported.mesh;
    if (!out_.problem.empty()) return {out_.problem, {}};
    if (mesh.faces.empty()) return {kNoFaces, {}};
    finish_normals();
    if (mesh.positions.size() > kMostMeshVertices) return {"The mesh has more than 2,000,000 vertices.", {}};
    report();
    return std::move(out_);
  }

  const std::vector<PartCarrier>& carriers() const { return carriers_; }
  const std::vector<FileSkin>& skins() const { return skins_; }

 private:
  struct Look {
    std::optional<Surface> surface;
    int texture = -1;
  };

  void read_materials() {
    looks_.resize(scene_.mNumMaterials + 1);  // the last: of meshes without a material
    for (unsigned i = 0; i < scene_.mNumMaterials; ++i) {
      const aiMaterial& material = *scene_.mMaterials[i];
      aiString name;
      (void)material.Get(AI_MATKEY_NAME, name);
      looks_[i].texture = texture_of(material);
      // A material that Assimp made up, where the file has none, is no look that was meant.
      const bool made_up = name.length == 0 || std::strcmp(name.C_Str(), AI_DEFAULT_MATERIAL_NAME) == 0;
      if (!made_up || looks_[i].texture >= 0) looks_[i].surface = surface_of(material, linear_);
      names_.push_back(made_up ? "" : name.C_Str());
    }
  }

  int texture_of(const aiMaterial& material) {
    aiString path;
    for (aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE})
      if (material.GetTextureCount(type) > 0 && material.GetTexture(type, 0, &path) == aiReturn_SUCCESS)
        return texture_number(path);
    return -1;
  }

  int texture_number(const aiString& path) {
    const auto [at, fresh] = texture_numbers_.try_emplace(path.C_Str(), -1);
    if (!fresh) return at->second;
    auto texture = std::make_shared<TextureFile>();
    if (const aiTexture* embedded = scene_.GetEmbeddedTexture(path.C_Str())) {
      texture->name =
          embedded->mFilename.length > 0 ? last_name(tidy_name(embedded->mFilename.C_Str())) : "embedded image";
      if (embedded->mHeight == 0) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(embedded->pcData);
        if (embedded->mWidth <= kMostTextureBytes) texture->bytes.assign(bytes, bytes + embedded->mWidth);
      } else if (4ull * embedded->mWidth * embedded->mHeight <= kMostTextureBytes) {
        texture->bytes = bitmap(*embedded);
      }
    } else {
      find_texture(path.C_Str(), *texture);
    }
    if (texture->bytes.empty()) return -1;
    std::vector<std::shared_ptr<const TextureFile>>& all = out_.imported.mesh.textures;
    at->second = static_cast<int>(all.size());
    all.push_back(std::move(texture));
    return at->second;
  }

  /// As named; with the %20 of addresses; by its last name beside the file (names from another computer).
  void find_texture(std::string name, TextureFile& texture) {
    if (name.starts_with("file://")) name.erase(0, 7);
    const std::string tidy = tidy_name(name);
    const std::string last = last_name(tidy);
    for (const std::string& candidate :
         {tidy, tidy_name(decoded_name(tidy)), last, decoded_name(last), "textures/" + last}) {
      if (candidate.empty() || !access_.exists(candidate)) continue;
      const std::optional<std::string> bytes = access_.read(candidate);
      if (!bytes || bytes->size() > kMostTextureBytes) break;
      texture.name = candidate;
      texture.bytes.assign(bytes->begin(), bytes->end());
      return;
    }
    missing_.insert(last.empty() ? tidy : last);
  }

  void add_node(const aiNode& node, const Eigen::Affine3d& above) {
    const Eigen::Affine3d place = above * affine(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes && out_.problem.empty(); ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) {
        out_.problem = "The file names a mesh that it does not hold.";
        return;
      }
      add_mesh(*scene_.mMeshes[node.mMeshes[i]], node, place);
    }
    for (unsigned i = 0; i < node.mNumChildren && out_.problem.empty(); ++i) add_node(*node.mChildren[i], place);
  }

  std::string part_name(const aiMesh& from, const aiNode& node) {
    // Nodes that Assimp makes up have names like "$ColladaAutoName$_0" or "blocks.ply".
    std::string name = node.mName.C_Str();
    if (name.empty() || name[0] == '$' || name[0] == '<' || node.mParent == nullptr) name = from.mName.C_Str();
    if (name.empty() || name[0] == '$') name = "Part";
    if (node.mNumMeshes > 1 && from.mMaterialIndex < names_.size() && !names_[from.mMaterialIndex].empty())
      name += " " + names_[from.mMaterialIndex];
    std::string unique = name;
    for (int number = 2; !used_names_.insert(unique).second; ++number) unique = name + " " + std::to_string(number);
    return unique;
  }

  /// Where bones put each vertex in the pose of the file: Σ w B O with the bone's node in the world B and its
  /// offset matrix O. The node of a mesh with a skin does not count (in glTF by definition). Empty without a
  /// skin.
  std::vector<Eigen::Affine3d> skin_places(const aiMesh& from, const Eigen::Affine3d& place) const {
    if (!from.HasBones()) return {};
    const auto count = from.mNumVertices;
    std::vector<Eigen::Matrix4d> sums(count, Eigen::Matrix4d::Zero());
    for (unsigned b = 0; b < from.mNumBones; ++b) {
      const aiBone& bone = *from.mBones[b];
      const aiNode* node = scene_.mRootNode->FindNode(bone.mName);
      if (node == nullptr) return {};
      Eigen::Affine3d world = affine(bone.mOffsetMatrix);
      for (; node != nullptr; node = node->mParent) world = affine(node->mTransformation) * world;
      if (!world.matrix().allFinite()) return {};
      for (unsigned i = 0; i < bone.mNumWeights; ++i) {
        const aiVertexWeight& weight = bone.mWeights[i];
        if (weight.mVertexId >= count || !std::isfinite(weight.mWeight)) return {};
        sums[weight.mVertexId] += static_cast<double>(weight.mWeight) * world.matrix();
      }
    }
    std::vector<Eigen::Affine3d> places(count, place);
    for (unsigned v = 0; v < count; ++v)
      if (sums[v](3, 3) > 1e-6) places[v] = Eigen::Affine3d(Eigen::Matrix4d(sums[v] / sums[v](3, 3)));
    return places;
  }

  void add_mesh(const aiMesh& from, const aiNode& node, const Eigen::Affine3d& place) {
    DisplayMesh& mesh = out_.imported.mesh;
    if (mesh.faces.size() + from.mNumFaces > kMostMeshFaces) {
      out_.problem = "The mesh has more than 4,000,000 triangles.";
      return;
    }
    const std::vector<Eigen::Affine3d> skin = skin_places(from, place);
    const bool mirrored = (skin.empty() ? place : skin.front()).linear().determinant() < 0;
    Placed placed(place);
    const Look& look = look_of(from);

    // Vertices that are equal in everything become one; most formats come with three for each triangle.
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    std::vector<std::uint32_t> number(from.mNumVertices, kNoIndex);
    SlotTable made(from.mNumVertices);
    for (unsigned f = 0; f < from.mNumFaces; ++f) {
      const aiFace& face = from.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      for (unsigned k = 0; k < 3; ++k) {
        const unsigned v = face.mIndices[k];
        if (v >= from.mNumVertices) {
          out_.problem = "The mesh has a face with a vertex that does not exist.";
          return;
        }
        if (number[v] != kNoIndex) continue;
        if (!skin.empty()) placed = Placed(skin[v]);
        number[v] = add_vertex(from, v, placed, look, base, made);
        if (number[v] == kNoIndex) {
          out_.problem = "The mesh has a vertex that is not at a finite place within ±1e9.";
          return;
        }
      }
    }
    const bool cut = cut_skins_ && from.HasBones();
    const BonesOfFaces bones = cut ? bones_of_faces(from) : BonesOfFaces();
    const int like = static_cast<int>(mesh.parts.size());
    for (int bone = -1; bone < (cut ? static_cast<int>(from.mNumBones) : 0); ++bone)
      add_part(from, node, number, bones, bone, mirrored);
    if (cut && like < static_cast<int>(mesh.parts.size()) && !skin.empty())
      add_to_skin(scene_, from, node, number, like, mirrored, skins_);
  }

  using BonesOfFaces = std::vector<std::vector<int>>;

  /// Of each face the bones that have a third of its weights or more, so that pieces overlap at a joint and leave no gap when
  /// it bends; −1: none has. A bone that so has none gets the face that it has most of: a skin goes with pieces.
  static BonesOfFaces bones_of_faces(const aiMesh& from) {
    std::vector<std::vector<std::pair<int, float>>> weights(from.mNumVertices);
    for (unsigned b = 0; b < from.mNumBones; ++b)
      for (unsigned i = 0; i < from.mBones[b]->mNumWeights; ++i) {
        const aiVertexWeight& weight = from.mBones[b]->mWeights[i];
        if (weight.mVertexId < from.mNumVertices && weight.mWeight > 0)
          weights[weight.mVertexId].push_back({static_cast<int>(b), weight.mWeight});
      }
    BonesOfFaces bones(from.mNumFaces);
    std::vector<std::pair<float, unsigned>> best(from.mNumBones);
    std::vector<bool> leads(from.mNumBones);
    for (unsigned f = 0; f < from.mNumFaces; ++f) {
      std::map<int, float> sums;
      float all = 0, most = 0;
      for (unsigned k = 0; k < from.mFaces[f].mNumIndices; ++k)
        for (const auto& [bone, weight] : weights[from.mFaces[f].mIndices[k]]) {
          most = std::max(most, sums[bone] += weight);
          all += weight;
        }
      for (const auto& [bone, sum] : sums) {
        const auto b = static_cast<std::size_t>(bone);
        best[b] = std::max(best[b], std::pair(sum, f), [](const auto& x, const auto& y) { return x.first < y.first; });
        if (sum < std::min(most, 0.33f * all)) continue;
        bones[f].push_back(bone);
        leads[b] = true;
      }
      if (bones[f].empty()) bones[f].push_back(-1);
    }
    for (std::size_t b = 0; b < best.size(); ++b)
      if (!leads[b] && best[b].first > 0) bones[best[b].second].push_back(static_cast<int>(b));
    return bones;
  }

  /// The faces of one bone; without `bones` all of them.
  void add_part(const aiMesh& from, const aiNode& node, const std::vector<std::uint32_t>& number,
                const BonesOfFaces& bones, int bone, bool mirrored) {
    DisplayMesh& mesh = out_.imported.mesh;
    const Look& look = look_of(from);
    Part part{"", static_cast<std::uint32_t>(mesh.faces.size()), 0, look.surface, look.texture};
    for (unsigned f = 0; f < from.mNumFaces; ++f) {
      const aiFace& face = from.mFaces[f];
      if (face.mNumIndices != 3) continue;
      if (!bones.empty() && std::find(bones[f].begin(), bones[f].end(), bone) == bones[f].end()) continue;
      std::array<std::uint32_t, 3> corners = {number[face.mIndices[0]], number[face.mIndices[1]],
                                              number[face.mIndices[2]]};
      if (mirrored) std::swap(corners[1], corners[2]);
      const Vec3 &a = mesh.positions[corners[0]], &b = mesh.positions[corners[1]], &c = mesh.positions[corners[2]];
      if (a == b || b == c || c == a) continue;
      mesh.faces.push_back(corners);
      ++part.face_count;
    }
    if (part.face_count == 0) return;
    if (mesh.parts.size() >= kMostParts) out_.problem = "The file has more than 10,000 parts.";
    if (look.surface) materials_.insert(from.mMaterialIndex);
    part.name = part_name(from, node);
    const aiNode* carrier = bone < 0 ? nullptr : scene_.mRootNode->FindNode(from.mBones[bone]->mName);
    carriers_.push_back(carrier != nullptr ? PartCarrier{carrier, true} : PartCarrier{&node, false});
    mesh.parts.push_back(std::move(part));
  }

  const Look& look_of(const aiMesh& from) const {
    return from.mMaterialIndex < scene_.mNumMaterials ? looks_[from.mMaterialIndex] : looks_.back();
  }

  std::uint32_t add_vertex(const aiMesh& from, unsigned v, const Placed& placed, const Look& look, std::uint32_t base,
                           SlotTable& made) {
    DisplayMesh& mesh = out_.imported.mesh;
    const aiVector3D& p = from.mVertices[v];
    const Vec3 position = placed.place * Vec3(p.x, p.y, p.z);
    if (!position.allFinite() || position.cwiseAbs().maxCoeff() > kLargest) return kNoIndex;
    Vec3 normal = Vec3::Zero();
    if (normals_) {
      const aiVector3D& n = from.mNormals[v];
      normal = (placed.for_normals * Vec3(n.x, n.y, n.z)).normalized();
    }
    Vec2 texture = Vec2::Zero();
    if (textured_ && from.HasTextureCoords(0)) {
      const aiVector3D& t = from.mTextureCoords[0][v];
      texture = Vec2(t.x, t.y);
      if (!texture.allFinite()) texture.setZero();
    }
    VertexLook colours;
    if (coloured_) colours = vertex_look(from, v, look);
    const std::uint64_t hash = Hasher()
                                   .add(position.x() + 0.0)
                                   .add(position.y() + 0.0)
                                   .add(position.z() + 0.0)
                                   .add(normal.x() + 0.0)
                                   .add(normal.y() + 0.0)
                                   .add(normal.z() + 0.0)
                                   .add(texture.x() + 0.0)
                                   .add(texture.y() + 0.0)
                                   .value();
    const auto fresh = static_cast<std::uint32_t>(mesh.positions.size()) - base;
    const std::uint32_t at = made.find_or_put(hash, fresh, [&](std::uint32_t o) {
      o += base;
      return mesh.positions[o] == position && (!normals_ || mesh.normals[o] == normal) &&
             (!textured_ || mesh.texture[o] == texture) && (!coloured_ || mesh.looks[o].diffuse == colours.diffuse);
    });
    if (at != fresh) return base + at;
    mesh.positions.push_back(position);
    if (normals_) mesh.normals.push_back(normal);
    if (textured_) mesh.texture.push_back(texture);
    if (coloured_) mesh.looks.push_back(colours);
    return base + at;
  }

  VertexLook vertex_look(const aiMesh& from, unsigned v, const Look& look) const {
    const Surface surface = look.surface.value_or(Surface{});
    Vec3 diffuse = surface.diffuse;
    if (from.HasVertexColors(0)) {
      const Vec3 colour = vec(from.mColors[0][v]);
      if (colour.allFinite()) diffuse = linear_ ? shown(colour) : clamped(colour);
      // In glTF the two are multiplied; elsewhere the colour of the vertex stands for itself.
      if (linear_ && look.surface) diffuse = diffuse.cwiseProduct(surface.diffuse);
    }
    return {(0.25 * diffuse).cast<float>(), diffuse.cast<float>(), surface.specular.cast<float>(),
            static_cast<float>(surface.shininess)};
  }

  /// Normals as read where all of them are unit vectors; else all of them anew from the faces.
  void finish_normals() {
    DisplayMesh& mesh = out_.imported.mesh;
    const bool good = normals_ && std::all_of(mesh.normals.begin(), mesh.normals.end(), [](const Vec3& n) {
                        return std::abs(n.squaredNorm() - 1) < 1e-6;  // also false for what is not a number
                      });
    if (!good) compute_creased_normals(mesh, kCreaseAngle);
  }

  void report() {
    MeshReport& report = out_.imported.report;
    report.materials = materials_.size();
    report.textures = out_.imported.mesh.textures.size();
    report.companions = access_.companions();
    for (const std::string& name : missing_)
      report.warnings.push_back("The texture " + name + " was not found beside the file.");
    std::set<std::string> told;
    for (const std::string& name : access_.refused())
      if (told.insert(name).second)
        report.warnings.push_back("The file names " + name + ", which is not in its folder and was not read.");
    if (ending_ == "gltf" || ending_ == "glb" || ending_ == "dae") {
      // glTF is in metres and y up by definition; Assimp brings Collada there.
      report.unit_known = report.up_known = true;
    } else if (ending_ == "fbx" && scene_.mMetaData != nullptr) {
      // Metadata in 5.2: the unit in centimetres as a double or a float, the axis as 0, 1, 2.
      double unit = 0;
      float single = 0;
      std::int32_t axis = -1;
      if (scene_.mMetaData->Get("UnitScaleFactor", single))
        unit = single;
      else
        scene_.mMetaData->Get("UnitScaleFactor", unit);
      if (unit > 0 && std::isfinite(unit)) {
        report.unit_guess = unit / 100;
        report.unit_known = true;
      }
      if (scene_.mMetaData->Get("UpAxis", axis) && axis >= 0 && axis <= 2) {
        report.up_guess = axis == 0 ? UpAxis::x : axis == 1 ? UpAxis::y : UpAxis::z;
        report.up_known = true;
      }
    }
  }

  const aiScene& scene_;
  FolderAccess& access_;
  std::string ending_;
  bool linear_, cut_skins_, textured_ = false, coloured_ = false, normals_ = true;
  FileMesh out_;
  std::vector<PartCarrier> carriers_;
  std::vector<FileSkin> skins_;
  std::vector<Look> looks_;
  std::vector<std::string> names_;
  std::set<std::string> used_names_, missing_;
  std::set<unsigned> materials_;
  std::map<std::string, int> texture_numbers_;
};

}  // namespace

Surface surface_from_pbr(const Vec3& base, double metallic, double roughness) {
  const double m = std::clamp(metallic, 0.0, 1.0), r = std::clamp(roughness, 0.0, 1.0);
  Surface surface;
  surface.diffuse = clamped(base) * (1 - 0.5 * m);
  surface.ambient = 0.25 * surface.diffuse;
  // Blinn-Phong exponent of a microfacet width α = r² (Walter et al. 2007, table of equivalents): n = 2/α²
  // − 2.
  const double width = std::max(r * r, 1e-2);
  surface.shininess = std::clamp(2 / (width * width) - 2, 1.0, 128.0);
  // Dielectrics reflect 4 % (0.22 as shown), metals their own colour; a wide highlight is a faint one.
  surface.specular = ((1 - m) * Vec3::Constant(0.22) + m * clamped(base)) * (1 - 0.75 * r);
  return surface;
}

FileMesh read_scene_with_assimp(const std::filesystem::path& file, std::string bytes, const std::string& ending,
                                const UseScene& use) {
  if (ending == "obj") bytes = plain_obj(std::move(bytes));
  if (ending == "stl") bytes = plain_stl(std::move(bytes));
  FolderAccess access(file);
  const std::string name = "file." + ending;  // whatever the file is called, Assimp sees a plain name
  Assimp::Importer importer;
  importer.SetIOHandler(new FolderFiles(name, bytes, access));  // the importer owns it
  // Pivots: nodes of their own for what FBX does before and after a turn, each with its keys. (Where Assimp makes one node of them, it
  // forgets to invert what stands behind.)
  const bool motion = use != nullptr;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, motion);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  // Not JoinIdenticalVertices and GenSmoothNormals: they sort, and take longer than the reading.
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate);
  if (scene == nullptr) {
    std::string reason = importer.GetErrorString();
    const std::string own = file.filename().string();
    for (auto at = reason.find(name); at != std::string::npos; at = reason.find(name, at + own.size()))
      reason.replace(at, name.size(), own);  // nobody else knows the plain name
    std::replace_if(
        reason.begin(), reason.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
    while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.pop_back();
    return {"The file is not a readable mesh" + (reason.empty() ? "" : " (" + reason.substr(0, 300) + ")") + ".", {}};
  }
  SceneReader reader(*scene, access, ending, motion);
  FileMesh read = reader.run();
  if (motion && (read.problem.empty() || read.problem == kNoFaces)) use(*scene, reader.carriers(), reader.skins());
  return read;
}

FileMesh read_with_assimp(const std::filesystem::path& file, std::string bytes, const std::string& ending) {
  if (ending == "bvh") {
    ClipFile bones = read_bvh(bytes);
    return {std::move(bones.problem), std::move(bones.imported)};
  }
  const bool may_be_bones = ending == "gltf" || ending == "glb" || ending == "fbx";
  FileMesh read = read_scene_with_assimp(file, may_be_bones ? bytes : std::move(bytes), ending, nullptr);
  if (read.problem != kNoFaces || !may_be_bones) return read;
  ClipFile bones = read_clips(file, std::move(bytes), ending);
  if (!bones.problem.empty() || bones.clips.empty()) return read;
  return {std::move(bones.problem), std::move(bones.imported)};
}

}  // namespace hazumi
