#include "core/geometry/mapping/bones.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hazumi {

namespace {

constexpr double kRound = 0.5;  // κ
constexpr int kSmoothing = 3;

bool before(const PaintedWeight& a, const PaintedWeight& b) {
  return a.vertex != b.vertex ? a.vertex < b.vertex : a.bone < b.bone;
}

/// Vertices at one place are one spot.
struct Spots {
  std::vector<std::uint32_t> of;  // per vertex
  std::vector<Vec3> position, normal;

  explicit Spots(const DisplayMesh& mesh) : of(mesh.positions.size()) {
    std::vector<std::uint32_t> order(of.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t v) {
      const Vec3& p = mesh.positions[v];
      return std::array<double, 3>{p.x(), p.y(), p.z()};
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto ka = key(a), kb = key(b);
      return ka != kb ? ka < kb : a < b;
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint32_t v = order[k];
      if (k == 0 || mesh.positions[v] != mesh.positions[order[k - 1]]) {
        position.push_back(mesh.positions[v]);
        normal.push_back(Vec3::Zero());
      }
      of[v] = static_cast<std::uint32_t>(position.size() - 1);
      if (v < mesh.normals.size()) normal.back() += mesh.normals[v];
    }
  }
};

double smooth_step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// Weights of every bone at x, unnormalised, the greatest about 1.
void raw_weights(const std::vector<Bone>& bones, const Vec3& x, const Vec3& normal, double* out) {
  double least = 1e300;
  std::vector<double> reach(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) {
    reach[b] = (x - nearest_on_bone(bones[b], x)).norm() / std::max(bones[b].radius, 1e-9);
    least = std::min(least, reach[b]);
  }
  const double length = normal.norm();
  double most = 0;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const double ratio = (least + kRound) / (reach[b] + kRound);
    const Vec3 out_of_bone = x - nearest_on_bone(bones[b], x);
    // The small addition makes it smooth where a vertex lies on the bone.
    const double away = (out_of_bone.norm() + 0.05 * bones[b].radius) * length;
    const double visible = away > 0 ? smooth_step(-0.6, 0.1, out_of_bone.dot(normal) / away) : 1.0;
    out[b] = ratio * ratio * ratio * ratio * visible;
    most = std::max(most, out[b]);
  }
  if (most > 1e-6) return;
  for (std::size_t b = 0; b < bones.size(); ++b) {  // all lie outside: an open or a reversed mesh
    const double ratio = (least + kRound) / (reach[b] + kRound);
    out[b] = ratio * ratio * ratio * ratio;
  }
}

/// The four heaviest, sum 1.
VertexBones heaviest(const double* weights, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t kept = std::min<std::size_t>(4, count);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](std::uint32_t a, std::uint32_t b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; });
  double sum = 0;
  for (std::size_t k = 0; k < kept; ++k) sum += weights[order[k]];
  VertexBones result;
  if (!(sum > 0)) return result;
  float rest = 1;
  for (std::size_t k = 0; k < kept; ++k) {
    result.bones[k] = static_cast<std::uint16_t>(order[k]);
    result.weights[k] = static_cast<float>(weights[order[k]] / sum);
    if (k > 0) rest -= result.weights[k];
  }
  result.weights[0] = rest;
  return result;
}

double weight_of(const VertexBones& v, std::size_t bone) {
  for (int k = 0; k < 4; ++k)
    if (v.bones[k] == bone && v.weights[k] > 0) return v.weights[k];
  return 0;
}

}  // namespace

Vec3 nearest_on_bone(const Bone& bone, const Vec3& p) {
  const Vec3 e = bone.tail - bone.head;
  const double length = e.squaredNorm();
  return bone.head + (length > 0 ? std::clamp((p - bone.head).dot(e) / length, 0.0, 1.0) : 0.0) * e;
}

std::vector<VertexBones> automatic_weights(const std::vector<Bone>& bones, const DisplayMesh& mesh) {
  const std::size_t n = bones.size();
  const Spots spots(mesh);
  const std::size_t count = spots.position.size();
  std::vector<double> weights(count * n);
  for (std::size_t s = 0; s < count; ++s) {
    double* w = weights.data() + s * n;
    raw_weights(bones, spots.position[s], spots.normal[s], w);
    const double sum = std::accumulate(w, w + n, 0.0);
    for (std::size_t b = 0; b < n; ++b) w[b] /= sum;
  }
  // Each round: half of a weight from the mean of the neighbours (an edge counts once for each of its faces).
  std::vector<double> around(weights.size());
  std::vector<std::uint32_t> neighbours(count);
  for (int round = 0; round < kSmoothing && n > 1; ++round) {
    std::fill(around.begin(), around.end(), 0.0);
    std::fill(neighbours.begin(), neighbours.end(), 0u);
    for (const auto& face : mesh.faces)
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t s = spots.of[face[k]], t = spots.of[face[(k + 1) % 3]];
        for (std::size_t b = 0; b < n; ++b) {
          around[s * n + b] += weights[t * n + b];
          around[t * n + b] += weights[s * n + b];
        }
        ++neighbours[s];
        ++neighbours[t];
      }
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t b = 0; b < n && neighbours[s] > 0; ++b)
        weights[s * n + b] = 0.5 * weights[s * n + b] + 0.5 * around[s * n + b] / neighbours[s];
  }
  std::vector<VertexBones> result(mesh.positions.size());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = heaviest(weights.data() + spots.of[v] * n, n);
  return result;
}

std::vector<VertexBones> skeleton_weights(const std::vector<Bone>& bones, const std::vector<PaintedWeight>& painted,
                                          const DisplayMesh& mesh) {
  std::vector<VertexBones> result = automatic_weights(bones, mesh);
  std::vector<PaintedWeight> list = painted;
  std::stable_sort(list.begin(), list.end(), before);
  std::vector<double> weights(bones.size());
  std::vector<char> is_painted(bones.size());
  for (auto at = list.begin(); at != list.end();) {
    const std::uint32_t v = at->vertex;
    const auto end = std::find_if(at, list.end(), [v](const PaintedWeight& p) { return p.vertex != v; });
    if (v >= result.size()) break;
    std::fill(is_painted.begin(), is_painted.end(), char{0});
    for (std::size_t b = 0; b < bones.size(); ++b) weights[b] = weight_of(result[v], b);
    for (; at != end; ++at)
      for (std::size_t b = 0; b < bones.size(); ++b)
        if (bones[b].id == at->bone) {
          weights[b] = std::isfinite(at->weight) ? std::clamp(static_cast<double>(at->weight), 0.0, 1.0) : 0.0;
          is_painted[b] = 1;
        }
    double given = 0, others = 0;
    for (std::size_t b = 0; b < bones.size(); ++b) (is_painted[b] ? given : others) += weights[b];
    const double left = std::max(0.0, 1.0 - given);
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!is_painted[b]) weights[b] = others > 0 ? weights[b] * left / others : 0;
    // Everything painted away: what was there before is better than nothing.
    if (std::accumulate(weights.begin(), weights.end(), 0.0) > 0) result[v] = heaviest(weights.data(), bones.size());
  }
  return result;
}

std::vector<PaintedWeight> paint_weights(const MappingSettings& settings, const DisplayMesh& mesh, std::uint32_t bone,
                                         const WeightBrush& brush) {
  std::vector<PaintedWeight> painted = settings.painted;
  std::stable_sort(painted.begin(), painted.end(), before);
  const auto at =
      std::find_if(settings.bones.begin(), settings.bones.end(), [bone](const Bone& b) { return b.id == bone; });
  if (at == settings.bones.end() || !(brush.radius > 0)) return painted;
  const auto number = static_cast<std::size_t>(at - settings.bones.begin());
  const std::vector<VertexBones> now = skeleton_weights(settings.bones, painted, mesh);
  std::vector<PaintedWeight> dab;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const double square = (mesh.positions[v] - brush.centre).squaredNorm() / (brush.radius * brush.radius);
    if (!(square < 1)) continue;
    const double share = std::clamp(brush.strength, 0.0, 1.0) * (1 - square) * (1 - square);
    if (share <= 0) continue;
    const double weight = weight_of(now[v], number);
    const double next = weight + share * (std::clamp(brush.target, 0.0, 1.0) - weight);
    dab.push_back({bone, v, static_cast<float>(std::clamp(next, 0.0, 1.0))});
  }
  std::vector<PaintedWeight> result;
  std::set_difference(painted.begin(), painted.end(), dab.begin(), dab.end(), std::back_inserter(result), before);
  const auto middle = static_cast<std::ptrdiff_t>(result.size());
  result.insert(result.end(), dab.begin(), dab.end());
  std::inplace_merge(result.begin(), result.begin() + middle, result.end(), before);
  return result;
}

std::vector<Bone> bones_along_longest_axis(std::span<const Vec3> points, int count) {
  count = std::clamp(count, 1, 100);
  Box3 box;
  for (const Vec3& p : points) box.add(p);
  if (!box.valid()) box.add(Vec3::Zero());
  Eigen::Index axis = 0;
  const double length = box.size().maxCoeff(&axis);
  if (!(length > 0)) count = 1;
  // A joint lies in the middle of the points within half a bone of it.
  std::vector<Vec3> joints;
  for (int k = 0; k <= count; ++k) {
    const double at = box.low[axis] + length * k / count;
    Box3 slab;
    for (const Vec3& p : points)
      if (std::abs(p[axis] - at) <= 0.5 * length / count) slab.add(p);
    Vec3 joint = slab.valid() ? slab.centre() : box.centre();
    joint[axis] = at;
    for (double& x : joint)
      if (std::abs(x) < 1e-6 * length) x = 0;  // the middle of what is symmetric but for rounding
    joints.push_back(joint);
  }
  if (!(length > 0)) joints[1][1] += 0.1;
  std::vector<Bone> bones;
  for (int k = 0; k < count; ++k) {
    Bone bone;
    bone.id = static_cast<std::uint32_t>(k + 1);
    bone.name = "Bone " + std::to_string(k + 1);
    bone.parent = static_cast<std::uint32_t>(k);
    bone.head = joints[k];
    bone.tail = joints[k + 1];
    double sum = 0;
    int members = 0;
    for (const Vec3& p : points) {
      if (p[axis] < bone.head[axis] - 1e-9 * length || p[axis] > bone.tail[axis] + 1e-9 * length) continue;
      sum += (p - nearest_on_bone(bone, p)).norm();
      ++members;
    }
    const double least = 0.1 * (bone.tail - bone.head).norm();
    bone.radius = std::max(members > 0 ? sum / members : 0.0, least);
    bones.push_back(bone);
  }
  return bones;
}

std::uint32_t next_bone_id(const std::vector<Bone>& bones) {
  std::uint32_t id = 0;
  for (const Bone& bone : bones) id = std::max(id, bone.id);
  return id + 1;
}

void remove_bone(MappingSettings& settings, std::uint32_t bone) {
  const auto at =
      std::find_if(settings.bones.begin(), settings.bones.end(), [bone](const Bone& b) { return b.id == bone; });
  if (at == settings.bones.end()) return;
  const std::uint32_t parent = at->parent;
  settings.bones.erase(at);
  for (Bone& b : settings.bones)
    if (b.parent == bone) b.parent = parent;
  std::erase_if(settings.painted, [bone](const PaintedWeight& p) { return p.bone == bone; });
}

std::vector<int> bone_parents(const std::vector<Bone>& bones) {
  std::vector<int> parents(bones.size(), -1);
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (std::size_t p = 0; p < bones.size() && bones[b].parent != 0; ++p)
      if (p != b && bones[p].id == bones[b].parent && parents[b] < 0) parents[b] = static_cast<int>(p);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    int at = parents[b];
    for (std::size_t steps = 0; at >= 0; ++steps) {
      if (at == static_cast<int>(b) || steps > bones.size()) {
        parents[b] = -1;  // cut the loop at its first bone
        break;
      }
      at = parents[static_cast<std::size_t>(at)];
    }
  }
  return parents;
}

}  // namespace hazumi
