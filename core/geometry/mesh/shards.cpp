#include "core/geometry/mesh/shards.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/random.h"

namespace hazumi {
namespace {

constexpr double kOff = 1e-6;  // of the size, of the nodes

struct Vertex {
  Vec3 position, normal;
  Vec2 texture = Vec2::Zero();
  VertexLook look = {};
  std::uint32_t place = 0;  // vertices at one place have the same
};

struct Face {
  std::array<std::uint32_t, 3> corners;
  std::uint32_t part = 0, across = MeshShards::kOutside;
};

/// What is left of the mesh for one node.
struct Piece {
  std::vector<Vertex> vertices;
  std::vector<Face> faces;
  std::uint32_t places = 0;
};

Piece whole(const DisplayMesh& mesh) {
  Piece piece;
  std::map<std::array<double, 3>, std::uint32_t> places;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    Vertex vertex{p, mesh.normals[v]};
    if (!mesh.texture.empty()) vertex.texture = mesh.texture[v];
    if (!mesh.looks.empty()) vertex.look = mesh.looks[v];
    const auto next = static_cast<std::uint32_t>(places.size());
    vertex.place = places.emplace(std::array{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, next).first->second;
    piece.vertices.push_back(vertex);
  }
  piece.places = static_cast<std::uint32_t>(places.size());
  for (std::uint32_t k = 0; k < mesh.parts.size(); ++k)
    for (std::uint32_t f = 0; f < mesh.parts[k].face_count; ++f)
      piece.faces.push_back({mesh.faces[mesh.parts[k].first_face + f], k, MeshShards::kOutside});
  return piece;
}

Vertex between(const Vertex& a, const Vertex& b, double t) {
  Vertex v = a;
  v.position += t * (b.position - a.position);
  const Vec3 normal = (1 - t) * a.normal + t * b.normal;
  if (normal.squaredNorm() > 1e-12) v.normal = normal.normalized();
  v.texture += t * (b.texture - a.texture);
  const auto part = static_cast<float>(t);
  v.look.ambient += part * (b.look.ambient - a.look.ambient);
  v.look.diffuse += part * (b.look.diffuse - a.look.diffuse);
  v.look.specular += part * (b.look.specular - a.look.specular);
  v.look.shininess += part * (b.look.shininess - a.look.shininess);
  return v;
}

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// Triangles of a simple polygon that goes round counter-clockwise: ears first. What has no ear is cut from its first corner on.
std::vector<std::array<std::size_t, 3>> fill_polygon(const std::vector<Vec2>& at) {
  std::vector<std::array<std::size_t, 3>> out;
  std::vector<std::size_t> left(at.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t best = n;
    double largest = 0;  // the fattest ear, so that slivers stay few
    for (std::size_t k = 0; k < n; ++k) {
      const Vec2 &a = at[left[(k + n - 1) % n]], &b = at[left[k]], &c = at[left[(k + 1) % n]];
      const double area = turn(a, b, c);
      const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
      if (!(area > 0) || area / longest <= largest) continue;
      bool clear = true;
      for (std::size_t i = 0; i < n && clear; ++i) {
        if (i == k || i == (k + 1) % n || i == (k + n - 1) % n) continue;
        const Vec2& p = at[left[i]];
        clear = !(turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0);
      }
      if (!clear) continue;
      best = k;
      largest = area / longest;
    }
    if (best == n) break;
    out.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  for (std::size_t k = 1; k + 1 < left.size(); ++k) out.push_back({left[0], left[k], left[k + 1]});
  return out;
}

void drop_unused(Piece& piece) {
  std::vector<std::uint32_t> number(piece.vertices.size(), 0xffffffffu);
  std::vector<Vertex> used;
  for (Face& face : piece.faces)
    for (std::uint32_t& v : face.corners) {
      if (number[v] == 0xffffffffu) {
        number[v] = static_cast<std::uint32_t>(used.size());
        used.push_back(piece.vertices[v]);
      }
      v = number[v];
    }
  piece.vertices = std::move(used);
}

class Cut {
 public:
  Cut(Piece& piece, const Vec3& middle, const Vec3& normal, std::uint32_t across)
      : piece_(piece), normal_(normal), across_(across) {
    away_.reserve(piece.vertices.size());
    for (const Vertex& v : piece.vertices) away_.push_back((v.position - middle).dot(normal));
  }

  /// Takes away what is on the side that the normal points to. `fill`: closes the piece.
  void make(bool fill) {
    if (std::none_of(away_.begin(), away_.end(), [](double d) { return d > 0; })) return;
    std::vector<Face> kept;
    for (const Face& face : piece_.faces) cut_face(face, kept);
    piece_.faces = std::move(kept);
    if (fill) fill_cut();
    drop_unused(piece_);
  }

 private:
  bool outside(std::uint32_t v) const { return away_[v] > 0; }

  std::uint32_t crossing(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto [at, fresh] = crossed_.emplace(std::pair(a, b), static_cast<std::uint32_t>(piece_.vertices.size()));
    if (!fresh) return at->second;
    // The place is that of the edge, whichever vertices of its two ends are asked.
    const std::pair ends = std::minmax(piece_.vertices[a].place, piece_.vertices[b].place);
    const bool turned = piece_.vertices[a].place != ends.first;
    const std::uint32_t from = turned ? b : a, to = turned ? a : b;
    Vertex v = between(piece_.vertices[from], piece_.vertices[to], away_[from] / (away_[from] - away_[to]));
    const auto known = places_.emplace(ends, piece_.places);
    if (known.second) ++piece_.places;
    v.place = known.first->second;
    piece_.vertices.push_back(v);
    away_.push_back(0);
    return at->second;
  }

  void cut_face(const Face& face, std::vector<Face>& kept) {
    const auto& c = face.corners;
    const int out = outside(c[0]) + outside(c[1]) + outside(c[2]);
    if (out == 3) return;
    if (out == 0) return kept.push_back(face);
    std::size_t k = 0;  // the corner that is alone on its side
    while (outside(c[k]) != (out == 1)) ++k;
    const std::uint32_t alone = c[k], next = c[(k + 1) % 3], last = c[(k + 2) % 3];
    const std::uint32_t p = crossing(alone, next), q = crossing(last, alone);
    if (out == 2) {
      kept.push_back({{alone, p, q}, face.part, face.across});
      border(p, q, face.part);
    } else {
      kept.push_back({{p, next, last}, face.part, face.across});
      kept.push_back({{p, last, q}, face.part, face.across});
      border(q, p, face.part);
    }
  }

  /// The face goes from a to b along the cut, what fills it from b to a.
  void border(std::uint32_t a, std::uint32_t b, std::uint32_t part) {
    const std::uint32_t from = piece_.vertices[b].place, to = piece_.vertices[a].place;
    if (from != to) border_[from].push_back({to, b, part});
  }

  void fill_cut() {
    const Vec3 u = normal_.unitOrthogonal(), w = normal_.cross(u).normalized();
    while (!border_.empty()) {
      std::vector<std::uint32_t> loop;
      std::uint32_t part = 0;
      const std::uint32_t start = border_.begin()->first;
      std::uint32_t at = start;
      do {
        const auto next = border_.find(at);
        if (next == border_.end()) break;  // open
        const Border b = next->second.back();
        next->second.pop_back();
        if (next->second.empty()) border_.erase(next);
        loop.push_back(b.vertex);
        part = b.part;
        at = b.to;
      } while (at != start);
      if (at != start || loop.size() < 3) continue;
      std::vector<Vec2> flat;
      const auto first = static_cast<std::uint32_t>(piece_.vertices.size());
      for (const std::uint32_t v : loop) {
        Vertex cap = piece_.vertices[v];
        cap.normal = normal_;
        flat.emplace_back(u.dot(cap.position), w.dot(cap.position));
        piece_.vertices.push_back(cap);
      }
      for (const auto& t : fill_polygon(flat))
        piece_.faces.push_back({{first + static_cast<std::uint32_t>(t[0]), first + static_cast<std::uint32_t>(t[1]),
                                 first + static_cast<std::uint32_t>(t[2])},
                                part,
                                across_});
    }
  }

  struct Border {
    std::uint32_t to, vertex, part;
  };
  Piece& piece_;
  Vec3 normal_;
  std::uint32_t across_;
  std::vector<double> away_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossed_, places_;
  std::map<std::uint32_t, std::vector<Border>> border_;
};

/// Caps of a closed piece, which later cuts have gone through, filled anew from their borders: without what lies inside them, and
/// without places between two caps where a border goes straight on.
class Caps {
 public:
  explicit Caps(const Piece& piece) : piece_(piece) {
    sides_.resize(piece.places);
    for (const Face& face : piece.faces) {
      if (face.across != MeshShards::kOutside) caps_[face.across].push_back(face);
      for (const std::uint32_t v : face.corners) {
        std::vector<std::uint32_t>& sides = sides_[piece.vertices[v].place];
        if (std::find(sides.begin(), sides.end(), face.across) == sides.end()) sides.push_back(face.across);
      }
    }
  }

  /// The piece with caps that are filled anew; as it was where that would not close it.
  Piece filled() const {
    Piece out = piece_;
    std::erase_if(out.faces, [](const Face& face) { return face.across != MeshShards::kOutside; });
    for (const auto& [across, faces] : caps_)
      if (!fill(faces, out)) return piece_;
    const double before = volume(piece_);
    if (!closed(out) || !(std::abs(volume(out) - before) <= 1e-10 * std::abs(before))) return piece_;
    return out;
  }

 private:
  std::uint32_t place(std::uint32_t v) const { return piece_.vertices[v].place; }

  bool fill(const std::vector<Face>& faces, Piece& out) const {
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> border;  // place: vertex, place that follows
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const Face& face : faces)
      for (std::size_t k = 0; k < 3; ++k) ++edges[{place(face.corners[k]), place(face.corners[(k + 1) % 3])}];
    for (const Face& face : faces)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t from = face.corners[k], to = place(face.corners[(k + 1) % 3]);
        if (edges.contains({to, place(from)})) continue;
        if (!border.emplace(place(from), std::pair(from, to)).second) return false;  // it goes through a place twice
      }
    const Vec3& normal = piece_.vertices[faces[0].corners[0]].normal;
    const Vec3 u = normal.unitOrthogonal(), w = normal.cross(u).normalized();
    while (!border.empty()) {
      std::vector<std::uint32_t> loop;
      const std::uint32_t start = border.begin()->first;
      std::uint32_t at = start;
      do {
        const auto next = border.find(at);
        if (next == border.end()) return false;
        const auto& sides = sides_[at];
        const bool between =
            sides.size() == 2 && std::find(sides.begin(), sides.end(), MeshShards::kOutside) == sides.end();
        if (!between) loop.push_back(next->second.first);
        at = next->second.second;
        border.erase(next);
      } while (at != start);
      if (loop.size() < 3) return false;
      std::vector<Vec2> flat;
      double area = 0;
      for (const std::uint32_t v : loop)
        flat.emplace_back(u.dot(piece_.vertices[v].position), w.dot(piece_.vertices[v].position));
      for (std::size_t k = 1; k + 1 < flat.size(); ++k) area += turn(flat[0], flat[k], flat[k + 1]);
      if (!(area > 0)) return false;  // a hole
      for (const auto& t : fill_polygon(flat)) {
        Face face = faces[0];
        face.corners = {loop[t[0]], loop[t[1]], loop[t[2]]};
        out.faces.push_back(face);
      }
    }
    return true;
  }

  static double volume(const Piece& piece) {
    const auto at = [&](std::uint32_t v) -> const Vec3& { return piece.vertices[v].position; };
    const Vec3& origin = at(piece.faces[0].corners[0]);
    double sum = 0;
    for (const Face& f : piece.faces)
      sum += (at(f.corners[0]) - origin).dot((at(f.corners[1]) - origin).cross(at(f.corners[2]) - origin)) / 6;
    return sum;
  }

  static bool closed(const Piece& piece) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const Face& f : piece.faces)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = piece.vertices[f.corners[k]].place, b = piece.vertices[f.corners[(k + 1) % 3]].place;
        ++edges[{a, b}];
        --edges[{b, a}];
      }
    return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
  }

  const Piece& piece_;
  std::map<std::uint32_t, std::vector<Face>> caps_;  // by the node across
  std::vector<std::vector<std::uint32_t>> sides_;    // of each place: what it is on
};

/// What is nearer to node i than to the others: the nearest first, until what is left is nearer than any other can be.
Piece shard(Piece piece, std::span<const Vec3> sites, std::uint32_t i, bool fill) {
  std::vector<std::pair<double, std::uint32_t>> others;
  for (std::uint32_t j = 0; j < sites.size(); ++j)
    if (j != i) others.emplace_back((sites[j] - sites[i]).squaredNorm(), j);
  std::sort(others.begin(), others.end());
  for (const auto& [square, j] : others) {
    double reach = 0;
    for (const Vertex& v : piece.vertices) reach = std::max(reach, (v.position - sites[i]).squaredNorm());
    if (piece.faces.empty() || square > 4 * reach) break;
    // In one direction for both sides, so that both find the same places.
    const Vec3 middle = 0.5 * (sites[std::min(i, j)] + sites[std::max(i, j)]);
    Cut(piece, middle, (sites[j] - sites[i]).normalized(), j).make(fill);
  }
  if (!fill || piece.faces.empty()) return piece;
  Piece filled = Caps(piece).filled();
  drop_unused(filled);
  return filled;
}

}  // namespace

DisplayMesh cut_into_shards(const DisplayMesh& mesh, std::span<const Vec3> nodes) {
  if (mesh.empty() || nodes.empty()) return mesh;
  const Box3 box = bounds(mesh);
  const double off = kOff * box.size().norm();
  std::vector<Vec3> sites(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      sites[i][axis] += off * (random_unit(1, Id{1}, i, 0x73686172u + static_cast<std::uint32_t>(axis)) - 0.5);
  const double grid = std::exp2(std::ceil(std::log2(box.size().norm())) - 34);
  const bool closed = is_closed(mesh);
  const Piece all = whole(mesh);
  DisplayMesh out;
  out.parts = mesh.parts;
  out.textures = mesh.textures;
  auto shards = std::make_shared<MeshShards>();
  std::vector<std::vector<Face>> by_part(mesh.parts.size());
  for (std::uint32_t i = 0; i < sites.size(); ++i) {
    const Piece piece = shard(all, sites, i, closed);
    const auto first = static_cast<std::uint32_t>(out.positions.size());
    for (const Vertex& v : piece.vertices) {
      // On a grid: what shards find of one place differs in the last bit.
      out.positions.push_back((v.position / grid).array().round() * grid);
      out.normals.push_back(v.normal);
      if (!mesh.texture.empty()) out.texture.push_back(v.texture);
      if (!mesh.looks.empty()) out.looks.push_back(v.look);
      shards->of_vertex.push_back(i);
    }
    for (Face face : piece.faces) {
      for (std::uint32_t& v : face.corners) v += first;
      by_part[face.part].push_back(face);
    }
  }
  for (std::size_t k = 0; k < by_part.size(); ++k) {
    out.parts[k].first_face = static_cast<std::uint32_t>(out.faces.size());
    out.parts[k].face_count = static_cast<std::uint32_t>(by_part[k].size());
    for (const Face& face : by_part[k]) {
      out.faces.push_back(face.corners);
      shards->across.push_back(face.across);
    }
  }
  out.shards = std::move(shards);
  return out;
}

}  // namespace hazumi
