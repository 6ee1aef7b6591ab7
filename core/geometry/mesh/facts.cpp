#include "core/geometry/mesh/facts.h"

#include <algorithm>
#include <iterator>

#include <meshoptimizer.h>

#include "core/geometry/mesh/mass_properties.h"

namespace hazumi {

namespace {

bool is_solid(const DisplayMesh& mesh) { return is_closed(mesh) && mesh_volume(mesh.positions, mesh.faces) > 0; }

/// Cosine of the angle at `at` between `a` and `b`.
double corner(const Vec3& at, const Vec3& a, const Vec3& b) {
  const Vec3 u = a - at, v = b - at;
  const double length = u.norm() * v.norm();
  return length > 0 ? u.dot(v) / length : 1;
}

/// Whether faces f and g, neighbours in the list, with the common edge a–b look like halves of a flat quad: nearly one plane and
/// four corners that are nearly right. A triangle mesh of no quads keeps its edges, but for a few by chance.
bool halves_of_quad(const DisplayMesh& mesh, std::uint32_t f, std::uint32_t g, std::uint32_t a, std::uint32_t b) {
  if (g != f + 1) return false;
  constexpr double kPlane = 0.99, kCorner = 0.43;  // cosines of 8° and 65°
  const auto opposite = [&](std::uint32_t face) {
    for (std::uint32_t v : mesh.faces[face])
      if (v != a && v != b) return v;
    return a;
  };
  const std::uint32_t c = opposite(f), d = opposite(g);
  const Vec3 &pa = mesh.positions[a], &pb = mesh.positions[b], &pc = mesh.positions[c], &pd = mesh.positions[d];
  const auto normal = [&](std::uint32_t face) {
    const auto& t = mesh.faces[face];
    return Vec3((mesh.positions[t[1]] - mesh.positions[t[0]]).cross(mesh.positions[t[2]] - mesh.positions[t[0]]));
  };
  const Vec3 n = normal(f), m = normal(g);
  if (!(n.dot(m) > kPlane * n.norm() * m.norm())) return false;
  const double shared = (pa - pb).squaredNorm();
  for (const Vec3* end : {&pa, &pb})
    for (const Vec3* tip : {&pc, &pd})
      if (!((*end - *tip).squaredNorm() < shared)) return false;  // a side between two quads is not the longest
  return std::abs(corner(pc, pa, pb)) < kCorner && std::abs(corner(pd, pa, pb)) < kCorner &&
         std::abs(corner(pa, pc, pd)) < kCorner && std::abs(corner(pb, pc, pd)) < kCorner;
}

}  // namespace

std::vector<std::array<std::uint32_t, 2>> drawn_edges(const DisplayMesh& mesh) {
  struct Side {
    std::uint32_t a, b, face;  // a < b
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.faces.size());
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.faces[f][static_cast<std::size_t>(k)],
                          b = mesh.faces[f][static_cast<std::size_t>((k + 1) % 3)];
      sides.push_back({std::min(a, b), std::max(a, b), f});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
    return s.a != t.a ? s.a < t.a : s.b != t.b ? s.b < t.b : s.face < t.face;
  });
  std::vector<std::array<std::uint32_t, 2>> edges;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t next = i + 1;
    while (next < sides.size() && sides[next].a == sides[i].a && sides[next].b == sides[i].b) ++next;
    const bool diagonal =
        next == i + 2 && halves_of_quad(mesh, sides[i].face, sides[i + 1].face, sides[i].a, sides[i].b);
    if (!diagonal) edges.push_back({sides[i].a, sides[i].b});
    i = next;
  }
  edges.shrink_to_fit();
  return edges;
}

std::array<std::uint32_t, 2> CoarseFaces::range(std::uint32_t first_face, std::uint32_t face_count) const {
  const auto begin = [&](std::uint32_t face) {
    return std::lower_bound(starts.begin(), starts.end(), face,
                            [](const auto& start, std::uint32_t f) { return start[0] < f; });
  };
  const auto from = begin(first_face), to = begin(first_face + face_count);
  if (from == starts.end() || to == starts.end() || (*from)[0] != first_face || (*to)[0] != first_face + face_count)
    return {0, 0};
  return {(*from)[1], (*to)[1] - (*from)[1]};
}

namespace {

bool each_edge_twice(const std::vector<std::array<std::uint32_t, 3>>& faces) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * faces.size());
  for (const auto& face : faces)
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(std::uint64_t{face[k]} << 32 | face[(k + 1) % 3]);
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  return std::all_of(edges.begin(), edges.end(), [&](std::uint64_t edge) {
    return std::binary_search(edges.begin(), edges.end(), edge << 32 | edge >> 32);
  });
}

}  // namespace

CoarseFaces coarse_faces(const DisplayMesh& mesh, std::size_t wanted) {
  CoarseFaces coarse;
  std::vector<float> positions;
  positions.reserve(3 * mesh.positions.size());
  for (const Vec3& p : mesh.positions)
    for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(p[k]));
  const auto faces = static_cast<std::uint32_t>(mesh.faces.size());
  std::vector<std::uint32_t> starts = {0, faces};
  for (const Part& part : mesh.parts)
    for (const std::uint32_t at : {part.first_face, part.first_face + part.face_count})
      if (at < faces) starts.push_back(at);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    coarse.starts.push_back({starts[i], static_cast<std::uint32_t>(coarse.faces.size())});
    const std::size_t count = starts[i + 1] - starts[i];
    // A share of all, but small parts stay as they are: an eye of a hundred faces would vanish.
    const std::size_t target = std::max<std::size_t>(std::min<std::size_t>(count, 200), count * wanted / faces);
    const auto first = mesh.faces.begin() + starts[i];
    if (target >= count) {
      coarse.faces.insert(coarse.faces.end(), first, first + static_cast<std::ptrdiff_t>(count));
      continue;
    }
    indices.resize(3 * count);
    const std::uint32_t* of_part = mesh.faces[starts[i]].data();
    const std::size_t got = meshopt_simplifySloppy(indices.data(), of_part, 3 * count, positions.data(),
                                                   mesh.positions.size(), 3 * sizeof(float), 3 * target, 1.0f, nullptr);
    for (std::size_t k = 0; k + 2 < got; k += 3) coarse.faces.push_back({indices[k], indices[k + 1], indices[k + 2]});
  }
  coarse.starts.push_back({faces, static_cast<std::uint32_t>(coarse.faces.size())});
  coarse.closed = each_edge_twice(coarse.faces);
  return coarse;
}

MeshFacts::MeshFacts(const DisplayMesh& mesh) : big_(mesh.faces.size() > kSmall), box_(bounds(mesh)) {}

void MeshFacts::prepare(const DisplayMesh& mesh) {
  if (!big_) return;
  std::call_once(all_once_, [&] {
    make_levels(mesh);
    coarsened_ = mesh.faces.size() > kCoarsened;
    tree_ = std::make_unique<FaceTree>(mesh);
    solid_ = made_solid_ || is_solid(mesh);
    edges_ = drawn_edges(mesh);
    prepared_ = true;
  });
}

void MeshFacts::make_levels(const DisplayMesh& mesh) {
  const std::size_t count = mesh.faces.size();
  if (count >= kLevelled)
    for (std::size_t wanted = count > kCoarsened ? kCoarse : count / 4; wanted >= kLeast; wanted /= 4)
      levels_.push_back(coarse_faces(mesh, wanted));
  levelled_ = true;
}

const std::vector<CoarseFaces>& MeshFacts::levels(const DisplayMesh& mesh) {
  static const std::vector<CoarseFaces> none;
  if (big_) return prepared_ ? levels_ : none;
  if (passing_ && !levelled_) return none;
  std::call_once(levels_once_, [&] { make_levels(mesh); });
  return levels_;
}

bool MeshFacts::solid(const DisplayMesh& mesh) {
  if (made_solid_) return true;
  if (big_) return prepared_ && solid_;
  std::call_once(solid_once_, [&] { solid_ = is_solid(mesh); });
  return solid_;
}

const std::vector<std::array<std::uint32_t, 2>>* MeshFacts::edges(const DisplayMesh& mesh) {
  if (big_ || passing_) return prepared_ ? &edges_ : nullptr;
  std::call_once(edges_once_, [&] { edges_ = drawn_edges(mesh); });
  return &edges_;
}

}  // namespace hazumi
