#include "core/sim/elastic/front_plan.h"

#include <algorithm>
#include <numeric>

namespace hazumi {

namespace {

using Nodes = std::vector<std::uint32_t>;
using Graph = std::vector<Nodes>;

constexpr std::size_t kLeaf = 6;  // nodes that are not parted
constexpr std::uint32_t kNobody = 0xffffffff;
constexpr std::uint32_t kPadding = 8;  // numbers that a kernel may touch behind a column

std::uint32_t padded(std::uint32_t nodes) { return (3 * nodes + 2 * kPadding - 1) / kPadding * kPadding; }

/// Nested dissection: what parts the rest comes last.
class Dissection {
 public:
  Dissection(std::span<const Vec3> places, const Graph& graph)
      : places_(places), graph_(graph), side_(places.size(), 0) {}

  Nodes order(Nodes nodes) {
    out_.clear();
    part(std::move(nodes));
    return std::move(out_);
  }

 private:
  struct Cut {
    Nodes low, between, high;
  };

  /// Where neighbours along an axis are furthest apart, in the middle fifth: rows of squares are not torn.
  void part(Nodes nodes) {
    if (nodes.size() <= kLeaf) {
      std::sort(nodes.begin(), nodes.end());
      out_.insert(out_.end(), nodes.begin(), nodes.end());
      return;
    }
    Vec3 low = places_[nodes[0]], high = low;
    for (const std::uint32_t i : nodes) {
      low = low.cwiseMin(places_[i]);
      high = high.cwiseMax(places_[i]);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    Cut cut = at(std::move(nodes), axis);
    if (cut.low.empty() || cut.high.empty()) {  // no two parts: one
      Nodes all = std::move(cut.between);
      all.insert(all.end(), cut.low.begin(), cut.low.end());
      all.insert(all.end(), cut.high.begin(), cut.high.end());
      std::sort(all.begin(), all.end());
      out_.insert(out_.end(), all.begin(), all.end());
      return;
    }
    part(std::move(cut.low));
    part(std::move(cut.high));
    out_.insert(out_.end(), cut.between.begin(), cut.between.end());
  }

  Cut at(Nodes nodes, int axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    std::sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Vec3 &x = places_[a], &y = places_[b];
      if (x[axis] != y[axis]) return x[axis] < y[axis];
      if (x[next] != y[next]) return x[next] < y[next];
      return x[last] != y[last] ? x[last] < y[last] : a < b;
    });
    const std::size_t n = nodes.size(), from = std::max<std::size_t>(1, 2 * n / 5), to = std::max(from, 3 * n / 5);
    std::size_t split = n / 2;
    double widest = -1;
    for (std::size_t k = from; k <= to && k < n; ++k) {
      const double gap = places_[nodes[k]][axis] - places_[nodes[k - 1]][axis];
      const std::size_t off = k > n / 2 ? k - n / 2 : n / 2 - k, was = split > n / 2 ? split - n / 2 : n / 2 - split;
      if (gap > 1.001 * widest + 1e-300 || (gap > 0.999 * widest && off < was)) {
        widest = std::max(gap, widest);
        split = k;
      }
    }
    for (std::size_t k = 0; k < n; ++k) side_[nodes[k]] = k < split ? 1 : 2;
    // Nodes of either side that have a neighbour on the other one: the fewer.
    const auto touches = [&](std::uint32_t i) {
      return std::any_of(graph_[i].begin(), graph_[i].end(),
                         [&](std::uint32_t j) { return side_[j] + side_[i] == 3 && side_[j] != 0; });
    };
    std::size_t at_low = 0, at_high = 0;
    for (const std::uint32_t i : nodes) (side_[i] == 1 ? at_low : at_high) += touches(i);
    const char thinner = at_low <= at_high ? 1 : 2;
    Cut cut;
    for (const std::uint32_t i : nodes)
      (side_[i] == thinner && touches(i) ? cut.between : side_[i] == 1 ? cut.low : cut.high).push_back(i);
    for (const std::uint32_t i : nodes) side_[i] = 0;
    return cut;
  }

  std::span<const Vec3> places_;
  const Graph& graph_;
  std::vector<char> side_;
  Nodes out_;
};

/// Columns of L that have the same rows below them.
struct Super {
  Nodes columns, rows;  // places in the order of elimination
  std::uint32_t above = kNobody;
  double zeros = 0;  // blocks
};

/// Rows of L by columns: a column hands its rows on to the first of them.
Graph fill(const Graph& graph, const Nodes& order, const Nodes& place) {
  const std::size_t n = order.size();
  Graph columns(n);
  for (std::size_t j = 0; j < n; ++j)
    for (const std::uint32_t i : graph[order[j]])
      if (place[i] != kNobody && place[i] > j) columns[j].push_back(place[i]);
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    if (column.size() < 2) continue;
    auto& to = columns[column.front()];
    to.insert(to.end(), column.begin() + 1, column.end());
  }
  return columns;
}

std::vector<Super> supers_of(Graph&& columns) {
  std::vector<Super> supers;
  Nodes of(columns.size());
  for (std::uint32_t j = 0; j < columns.size(); ++j) {
    const bool joins = j > 0 && !columns[j - 1].empty() && columns[j - 1].front() == j &&
                       columns[j - 1].size() == columns[j].size() + 1;
    if (!joins) supers.emplace_back();
    supers.back().columns.push_back(j);
    of[j] = static_cast<std::uint32_t>(supers.size() - 1);
  }
  for (Super& s : supers) {
    s.rows = columns[s.columns.back()];
    if (!s.rows.empty()) s.above = of[s.rows.front()];
  }
  return supers;
}

/// Where it is narrow, or few zeros come of it, a set of columns is joined with the one above.
void join(std::vector<Super>& supers) {
  const auto blocks = [](double columns, double rows) { return 0.5 * columns * (columns + 1) + columns * rows; };
  for (std::uint32_t k = 0; k < supers.size(); ++k) {
    Super& s = supers[k];
    if (s.above == kNobody) continue;
    Super& to = supers[s.above];
    const auto mine = static_cast<double>(s.columns.size()), wide = mine + static_cast<double>(to.columns.size());
    const auto rows = static_cast<double>(to.rows.size());
    const double zeros = mine * (wide - mine + rows - static_cast<double>(s.rows.size())) + s.zeros + to.zeros;
    const double share = zeros / blocks(wide, rows);
    if (!(wide <= 2 || (wide <= 5 && share < 0.5) || (wide <= 16 && share < 0.15) || share < 0.05)) continue;
    to.columns.insert(to.columns.begin(), s.columns.begin(), s.columns.end());
    to.zeros = zeros;
    s.columns.clear();
    for (std::uint32_t c = 0; c < k; ++c)
      if (supers[c].above == k) supers[c].above = s.above;
  }
}

/// Where in one memory what lives from its front to the one above can lie.
void lay_out(FrontPlan& plan, std::span<const std::uint32_t> above) {
  struct Piece {
    std::size_t at, size;
    std::uint32_t until;
  };
  std::vector<Piece> pieces;  // ascending
  for (std::uint32_t f = 0; f < plan.fronts.size(); ++f) {
    Front& front = plan.fronts[f];
    std::erase_if(pieces, [&](const Piece& p) { return p.until < f; });
    if (front.rows == 0) continue;
    const std::size_t size = std::size_t{3} * front.rows * front.rest_lead;
    std::size_t at = 0, k = 0;
    for (; k < pieces.size() && pieces[k].at < at + size; ++k) at = pieces[k].at + pieces[k].size;
    pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(k), {at, size, above[f]});
    front.rest = at;
    plan.rests = std::max(plan.rests, at + size);
  }
}

}  // namespace

FrontPlan FrontPlan::make(std::span<const Vec3> places, std::span<const Ends> edges, const std::vector<char>& held) {
  const std::size_t n = places.size();
  Graph graph(n);
  Nodes free;
  for (const auto& [a, b] : edges) {
    if (a == b || held[a] || held[b]) continue;
    graph[a].push_back(b);
    graph[b].push_back(a);
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (!held[i]) free.push_back(i);
  Nodes order = Dissection(places, graph).order(free), place(n, kNobody);
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  std::vector<Super> supers = supers_of(fill(graph, order, place));
  join(supers);

  // Depth first: a front comes right after those that it takes up.
  FrontPlan plan;
  std::vector<Nodes> below(supers.size());
  Nodes roots, front_of(supers.size(), kNobody), super_of, moved(order.size());
  for (std::uint32_t k = 0; k < supers.size(); ++k)
    if (!supers[k].columns.empty()) (supers[k].above == kNobody ? roots : below[supers[k].above]).push_back(k);
  struct Visit {
    std::uint32_t super;
    std::size_t next;
  };
  for (const std::uint32_t root : roots) {
    std::vector<Visit> stack = {{root, 0}};
    while (!stack.empty()) {
      const std::uint32_t k = stack.back().super;
      if (stack.back().next < below[k].size()) {
        stack.push_back({below[k][stack.back().next++], 0});
        continue;
      }
      stack.pop_back();
      front_of[k] = static_cast<std::uint32_t>(super_of.size());
      super_of.push_back(k);
      for (const std::uint32_t j : supers[k].columns) {
        moved[j] = static_cast<std::uint32_t>(plan.order.size());
        plan.order.push_back(order[j]);
      }
    }
  }
  for (std::uint32_t k = 0; k < plan.order.size(); ++k) place[plan.order[k]] = k;

  Nodes above, at(order.size(), kNobody), front_at(order.size());
  std::uint32_t first = 0;
  for (std::uint32_t f = 0; f < super_of.size(); ++f) {
    const Super& s = supers[super_of[f]];
    Front front;
    front.first = first;
    front.columns = static_cast<std::uint32_t>(s.columns.size());
    front.rows = static_cast<std::uint32_t>(s.rows.size());
    front.lead = padded(front.columns + front.rows);
    front.rest_lead = padded(front.rows);
    front.row = static_cast<std::uint32_t>(plan.row.size());
    for (const std::uint32_t j : s.rows) plan.row.push_back(moved[j]);
    std::sort(plan.row.begin() + front.row, plan.row.end());
    front.panel = plan.panels;
    plan.panels += std::size_t{3} * front.columns * front.lead;
    front.child = static_cast<std::uint32_t>(plan.child.size());
    front.children = static_cast<std::uint32_t>(below[super_of[f]].size());
    for (const std::uint32_t c : below[super_of[f]]) plan.child.push_back(front_of[c]);
    above.push_back(s.above == kNobody ? f : front_of[s.above]);
    for (std::uint32_t k = 0; k < front.columns; ++k) front_at[first + k] = f;
    const auto w = static_cast<double>(front.columns), r = static_cast<double>(front.rows);
    for (double c = 0; c < w; ++c) plan.products += 0.5 * (w - c - 1 + r) * (w - c + r);
    first += front.columns;
    plan.fronts.push_back(front);
  }

  std::vector<std::vector<std::uint32_t>> edges_of(plan.fronts.size());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    if (a != b && !held[a] && !held[b]) edges_of[front_at[std::min(place[a], place[b])]].push_back(e);
  }
  for (std::uint32_t f = 0; f < plan.fronts.size(); ++f) {
    Front& front = plan.fronts[f];
    const auto number = [&] {
      for (std::uint32_t k = 0; k < front.columns; ++k) at[front.first + k] = k;
      for (std::uint32_t k = 0; k < front.rows; ++k) at[plan.row[front.row + k]] = front.columns + k;
    };
    number();
    front.edge = static_cast<std::uint32_t>(plan.edge.size());
    front.edges = static_cast<std::uint32_t>(edges_of[f].size());
    for (const std::uint32_t e : edges_of[f]) {
      const auto [low, high] = std::minmax(place[edges[e].first], place[edges[e].second]);
      plan.edge.push_back({e, at[low], at[high]});
    }
    for (std::uint32_t c = front.child; c < front.child + front.children; ++c) {
      Front& child = plan.fronts[plan.child[c]];
      child.run = static_cast<std::uint32_t>(plan.run.size());
      for (std::uint32_t k = 0; k < child.rows; ++k) {
        const std::uint32_t to = at[plan.row[child.row + k]];
        if (k > 0 && plan.run.back().to + plan.run.back().count == to)
          ++plan.run.back().count;
        else
          plan.run.push_back({k, to, 1});
      }
      child.runs = static_cast<std::uint32_t>(plan.run.size()) - child.run;
    }
  }
  lay_out(plan, above);
  return plan;
}

}  // namespace hazumi
