#include "core/geometry/mapping/embedding.h"

#include <cmath>

#include "core/geometry/mapping/lanes.h"
#include "core/geometry/mapping/triangle.h"
#include "core/geometry/mesh/box_tree.h"

namespace hazumi {

namespace {

constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Mat3 edges(const std::array<std::uint32_t, 4>& t, std::span<const Vec3> x) {
  Mat3 b;
  b << x[t[1]] - x[t[0]], x[t[2]] - x[t[0]], x[t[3]] - x[t[0]];
  return b;
}

}  // namespace

EmbeddingMapping::EmbeddingMapping(const DisplayMesh& mesh, const Truss& truss)
    : Mapping(MappingKind::embedding, mesh.positions.size()),
      origin_(reference_origin(truss)),
      reference_(mesh.positions) {
  const std::size_t node_count = truss.nodes.size();
  std::vector<Box3> boxes;
  for (const auto& t : truss.tetrahedra) {
    const Mat3 b = edges(t, truss.nodes);
    const double volume = std::abs(b.determinant()) / 6;
    const double size = std::max({b.col(0).norm(), b.col(1).norm(), b.col(2).norm()});
    if (!(volume > 1e-9 * size * size * size)) continue;
    cells_.push_back({t, b.inverse(), volume});
    Box3 box;
    for (std::uint32_t i : t) box.add(truss.nodes[i]);
    const Vec3 slack = Vec3::Constant(1e-9 * size);
    box.low -= slack;
    box.high += slack;
    boxes.push_back(box);
  }
  first_cell_.assign(node_count + 1, 0);
  volume_of_node_.assign(node_count, 0);
  for (const Cell& cell : cells_)
    for (std::uint32_t i : cell.nodes) ++first_cell_[i + 1], volume_of_node_[i] += cell.volume;
  for (std::size_t i = 0; i < node_count; ++i) first_cell_[i + 1] += first_cell_[i];
  cells_of_node_.resize(4 * cells_.size());
  std::vector<std::uint32_t> next(first_cell_.begin(), first_cell_.end() - 1);
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    for (std::uint32_t i : cells_[c].nodes) cells_of_node_[next[i]++] = c;

  const BoxTree tree(boxes, 16);
  std::vector<Box3> ordered;
  ordered.reserve(boxes.size());
  for (const std::uint32_t c : tree.order()) ordered.push_back(boxes[c]);
  const auto barycentric = [&](const Cell& cell, const Vec3& x) {
    const Vec3 e = cell.inverse * (x - truss.nodes[cell.nodes[0]]);
    return std::array<double, 4>{1.0 - e[0] - e[1] - e[2], e[0], e[1], e[2]};
  };
  const auto face_of = [&](const Cell& cell, int f, const Vec3& x, double& distance) {
    const Vec3 &a = truss.nodes[cell.nodes[kFaces[f][0]]], &b = truss.nodes[cell.nodes[kFaces[f][1]]],
               &c = truss.nodes[cell.nodes[kFaces[f][2]]];
    distance = triangle_distance_squared(x, a, b, c);
    return nearest_in_triangle(x, a, b, c);
  };
  normals_.resize(reference_.size());
  places_.resize(reference_.size());
  for (std::size_t v = 0; v < reference_.size(); ++v) {
    const Vec3& x = reference_[v];
    normals_[v] = (v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0)).cast<float>();
    if (cells_.empty()) continue;
    Place& place = places_[v];
    // Of several cells that touch at x the one that holds it best, then the lowest number.
    double best = 0;
    bool found = false;
    tree.around(x, [&](std::uint32_t k) {
      if (!ordered[k].holds(x)) return;
      const std::uint32_t c = tree.order()[k];
      const auto b = barycentric(cells_[c], x);
      const double least = std::min({b[0], b[1], b[2], b[3]});
      if (!(least >= -1e-9) || (found && (least < best || (least == best && c > place.cell)))) return;
      best = least;
      found = true;
      place.cell = c;
      place.weights = b;
    });
    if (found) continue;
    place.cell = tree.nearest(x, [&](std::uint32_t c) {
      double least = 1e300;
      for (int f = 0; f < 4; ++f) {
        double d = 0;
        face_of(cells_[c], f, x, d);
        least = std::min(least, d);
      }
      return least;
    });
    const Cell& cell = cells_[place.cell];
    double least = 1e300;
    Vec3 y = Vec3::Zero();
    for (int f = 0; f < 4; ++f) {
      double d = 0;
      const Vec3 b = face_of(cell, f, x, d);
      if (d >= least) continue;
      least = d;
      place.weights = {0, 0, 0, 0};
      y.setZero();
      for (int k = 0; k < 3; ++k) {
        place.weights[kFaces[f][k]] = b[k];
        y += b[k] * truss.nodes[cell.nodes[kFaces[f][k]]];
      }
    }
    place.offset = static_cast<std::uint32_t>(offsets_.size());
    offsets_.push_back(x - y);
  }
}

Mat3 EmbeddingMapping::gradient(const Cell& cell, std::span<const Vec3> nodes) const {
  return edges(cell.nodes, nodes) * cell.inverse;
}

Mat3 EmbeddingMapping::node_gradient(std::uint32_t node, std::span<const Vec3> nodes) const {
  Mat3 sum = Mat3::Zero();
  for (std::uint32_t k = first_cell_[node]; k < first_cell_[node + 1]; ++k) {
    const Cell& cell = cells_[cells_of_node_[k]];
    sum += cell.volume / volume_of_node_[node] * gradient(cell, nodes);
  }
  return sum;
}

void EmbeddingMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                    std::span<Vec3f> normals, Executor& executor) const {
  if (cells_.empty()) {
    for (std::size_t v = 0; v < reference_.size(); ++v) {
      positions[v] = (frame * (reference_[v] - origin_)).cast<float>();
      normals[v] = (frame.rotation * normals_[v].cast<double>()).cast<float>();
    }
    return;
  }
  // Per node where it is (from the body frame, so that float keeps its digits far from the world's origin), F̄
  // and N̄.
  struct Moved {
    Lanes position, f[3], normal[3];  // columns, fourth component 0
  };
  std::vector<Mat3> gradients(cells_.size()), turned(cells_.size());
  executor.blocks(cells_.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      gradients[c] = gradient(cells_[c], nodes);
      turned[c] = normal_matrix(gradients[c]);
    }
  });
  std::vector<Moved> moved(nodes.size());
  executor.blocks(nodes.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Mat3 f = Mat3::Zero(), n = Mat3::Zero();
      for (std::uint32_t k = first_cell_[i]; k < first_cell_[i + 1]; ++k) {
        const std::uint32_t c = cells_of_node_[k];
        const double part = cells_[c].volume / volume_of_node_[i];
        f += part * gradients[c];
        n += part * turned[c];
      }
      moved[i].position = lanes(nodes[i] - frame.position);
      for (int k = 0; k < 3; ++k) {
        moved[i].f[k] = lanes(f.col(k));
        moved[i].normal[k] = lanes(n.col(k));
      }
    }
  });
  const Lanes origin = lanes(frame.position);
  executor.blocks(reference_.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Place& place = places_[v];
      const auto& at = cells_[place.cell].nodes;
      Lanes p{}, n[3] = {};
      for (int k = 0; k < 4; ++k) {
        const Moved& m = moved[at[k]];
        const auto w = static_cast<float>(place.weights[k]);
        p += m.position * w;
        for (int c = 0; c < 3; ++c) n[c] += m.normal[c] * w;
      }
      if (place.offset != kInside) {
        const Vec3f d = offsets_[place.offset].cast<float>();
        for (int k = 0; k < 4; ++k) {
          const Moved& m = moved[at[k]];
          p += (m.f[0] * d[0] + m.f[1] * d[1] + m.f[2] * d[2]) * static_cast<float>(place.weights[k]);
        }
      }
      positions[v] = vector(p + origin);
      const Vec3f& rest = normals_[v];
      normals[v] = unit(vector(n[0] * rest[0] + n[1] * rest[1] + n[2] * rest[2]), rest);
    }
  });
}

void EmbeddingMapping::map_points(std::span<const Vec3> nodes, const Pose& frame,
                                  std::span<const std::uint32_t> vertices, std::span<Vec3> points) const {
  // F̄ of a node is that of many vertices.
  std::vector<Mat3> gradients(cells_.empty() ? 0 : nodes.size());
  std::vector<char> known(gradients.size(), 0);
  const auto gradient_at = [&](std::uint32_t node) -> const Mat3& {
    if (!known[node]) {
      known[node] = 1;
      gradients[node] = node_gradient(node, nodes);
    }
    return gradients[node];
  };
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const std::uint32_t v = vertices[k];
    if (cells_.empty()) {
      points[k] = frame * (reference_[v] - origin_);
      continue;
    }
    const Place& place = places_[v];
    const auto& at = cells_[place.cell].nodes;
    Vec3 p = Vec3::Zero();
    for (int j = 0; j < 4; ++j) p += place.weights[j] * nodes[at[j]];
    if (place.offset != kInside)
      for (int j = 0; j < 4; ++j)
        if (place.weights[j] != 0) p += place.weights[j] * (gradient_at(at[j]) * offsets_[place.offset]);
    points[k] = p;
  }
}

// Outside, F̄ d is a sum over the nodes of all cells around the four: the rows of B⁻¹ are the gradients of the
// barycentric coordinates.
DriverInfo EmbeddingMapping::drivers(std::size_t vertex) const {
  DriverInfo info;
  info.linear = true;
  if (cells_.empty()) {
    info.arm = reference_[vertex] - origin_;
    info.offset = info.arm.norm();
    return info;
  }
  const Place& place = places_[vertex];
  const auto& at = cells_[place.cell].nodes;
  const auto add = [&info](std::uint32_t node, double weight) {
    for (NodeWeight& w : info.nodes)
      if (w.node == node) {
        w.weight += weight;
        return;
      }
    info.nodes.push_back({node, weight});
  };
  for (int j = 0; j < 4; ++j)
    if (place.weights[j] != 0) add(at[j], place.weights[j]);
  if (place.offset == kInside) return info;
  for (int j = 0; j < 4; ++j) {
    if (place.weights[j] == 0) continue;
    for (std::uint32_t k = first_cell_[at[j]]; k < first_cell_[at[j] + 1]; ++k) {
      const Cell& cell = cells_[cells_of_node_[k]];
      const Vec3 e = place.weights[j] * cell.volume / volume_of_node_[at[j]] * (cell.inverse * offsets_[place.offset]);
      add(cell.nodes[0], -e.sum());
      for (int i = 0; i < 3; ++i) add(cell.nodes[i + 1], e[i]);
    }
  }
  return info;
}

double EmbeddingMapping::outside(std::size_t vertex) const {
  const std::uint32_t offset = places_.empty() ? kInside : places_[vertex].offset;
  return offset == kInside ? 0.0 : offsets_[offset].norm();
}

}  // namespace hazumi
