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
  std::vector<Nodes> below(supers.size());
  for (std::uint32_t k = 0; k < supers.size(); ++k)
    if (supers[k].above != kNobody) below[supers[k].above].push_back(k);
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
    for (const std::uint32_t c : below[k]) supers[c].above = s.above;
    below[s.above].insert(below[s.above].end(), below[k].begin(), below[k].end());
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

/// Makes a plan of sets of columns.
class Planner {
 public:
  Planner(const Nodes& order, std::vector<Super> supers) : order_(order), supers_(std::move(supers)) {}

  FrontPlan plan(std::span<const FrontPlan::Ends> edges, Nodes& place) {
    walk();
    for (std::uint32_t k = 0; k < plan_.order.size(); ++k) place[plan_.order[k]] = k;
    for (const std::uint32_t k : super_of_) add_front(k);
    join_edges(edges, place);
    lay_out(plan_, above_);
    return std::move(plan_);
  }

 private:
  /// Depth first: a front comes right after those that it takes up.
  void walk() {
    below_.resize(supers_.size());
    front_of_.assign(supers_.size(), kNobody);
    moved_.resize(order_.size());
    Nodes roots;
    for (std::uint32_t k = 0; k < supers_.size(); ++k)
      if (!supers_[k].columns.empty()) (supers_[k].above == kNobody ? roots : below_[supers_[k].above]).push_back(k);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;  // and which of those below comes next
    for (const std::uint32_t root : roots) {
      stack.emplace_back(root, 0);
      while (!stack.empty()) {
        const std::uint32_t k = stack.back().first;
        if (stack.back().second < below_[k].size()) {
          stack.emplace_back(below_[k][stack.back().second++], 0);
          continue;
        }
        stack.pop_back();
        front_of_[k] = static_cast<std::uint32_t>(super_of_.size());
        super_of_.push_back(k);
        for (const std::uint32_t j : supers_[k].columns) {
          moved_[j] = static_cast<std::uint32_t>(plan_.order.size());
          plan_.order.push_back(order_[j]);
        }
      }
    }
  }

  void add_front(std::uint32_t k) {
    const Super& s = supers_[k];
    Front front;
    front.first = static_cast<std::uint32_t>(front_at_.size());
    front.columns = static_cast<std::uint32_t>(s.columns.size());
    front.rows = static_cast<std::uint32_t>(s.rows.size());
    front.lead = padded(front.columns + front.rows);
    front.rest_lead = padded(front.rows);
    front.row = static_cast<std::uint32_t>(plan_.row.size());
    for (const std::uint32_t j : s.rows) plan_.row.push_back(moved_[j]);
    std::sort(plan_.row.begin() + front.row, plan_.row.end());
    front.panel = plan_.panels;
    plan_.panels += std::size_t{3} * front.columns * front.lead;
    front.child = static_cast<std::uint32_t>(plan_.child.size());
    front.children = static_cast<std::uint32_t>(below_[k].size());
    for (const std::uint32_t c : below_[k]) plan_.child.push_back(front_of_[c]);
    const auto number = static_cast<std::uint32_t>(plan_.fronts.size());
    above_.push_back(s.above == kNobody ? number : front_of_[s.above]);
    front_at_.insert(front_at_.end(), front.columns, number);
    const auto w = static_cast<double>(front.columns), r = static_cast<double>(front.rows);
    for (double c = 0; c < w; ++c) plan_.products += 0.5 * (w - c - 1 + r) * (w - c + r);
    plan_.fronts.push_back(front);
  }

  /// Where edges, and rows of the fronts below, are in each.
  void join_edges(std::span<const FrontPlan::Ends> edges, const Nodes& place) {
    std::vector<Nodes> edges_of(plan_.fronts.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      const std::uint32_t low = std::min(place[edges[e].first], place[edges[e].second]),
                          high = std::max(place[edges[e].first], place[edges[e].second]);
      if (low != high && high != kNobody) edges_of[front_at_[low]].push_back(e);
    }
    Nodes at(order_.size());
    for (std::uint32_t f = 0; f < plan_.fronts.size(); ++f) {
      Front& front = plan_.fronts[f];
      for (std::uint32_t k = 0; k < front.columns; ++k) at[front.first + k] = k;
      for (std::uint32_t k = 0; k < front.rows; ++k) at[plan_.row[front.row + k]] = front.columns + k;
      front.edge = static_cast<std::uint32_t>(plan_.edge.size());
      front.edges = static_cast<std::uint32_t>(edges_of[f].size());
      for (const std::uint32_t e : edges_of[f]) {
        const auto [low, high] = std::minmax(place[edges[e].first], place[edges[e].second]);
        plan_.edge.push_back({e, at[low], at[high]});
      }
      for (std::uint32_t c = front.child; c < front.child + front.children; ++c)
        add_runs(plan_.fronts[plan_.child[c]], at);
    }
  }

  void add_runs(Front& child, const Nodes& at) {
    child.run = static_cast<std::uint32_t>(plan_.run.size());
    for (std::uint32_t k = 0; k < child.rows; ++k) {
      const std::uint32_t to = at[plan_.row[child.row + k]];
      if (k > 0 && plan_.run.back().to + plan_.run.back().count == to)
        ++plan_.run.back().count;
      else
        plan_.run.push_back({k, to, 1});
    }
    child.runs = static_cast<std::uint32_t>(plan_.run.size()) - child.run;
  }

  const Nodes& order_;
  std::vector<Super> supers_;
  std::vector<Nodes> below_;
  Nodes front_of_, super_of_, moved_;  // of a set; and back; a place becomes another one
  Nodes above_, front_at_;             // of a front; of a place
  FrontPlan plan_;
};

}  // namespace

FrontPlan FrontPlan::make(std::span<const Vec3> places, std::span<const Ends> edges, const std::vector<char>& held) {
  const std::size_t n = places.size();
  Graph graph(n);
  for (const auto& [a, b] : edges) {
    if (a == b || held[a] || held[b]) continue;
    graph[a].push_back(b);
    graph[b].push_back(a);
  }
  Nodes free;
  for (std::uint32_t i = 0; i < n; ++i)
    if (!held[i]) free.push_back(i);
  const Nodes order = Dissection(places, graph).order(free);
  Nodes place(n, kNobody);
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  std::vector<Super> supers = supers_of(fill(graph, order, place));
  join(supers);
  return Planner(order, std::move(supers)).plan(edges, place);
}

}  // namespace hazumi
