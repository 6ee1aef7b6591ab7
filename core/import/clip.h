// What a file with motion holds (glTF, FBX, BVH): nodes in a tree, clips of keys that move them, and pieces of the mesh that
// nodes carry. Where a node is at a time is a pure function of it:
//
//   world(n) = world(parent) own(n),   own = T R S of its channels where the clip has any, else as it is at rest
//
// A piece goes rigidly with its node. Its frame at rest is the pose P₀ = (place, turn) of the node's matrix M₀; scale, shear
// and mirroring stay in the mesh, so that at a time the pose is that of M(t) M₀⁻¹ P₀. Where M stretches otherwise than M₀ did,
// the turn is that of its polar decomposition, and `stretch` says by how much it is off. A file of bones without a mesh gets bars
// for them.
//
// A mesh with a skin is there twice. Cut at the joints: each triangle goes with the bones that it follows, so that pieces overlap
// there; they are what things meet. And whole, as it was bound, for the eye: x(t) = Σ w P(t) C⁻¹ x, with C the pose of a bone's piece
// when it was bound. That is what the file says, M(t) M_bound⁻¹, as long as bones keep their scale.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/geometry/mapping/bones.h"
#include "core/import/imported_mesh.h"

namespace hazumi {

inline constexpr std::size_t kMostClipNodes = 10'000, kMostClips = 1'000, kMostClipKeys = 4'000'000;
inline constexpr double kLongestClip = 3600;  ///< s

struct ClipNode {
  std::string name;
  int parent = -1;  ///< before it in the list
  Vec3 place = Vec3::Zero();
  Quat turn = Quat::Identity();
  Vec3 scale = Vec3::Ones();
  /// At rest; T R S but for files that give a matrix.
  Eigen::Matrix<double, 3, 4> rest = Eigen::Matrix<double, 3, 4>::Identity();
};

enum class ClipPart { place, turn, angles, scale };  ///< angles: about x, then y, then z of the parent, rad
enum class ClipShape { step, linear, cubic };  ///< cubic: Hermite with slopes per s; turns by component, then unit

/// Keys of one part of one node. Vectors x y z, turns w x y z.
struct ClipChannel {
  int node = 0;
  ClipPart part = ClipPart::place;
  ClipShape shape = ClipShape::linear;
  std::vector<double> times = {};  ///< s, ascending
  std::vector<std::array<double, 4>> values = {};
  std::vector<std::array<double, 4>> in = {}, out = {};  ///< cubic only
};

struct Clip {
  std::string name;
  double begin = 0, end = 0;  ///< s, of its keys
  std::vector<ClipChannel> channels;
};

struct ClipPiece {
  std::string name;        ///< unlike all others
  int node = 0;            ///< that carries it
  std::vector<int> parts;  ///< of the mesh
  bool bone = false;       ///< a bone carries it: cut from a skin, or a bar
  bool of_skin = false;    ///< all of it is cut from skins
};

/// A mesh with a skin, whole, bound, in the world of the file.
struct ClipSkin {
  struct BoneOfSkin {
    int piece = 0;  ///< that it goes with
    Pose bound;     ///< C
  };
  struct PartOfSkin {
    int like = 0;  ///< part of the file's mesh that has its look
    std::uint32_t first_face = 0, face_count = 0;
  };
  std::string name;                     ///< unlike all pieces'
  std::vector<std::uint32_t> vertices;  ///< of the file's mesh, whose colours and texture coordinates they have
  std::vector<Vec3> positions, normals;
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<PartOfSkin> parts;
  std::vector<BoneOfSkin> bones;
  std::vector<VertexBones> weights;  ///< one per vertex
};

struct ClipFile {
  std::string problem;    ///< a full sentence; then nothing else counts
  ImportedMesh imported;  ///< all of it, at rest, in the world of the file
  std::vector<ClipNode> nodes;
  std::vector<Clip> clips;
  std::vector<ClipPiece> pieces;
  std::vector<ClipSkin> skins;
  double rate = 0;  ///< frames per s; 0: the file does not say and its keys do not lie on frames
};

/// Matrices of all nodes in the world of the file. Nothing for the clip: at rest.
std::vector<Eigen::Affine3d> clip_world(const ClipFile& file, const Clip* clip, double time);

/// Pose of a matrix: its place and the turn in it.
Pose pose_of(const Eigen::Affine3d& matrix);
/// Pose of a piece when its node's matrix is `now` and was `rest`. stretch: how far M(t) M₀⁻¹ is from a turn.
Pose piece_pose(const Eigen::Affine3d& rest, const Eigen::Affine3d& now, double* stretch = nullptr);

/// A piece's mesh in its own frame, units and axes of the file.
DisplayMesh piece_mesh(const ClipFile& file, const ClipPiece& piece);
const ClipPiece* find_piece(const ClipFile& file, const std::string& name);
DisplayMesh skin_mesh(const ClipFile& file, const ClipSkin& skin);
const ClipSkin* find_skin(const ClipFile& file, const std::string& name);
/// The turn in a linear map; of what mirrors, that of the map turned inside out.
Quat turn_in(const Mat3& linear);

/// For readers: what is wrong with nodes, keys and pieces; empty when nothing is. Gives clips their begin and end, and the file
/// its rate when it has none.
std::string settle_clips(ClipFile& file);
/// For readers: where no two clips move the same node, as programs write them that keep the keys of each thing apart, one more
/// in front that has all of them.
void add_all_together(ClipFile& file);
/// For readers: a name as it can stand in scenes; at most 100 bytes of UTF-8 without control characters.
std::string plain_name(std::string_view name);
/// For readers: bars for all bones of a file without a mesh.
void add_bars(ClipFile& file);

std::string to_bytes(const ClipFile& file);
bool from_bytes(std::string_view bytes, ClipFile& file);

}  // namespace hazumi
