#include "core/scene/derived/piece_faults.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/geometry/truss/edit.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostLookedAt = 20'000;  // nodes; of more validate() says that they are too many

/// Of each node the first of its piece. Numbers of nodes that are not there join nothing.
std::vector<std::uint32_t> pieces_of(const StrungTruss& truss) {
  const auto count = static_cast<std::uint32_t>(truss.nodes.size());
  std::vector<std::uint32_t> root(count);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a >= count || b >= count) return;
    a = find(a);
    b = find(b);
    root[std::max(a, b)] = std::min(a, b);
  };
  for (const StrungSpring& spring : truss.springs) join(spring.a, spring.b);
  for (const auto& t : truss.tetrahedra)
    for (std::size_t k = 1; k < 4; ++k) join(t[0], t[k]);
  for (std::uint32_t i = 0; i < count; ++i) root[i] = find(i);
  return root;
}

struct Piece {
  double volume = 0;  // of its tetrahedra, m³
  std::size_t nodes = 0;
};

std::vector<Piece> sizes(const StrungTruss& truss, const std::vector<std::uint32_t>& piece) {
  std::vector<Piece> all(piece.size());
  for (const std::uint32_t root : piece) ++all[root].nodes;
  for (const auto& t : truss.tetrahedra) {
    if (std::any_of(t.begin(), t.end(), [&](std::uint32_t n) { return n >= piece.size(); })) continue;
    Mat3 edges;
    for (int k = 0; k < 3; ++k)
      edges.col(k) = truss.nodes[t[static_cast<std::size_t>(k) + 1]].position - truss.nodes[t[0]].position;
    all[piece[t[0]]].volume += edges.determinant() / 6;
  }
  return all;
}

std::uint32_t largest(const std::vector<Piece>& pieces) {
  const auto smaller = [](const Piece& a, const Piece& b) {
    return std::tie(a.volume, a.nodes) < std::tie(b.volume, b.nodes);
  };
  return static_cast<std::uint32_t>(std::max_element(pieces.begin(), pieces.end(), smaller) - pieces.begin());
}

/// Rows that are one for each node, those of the nodes that stay.
template <class Row>
void thin_out(std::vector<Row>& rows, const std::vector<std::uint32_t>& node_map) {
  if (rows.size() != node_map.size()) return;  // of another model: it fits neither before nor after
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (node_map[i] != kNoNode) rows[kept++] = rows[i];
  rows.resize(kept);
}

/// `number` ← what the node is called now; false: it is gone, or never was.
bool renumber(std::uint32_t& number, const std::vector<std::uint32_t>& node_map) {
  number = number < node_map.size() ? node_map[number] : kNoNode;
  return number != kNoNode;
}

void keep_nodes(Object& object, const std::vector<std::uint32_t>& node_map) {
  for (AnalysisPose& pose : object.analysis.poses) thin_out(pose.nodes, node_map);
  std::erase_if(object.analysis.pose_groups, [&](PoseGroupNode& row) { return !renumber(row.node, node_map); });
  thin_out(object.body.start, node_map);
  std::erase_if(object.body.start_springs,
                [&](StartSpring& row) { return !renumber(row.a, node_map) || !renumber(row.b, node_map); });
}

void keep_nodes(Force& force, const std::vector<std::uint32_t>& node_map) {
  if (force.nodes.empty()) return;
  std::erase_if(force.nodes, [&](auto& row) { return !renumber(row[0], node_map); });
  if (force.nodes.empty()) force.on = false;
}

}  // namespace

std::vector<LooseModel> loose_models(const Scene& scene) {
  std::vector<LooseModel> all;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const Object& object = *scene.objects[i];
    const AnalysisModel& analysis = object.analysis;
    if (!bends(object.body) || analysis.kind != AnalysisKind::strung || !analysis.strung) continue;
    const StrungTruss& truss = *analysis.strung;
    if (truss.tetrahedra.empty() || truss.nodes.size() > kMostLookedAt) continue;
    const std::vector<std::uint32_t> piece = pieces_of(truss);
    std::uint32_t pieces = 0;
    for (std::uint32_t n = 0; n < piece.size(); ++n) pieces += piece[n] == n;
    if (pieces < 2) continue;
    const std::vector<Piece> size = sizes(truss, piece);
    std::string place = "objects[" + std::to_string(i) + "]";
    if (!object.name.empty()) place += " \"" + object.name + "\"";
    all.push_back(
        {object.id, pieces, piece.size(), size[largest(size)].nodes, place + " analysis.strung.tetrahedra",
         "The analysis model is in " + std::to_string(pieces) +
             " pieces that nothing joins: each goes its own way, and the display model is drawn out between them.",
         "Keep the largest, or make an object of each. Where it is meant so, leave it."});
  }
  return all;
}

Scene with_largest_piece(const Scene& scene, Id id) {
  Scene next = scene;
  const Object* found = find_object(scene, id);
  if (!found || !found->analysis.strung) return next;
  const StrungTruss& truss = *found->analysis.strung;
  const std::vector<std::uint32_t> piece = pieces_of(truss);
  const std::uint32_t kept = largest(sizes(truss, piece));
  NodeSelection gone;
  for (std::uint32_t n = 0; n < piece.size(); ++n)
    if (piece[n] != kept) gone.push_back(n);
  TrussEdit edit = delete_nodes(truss, gone);
  for (auto& object : next.objects) {
    if (object->id != id) continue;
    Object changed = *object;
    changed.analysis.strung = std::make_shared<const StrungTruss>(std::move(edit.truss));
    keep_nodes(changed, edit.node_map);
    object = std::move(changed);
  }
  for (auto& force : next.forces) {
    if (force->object != id.value || force->nodes.empty()) continue;
    Force changed = *force;
    keep_nodes(changed, edit.node_map);
    force = std::move(changed);
  }
  return next;
}

}  // namespace hazumi
