#include "core/geometry/mapping/line.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kLeast = 1e-12;        // of what is divided by: no direction
constexpr double kLeastStretch = 0.05;  // where the inside of a bend is pressed together, normals are those at this

Vec3 heading(const Vec3& v, const Vec3& otherwise) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : otherwise;
}

/// The least turn that takes the unit vector a into b. Of two that are opposite half a turn about something across.
Mat3 least_turn(const Vec3& a, const Vec3& b) {
  const double c = a.dot(b);
  if (1 + c < kLeast) {
    Eigen::Index least = 0;
    a.cwiseAbs().minCoeff(&least);
    const Vec3 axis = a.cross(Vec3::Unit(static_cast<int>(least))).normalized();
    return 2 * axis * axis.transpose() - Mat3::Identity();
  }
  const Mat3 k = skew(a.cross(b));
  return Mat3::Identity() + k + k * k / (1 + c);
}

}  // namespace

LineMapping::LineMapping(const DisplayMesh& mesh, const Truss& truss)
    : Mapping(MappingKind::linear, mesh.positions.size()), line_(truss.line) {
  const Vec3 &begin = truss.nodes[line_.front()], &end = truss.nodes[line_.back()];
  part_ = std::max((end - begin).norm() / static_cast<double>(part_count()), 1e-300);
  way_ = heading(end - begin, Vec3::UnitY());
  vertices_.resize(mesh.positions.size());
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const Vec3 from = mesh.positions[v] - begin;
    const Vec3 normal = v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0);
    Vertex& vertex = vertices_[v];
    vertex.along = way_.dot(from) / part_;
    vertex.across = from - way_ * way_.dot(from);
    vertex.on_axis = way_.dot(normal);
    vertex.normal = normal - way_ * vertex.on_axis;
  }
}

LineMapping::Basis LineMapping::basis(double along) const {
  const auto parts = static_cast<double>(part_count());
  Basis b;
  if (along <= 0.5 || along >= parts - 0.5) {
    b.part = along <= 0.5 ? 0 : part_count() - 1;
    b.first = b.part;
    const double t = along - static_cast<double>(b.part);
    b.place = {1 - t, t, 0};
    b.slope = {-1, 1, 0};
    return b;
  }
  const double node = std::min(std::floor(along + 0.5), parts - 1), t = along - node + 0.5;
  b.first = b.part = static_cast<std::size_t>(node) - 1;
  b.place = {0.5 * (1 - t) * (1 - t), 0.5 + t - t * t, 0.5 * t * t};
  b.slope = {t - 1, 1 - 2 * t, t};
  return b;
}

Vec3 LineMapping::direction(std::span<const Vec3> nodes, std::size_t part) const {
  return heading(nodes[line_[part + 1]] - nodes[line_[part]], way_);
}

std::vector<Mat3> LineMapping::attitudes(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<Vec3> way(part_count());
  for (std::size_t k = 0; k < way.size(); ++k) way[k] = direction(nodes, k);
  std::vector<Mat3> out(way.size());
  const std::size_t m = middle();
  out[m] = least_turn(frame.rotation * way_, way[m]) * frame.rotation.toRotationMatrix();
  for (std::size_t k = m + 1; k < way.size(); ++k) out[k] = least_turn(way[k - 1], way[k]) * out[k - 1];
  for (std::size_t k = m; k-- > 0;) out[k] = least_turn(way[k + 1], way[k]) * out[k + 1];
  return out;
}

namespace {

/// Three nodes, of two the last once more: it has no weight.
struct Around {
  Vec3 a, b, c;
  Vec3 sum(const std::array<double, 3>& w) const { return w[0] * a + w[1] * b + w[2] * c; }
};

Around around(std::span<const Vec3> nodes, std::span<const std::uint32_t> line, std::size_t first) {
  const std::size_t last = std::min(first + 2, line.size() - 1);
  return {nodes[line[first]], nodes[line[first + 1]], nodes[line[last]]};
}

}  // namespace

void LineMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                               std::span<Vec3f> normals, Executor& executor) const {
  const std::vector<Mat3> attitude = attitudes(nodes, frame);
  executor.blocks(vertices_.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vertex& vertex = vertices_[v];
      const Basis b = basis(vertex.along);
      const Around near = around(nodes, line_, b.first);
      const Vec3 slope = near.sum(b.slope), along = attitude[b.part] * way_, tangent = heading(slope, along);
      const Mat3 turn = least_turn(along, tangent) * attitude[b.part];
      const Vec3 across = turn * vertex.across;
      positions[v] = (near.sum(b.place) + across).cast<float>();
      // Along the line a length becomes |C'| − c·C''/|C'| times as long, C'' = e_k − e_{k−1}; across it stays.
      const Vec3 bend = b.slope[2] == 0 ? Vec3(Vec3::Zero()) : Vec3(near.a - 2 * near.b + near.c);
      const double speed = std::max(slope.norm(), 1e-300);
      const double stretch = std::max((speed - across.dot(bend) / speed) / part_, kLeastStretch);
      const Vec3 n = stretch * (turn * vertex.normal) + vertex.on_axis * tangent;
      normals[v] = heading(n, tangent).cast<float>();
    }
  });
}

void LineMapping::map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                             std::span<Vec3> points) const {
  const std::vector<Mat3> attitude = attitudes(nodes, frame);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vertex& vertex = vertices_[vertices[k]];
    const Basis b = basis(vertex.along);
    const Around near = around(nodes, line_, b.first);
    const Vec3 along = attitude[b.part] * way_;
    const Mat3 turn = least_turn(along, heading(near.sum(b.slope), along));
    points[k] = near.sum(b.place) + turn * (attitude[b.part] * vertex.across);
  }
}

DriverInfo LineMapping::drivers(std::size_t v) const {
  const Vertex& vertex = vertices_[v];
  const Basis b = basis(vertex.along);
  DriverInfo info;
  for (std::size_t k = 0; k < 3 && b.first + k < line_.size(); ++k)
    if (b.place[k] != 0 || k == 0) info.nodes.push_back({line_[b.first + k], b.place[k]});
  info.offset = vertex.across.norm();
  info.linear = info.offset == 0;
  return info;
}

namespace {

/// A number that is linear in the nodes' motion and the frame's turn: Σ of[i]·δX_i + turn·δθ.
struct Slope {
  std::vector<Vec3> of;
  Vec3 turn = Vec3::Zero();
};

/// How far a frame turns about b, when it is carried on from a by the least turn: a's turn about a is `roll`. Both frames turn alike
/// about a + b: with ω the turn of a frame, ω·(a + b) is the same of both.
///   δr_b = δr_a + [(a × δa)·b − (b × δb)·a] / (1 + a·b)
/// `da`, `db`: of each node how it moves the two directions.
struct Moved {
  std::size_t node;
  Mat3 block;
};
void carry_on(const Vec3& a, std::span<const Moved> da, const Vec3& b, std::span<const Moved> db, Slope& roll) {
  const double c = 1 + a.dot(b);
  if (c < kLeast) return;
  const Vec3 across = a.cross(b) / c;  // (a × δa)·b = δa·(b × a), (b × δb)·a = δb·(a × b)
  for (const Moved& m : da) roll.of[m.node] -= m.block.transpose() * across;
  for (const Moved& m : db) roll.of[m.node] -= m.block.transpose() * across;
}

}  // namespace

void LineMapping::rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                        std::span<VertexRate> rates) const {
  const std::vector<Mat3> attitude = attitudes(nodes, frame);
  const std::size_t parts = part_count(), m = middle();
  // A direction t = v/|v| moves by (1 − t tᵀ) δv/|v|.
  const auto moved = [&](std::size_t part) {
    const Vec3 v = nodes[line_[part + 1]] - nodes[line_[part]], t = direction(nodes, part);
    const Mat3 block = (Mat3::Identity() - t * t.transpose()) / std::max(v.norm(), 1e-300);
    return std::array<Moved, 2>{Moved{line_[part], -block}, Moved{line_[part + 1], block}};
  };
  std::vector<Slope> roll(parts);
  roll[m].of.assign(nodes.size(), Vec3::Zero());
  {
    const Vec3 a = frame.rotation * way_, t = direction(nodes, m);
    if (const double c = 1 + a.dot(t); c >= kLeast) roll[m].turn = (a + t) / c;
    carry_on(a, {}, t, moved(m), roll[m]);
  }
  for (std::size_t k = m + 1; k < parts; ++k) {
    roll[k] = roll[k - 1];
    carry_on(direction(nodes, k - 1), moved(k - 1), direction(nodes, k), moved(k), roll[k]);
  }
  for (std::size_t k = m; k-- > 0;) {
    roll[k] = roll[k + 1];
    carry_on(direction(nodes, k + 1), moved(k + 1), direction(nodes, k), moved(k), roll[k]);
  }
  for (std::size_t at = 0; at < vertices.size(); ++at) {
    const Vertex& vertex = vertices_[vertices[at]];
    const Basis b = basis(vertex.along);
    const Around near = around(nodes, line_, b.first);
    const Vec3 along = attitude[b.part] * way_, slope = near.sum(b.slope), tangent = heading(slope, along);
    const Vec3 across = least_turn(along, tangent) * (attitude[b.part] * vertex.across);
    const Mat3 block = (Mat3::Identity() - tangent * tangent.transpose()) / std::max(slope.norm(), 1e-300);
    std::vector<Moved> turned;
    for (std::size_t k = 0; k < 3 && b.first + k < line_.size(); ++k)
      turned.push_back({line_[b.first + k], b.slope[k] * block});
    Slope about = roll[b.part];
    carry_on(along, moved(b.part), tangent, turned, about);
    // δ(D c) = (t × δt + δr t) × D c
    const Vec3 round = tangent.cross(across);
    std::vector<Mat3> blocks(nodes.size(), Mat3::Zero());
    for (const Moved& k : turned) blocks[k.node] = -skew(across) * skew(tangent) * k.block;
    for (std::size_t k = 0; k < 3 && b.first + k < line_.size(); ++k)
      blocks[line_[b.first + k]] += b.place[k] * Mat3::Identity();
    VertexRate& rate = rates[at];
    rate.place = near.sum(b.place) + across;
    rate.nodes.clear();
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      blocks[i] += round * about.of[i].transpose();
      if (blocks[i] != Mat3::Zero()) rate.nodes.push_back({i, blocks[i]});
    }
    rate.origin.setZero();
    rate.turn = round * about.turn.transpose();
  }
}

}  // namespace hazumi
