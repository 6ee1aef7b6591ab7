#include "core/geometry/truss/edit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/geometry/truss/cell_edit.h"
#include "core/geometry/truss/pairs.h"
#include "core/geometry/truss/sheet_edit.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;
using Cell = std::array<Index, 4>;

std::vector<Index> identity(std::size_t n) {
  std::vector<Index> map(n);
  std::iota(map.begin(), map.end(), Index{0});
  return map;
}

TrussEdit unchanged(const StrungTruss& truss) { return {truss, identity(truss.nodes.size()), {}}; }

NodeSelection cleaned(NodeSelection list, std::size_t count) {
  std::erase_if(list, [count](Index i) { return i >= count; });
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

double volume6(const StrungTruss& truss, const Cell& c) {
  const Vec3& o = truss.nodes[c[0]].position;
  return (truss.nodes[c[1]].position - o).cross(truss.nodes[c[2]].position - o).dot(truss.nodes[c[3]].position - o);
}

/// a < b, ascending, no twins (the first stays) and no spring from a node to itself.
void order_springs(std::vector<StrungSpring>& springs) {
  for (StrungSpring& s : springs)
    if (s.a > s.b) std::swap(s.a, s.b);
  std::erase_if(springs, [](const StrungSpring& s) { return s.a == s.b; });
  const auto key = [](const StrungSpring& s) { return std::pair(s.a, s.b); };
  std::stable_sort(springs.begin(), springs.end(),
                   [&](const StrungSpring& s, const StrungSpring& t) { return key(s) < key(t); });
  springs.erase(std::unique(springs.begin(), springs.end(),
                            [&](const StrungSpring& s, const StrungSpring& t) { return key(s) == key(t); }),
                springs.end());
}

/// Every edge is run through once in either direction.
bool is_closed(std::span<const Triangle> hull) {
  std::set<std::pair<Index, Index>> edges;
  for (const Triangle& t : hull)
    for (int k = 0; k < 3; ++k)
      if (!edges.emplace(t[k], t[(k + 1) % 3]).second) return false;
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) { return edges.contains({e.second, e.first}); });
}

/// Takes out tetrahedra without volume; then, or when `changed` says that some went before, the hull is the
/// outside of the rest.
void settle_cells(StrungTruss& truss, bool changed) {
  changed = std::erase_if(truss.tetrahedra, [&](const Cell& c) { return !(volume6(truss, c) > 0); }) > 0 || changed;
  if (changed) truss.hull = tetrahedra_boundary(truss.tetrahedra);
  if (changed) order_cells(truss);
}

/// Takes a node out of a closed hull and covers its ring, ear by ear, the best-shaped triangle first.
bool remove_hull_node(std::vector<Triangle>& hull, const std::vector<StrungNode>& nodes, Index node) {
  std::map<Index, Index> next;
  std::vector<Triangle> rest;
  Vec3 outward = Vec3::Zero();
  for (const Triangle& t : hull) {
    const auto at = std::find(t.begin(), t.end(), node);
    if (at == t.end()) {
      rest.push_back(t);
      continue;
    }
    const auto k = static_cast<std::size_t>(at - t.begin());
    const Index p = t[(k + 1) % 3], q = t[(k + 2) % 3];
    if (!next.emplace(p, q).second) return false;
    const Vec3& o = nodes[node].position;
    outward += (nodes[p].position - o).cross(nodes[q].position - o);
  }
  if (next.empty()) return true;
  std::vector<Index> ring = {next.begin()->first};
  while (ring.size() <= next.size()) {
    const auto step = next.find(ring.back());
    if (step == next.end()) return false;
    if (step->second == ring.front()) break;
    ring.push_back(step->second);
  }
  if (ring.size() != next.size() || ring.size() < 3) return false;

  std::set<std::pair<Index, Index>> edges;
  for (const Triangle& t : rest)
    for (int k = 0; k < 3; ++k) edges.emplace(t[k], t[(k + 1) % 3]);
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    double best = -2;
    std::size_t ear = n;
    for (std::size_t i = 0; i < n; ++i) {
      const Index a = ring[(i + n - 1) % n], b = ring[i], c = ring[(i + 1) % n];
      if (edges.contains({a, c}) || edges.contains({c, a})) continue;
      const Vec3 u = nodes[b].position - nodes[a].position, v = nodes[c].position - nodes[a].position;
      const Vec3 normal = u.cross(v);
      const double lengths = u.squaredNorm() + v.squaredNorm() + (u - v).squaredNorm();
      double quality = lengths > 0 ? normal.norm() / lengths : 0;
      if (normal.dot(outward) <= 0) quality -= 1;
      if (quality > best) best = quality, ear = i;
    }
    if (ear == n) return false;
    const Index a = ring[(ear + n - 1) % n], c = ring[(ear + 1) % n];
    rest.push_back({a, ring[ear], c});
    edges.emplace(a, c);
    edges.emplace(c, a);
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  rest.push_back({ring[0], ring[1], ring[2]});
  if (rest.size() < 4 || !is_closed(rest)) return false;
  hull = std::move(rest);
  return true;
}

/// Springs, tetrahedra and hull in new numbers; what names a node that is gone, or one node twice, is left
/// out.
void renumber(StrungTruss& truss, const std::vector<Index>& map) {
  for (StrungSpring& s : truss.springs) {
    s.a = map[s.a];
    s.b = map[s.b];
  }
  std::erase_if(truss.springs, [](const StrungSpring& s) { return s.a == kNoNode || s.b == kNoNode; });
  order_springs(truss.springs);
  const auto lost = [](auto& list) {
    using Item = typename std::decay_t<decltype(list)>::value_type;
    return std::erase_if(list, [](const Item& item) {
      for (std::size_t i = 0; i < item.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (item[i] == item[j]) return true;
      return std::find(item.begin(), item.end(), kNoNode) != item.end();
    });
  };
  for (Triangle& t : truss.hull)
    for (Index& i : t) i = map[i];
  for (Triangle& t : truss.sheet)
    for (Index& i : t) i = map[i];
  for (Cell& c : truss.tetrahedra)
    for (Index& i : c) i = map[i];
  const bool cells = !truss.tetrahedra.empty();
  lost(truss.hull);
  lost(truss.sheet);
  settle_sheet(truss);
  const bool changed = lost(truss.tetrahedra) > 0;
  settle_cells(truss, changed);
  for (auto& entry : truss.cells) entry[1] = map[entry[1]];
  std::erase_if(truss.cells, [](const auto& entry) { return entry[1] == kNoNode; });
  order_cells(truss);
  if (!cells && !is_closed(truss.hull)) truss.hull.clear();
}

}  // namespace

std::optional<Index> find_spring(const StrungTruss& truss, Index a, Index b) {
  if (a > b) std::swap(a, b);
  const auto at = std::lower_bound(
      truss.springs.begin(), truss.springs.end(), std::pair(a, b),
      [](const StrungSpring& s, const std::pair<Index, Index>& key) { return std::pair(s.a, s.b) < key; });
  if (at == truss.springs.end() || at->a != a || at->b != b) return std::nullopt;
  return static_cast<Index>(at - truss.springs.begin());
}

std::uint32_t symmetric_partner(const StrungTruss& truss, Index node, const TrussSymmetry& symmetry) {
  if (node >= truss.nodes.size()) return kNoNode;
  const Vec3& p = truss.nodes[node].position;
  if (std::abs(p[symmetry.axis] - symmetry.offset) <= symmetry.tolerance) return node;
  const Vec3 image = symmetry.mirrored(p);
  double nearest = symmetry.tolerance * symmetry.tolerance;
  Index found = kNoNode;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    const double distance = (truss.nodes[i].position - image).squaredNorm();
    if (i != node && distance <= nearest && (found == kNoNode || distance < nearest)) {
      nearest = distance;
      found = static_cast<Index>(i);
    }
  }
  return found;
}

NodeSelection with_partners(const StrungTruss& truss, const NodeSelection& nodes, const OptionalSymmetry& symmetry) {
  NodeSelection all = cleaned(nodes, truss.nodes.size());
  if (!symmetry) return all;
  const SymmetricPairs pairs(truss, *symmetry);
  for (const Index node : NodeSelection(all))
    if (const Index p = pairs.partner(node); p != kNoNode) all.push_back(p);
  return cleaned(std::move(all), truss.nodes.size());
}

SpringSelection springs_with_partners(const StrungTruss& truss, const SpringSelection& springs,
                                      const OptionalSymmetry& symmetry) {
  SpringSelection all = cleaned(springs, truss.springs.size());
  if (!symmetry) return all;
  const SymmetricPairs pairs(truss, *symmetry);
  for (const Index spring : SpringSelection(all)) {
    const Index a = pairs.partner(truss.springs[spring].a), b = pairs.partner(truss.springs[spring].b);
    if (a == kNoNode || b == kNoNode) continue;
    if (const auto image = find_spring(truss, a, b)) all.push_back(*image);
  }
  return cleaned(std::move(all), truss.springs.size());
}

TrussEdit add_node(const StrungTruss& truss, const StrungNode& node, const OptionalSymmetry& symmetry) {
  TrussEdit edit = unchanged(truss);
  const auto append = [&](const Vec3& position) {
    edit.selected.push_back(static_cast<Index>(edit.truss.nodes.size()));
    edit.truss.nodes.push_back(node);
    edit.truss.nodes.back().position = position;
  };
  if (!symmetry) {
    append(node.position);
    return edit;
  }
  Vec3 p = node.position;
  const bool in_plane = std::abs(p[symmetry->axis] - symmetry->offset) <= symmetry->tolerance;
  if (in_plane) p[symmetry->axis] = symmetry->offset;
  append(p);
  if (!in_plane) append(symmetry->mirrored(p));
  return edit;
}

TrussEdit place_nodes(const StrungTruss& truss, std::span<const NodePlace> places, const OptionalSymmetry& symmetry) {
  TrussEdit edit = unchanged(truss);
  std::map<Index, Vec3> wanted;
  for (const NodePlace& place : places)
    if (place.node < truss.nodes.size() && place.position.allFinite()) wanted[place.node] = place.position;
  for (const auto& [node, position] : wanted) edit.selected.push_back(node);
  if (symmetry) {
    const SymmetricPairs pairs(truss, *symmetry);
    const auto positive = [&](Index node) { return truss.nodes[node].position[symmetry->axis] > symmetry->offset; };
    for (const Index node : edit.selected) {
      const Index partner = pairs.partner(node);
      if (partner == node) wanted[node][symmetry->axis] = symmetry->offset;
      if (partner == node || partner == kNoNode) continue;
      if (!wanted.contains(partner) || positive(node)) wanted[partner] = symmetry->mirrored(wanted[node]);
    }
  }
  for (const auto& [node, position] : wanted) edit.truss.nodes[node].position = position;
  settle_cells(edit.truss, false);
  return edit;
}

TrussEdit move_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Vec3& by,
                     const OptionalSymmetry& symmetry) {
  std::vector<NodePlace> places;
  for (const Index node : cleaned(nodes, truss.nodes.size())) places.push_back({node, truss.nodes[node].position + by});
  return place_nodes(truss, places, symmetry);
}

TrussEdit transform_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Mat3& linear, const Vec3& centre,
                          const OptionalSymmetry& symmetry) {
  std::vector<NodePlace> places;
  for (const Index node : cleaned(nodes, truss.nodes.size()))
    places.push_back({node, centre + linear * (truss.nodes[node].position - centre)});
  return place_nodes(truss, places, symmetry);
}

TrussEdit delete_nodes(const StrungTruss& truss, const NodeSelection& nodes, const OptionalSymmetry& symmetry) {
  const NodeSelection gone = with_partners(truss, nodes, symmetry);
  TrussEdit edit = unchanged(truss);
  if (gone.empty()) return edit;
  if (truss.tetrahedra.empty())
    for (const Index node : gone)
      if (!remove_hull_node(edit.truss.hull, truss.nodes, node)) {
        edit.truss.hull.clear();
        break;
      }
  edit.truss.nodes.clear();
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    const bool stays = !std::binary_search(gone.begin(), gone.end(), static_cast<Index>(i));
    edit.node_map[i] = stays ? static_cast<Index>(edit.truss.nodes.size()) : kNoNode;
    if (stays) edit.truss.nodes.push_back(truss.nodes[i]);
  }
  renumber(edit.truss, edit.node_map);
  return edit;
}

TrussEdit delete_springs(const StrungTruss& truss, const SpringSelection& springs, const OptionalSymmetry& symmetry) {
  TrussEdit edit = unchanged(truss);
  const SpringSelection gone = springs_with_partners(truss, springs, symmetry);
  edit.truss.springs.clear();
  for (std::size_t s = 0; s < truss.springs.size(); ++s)
    if (!std::binary_search(gone.begin(), gone.end(), static_cast<Index>(s)))
      edit.truss.springs.push_back(truss.springs[s]);
  return edit;
}

namespace {

void add_spring(std::vector<StrungSpring>& springs, Index a, Index b, const StrungSpring& like) {
  StrungSpring s = like;
  s.a = std::min(a, b);
  s.b = std::max(a, b);
  springs.push_back(s);
}

}  // namespace

TrussEdit string_nodes(const StrungTruss& truss, Index a, Index b, const OptionalSymmetry& symmetry,
                       const StrungSpring& like) {
  TrussEdit edit = unchanged(truss);
  const std::size_t n = truss.nodes.size();
  if (a >= n || b >= n || a == b) return edit;
  add_spring(edit.truss.springs, a, b, like);
  if (symmetry) {
    const Index pa = symmetric_partner(truss, a, *symmetry), pb = symmetric_partner(truss, b, *symmetry);
    if (pa != kNoNode && pb != kNoNode) add_spring(edit.truss.springs, pa, pb, like);
  }
  order_springs(edit.truss.springs);
  edit.selected = {std::min(a, b), std::max(a, b)};
  return edit;
}

TrussEdit unstring_nodes(const StrungTruss& truss, Index a, Index b, const OptionalSymmetry& symmetry) {
  const auto spring = find_spring(truss, a, b);
  return spring ? delete_springs(truss, {*spring}, symmetry) : unchanged(truss);
}

TrussEdit string_all(const StrungTruss& truss, const NodeSelection& nodes, double reach,
                     const OptionalSymmetry& symmetry, const StrungSpring& like) {
  TrussEdit edit = unchanged(truss);
  edit.selected = cleaned(nodes, truss.nodes.size());
  std::optional<SymmetricPairs> pairs;
  if (symmetry) pairs.emplace(truss, *symmetry);
  for (std::size_t i = 0; i < edit.selected.size(); ++i)
    for (std::size_t j = i + 1; j < edit.selected.size(); ++j) {
      const Index a = edit.selected[i], b = edit.selected[j];
      if (!((truss.nodes[a].position - truss.nodes[b].position).norm() <= reach)) continue;
      add_spring(edit.truss.springs, a, b, like);
      if (!pairs) continue;
      const Index pa = pairs->partner(a), pb = pairs->partner(b);
      if (pa != kNoNode && pb != kNoNode) add_spring(edit.truss.springs, pa, pb, like);
    }
  order_springs(edit.truss.springs);
  return edit;
}

TrussEdit duplicate_nodes(const StrungTruss& truss, const NodeSelection& nodes, const Vec3& by) {
  TrussEdit edit = unchanged(truss);
  const NodeSelection copied = cleaned(nodes, truss.nodes.size());
  std::vector<Index> copy(truss.nodes.size(), kNoNode);
  for (const Index node : copied) {
    copy[node] = static_cast<Index>(edit.truss.nodes.size());
    edit.selected.push_back(copy[node]);
    edit.truss.nodes.push_back(truss.nodes[node]);
    edit.truss.nodes.back().position += by;
  }
  for (const StrungSpring& s : truss.springs)
    if (copy[s.a] != kNoNode && copy[s.b] != kNoNode) add_spring(edit.truss.springs, copy[s.a], copy[s.b], s);
  order_springs(edit.truss.springs);
  const auto images = [&](const auto& list) {
    auto found = list;
    found.clear();
    for (auto item : list) {
      for (Index& i : item) i = copy[i];
      if (std::find(item.begin(), item.end(), kNoNode) == item.end()) found.push_back(item);
    }
    return found;
  };
  const auto cells = images(truss.tetrahedra);
  edit.truss.tetrahedra.insert(edit.truss.tetrahedra.end(), cells.begin(), cells.end());
  copy_cells(truss, copy, edit.truss);
  if (!cells.empty()) {
    edit.truss.hull = tetrahedra_boundary(edit.truss.tetrahedra);
  } else if (const auto hull = images(truss.hull); truss.tetrahedra.empty() && is_closed(hull)) {
    edit.truss.hull.insert(edit.truss.hull.end(), hull.begin(), hull.end());
  }
  const auto sheet = images(truss.sheet);
  edit.truss.sheet.insert(edit.truss.sheet.end(), sheet.begin(), sheet.end());
  return edit;
}

TrussEdit merge_nodes(const StrungTruss& truss, const NodeSelection& nodes) {
  const NodeSelection merged = cleaned(nodes, truss.nodes.size());
  if (merged.size() < 2) return unchanged(truss);
  StrungNode one;
  one.mass = 0;
  one.position.setZero();
  for (const Index node : merged) {
    one.mass += truss.nodes[node].mass;
    one.position += truss.nodes[node].mass * truss.nodes[node].position;
  }
  one.position /= one.mass;
  for (const Index node : merged)
    if (truss.nodes[node].pinned && !one.pinned) {
      one.pinned = true;
      one.position = truss.nodes[node].position;
    }
  TrussEdit edit = unchanged(truss);
  edit.truss.nodes.clear();
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    const bool goes = i != merged.front() && std::binary_search(merged.begin(), merged.end(), static_cast<Index>(i));
    edit.node_map[i] = goes ? edit.node_map[merged.front()] : static_cast<Index>(edit.truss.nodes.size());
    if (!goes) edit.truss.nodes.push_back(i == merged.front() ? one : truss.nodes[i]);
  }
  edit.selected = {edit.node_map[merged.front()]};
  renumber(edit.truss, edit.node_map);
  return edit;
}

TrussEdit merge_close_nodes(const StrungTruss& truss, double distance) {
  // Groups first, in the old numbers: a chain of near nodes is one group.
  const std::size_t n = truss.nodes.size();
  std::vector<Index> root = identity(n);
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for_near_pairs(truss, distance, [&](Index a, Index b) {
    const Index p = find(a), q = find(b);
    root[std::max(p, q)] = std::min(p, q);
  });
  std::map<Index, NodeSelection> groups;
  for (std::size_t i = 0; i < n; ++i) groups[find(static_cast<Index>(i))].push_back(static_cast<Index>(i));
  TrussEdit all = unchanged(truss);
  for (const auto& [first, group] : groups) {
    if (group.size() < 2) continue;
    NodeSelection now;
    for (const Index node : group) now.push_back(all.node_map[node]);
    TrussEdit edit = merge_nodes(all.truss, now);
    for (Index& to : all.node_map) to = edit.node_map[to];
    all.truss = std::move(edit.truss);
    all.selected.push_back(first);
  }
  for (Index& node : all.selected) node = all.node_map[node];
  return all;
}

TrussEdit set_pinned(const StrungTruss& truss, const NodeSelection& nodes, bool pinned,
                     const OptionalSymmetry& symmetry) {
  TrussEdit edit = unchanged(truss);
  edit.selected = with_partners(truss, nodes, symmetry);
  for (const Index node : edit.selected) edit.truss.nodes[node].pinned = pinned;
  return edit;
}

TrussEdit mirror_truss(const StrungTruss& truss, const TrussSymmetry& symmetry, bool keep_positive) {
  const SymmetricPairs pairs(truss, symmetry);
  const std::size_t n = truss.nodes.size();
  TrussEdit edit;
  edit.node_map.assign(n, kNoNode);
  std::vector<Index> image(n, kNoNode);  // new number of the mirror image, of nodes that stay
  std::vector<Index> kept;
  for (std::size_t i = 0; i < n; ++i) {
    const double side = (truss.nodes[i].position[symmetry.axis] - symmetry.offset) * (keep_positive ? 1 : -1);
    const bool in_plane = std::abs(side) <= symmetry.tolerance;
    if (!in_plane && side < 0) continue;
    edit.node_map[i] = image[i] = static_cast<Index>(edit.truss.nodes.size());
    edit.truss.nodes.push_back(truss.nodes[i]);
    if (in_plane)
      edit.truss.nodes.back().position[symmetry.axis] = symmetry.offset;
    else
      kept.push_back(static_cast<Index>(i));
  }
  for (const Index i : kept) {
    image[i] = static_cast<Index>(edit.truss.nodes.size());
    edit.selected.push_back(image[i]);
    edit.truss.nodes.push_back(truss.nodes[i]);
    edit.truss.nodes.back().position = symmetry.mirrored(truss.nodes[i].position);
  }
  // A node of the side that goes is, where it has a partner, the image of that partner.
  std::vector<Index> opposite(n, kNoNode);
  for (std::size_t i = 0; i < n; ++i) {
    if (edit.node_map[i] != kNoNode) {
      opposite[i] = image[i];
    } else if (const Index partner = pairs.partner(static_cast<Index>(i));
               partner != kNoNode && edit.node_map[partner] != kNoNode) {
      edit.node_map[i] = image[partner];
      opposite[i] = edit.node_map[partner];
    }
  }
  const auto stays = [&](Index i) { return image[i] != kNoNode; };
  for (const StrungSpring& s : truss.springs) {
    if (!stays(s.a) && !stays(s.b)) continue;
    if (edit.node_map[s.a] == kNoNode || edit.node_map[s.b] == kNoNode) continue;
    add_spring(edit.truss.springs, edit.node_map[s.a], edit.node_map[s.b], s);
    add_spring(edit.truss.springs, opposite[s.a], opposite[s.b], s);
  }
  order_springs(edit.truss.springs);

  bool across = false;
  const auto both_sides = [&](const auto& list, auto& out) {
    for (const auto& item : list) {
      const auto inside = std::count_if(item.begin(), item.end(), stays);
      across = across || (inside > 0 && inside < static_cast<std::ptrdiff_t>(item.size()));
      if (inside < static_cast<std::ptrdiff_t>(item.size())) continue;
      auto here = item, there = item;
      for (Index& i : here) i = edit.node_map[i];
      for (Index& i : there) i = image[i];
      std::swap(there[0], there[1]);  // a mirror image runs the other way round
      // What lies in the plane altogether is its own image: a hull triangle there separates the two halves
      // and goes.
      if (std::is_permutation(here.begin(), here.end(), there.begin())) continue;
      out.push_back(here);
      out.push_back(there);
    }
  };
  both_sides(truss.sheet, edit.truss.sheet);
  settle_sheet(edit.truss);
  across = false;
  both_sides(truss.tetrahedra, edit.truss.tetrahedra);
  if (across) edit.truss.tetrahedra.clear();
  mirror_cells(truss, edit.node_map, image, edit.truss);
  if (!edit.truss.tetrahedra.empty()) {
    settle_cells(edit.truss, true);
  } else if (truss.tetrahedra.empty()) {
    both_sides(truss.hull, edit.truss.hull);
    if (!is_closed(edit.truss.hull)) edit.truss.hull.clear();
  }
  return edit;
}

TrussEdit join_trusses(const StrungTruss& truss, const StrungTruss& other) {
  TrussEdit edit = unchanged(truss);
  const auto first = static_cast<Index>(truss.nodes.size());
  StrungTruss& all = edit.truss;
  for (const StrungNode& node : other.nodes) {
    edit.selected.push_back(static_cast<Index>(all.nodes.size()));
    all.nodes.push_back(node);
  }
  for (const StrungSpring& s : other.springs) add_spring(all.springs, s.a + first, s.b + first, s);
  order_springs(all.springs);
  // One without a hull makes the whole stand on its convex hull.
  const bool hulls = (!truss.hull.empty() || truss.nodes.empty()) && (!other.hull.empty() || other.nodes.empty());
  if (!hulls) all.hull.clear();
  for (Triangle t : other.hull) {
    for (Index& i : t) i += first;
    if (hulls) all.hull.push_back(t);
  }
  for (Triangle t : other.sheet) {
    for (Index& i : t) i += first;
    all.sheet.push_back(t);
  }
  for (Cell c : other.tetrahedra) {
    for (Index& i : c) i += first;
    all.tetrahedra.push_back(c);
  }
  const Index cells = all.cells.empty() ? 0 : all.cells.back()[0] + 1;
  for (const auto& [cell, node] : other.cells) all.cells.push_back({cell + cells, node + first});
  return edit;
}

std::vector<Triangle> tetrahedra_boundary(std::span<const Cell> tetrahedra) {
  constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward for positive volume
  std::map<Triangle, std::pair<Triangle, int>> faces;                         // sorted → (as it runs, how often)
  for (const Cell& c : tetrahedra)
    for (const auto& f : kFaces) {
      const Triangle face = {c[f[0]], c[f[1]], c[f[2]]};
      Triangle key = face;
      std::sort(key.begin(), key.end());
      auto& entry = faces[key];
      entry.first = face;
      ++entry.second;
    }
  std::vector<Triangle> outside;
  for (const auto& [key, entry] : faces)
    if (entry.second == 1) outside.push_back(entry.first);
  return outside;
}

}  // namespace hazumi
