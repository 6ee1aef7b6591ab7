// A ClipFile as bytes, for the way from the reader's process to the program: as mesh_bytes.cpp.
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

}  // namespace

std::string to_bytes(const ClipFile& file) {
  ByteWriter w;
  w.number(kClipMark);
  w.text(to_bytes(FileMesh{file.problem, file.imported}));
  if (!file.problem.empty()) return w.out;
  w.number(file.rate);
  w.number<char>(file.cut);
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
    w.list(piece.parts);
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
  file.cut = r.number<char>() != 0;
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
    r.list(piece.parts);
    file.pieces.push_back(std::move(piece));
  }
  return r.ended() && sound_pieces(file) && settle_clips(file).empty();
}

}  // namespace hazumi
