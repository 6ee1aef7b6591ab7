// A ClipFile as bytes, for the way from the reader's process to the program: as mesh_bytes.cpp.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/import/assimp_reader.h"
#include "core/import/bytes.h"
#include "core/import/clip.h"

namespace hazumi {

namespace {

constexpr std::uint64_t kClipMark = 0x68617a756d69636cULL;

bool sound_pieces(const ClipFile& file) {
  std::set<std::string> names;
  for (const ClipPiece& piece : file.pieces) {
    if (piece.node < 0 || static_cast<std::size_t>(piece.node) >= file.nodes.size()) return false;
    if (piece.parts.empty() || !names.insert(piece.name).second) return false;
    for (int part : piece.parts)
      if (part < 0 || static_cast<std::size_t>(part) >= file.imported.mesh.parts.size()) return false;
  }
  return true;
}

bool sound_skin(const ClipFile& file, const ClipSkin& skin) {
  const std::size_t count = skin.vertices.size();
  const DisplayMesh& mesh = file.imported.mesh;
  const auto finite = [](const std::vector<Vec3>& all) {
    return std::all_of(all.begin(), all.end(), [](const Vec3& v) { return v.allFinite(); });
  };
  if (skin.positions.size() != count || skin.normals.size() != count || skin.weights.size() != count) return false;
  if (skin.bones.empty() || skin.faces.empty() || !finite(skin.positions) || !finite(skin.normals)) return false;
  for (std::uint32_t v : skin.vertices)
    if (v >= mesh.positions.size()) return false;
  for (const auto& face : skin.faces)
    for (std::uint32_t v : face)
      if (v >= count) return false;
  for (const ClipSkin::PartOfSkin& part : skin.parts) {
    const auto end = std::uint64_t{part.first_face} + part.face_count;
    if (part.like < 0 || static_cast<std::size_t>(part.like) >= mesh.parts.size() || end > skin.faces.size())
      return false;
  }
  for (const ClipSkin::BoneOfSkin& bone : skin.bones) {
    if (bone.piece < 0 || static_cast<std::size_t>(bone.piece) >= file.pieces.size()) return false;
    if (!bone.bound.position.allFinite() || std::abs(bone.bound.rotation.norm() - 1) > 1e-6) return false;
  }
  for (const VertexBones& w : skin.weights)
    for (std::size_t k = 0; k < 4; ++k)
      if (w.bones[k] >= skin.bones.size() || !(w.weights[k] >= 0 && w.weights[k] <= 1)) return false;
  return true;
}

bool sound_skins(const ClipFile& file) {
  std::set<std::string> names;
  for (const ClipPiece& piece : file.pieces) names.insert(piece.name);
  for (const ClipSkin& skin : file.skins)
    if (!names.insert(skin.name).second || !sound_skin(file, skin)) return false;
  return true;
}

}  // namespace

std::string to_bytes(const ClipFile& file) {
  ByteWriter w;
  w.number(kClipMark);
  w.text(to_bytes(FileMesh{file.problem, file.imported}));
  if (!file.problem.empty()) return w.out;
  w.number(file.rate);
  w.number<std::uint64_t>(file.nodes.size());
  for (const ClipNode& node : file.nodes) {
    w.text(node.name);
    w.number(node.parent);
    for (double x : node.place) w.number(x);
    for (double x : node.turn.coeffs()) w.number(x);
    for (double x : node.scale) w.number(x);
    for (double x : node.rest.reshaped()) w.number(x);
  }
  w.number<std::uint64_t>(file.clips.size());
  for (const Clip& clip : file.clips) {
    w.text(clip.name);
    w.number<std::uint64_t>(clip.channels.size());
    for (const ClipChannel& channel : clip.channels) {
      w.number(channel.node);
      w.number(static_cast<int>(channel.part));
      w.number(static_cast<int>(channel.shape));
      w.list(channel.times);
      w.list(channel.values);
      w.list(channel.in);
      w.list(channel.out);
    }
  }
  w.number<std::uint64_t>(file.pieces.size());
  for (const ClipPiece& piece : file.pieces) {
    w.text(piece.name);
    w.number(piece.node);
    w.number<char>(piece.bone);
    w.number<char>(piece.of_skin);
    w.list(piece.parts);
  }
  w.number<std::uint64_t>(file.skins.size());
  for (const ClipSkin& skin : file.skins) {
    w.text(skin.name);
    w.list(skin.vertices);
    w.list(skin.positions);
    w.list(skin.normals);
    w.list(skin.faces);
    w.list(skin.parts);
    w.list(skin.weights);
    w.number<std::uint64_t>(skin.bones.size());
    for (const ClipSkin::BoneOfSkin& bone : skin.bones) {
      w.number(bone.piece);
      for (double x : bone.bound.position) w.number(x);
      for (double x : bone.bound.rotation.coeffs()) w.number(x);
    }
  }
  return w.out;
}

bool from_bytes(std::string_view bytes, ClipFile& file) {
  ByteReader r(bytes);
  file = {};
  if (r.number<std::uint64_t>() != kClipMark) return false;
  FileMesh mesh;
  if (!from_bytes(r.text(), mesh)) return false;
  file.problem = mesh.problem;
  if (!file.problem.empty()) return r.ended();
  file.imported = std::move(mesh.imported);
  file.rate = r.number<double>();
  const auto nodes = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < nodes && r.good; ++i) {
    ClipNode node;
    node.name = r.text();
    node.parent = r.number<int>();
    for (double& x : node.place) x = r.number<double>();
    for (double& x : node.turn.coeffs()) x = r.number<double>();
    for (double& x : node.scale) x = r.number<double>();
    for (double& x : node.rest.reshaped()) x = r.number<double>();
    file.nodes.push_back(std::move(node));
  }
  const auto clips = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < clips && r.good; ++i) {
    Clip clip;
    clip.name = r.text();
    const auto channels = r.number<std::uint64_t>();
    for (std::uint64_t c = 0; c < channels && r.good; ++c) {
      ClipChannel channel;
      channel.node = r.number<int>();
      const int part = r.number<int>(), shape = r.number<int>();
      if (part < 0 || part > static_cast<int>(ClipPart::scale) || shape < 0 ||
          shape > static_cast<int>(ClipShape::cubic))
        return false;
      channel.part = static_cast<ClipPart>(part);
      channel.shape = static_cast<ClipShape>(shape);
      r.list(channel.times);
      r.list(channel.values);
      r.list(channel.in);
      r.list(channel.out);
      clip.channels.push_back(std::move(channel));
    }
    file.clips.push_back(std::move(clip));
  }
  const auto pieces = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < pieces && r.good; ++i) {
    ClipPiece piece;
    piece.name = r.text();
    piece.node = r.number<int>();
    piece.bone = r.number<char>() != 0;
    piece.of_skin = r.number<char>() != 0;
    r.list(piece.parts);
    file.pieces.push_back(std::move(piece));
  }
  const auto skins = r.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < skins && r.good; ++i) {
    ClipSkin skin;
    skin.name = r.text();
    r.list(skin.vertices);
    r.list(skin.positions);
    r.list(skin.normals);
    r.list(skin.faces);
    r.list(skin.parts);
    r.list(skin.weights);
    const auto bones = r.number<std::uint64_t>();
    for (std::uint64_t b = 0; b < bones && r.good; ++b) {
      ClipSkin::BoneOfSkin bone;
      bone.piece = r.number<int>();
      for (double& x : bone.bound.position) x = r.number<double>();
      for (double& x : bone.bound.rotation.coeffs()) x = r.number<double>();
      skin.bones.push_back(bone);
    }
    file.skins.push_back(std::move(skin));
  }
  return r.ended() && sound_pieces(file) && sound_skins(file) && settle_clips(file).empty();
}

}  // namespace hazumi
