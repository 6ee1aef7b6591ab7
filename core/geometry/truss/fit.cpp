#include "core/geometry/truss/fit.h"

#include <algorithm>
#include <cmath>

#include "core/math/eigen.h"

namespace hazumi {

namespace {

constexpr double kThin = 0.01;  // of the largest extent, the least that a truss is thick

/// Axes of the surface by the second moments of its area (of its vertices where it has none), as a rotation.
Quat principal_rotation(const DisplayMesh& mesh) {
  double area = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 moment = Mat3::Zero();
  const auto add = [&](const Vec3& p, double w) {
    area += w;
    centre += w * p;
    moment += w * p * p.transpose();
  };
  for (const auto& f : mesh.faces) {
    const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
    const double w = 0.5 * (b - a).cross(c - a).norm();
    for (const Vec3& p : {Vec3(0.5 * (a + b)), Vec3(0.5 * (b + c)), Vec3(0.5 * (c + a))})
      add(p, w / 3);  // exact for squares
  }
  if (!(area > 0)) return Quat::Identity();
  centre /= area;
  moment = moment / area - centre * centre.transpose();
  const EigenPairs3 axes = symmetric_eigen(moment);
  if (axes.values[2] - axes.values[0] < 1e-6 * axes.values[2]) return Quat::Identity();  // as a ball
  // Each principal axis goes to the coordinate axis that it is nearest to, so that the turn is the least one.
  Mat3 turn;
  bool used[3] = {false, false, false};
  for (int axis = 2; axis >= 0; --axis) {
    const Vec3 direction = axes.vectors.col(axis);
    int best = -1;
    for (int k = 0; k < 3; ++k)
      if (!used[k] && (best < 0 || std::abs(direction[k]) > std::abs(direction[best]))) best = k;
    used[best] = true;
    turn.col(best) = direction[best] < 0 ? Vec3(-direction) : direction;
  }
  if (turn.determinant() < 0) {
    int weakest = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(turn(k, k)) < std::abs(turn(weakest, weakest))) weakest = k;
    turn.col(weakest) *= -1;
  }
  return Quat(turn).normalized();
}

/// Factor on the size, about `centre`, from which on the convex truss contains all points.
double enclosing_factor(const Truss& truss, const Vec3& centre, const std::vector<Vec3>& points) {
  double factor = 1;
  for (const auto& f : truss.hull) {
    const Vec3 normal = (truss.nodes[f[1]] - truss.nodes[f[0]]).cross(truss.nodes[f[2]] - truss.nodes[f[0]]);
    const double reach = normal.dot(truss.nodes[f[0]] - centre);
    if (!(reach > 0)) continue;
    for (const Vec3& p : points) factor = std::max(factor, normal.dot(p - centre) / reach);
  }
  return factor;
}

}  // namespace

Result<TrussFit> fit_truss(const DisplayMesh& mesh, const FitOptions& options) {
  if (mesh.positions.empty())
    return Diagnostic{Severity::error, "display", "There is no display model to fit an analysis model to.",
                      "Give the object a display model first, or set the size by hand."};
  TrussFit fit;
  if (options.frame == FitFrame::principal_axes) fit.rotation = principal_rotation(mesh);
  Box3 box;
  std::vector<Vec3> points;
  points.reserve(mesh.positions.size());
  for (const Vec3& p : mesh.positions) {
    points.push_back(fit.rotation.conjugate() * p);
    box.add(points.back());
  }
  if (!box.low.allFinite() || !box.high.allFinite() || !(box.size().maxCoeff() > 0))
    return Diagnostic{Severity::error, "display",
                      "The display model has no extent that an analysis model could be fitted to.",
                      "Check its vertices, or set the size by hand."};
  fit.recipe.shape = options.shape;
  fit.recipe.divisions = options.divisions;
  fit.recipe.size = box.size().cwiseMax(kThin * box.size().maxCoeff());
  fit.recipe.offset = box.centre();
  if (options.enclose) {
    // A little more than touching, so that round-off leaves no vertex outside.
    const double factor = enclosing_factor(make_truss(fit.recipe), fit.recipe.offset, points);
    fit.recipe.size *= factor * (1 + 1e-9);
  }
  fit.recipe.size += Vec3::Constant(2 * std::max(0.0, options.margin));
  fit.strung = to_strung(make_truss(fit.recipe));
  for (StrungNode& node : fit.strung.nodes) node.position = fit.rotation * node.position;
  return fit;
}

}  // namespace hazumi
