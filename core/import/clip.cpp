#include "core/import/clip.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "core/geometry/mesh/topology.h"
#include "core/import/prepare.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

constexpr double kOnFrame = 2e-3;  // of a frame

Quat quat(const Numbers& v) {
  const Quat q(v[0], v[1], v[2], v[3]);
  const double norm = q.norm();
  return norm > 0 ? Quat(q.coeffs() / norm) : Quat::Identity();
}
Vec3 vec(const Numbers& v) { return {v[0], v[1], v[2]}; }

/// The numbers of a channel at a time; before the first key and after the last one as there.
Numbers numbers_at(const ClipChannel& channel, double time) {
  const auto& times = channel.times;
  const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  if (after == 0) return channel.values.front();
  const std::size_t i = after - 1;
  if (after == times.size() || channel.shape == ClipShape::step) return channel.values[i];
  const double length = times[after] - times[i], x = (time - times[i]) / length;
  const Numbers &a = channel.values[i], &b = channel.values[after];
  Numbers value;
  if (channel.shape == ClipShape::cubic) {
    const double x2 = x * x, x3 = x2 * x;
    for (std::size_t k = 0; k < 4; ++k)
      value[k] = (2 * x3 - 3 * x2 + 1) * a[k] + length * (x3 - 2 * x2 + x) * channel.out[i][k] +
                 (3 * x2 - 2 * x3) * b[k] + length * (x3 - x2) * channel.in[after][k];
  } else if (channel.part == ClipPart::turn) {
    const Quat q = quat(a).slerp(x, quat(b));
    value = {q.w(), q.x(), q.y(), q.z()};
  } else {
    for (std::size_t k = 0; k < 4; ++k) value[k] = (1 - x) * a[k] + x * b[k];
  }
  return value;
}

/// The turn in a linear map; of what mirrors, that of the map turned inside out.
Quat turn_in(const Mat3& linear) {
  return polar_rotation(linear.determinant() < 0 ? Mat3(-linear) : linear, Quat::Identity());
}

/// Frames per second in which all keys lie on frames; the usual ones.
double rate_of_keys(const ClipFile& file) {
  for (double rate :
       {24.0, 25.0, 30.0, 50.0, 48.0, 60.0, 100.0, 120.0, 24000 / 1001.0, 30000 / 1001.0, 60000 / 1001.0}) {
    std::size_t keys = 0;
    bool fits = true;
    for (const Clip& clip : file.clips)
      for (const ClipChannel& channel : clip.channels)
        for (double time : channel.times) {
          const double frame = time * rate;
          fits = fits && std::abs(frame - std::round(frame)) < kOnFrame;
          ++keys;
        }
    if (fits && keys > 0) return rate;
  }
  return 0;
}

/// Times are written as single numbers, or as counts of other units: keys that lie on a frame but for that come to lie on it.
void snap_to_frames(ClipFile& file) {
  if (!(file.rate > 0)) return;
  for (Clip& clip : file.clips)
    for (ClipChannel& channel : clip.channels) {
      std::vector<double> times = channel.times;
      for (double& time : times)
        if (const double frame = std::round(time * file.rate); std::abs(time * file.rate - frame) < kOnFrame)
          time = frame / file.rate;
      if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end()) channel.times = times;
    }
}

std::string channel_problem(const ClipFile& file, const ClipChannel& channel) {
  const std::size_t n = channel.times.size();
  if (channel.node < 0 || static_cast<std::size_t>(channel.node) >= file.nodes.size())
    return "The file moves a node that it does not hold.";
  const std::string of = " of “" + file.nodes[static_cast<std::size_t>(channel.node)].name + "”";
  const std::size_t slopes = channel.shape == ClipShape::cubic ? n : 0;
  if (n == 0 || channel.values.size() != n || channel.in.size() != slopes || channel.out.size() != slopes)
    return "The keys" + of + " are not complete.";
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(channel.times[i]) || std::abs(channel.times[i]) > 1e5)
      return "A key" + of + " is at a time that is no number, or beyond 100,000 s.";
    if (i > 0 && !(channel.times[i] > channel.times[i - 1])) return "The keys" + of + " are not in order of time.";
    for (const auto* all : {&channel.values, &channel.in, &channel.out})
      for (std::size_t k = 0; k < 4 && i < all->size(); ++k)
        if (!std::isfinite((*all)[i][k]) || std::abs((*all)[i][k]) > 1e12)
          return "A key" + of + " has a value that is no number, or beyond 1e12.";
  }
  return "";
}

}  // namespace

std::vector<Eigen::Affine3d> clip_world(const ClipFile& file, const Clip* clip, double time) {
  struct Parts {
    bool moved = false;
    Vec3 place, scale;
    Quat turn;
  };
  std::vector<Parts> parts(file.nodes.size());
  if (clip != nullptr)
    for (const ClipChannel& channel : clip->channels) {
      const auto n = static_cast<std::size_t>(channel.node);
      Parts& p = parts[n];
      if (!p.moved) p = {true, file.nodes[n].place, file.nodes[n].scale, file.nodes[n].turn};
      const Numbers now = numbers_at(channel, time);
      if (channel.part == ClipPart::place) p.place = vec(now);
      if (channel.part == ClipPart::scale) p.scale = vec(now);
      if (channel.part == ClipPart::turn) p.turn = quat(now);
      if (channel.part == ClipPart::angles) p.turn = from_euler_angles(vec(now));
    }
  std::vector<Eigen::Affine3d> world(file.nodes.size(), Eigen::Affine3d::Identity());
  for (std::size_t n = 0; n < file.nodes.size(); ++n) {
    const ClipNode& node = file.nodes[n];
    Eigen::Affine3d own = Eigen::Affine3d::Identity();
    if (parts[n].moved) {
      own.linear() = parts[n].turn.toRotationMatrix() * parts[n].scale.asDiagonal();
      own.translation() = parts[n].place;
    } else {
      own.matrix().topRows<3>() = node.rest;
    }
    world[n] = node.parent < 0 ? own : world[static_cast<std::size_t>(node.parent)] * own;
  }
  return world;
}

Pose pose_of(const Eigen::Affine3d& matrix) { return {matrix.translation(), turn_in(matrix.linear())}; }

Pose piece_pose(const Eigen::Affine3d& rest, const Eigen::Affine3d& now, double* stretch) {
  const Quat at_rest = turn_in(rest.linear());
  const Mat3 m = rest.linear();
  if (std::abs(m.determinant()) < 1e-300) {  // flat at rest: nothing of its shape says how it turns but itself
    if (stretch != nullptr) *stretch = 0;
    return pose_of(now);
  }
  const Mat3 change = now.linear() * m.inverse();
  const Quat turn = turn_in(change);
  if (stretch != nullptr) *stretch = (change - turn.toRotationMatrix()).norm();
  return {now.translation(), (turn * at_rest).normalized()};
}

DisplayMesh piece_mesh(const ClipFile& file, const ClipPiece& piece) {
  const DisplayMesh& all = file.imported.mesh;
  const Pose frame = pose_of(clip_world(file, nullptr, 0)[static_cast<std::size_t>(piece.node)]);
  const Quat back = frame.rotation.conjugate();
  DisplayMesh mesh;
  std::vector<std::uint32_t> number(all.positions.size(), kNoIndex);
  std::vector<int> textures(all.textures.size(), -1);
  for (int p : piece.parts) {
    Part part = all.parts[static_cast<std::size_t>(p)];
    const std::uint32_t from = part.first_face;
    part.first_face = static_cast<std::uint32_t>(mesh.faces.size());
    for (std::uint32_t f = from; f < from + part.face_count; ++f) {
      std::array<std::uint32_t, 3> face = all.faces[f];
      for (std::uint32_t& v : face) {
        if (number[v] == kNoIndex) {
          number[v] = static_cast<std::uint32_t>(mesh.positions.size());
          mesh.positions.push_back(back * (all.positions[v] - frame.position));
          mesh.normals.push_back(back * all.normals[v]);
          if (!all.texture.empty()) mesh.texture.push_back(all.texture[v]);
          if (!all.looks.empty()) mesh.looks.push_back(all.looks[v]);
        }
        v = number[v];
      }
      mesh.faces.push_back(face);
    }
    if (part.texture >= 0) {
      int& at = textures[static_cast<std::size_t>(part.texture)];
      if (at < 0) {
        at = static_cast<int>(mesh.textures.size());
        mesh.textures.push_back(all.textures[static_cast<std::size_t>(part.texture)]);
      }
      part.texture = at;
    }
    mesh.parts.push_back(std::move(part));
  }
  return mesh;
}

const ClipPiece* find_piece(const ClipFile& file, const std::string& name) {
  const auto at =
      std::find_if(file.pieces.begin(), file.pieces.end(), [&](const ClipPiece& p) { return p.name == name; });
  return at == file.pieces.end() ? nullptr : &*at;
}

std::string settle_clips(ClipFile& file) {
  if (file.nodes.size() > kMostClipNodes) return "The file has more than 10,000 nodes.";
  for (std::size_t n = 0; n < file.nodes.size(); ++n) {
    const ClipNode& node = file.nodes[n];
    if (node.parent >= static_cast<int>(n) || node.parent < -1) return "The nodes of the file are no tree.";
    if (!node.rest.allFinite() || node.rest.cwiseAbs().maxCoeff() > 1e12 || !node.place.allFinite() ||
        !node.scale.allFinite() || !node.turn.coeffs().allFinite())
      return "The node “" + node.name + "” is at no place: its numbers are not finite.";
  }
  if (file.clips.size() > kMostClips) return "The file has more than 1,000 clips.";
  std::size_t keys = 0;
  for (Clip& clip : file.clips) {
    double begin = 1e300, end = -1e300;
    for (const ClipChannel& channel : clip.channels) {
      keys += channel.times.size();
      if (keys > kMostClipKeys) return "The file has more than 4,000,000 keys.";
      if (std::string problem = channel_problem(file, channel); !problem.empty()) return problem;
      begin = std::min(begin, channel.times.front());
      end = std::max(end, channel.times.back());
    }
    if (end - begin > kLongestClip) return "The clip “" + clip.name + "” is longer than an hour.";
  }
  std::erase_if(file.clips, [](const Clip& clip) { return clip.channels.empty(); });
  if (!(file.rate > 0) || !std::isfinite(file.rate)) file.rate = rate_of_keys(file);
  snap_to_frames(file);
  for (Clip& clip : file.clips) {
    clip.begin = 1e300, clip.end = -1e300;
    for (const ClipChannel& channel : clip.channels) {
      clip.begin = std::min(clip.begin, channel.times.front());
      clip.end = std::max(clip.end, channel.times.back());
    }
  }
  return "";
}

void add_all_together(ClipFile& file) {
  if (file.clips.size() < 2) return;
  Clip all{"All together", 1e300, -1e300, {}};
  std::set<int> moved;
  std::size_t keys = 0;
  for (const Clip& clip : file.clips) {
    std::set<int> own;
    for (const ClipChannel& channel : clip.channels) {
      own.insert(channel.node);
      keys += channel.times.size();
    }
    for (int node : own)
      if (!moved.insert(node).second) return;
  }
  if (keys > kMostClipKeys / 2) return;
  for (const Clip& clip : file.clips) {
    all.channels.insert(all.channels.end(), clip.channels.begin(), clip.channels.end());
    all.begin = std::min(all.begin, clip.begin);
    all.end = std::max(all.end, clip.end);
  }
  file.clips.insert(file.clips.begin(), std::move(all));
}

std::string plain_name(std::string_view name) {
  constexpr std::size_t kMost = 100;
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const auto c = static_cast<unsigned char>(name[i]);
    const std::size_t length = c < 0x80                ? 1
                               : c >= 0xc2 && c < 0xe0 ? 2
                               : c >= 0xe0 && c < 0xf0 ? 3
                               : c >= 0xf0 && c < 0xf5 ? 4
                                                       : 0;
    bool good = length > 0 && i + length <= name.size() && c >= 32 && c != 127;
    for (std::size_t k = 1; good && k < length; ++k) good = (static_cast<unsigned char>(name[i + k]) & 0xc0) == 0x80;
    // Forms that are longer than they need be, halves of pairs, and what is beyond the last character.
    const auto second = good && length > 2 ? static_cast<unsigned char>(name[i + 1]) : 0x90;
    good = good && !(c == 0xe0 && second < 0xa0) && !(c == 0xed && second >= 0xa0) && !(c == 0xf0 && second < 0x90) &&
           !(c == 0xf4 && second >= 0x90);
    const std::size_t taken = good ? length : 1;
    if (out.size() + taken > kMost) break;
    out += good ? std::string(name.substr(i, taken)) : "?";
    i += taken;
  }
  return out.find_first_not_of(' ') == std::string::npos ? "node" : out;
}

void add_bars(ClipFile& file) {
  const std::vector<Eigen::Affine3d> world = clip_world(file, nullptr, 0);
  DisplayMesh& mesh = file.imported.mesh;
  std::vector<std::vector<std::size_t>> children(world.size());
  for (std::size_t n = 0; n < world.size(); ++n)
    if (file.nodes[n].parent >= 0) children[static_cast<std::size_t>(file.nodes[n].parent)].push_back(n);
  std::set<std::string> used;
  for (std::size_t n = 0; n < world.size(); ++n) {
    const std::string& name = file.nodes[n].name;
    ClipPiece piece{name, static_cast<int>(n), {}, true};
    for (int k = 2; used.contains(piece.name); ++k) piece.name = name + " " + std::to_string(k);
    for (std::size_t child : children[n]) {
      const Vec3 head = world[n].translation(), along = world[child].translation() - head;
      const double length = along.norm();
      if (!(length > 1e-6)) continue;
      // An octahedron, widest at a fifth of its length, as programs for animation draw bones.
      const Vec3 side = along.unitOrthogonal(), other = along.normalized().cross(side);
      const auto base = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.push_back(head);
      for (const Vec3& d : {side, other, Vec3(-side), Vec3(-other)})
        mesh.positions.push_back(head + 0.2 * along + 0.1 * length * d);
      mesh.positions.push_back(head + along);
      Part part{piece.name, static_cast<std::uint32_t>(mesh.faces.size()), 8};
      if (!piece.parts.empty()) part.name += " to " + file.nodes[child].name;
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t a = base + 1 + k, b = base + 1 + (k + 1) % 4;
        mesh.faces.push_back({base, b, a});
        mesh.faces.push_back({a, b, base + 5});
      }
      piece.parts.push_back(static_cast<int>(mesh.parts.size()));
      mesh.parts.push_back(std::move(part));
    }
    if (piece.parts.empty()) continue;
    used.insert(piece.name);
    file.pieces.push_back(std::move(piece));
  }
  compute_creased_normals(mesh, 0.1);
}

}  // namespace hazumi
