#include "core/geometry/mapping/lattice.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mapping/lanes.h"

namespace hazumi {

namespace {

constexpr double kBending = 1e-6, kHold = 1e-10;  // λ, ε × number of control points

/// Bernstein polynomials of degree n at s, by the triangle B_i^k = (1 − s) B_i^{k−1} + s B_{i−1}^{k−1}.
template <class Number>
void bernstein(int n, Number s, Number* b) {
  const Number t = 1.0f - s;
  b[0] = t + s;  // ones, in every lane
  for (int k = 1; k <= n; ++k) {
    b[k] = s * b[k - 1];
    for (int i = k - 1; i > 0; --i) b[i] = t * b[i] + s * b[i - 1];
    b[0] = t * b[0];
  }
}

}  // namespace

LatticeMapping::LatticeMapping(std::array<int, 3> degree, const DisplayMesh& mesh, const Truss& truss)
    : Mapping(MappingKind::lattice, mesh.positions.size()),
      degree_(degree),
      origin_(reference_origin(truss)),
      nodes_(truss.nodes),
      reference_(mesh.positions) {
  count_ = 1;
  for (int& n : degree_) count_ *= static_cast<std::size_t>((n = std::clamp(n, 1, kMost)) + 1);
  Box3 box;
  for (const Vec3& p : nodes_) box.add(p);
  for (const Vec3& p : reference_) box.add(p);
  // A side without length would have no parameter: a thousandth of the longest, or a metre.
  const double longest = box.size().maxCoeff();
  const Vec3 half = (0.5 * box.size()).cwiseMax(Vec3::Constant(longest > 0 ? 5e-4 * longest : 0.5));
  low_ = box.centre() - half;
  size_ = 2 * half;
  node_basis_.reserve(nodes_.size());
  for (const Vec3& p : nodes_) node_basis_.push_back(basis(p));
  factor();
  const double share = 1.0 / static_cast<double>(nodes_.size());
  std::vector<Vec3> answer(count_);
  for (const Basis& at : node_basis_) {
    each(at, [&](std::size_t c, double w) { answer[c] = Vec3(share * w, 0, 0); });
    solve(answer);
    for (const Vec3& a : answer) answers_.push_back(a.x());
  }

  const std::size_t padded = (reference_.size() + 3) / 4 * 4;
  for (int axis = 0; axis < 3; ++axis) {
    parameter_[axis].assign(padded, 0.5f);
    normal_[axis].assign(padded, 0.0f);
    for (std::size_t v = 0; v < reference_.size(); ++v) {
      parameter_[axis][v] = static_cast<float>((reference_[v][axis] - low_[axis]) / size_[axis]);
      normal_[axis][v] = static_cast<float>(v < mesh.normals.size() ? mesh.normals[v][axis] : axis == 1);
    }
  }
}

LatticeMapping::Basis LatticeMapping::basis(const Vec3& x) const {
  Basis result{};
  for (int axis = 0; axis < 3; ++axis) bernstein(degree_[axis], (x[axis] - low_[axis]) / size_[axis], result.b[axis]);
  return result;
}

/// visit(control point, weight), x fastest.
template <class Visit>
void LatticeMapping::each(const Basis& basis, const Visit& visit) const {
  std::size_t c = 0;
  for (int k = 0; k <= degree_[2]; ++k)
    for (int j = 0; j <= degree_[1]; ++j) {
      const double row = basis.b[2][k] * basis.b[1][j];
      for (int i = 0; i <= degree_[0]; ++i) visit(c++, row * basis.b[0][i]);
    }
}

void LatticeMapping::factor() {
  const std::size_t n = count_;
  std::vector<double>& a = factor_;
  a.assign(n * n, 0.0);  // the upper triangle is used
  std::vector<double> b(n);
  const double share = 1.0 / static_cast<double>(nodes_.size());
  for (const Basis& at : node_basis_) {
    each(at, [&](std::size_t c, double w) { b[c] = w; });
    for (std::size_t r = 0; r < n; ++r) {
      const double w = share * b[r];
      double* row = a.data() + r * n;
      for (std::size_t c = r; c < n; ++c) row[c] += w * b[c];
    }
  }
  const std::array<std::size_t, 3> stride = {1, static_cast<std::size_t>(degree_[0] + 1),
                                             static_cast<std::size_t>((degree_[0] + 1) * (degree_[1] + 1))};
  const auto penalise = [&](std::array<std::size_t, 4> at, std::array<double, 4> w) {
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        if (at[r] <= at[c]) a[at[r] * n + at[c]] += kBending * w[r] * w[c];
  };
  std::array<int, 3> i{};
  for (i[2] = 0; i[2] <= degree_[2]; ++i[2])
    for (i[1] = 0; i[1] <= degree_[1]; ++i[1])
      for (i[0] = 0; i[0] <= degree_[0]; ++i[0]) {
        const std::size_t c = stride[0] * i[0] + stride[1] * i[1] + stride[2] * i[2];
        for (int u = 0; u < 3; ++u) {
          if (i[u] > 0 && i[u] < degree_[u]) penalise({c - stride[u], c, c + stride[u], c}, {1, -1, 1, -1});
          const int v = (u + 1) % 3;  // twice: both mixed differences of the Hessian
          const double root = std::sqrt(2.0);
          if (i[u] < degree_[u] && i[v] < degree_[v])
            penalise({c, c + stride[u], c + stride[v], c + stride[u] + stride[v]}, {root, -root, -root, root});
        }
      }
  const double hold = kHold / static_cast<double>(n);
  for (std::size_t c = 0; c < n; ++c) a[c * n + c] += hold;
  for (std::size_t k = 0; k < n; ++k) {
    double* row = a.data() + k * n;
    const double scale = 1.0 / std::sqrt(std::max(row[k], 0.01 * hold));
    for (std::size_t c = k; c < n; ++c) row[c] *= scale;
    for (std::size_t r = k + 1; r < n; ++r) {
      const double w = row[r];
      double* below = a.data() + r * n;
      for (std::size_t c = r; c < n; ++c) below[c] -= w * row[c];
    }
  }
}

void LatticeMapping::solve(std::span<Vec3> x) const {
  const std::size_t n = count_;
  for (std::size_t k = 0; k < n; ++k) {
    const double* row = factor_.data() + k * n;
    x[k] /= row[k];
    for (std::size_t c = k + 1; c < n; ++c) x[c] -= row[c] * x[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* row = factor_.data() + k * n;
    for (std::size_t c = k + 1; c < n; ++c) x[k] -= row[c] * x[c];
    x[k] /= row[k];
  }
}

std::vector<Vec3> LatticeMapping::displacements(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<Vec3> d(count_, Vec3::Zero());
  const double share = 1.0 / static_cast<double>(nodes_.size());
  const Mat3 back = frame.rotation.toRotationMatrix().transpose();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 u = share * (back * (nodes[i] - frame.position) - (nodes_[i] - origin_));
    each(node_basis_[i], [&](std::size_t c, double w) { d[c] += w * u; });
  }
  solve(d);
  return d;
}

std::vector<Vec3> LatticeMapping::control_points(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<Vec3> points = displacements(nodes, frame);
  std::size_t c = 0;
  for (int k = 0; k <= degree_[2]; ++k)
    for (int j = 0; j <= degree_[1]; ++j)
      for (int i = 0; i <= degree_[0]; ++i, ++c) {
        const Vec3 s(static_cast<double>(i) / degree_[0], static_cast<double>(j) / degree_[1],
                     static_cast<double>(k) / degree_[2]);
        points[c] = frame * (low_ + size_.cwiseProduct(s) - origin_ + points[c]);
      }
  return points;
}

void LatticeMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                  std::span<Vec3f> normals, Executor& executor) const {
  std::vector<float> points(3 *
                            count_);  // from the body frame, so that float keeps its digits far from the world's origin
  const std::vector<Vec3> control = control_points(nodes, frame);
  for (std::size_t c = 0; c < count_; ++c)
    for (int axis = 0; axis < 3; ++axis)
      points[3 * c + axis] = static_cast<float>(control[c][axis] - frame.position[axis]);
  const Vec3f origin = frame.position.cast<float>();
  const Vec3f turned = Vec3f(size_.cast<float>()).cwiseInverse();
  executor.blocks(parameter_[0].size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; v += 4) {
      Lanes b[3][kMost + 1], slope[3][kMost + 1];
      for (int axis = 0; axis < 3; ++axis) {
        const int n = degree_[axis];
        Lanes s;
        for (int l = 0; l < 4; ++l) s[l] = parameter_[axis][v + l];
        // B_i' = n (B_{i−1}^{n−1} − B_i^{n−1}); and one more step of the triangle gives B itself.
        Lanes low[kMost + 1];
        bernstein(n - 1, s, low);
        const Lanes t = 1.0f - s;
        const float factor = static_cast<float>(n) * turned[axis];
        for (int i = 0; i <= n; ++i) {
          const Lanes before = i > 0 ? low[i - 1] : Lanes{}, here = i < n ? low[i] : Lanes{};
          b[axis][i] = t * here + s * before;
          slope[axis][i] = factor * (before - here);
        }
      }
      // Contract x, then y, then z: value, and the derivative along each axis.
      Lanes p[3] = {}, dx[3] = {}, dy[3] = {}, dz[3] = {};
      const float* c = points.data();
      for (int k = 0; k <= degree_[2]; ++k) {
        Lanes q[3] = {}, qx[3] = {}, qy[3] = {};
        for (int j = 0; j <= degree_[1]; ++j) {
          Lanes r[3] = {}, rx[3] = {};
          for (int i = 0; i <= degree_[0]; ++i, c += 3)
            for (int axis = 0; axis < 3; ++axis) {
              r[axis] += b[0][i] * c[axis];
              rx[axis] += slope[0][i] * c[axis];
            }
          for (int axis = 0; axis < 3; ++axis) {
            q[axis] += b[1][j] * r[axis];
            qx[axis] += b[1][j] * rx[axis];
            qy[axis] += slope[1][j] * r[axis];
          }
        }
        for (int axis = 0; axis < 3; ++axis) {
          p[axis] += b[2][k] * q[axis];
          dx[axis] += b[2][k] * qx[axis];
          dy[axis] += b[2][k] * qy[axis];
          dz[axis] += slope[2][k] * q[axis];
        }
      }
      // Columns of the normal matrix are cross products of the derivatives; inside out turns the sign
      // (mapping/triangle.h).
      Lanes n[3] = {}, rest[3];
      for (int axis = 0; axis < 3; ++axis)
        for (int l = 0; l < 4; ++l) rest[axis][l] = normal_[axis][v + l];
      Lanes determinant{};
      for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, w = (axis + 2) % 3;
        const Lanes yz = dy[u] * dz[w] - dy[w] * dz[u], zx = dz[u] * dx[w] - dz[w] * dx[u],
                    xy = dx[u] * dy[w] - dx[w] * dy[u];
        determinant += dx[axis] * yz;
        n[axis] = yz * rest[0] + zx * rest[1] + xy * rest[2];
      }
      for (std::size_t l = 0; l < 4 && v + l < reference_.size(); ++l) {
        positions[v + l] = origin + Vec3f(p[0][l], p[1][l], p[2][l]);
        const Vec3f at(n[0][l], n[1][l], n[2][l]), still(rest[0][l], rest[1][l], rest[2][l]);
        normals[v + l] = unit(determinant[l] < 0 ? Vec3f(-at) : at, still);
      }
    }
  });
}

void LatticeMapping::map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                                std::span<Vec3> points) const {
  if (vertices.empty()) return;
  const std::vector<Vec3> d = displacements(nodes, frame);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vec3& x = reference_[vertices[k]];
    Vec3 p = x - origin_;
    each(basis(x), [&](std::size_t c, double w) { p += w * d[c]; });
    points[k] = frame * p;
  }
}

DriverInfo LatticeMapping::drivers(std::size_t vertex) const {
  std::vector<double> b(count_);
  each(basis(reference_[vertex]), [&](std::size_t c, double w) { b[c] = w; });
  DriverInfo info;
  info.nodes.reserve(nodes_.size());
  Vec3 rest = reference_[vertex] - origin_;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const double* answer = answers_.data() + i * count_;
    double weight = 0;
    for (std::size_t c = 0; c < count_; ++c) weight += b[c] * answer[c];
    info.nodes.push_back({i, weight});
    rest -= weight * (nodes_[i] - origin_);
  }
  info.offset = rest.norm();
  info.linear = true;
  info.arm = rest;
  return info;
}

void LatticeMapping::node_heat(std::uint32_t node, std::span<float> out) const {
  std::vector<Vec3> d(count_, Vec3::Zero());
  const double share = 1.0 / static_cast<double>(nodes_.size());
  if (node < nodes_.size()) each(node_basis_[node], [&](std::size_t c, double w) { d[c].x() = share * w; });
  solve(d);
  for (std::size_t v = 0; v < reference_.size(); ++v) {
    double sum = 0;
    each(basis(reference_[v]), [&](std::size_t c, double w) { sum += w * d[c].x(); });
    out[v] = static_cast<float>(sum);
  }
}

}  // namespace hazumi
