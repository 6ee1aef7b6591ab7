// Move apart. Pair by pair, again and again, until none overlaps:
//
//   least d with nᵢ·d ≥ depthᵢ at all places of the pair      d = Σ λᵢ nᵢ, λ ≥ 0, one λᵢ after the other (Hildreth)
//
// and half of d goes to each of two that move. Where places contradict each other (a sheet pierced from both sides) the deepest
// alone counts. Where a pair does not come apart so (surfaces that are stuck in each other, what is squeezed between two that do not
// move), one of the two goes out along the one of a few lines that needs the shortest way.
#include "core/playback/overlaps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/sim/constraint/account.h"
#include "core/sim/constraint/apart.h"
#include "core/sim/contact/narrow.h"

namespace hazumi {

namespace {

constexpr double kClear = 0.1;  // of the slop: the gap that is made
constexpr double kLeft = 0.5;   // of the slop: what overlaps less is apart
// A row of n bodies, each in the next, takes n² sweeps: they go on beyond kSweeps while in so many the depths have lost a part.
constexpr int kSweeps = 400, kWatched = 100;
constexpr double kStuck = 0.98;
constexpr int kPlain = 40;   // sweeps in which a pair follows its contacts, before it is taken apart along a line
constexpr int kPasses = 60;  // over the places of a pair
constexpr int kHalvings = 24;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// All shapes at time 0, that can be shifted.
class StartShapes {
 public:
  explicit StartShapes(const Model& model) : model_(model), shapes_(model.bodies.size()), moves_(model.bodies.size()) {
    const State state = initial_state(model);
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const Body& body = model.bodies[i];
      // What keys or a curve lead stays where they have it, and pushes.
      moves_[i] = body.moves && !(model.director && model.director->begins(model, i));
      BodyShape& shape = shapes_[i];
      shape.body = &body;
      shape.active = body.proxy.shape != ContactShape::none && body.present(0, state.bodies[i].values);
      if (!shape.active) continue;
      read_shape(body, state.bodies[i].values, false, shape);
      read_shape(body, state.bodies[i].values, true, shape);
      finish_shape(shape);
    }
  }

  const std::vector<Pair>& near() {
    near_.find(shapes_, pairs_);
    // No move takes a body off itself.
    std::erase_if(pairs_, [this](const Pair& pair) {
      return pair.first == pair.second || kept_apart(model_, pair.first, pair.second) ||
             (!moves_at(pair.first) && !moves_at(pair.second));
    });
    return pairs_;
  }
  const std::vector<Contact>& meet(const Pair& pair) {
    search_.find(shapes_, {pair}, {}, contacts_);
    return contacts_;
  }
  void shift(std::uint32_t i, const Vec3& by) {
    BodyShape& shape = shapes_[i];
    shape.from.position += by;
    shape.to.position += by;
    for (std::vector<Vec3>* nodes : {&shape.nodes_from, &shape.nodes_to})
      for (Vec3& p : *nodes) p += by;
    finish_shape(shape);
  }
  /// `by` is the move of a against b: both go half of it where both move.
  void part(const Pair& pair, const Vec3& by, std::map<std::uint32_t, Vec3>& moves) {
    const bool a = moves_at(pair.first), b = moves_at(pair.second);
    if (a) go(pair.first, b ? Vec3(0.5 * by) : by, moves);
    if (b) go(pair.second, a ? Vec3(-0.5 * by) : Vec3(-by), moves);
  }
  void go(std::uint32_t i, const Vec3& way, std::map<std::uint32_t, Vec3>& moves) {
    shift(i, way);
    moves.try_emplace(i, Vec3::Zero()).first->second += way;
  }
  bool moves_at(std::uint32_t i) const { return moves_[i]; }
  Overlap overlap_of(const Pair& pair, double depth) const {
    const auto mass = [&](std::uint32_t i) { return moves_at(i) ? model_.bodies[i].mass : 0; };
    const double both = mass(pair.first) + mass(pair.second);
    return {model_.bodies[pair.first].id, model_.bodies[pair.second].id, depth, overlap_gift(model_, both, depth)};
  }
  const BodyShape& operator[](std::uint32_t i) const { return shapes_[i]; }

  /// `mover` overlaps neither `other` nor what does not move.
  bool is_free(std::uint32_t mover, std::uint32_t other) {
    for (const Pair& pair : std::vector<Pair>(near())) {
      if (pair.first != mover && pair.second != mover) continue;
      const std::uint32_t second = pair.first == mover ? pair.second : pair.first;
      if ((second == other || !moves_at(second)) && depth(pair, 0) > 0) return false;
    }
    return true;
  }

  /// Deepest overlap of a pair beyond `slops` of the slop, m; 0: none.
  double depth(const Pair& pair, double slops) {
    double deepest = 0;
    for (const Contact& c : meet(pair))
      if (c.gap < -slops * c.slop) deepest = std::max(deepest, -c.gap);
    return deepest;
  }

 private:
  const Model& model_;
  std::vector<BodyShape> shapes_;
  std::vector<bool> moves_;
  NearPairs near_;
  std::vector<Pair> pairs_;
  ContactSearch search_;
  std::vector<Contact> contacts_;
};

/// Move of a against b that takes all places apart, or the deepest alone.
Vec3 least_move(const std::vector<Contact>& contacts) {
  Vec3 move = Vec3::Zero();
  std::vector<double> pushes(contacts.size(), 0);
  double deepest = 0;
  Vec3 along = Vec3::Zero();
  const auto lack = [&](const Contact& c) { return kClear * c.slop - c.gap - c.normal.dot(move); };
  for (const Contact& c : contacts)
    if (lack(c) > deepest) deepest = lack(c), along = c.normal;
  for (int pass = 0; pass < kPasses; ++pass)
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const double push = std::max(0.0, pushes[k] + lack(contacts[k]));
      move += (push - pushes[k]) * contacts[k].normal;
      pushes[k] = push;
    }
  for (const Contact& c : contacts)
    if (lack(c) > 0.5 * kClear * c.slop) return deepest * along;
  return move;
}

/// Shortest way of `mover` along one of a few lines after which it neither overlaps the other one nor anything that does not move.
/// Zero: there is none.
Vec3 way_out(StartShapes& shapes, std::uint32_t mover, std::uint32_t other, const std::function<bool()>& cancelled) {
  const Box3 &a = shapes[mover].swept, &b = shapes[other].swept;
  Vec3 best = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) {
      if (cancelled()) return Vec3::Zero();
      const Vec3 along = side * Vec3::Unit(axis);
      double clear = side > 0 ? b.high[axis] - a.low[axis] : a.high[axis] - b.low[axis], stuck = 0;
      const auto is_clear = [&](double way) {
        shapes.shift(mover, way * along);
        const bool free = shapes.is_free(mover, other);
        shapes.shift(mover, -way * along);
        return free;
      };
      if (!is_clear(clear)) continue;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (clear + stuck);
        (is_clear(middle) ? clear : stuck) = middle;
      }
      if (best.isZero() || clear < best.norm()) best = clear * along;
    }
  return best;
}

}  // namespace

std::vector<Overlap> start_overlaps(const Model& model, double slops) {
  StartShapes shapes(model);
  std::vector<Overlap> found;
  for (const Pair& pair : std::vector<Pair>(shapes.near()))
    if (const double depth = shapes.depth(pair, slops); depth > 0) found.push_back(shapes.overlap_of(pair, depth));
  return found;
}

MovedApart move_apart(const Model& model, std::span<const std::pair<Id, Id>> pairs,
                      const std::function<bool(std::size_t left)>& go_on) {
  StartShapes shapes(model);
  std::set<Pair> wanted;
  for (const auto& [a, b] : pairs) wanted.insert(std::minmax(model.bodies.number(a), model.bodies.number(b)));
  MovedApart out;
  std::map<std::uint32_t, Vec3> moves;
  std::map<Pair, int> tries;
  const auto concerned = [&](const Pair& pair) {
    return pairs.empty() || wanted.contains(pair) || moves.contains(pair.first) || moves.contains(pair.second);
  };
  std::size_t found = 0;  // in the sweep before
  const auto cancelled = [&] {
    out.cancelled = out.cancelled || (go_on && !go_on(found));
    return out.cancelled;
  };
  double sum = 0, watched = 1e300;  // of depths, m
  bool last = false;
  for (int sweep = 0; !last; ++sweep) {
    if (sweep % kWatched == 0) {
      last = sweep >= kSweeps && !(sum < kStuck * watched);
      watched = sum;
    }
    sum = 0;
    found = out.left.size();
    out.left.clear();
    for (const Pair& pair : std::vector<Pair>(shapes.near())) {
      if (!concerned(pair)) continue;
      if (cancelled()) return out;
      const double depth = shapes.depth(pair, kLeft);
      if (!(depth > 0)) continue;
      out.left.push_back(shapes.overlap_of(pair, depth));
      sum += depth;
      if (last) continue;
      const int tried = ++tries[pair];
      const bool bounded = !shapes[pair.first].unbounded() && !shapes[pair.second].unbounded();
      if (bounded && tried % kPlain == 0) {
        const bool first = shapes.moves_at(pair.first) && !(shapes.moves_at(pair.second) && tried % (2 * kPlain) == 0);
        const std::uint32_t mover = first ? pair.first : pair.second, other = first ? pair.second : pair.first;
        shapes.go(mover, way_out(shapes, mover, other, cancelled), moves);
      } else {
        shapes.part(pair, least_move(shapes.meet(pair)), moves);
      }
    }
    if (out.left.empty()) break;
  }
  for (const auto& [i, by] : moves) out.moves.emplace_back(model.bodies[i].id, by);
  return out;
}

}  // namespace hazumi
