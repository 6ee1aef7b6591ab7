#include "core/geometry/truss/select.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace hazumi {

namespace {

using Index = std::uint32_t;

const double kStraight = std::cos(radians(75));  // the most that a loop turns at a node

/// Springs of every node: (other end, spring).
std::vector<std::vector<std::pair<Index, Index>>> neighbours(const StrungTruss& truss) {
  std::vector<std::vector<std::pair<Index, Index>>> list(truss.nodes.size());
  for (std::size_t s = 0; s < truss.springs.size(); ++s) {
    list[truss.springs[s].a].emplace_back(truss.springs[s].b, static_cast<Index>(s));
    list[truss.springs[s].b].emplace_back(truss.springs[s].a, static_cast<Index>(s));
  }
  return list;
}

NodeSelection ascending(NodeSelection list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<char> marks(const StrungTruss& truss, const NodeSelection& nodes) {
  std::vector<char> in(truss.nodes.size(), 0);
  for (const Index node : nodes)
    if (node < in.size()) in[node] = 1;
  return in;
}

NodeSelection marked(const std::vector<char>& in) {
  NodeSelection list;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i]) list.push_back(static_cast<Index>(i));
  return list;
}

/// Everything that springs reach from the marked nodes over nodes that are `allowed`.
void spread(const StrungTruss& truss, std::vector<char>& in, const std::vector<char>& allowed) {
  const auto list = neighbours(truss);
  std::deque<Index> open;
  for (const Index node : marked(in)) open.push_back(node);
  while (!open.empty()) {
    const Index node = open.front();
    open.pop_front();
    for (const auto& [other, spring] : list[node])
      if (!in[other] && allowed[other]) {
        in[other] = 1;
        open.push_back(other);
      }
  }
}

}  // namespace

SpringLoop spring_loop(const StrungTruss& truss, Index spring) {
  SpringLoop loop;
  if (spring >= truss.springs.size()) return loop;
  const auto list = neighbours(truss);
  // The normal of the turns so far: where two springs turn equally little, the one that keeps bending the
  // same way is taken, so that an equator is followed and not a zigzag.
  const auto follow = [&](Index from, Index at, std::vector<Index>& springs, std::vector<Index>& nodes) {
    Vec3 axis = Vec3::Zero();
    std::vector<char> seen(truss.nodes.size(), 0);
    const Index start = from;
    seen[at] = 1;
    while (true) {
      const Vec3 along = (truss.nodes[at].position - truss.nodes[from].position).normalized();
      double best = kStraight;
      Index next = kNoNode, by = 0;
      for (const auto& [other, s] : list[at]) {
        if (other == from || seen[other]) continue;
        const Vec3 way = (truss.nodes[other].position - truss.nodes[at].position).normalized();
        const double straight = along.dot(way) + 0.05 * axis.dot(along.cross(way));
        if (straight > best + 1e-9) best = straight, next = other, by = s;
      }
      if (next == kNoNode) return false;
      springs.push_back(by);
      if (next == start) return true;
      const Vec3 way = (truss.nodes[next].position - truss.nodes[at].position).normalized();
      if (const Vec3 turn = along.cross(way); turn.norm() > 1e-6) axis = turn.normalized();
      nodes.push_back(next);
      seen[next] = 1;
      from = at;
      at = next;
    }
  };
  const StrungSpring& first = truss.springs[spring];
  std::vector<Index> springs = {spring}, nodes = {first.a, first.b};
  loop.closed = follow(first.a, first.b, springs, nodes);
  if (!loop.closed) follow(first.b, first.a, springs, nodes);
  loop.springs = ascending(std::move(springs));
  loop.nodes = ascending(std::move(nodes));
  return loop;
}

NodeSelection ring_of_node(const StrungTruss& truss, Index node, const Vec3& axis, double half_thickness) {
  if (node >= truss.nodes.size()) return {};
  const double level = axis.dot(truss.nodes[node].position);
  const std::vector<char> allowed = marks(truss, nodes_in_slab(truss, axis, level, half_thickness));
  std::vector<char> in(truss.nodes.size(), 0);
  in[node] = 1;
  spread(truss, in, allowed);
  return marked(in);
}

NodeSelection nodes_in_slab(const StrungTruss& truss, const Vec3& axis, double level, double half_thickness) {
  NodeSelection found;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i)
    if (std::abs(axis.dot(truss.nodes[i].position) - level) <= half_thickness) found.push_back(static_cast<Index>(i));
  return found;
}

double ring_thickness(const StrungTruss& truss) {
  if (truss.springs.empty()) return 0;
  double sum = 0;
  for (const StrungSpring& s : truss.springs) sum += (truss.nodes[s.b].position - truss.nodes[s.a].position).norm();
  return 0.25 * sum / static_cast<double>(truss.springs.size());
}

NodeSelection grow_selection(const StrungTruss& truss, const NodeSelection& nodes) {
  const std::vector<char> in = marks(truss, nodes);
  std::vector<char> out = in;
  for (const StrungSpring& s : truss.springs) {
    if (in[s.a]) out[s.b] = 1;
    if (in[s.b]) out[s.a] = 1;
  }
  return marked(out);
}

NodeSelection shrink_selection(const StrungTruss& truss, const NodeSelection& nodes) {
  const std::vector<char> in = marks(truss, nodes);
  std::vector<char> out = in;
  for (const StrungSpring& s : truss.springs) {
    if (!in[s.a]) out[s.b] = 0;
    if (!in[s.b]) out[s.a] = 0;
  }
  return marked(out);
}

NodeSelection connected_nodes(const StrungTruss& truss, const NodeSelection& nodes) {
  std::vector<char> in = marks(truss, nodes);
  spread(truss, in, std::vector<char>(truss.nodes.size(), 1));
  return marked(in);
}

NodeSelection all_nodes(const StrungTruss& truss) {
  NodeSelection all(truss.nodes.size());
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

NodeSelection inverted(const StrungTruss& truss, const NodeSelection& nodes) {
  std::vector<char> in = marks(truss, nodes);
  for (char& m : in) m = !m;
  return marked(in);
}

NodeSelection pinned_nodes(const StrungTruss& truss) {
  NodeSelection found;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].pinned) found.push_back(static_cast<Index>(i));
  return found;
}

SpringSelection springs_of_nodes(const StrungTruss& truss, const NodeSelection& nodes, bool any_end) {
  const std::vector<char> in = marks(truss, nodes);
  SpringSelection found;
  for (std::size_t s = 0; s < truss.springs.size(); ++s) {
    const bool a = in[truss.springs[s].a], b = in[truss.springs[s].b];
    if (any_end ? a || b : a && b) found.push_back(static_cast<Index>(s));
  }
  return found;
}

NodeSelection nodes_of_springs(const StrungTruss& truss, const SpringSelection& springs) {
  NodeSelection nodes;
  for (const Index s : springs)
    if (s < truss.springs.size()) {
      nodes.push_back(truss.springs[s].a);
      nodes.push_back(truss.springs[s].b);
    }
  return ascending(std::move(nodes));
}

TrussPieces connected_pieces(const StrungTruss& truss) {
  TrussPieces pieces;
  pieces.piece.assign(truss.nodes.size(), kNoNode);
  const auto list = neighbours(truss);
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    if (pieces.piece[i] != kNoNode) continue;
    pieces.piece[i] = pieces.count;
    std::deque<Index> open = {static_cast<Index>(i)};
    while (!open.empty()) {
      const Index node = open.front();
      open.pop_front();
      for (const auto& [other, spring] : list[node])
        if (pieces.piece[other] == kNoNode) {
          pieces.piece[other] = pieces.count;
          open.push_back(other);
        }
    }
    ++pieces.count;
  }
  return pieces;
}

}  // namespace hazumi
