#include "core/geometry/truss/cloth_mesh.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/geometry/mesh/topology.h"
#include "core/geometry/truss/even_sheet.h"
#include "core/geometry/truss/sheet.h"
#include "core/geometry/truss/sheet_edit.h"

namespace hazumi {

namespace {

using ClothIndex = std::uint32_t;
using ClothFaces = std::vector<std::array<ClothIndex, 3>>;
using ClothEdges = std::map<std::pair<ClothIndex, ClothIndex>, std::vector<ClothIndex>>;

constexpr double kNoArea = 1e-10;  // of the square of its longest side

Diagnostic cloth_refusal(std::string message, std::string hint) {
  return {Severity::error, "display", std::move(message), std::move(hint)};
}

std::string place_text(const Vec3& p) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.4g, %.4g, %.4g) m", p.x() + 0.0, p.y() + 0.0, p.z() + 0.0);
  return text;
}

/// Vertices at the same place are one; faces that collapse so are left out, and what only these have.
EvenSheet welded_sheet(const DisplayMesh& mesh) {
  EvenSheet sheet;
  const std::vector<ClothIndex> place = weld(mesh.positions);
  std::vector<ClothIndex> number(place.size(), kNoIndex);
  for (const auto& face : mesh.faces) {
    std::array<ClothIndex, 3> welded = {place[face[0]], place[face[1]], place[face[2]]};
    if (welded[0] == welded[1] || welded[1] == welded[2] || welded[2] == welded[0]) continue;
    for (ClothIndex& i : welded) {
      if (number[i] == kNoIndex) {
        number[i] = static_cast<ClothIndex>(sheet.positions.size());
        sheet.positions.push_back(mesh.positions[i] + Vec3::Zero());  // −0 is 0
      }
      i = number[i];
    }
    sheet.faces.push_back(welded);
  }
  return sheet;
}

ClothEdges edges_of(const ClothFaces& faces) {
  ClothEdges edges;
  for (ClothIndex f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const ClothIndex a = faces[f][k], b = faces[f][(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}].push_back(f);
    }
  return edges;
}

bool runs_along(const std::array<ClothIndex, 3>& face, ClothIndex a, ClothIndex b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (face[k] == a && face[(k + 1) % 3] == b) return true;
  return false;
}

/// Turns faces round until neighbours run the same way; most of a piece keep theirs. Nothing: it has one side only.
bool orient(ClothFaces& faces, const ClothEdges& edges) {
  std::vector<std::vector<std::pair<ClothIndex, bool>>> beside(faces.size());  // (neighbour, runs the other way round)
  for (const auto& [edge, at] : edges) {
    if (at.size() != 2) continue;
    const bool other =
        runs_along(faces[at[0]], edge.first, edge.second) == runs_along(faces[at[1]], edge.first, edge.second);
    beside[at[0]].emplace_back(at[1], other);
    beside[at[1]].emplace_back(at[0], other);
  }
  std::vector<signed char> turned(faces.size(), -1);
  for (ClothIndex first = 0; first < faces.size(); ++first) {
    if (turned[first] >= 0) continue;
    std::vector<ClothIndex> piece = {first};
    turned[first] = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const ClothIndex f = piece[k];
      count += static_cast<std::size_t>(turned[f]);
      for (const auto& [next, other] : beside[f]) {
        const auto wanted = static_cast<signed char>(other ? 1 - turned[f] : turned[f]);
        if (turned[next] < 0) {
          turned[next] = wanted;
          piece.push_back(next);
        } else if (turned[next] != wanted) {
          return false;
        }
      }
    }
    const signed char turn = 2 * count > piece.size() ? 0 : 1;
    for (const ClothIndex f : piece)
      if (turned[f] == turn) std::swap(faces[f][1], faces[f][2]);
  }
  return true;
}

/// What keeps the faces from being a cloth.
std::optional<Diagnostic> fault(EvenSheet& sheet) {
  const auto at = [&](ClothIndex i) -> const Vec3& { return sheet.positions[i]; };
  if (sheet.faces.empty())
    return cloth_refusal("The display model has no faces to make a cloth of.", "Give the object a mesh with faces.");
  for (const auto& f : sheet.faces) {
    const Vec3 u = at(f[1]) - at(f[0]), v = at(f[2]) - at(f[0]);
    const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (v - u).squaredNorm()});
    if (!(u.cross(v).norm() > kNoArea * longest))
      return cloth_refusal(
          "A triangle at " + place_text((at(f[0]) + at(f[1]) + at(f[2])) / 3) + " of the display model has no area.",
          "Remove such triangles where the mesh was made, or move one of its corners.");
  }
  const ClothEdges edges = edges_of(sheet.faces);
  for (const auto& [edge, faces] : edges)
    if (faces.size() > 2)
      return cloth_refusal("The edge at " + place_text(0.5 * (at(edge.first) + at(edge.second))) +
                               " of the display model has " + std::to_string(faces.size()) +
                               " faces: a cloth has at most two at an edge.",
                           "Remove one of the faces, or take them apart there.");
  if (!orient(sheet.faces, edges))
    return cloth_refusal("The surface of the display model has one side only, as a Möbius strip has.",
                         "Cut it open, so that its ends are apart.");
  return std::nullopt;
}

}  // namespace

Result<StrungTruss> cloth_of_mesh(const DisplayMesh& mesh, const ClothOptions& options) {
  const Diagnostic stopped{Severity::info, "analysis", "Making a cloth was cancelled.", ""};
  for (const Vec3& p : mesh.positions)
    if (!p.allFinite())
      return cloth_refusal("The display model has a vertex that is not a number.", "Repair the mesh under Mesh.");
  EvenSheet sheet = welded_sheet(mesh);
  if (options.cancelled && *options.cancelled) return stopped;
  if (const auto found = fault(sheet)) return *found;
  const auto most = static_cast<std::size_t>(std::clamp(options.nodes, kFewestOfCloth, kMostOfCloth));
  const std::size_t whole = sheet.positions.size();
  if (!make_even(sheet, most, options.cancelled)) return stopped;
  if (sheet.positions.size() > most)
    return cloth_refusal("A cloth of the display model, which has " + std::to_string(whole) + " vertices, needs " +
                             std::to_string(sheet.positions.size()) + " nodes to keep its pieces, holes and borders.",
                         sheet.positions.size() > static_cast<std::size_t>(kMostOfCloth)
                             ? "Leave out pieces of the mesh, or divide it into several objects."
                             : "Ask for that many, or leave out pieces of the mesh.");

  StrungTruss truss;
  const std::vector<double> areas = sheet_areas(sheet.positions, sheet.faces);
  double sum = 0;
  for (const double area : areas) sum += area;
  for (std::size_t i = 0; i < areas.size(); ++i)
    truss.nodes.push_back({sheet.positions[i], areas[i] * static_cast<double>(areas.size()) / sum, false});
  for (const Spring& s : sheet_springs(sheet.positions, sheet.faces))
    truss.springs.push_back({s.a, s.b, s.stiffness, s.damping, 1});
  truss.sheet = std::move(sheet.faces);
  return truss;
}

}  // namespace hazumi
