#include "core/sim/constraint/contacts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/sim/constraint/apart.h"
#include "core/sim/constraint/events.h"
#include "core/sim/constraint/linkages.h"
#include "core/sim/contact/narrow.h"

namespace hazumi {
namespace {

constexpr int kLooks = 4;     // rebounds of one body within a sub-step that are followed
constexpr int kLifts = 4;     // and what taking overlaps out drives into others
constexpr double kFar = 0.5;  // of its size: what has moved or turned by more in a sub-step is looked at once more
constexpr double kDeep = 50;  // of the reach of rows: 5 % of the size of the smaller body
constexpr int kWayBits = 61;  // of features: what is above says whose vertex touches, or edges (contact/narrow_mesh.h)
constexpr double kElsewhere = 0.25;  // of the reach of rows: ends that differ by less need no second look

/// How far a body's end is from that of its shape, m.
double moved_from(const Body& body, std::span<const double> values, const BodyShape& shape, const BodyMotion& motion) {
  if (motion.deforms) {
    double far = 0;
    for (std::size_t k = 0; k < motion.nodes_to.size(); ++k)
      far = std::max(far, (motion.nodes_to[k] - shape.nodes_to[k]).squaredNorm());
    return std::sqrt(far);
  }
  const Pose now = body.pose(values);
  return (now.position - shape.to.position).norm() + shape.size * now.rotation.angularDistance(shape.to.rotation);
}

/// The body by which an island's solver is found again: that of its first row which moves.
std::uint32_t root_of(const Substep& s, const Row& row) {
  return s.motions[row.body_a].moves ? row.body_a : row.body_b;
}

}  // namespace

void ContactStage::find_near(const Substep& s, std::vector<BodyShape>& shapes) {
  near_.find(shapes, pairs_);
  if (!s.model.apart.empty())
    std::erase_if(pairs_, [&](const auto& pair) { return kept_apart(s.model, pair.first, pair.second); });
  if (!s.model.director) return;
  std::erase_if(pairs_, [&](const auto& pair) {
    const bool passes = told_to_pass(s.forces, pair.first, pair.second);
    if (passes) passing_.emplace_back(std::minmax(pair.first, pair.second));
    return passes;
  });
}

/// Those of the pairs that pass which would touch.
void ContactStage::note_passing(const Substep& s, std::vector<BodyShape>& shapes, StepReport& report) {
  if (passing_.empty()) return;
  search_.find(shapes, passing_, {}, contacts_);
  for (const Contact& c : contacts_)
    if (touches(c)) report.passing.emplace_back(std::minmax(s.model.bodies[c.body_a].id, s.model.bodies[c.body_b].id));
  std::sort(report.passing.begin(), report.passing.end());
  report.passing.erase(std::unique(report.passing.begin(), report.passing.end()), report.passing.end());
}

void ContactStage::freshen(const Substep& s, std::uint32_t i) {
  fresh_[i] = 1;
  if (const std::int32_t number = s.linkage_of(i); number >= 0)
    for (const std::uint32_t other : (*s.linkages)[static_cast<std::size_t>(number)].all) fresh_[other] = 1;
}

/// With a body those that joints hold together with it.
void ContactStage::load(const Substep& s, std::uint32_t i) {
  const std::int32_t number = s.linkage_of(i);
  if (number < 0) return load_one(s, i);
  const Linkage& linkage = (*s.linkages)[static_cast<std::size_t>(number)];
  for (const std::uint32_t other : linkage.all) {
    if (loaded_[other]) continue;
    load_one(s, other);
    if (!s.motions[other].deforms) linkage.fill(other, s.motions[other]);
  }
}

void ContactStage::load_one(const Substep& s, std::uint32_t i) {
  if (loaded_[i]) return;
  loaded_[i] = 1;
  const std::vector<double>&before = s.start.bodies[i].values, &after = s.state.bodies[i].values;
  const Body& body = s.model.bodies[i];
  s.motions[i].led = false;
  if (s.forces[i].led)
    body.led_motion(s.model.step, *s.forces[i].led, before, after, s.motions[i]);
  else
    body.motion(s.model.step, before, after, s.motions[i]);
}

/// The motion with which contacts of a body were found: where taking overlaps out has moved it, the way to there.
const BodyMotion& ContactStage::seen(const Substep& s, std::uint32_t i) {
  const BodyMotion& goes = s.motions[i];
  if (lifted_.empty() || !lifted_[i]) return goes;
  const auto [at, fresh] = seen_.try_emplace(i);
  BodyMotion& seen = at->second;
  if (!fresh) return seen;
  const Body& body = s.model.bodies[i];
  const std::vector<double>&before = s.start.bodies[i].values, &after = s.state.bodies[i].values;
  body.motion(s.model.step, before, after, seen);
  if (seen.deforms) {
    seen.held.vertices = goes.held.vertices;
    body.hold(s.model.step, seen);
    return seen;
  }
  // Its momenta do not say how it was moved out.
  if (seen.inverse_mass > 0) seen.linear_mean = (body.pose(after).position - body.pose(before).position) / s.model.step;
  seen.origin = goes.origin;
  return seen;
}

/// Rows of contacts that have none yet; after the first look only of what has gone through.
bool ContactStage::add_rows(const Substep& s, bool first) {
  seen_.clear();
  if (!first)
    std::erase_if(contacts_, [&](const Contact& c) {
      return c.gap > -c.slop || std::binary_search(keys_.begin(), keys_.end(), contact_key(c));
    });
  std::vector<std::uint32_t> bent;  // skins of which more vertices are touched than before
  for (const Contact& c : contacts_)
    for (const auto& [i, anchor] : {std::pair(c.body_a, &c.a), std::pair(c.body_b, &c.b)}) {
      load(s, i);
      if (list_vertices(*anchor, s.motions[i])) bent.push_back(i);
    }
  std::sort(bent.begin(), bent.end());
  bent.erase(std::unique(bent.begin(), bent.end()), bent.end());
  for (const std::uint32_t i : bent) s.model.bodies[i].hold(s.model.step, s.motions[i]);
  bool any = false;
  for (const Contact& c : contacts_) {
    if (!s.motions[c.body_a].moves && !s.motions[c.body_b].moves) continue;
    any = true;
    const PairMemory* pair = known_pair(s.start.pairs, c.body_a, c.body_b);
    const RowSetting on{s.model,           s.forces,         s.motions[c.body_a], s.motions[c.body_b],
                        seen(s, c.body_a), seen(s, c.body_b)};
    rows_.push_back(make_row(on, c, pair ? pair->turning : 0));
    freshen(s, c.body_a);
    freshen(s, c.body_b);
  }
  if (!any) return false;
  keys_.clear();
  for (const Row& row : rows_) keys_.push_back(row.key);
  std::sort(keys_.begin(), keys_.end());
  return true;
}

std::optional<std::size_t> ContactStage::solve(const Substep& s, Executor& executor) {
  ranges_ = sort_into_islands(s.motions, rows_, s.linkages ? s.linkages->of_bodies() : std::span<const std::int32_t>());
  slot_.resize(ranges_.size());
  std::vector<std::size_t> wanted;
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    bool fresh = false;
    for (std::size_t r = ranges_[k].begin; r < ranges_[k].end; ++r)
      fresh = fresh || (s.motions[rows_[r].body_a].moves && fresh_[rows_[r].body_a]) ||
              (s.motions[rows_[r].body_b].moves && fresh_[rows_[r].body_b]);
    std::size_t& slot = slot_of_[root_of(s, rows_[ranges_[k].begin])];
    if (fresh) {
      slot = used_++;
      wanted.push_back(k);
    }
    slot_[k] = slot;
  }
  while (solvers_.size() < used_) solvers_.push_back(std::make_unique<IslandSolver>());
  const auto rows_of = [&](std::size_t k) {
    return std::span(rows_).subspan(ranges_[k].begin, ranges_[k].end - ranges_[k].begin);
  };
  std::vector<std::optional<std::size_t>> failed(wanted.size());
  executor.blocks(wanted.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) failed[k] = solvers_[slot_[wanted[k]]]->solve(s, rows_of(wanted[k]));
  });
  for (std::size_t k = 0; k < ranges_.size(); ++k) solvers_[slot_[k]]->bind(rows_of(k));
  for (const auto& f : failed)
    if (f) return f;
  return std::nullopt;
}

/// Bodies that have just been solved, from where they end now; true when there are rows that they need.
bool ContactStage::look_again(const Substep& s, std::vector<BodyShape>& shapes, bool after_lift, Sleep& sleep,
                              bool& woken) {
  std::vector<char> moved(shapes.size(), 0);
  bool any = false;
  const double fall = s.model.gravity.norm() * s.model.step * s.model.step;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!fresh_[i] || !s.motions[i].moves || !shapes[i].active) continue;
    const double allowed = std::max(kElsewhere * kKeep * shapes[i].size, fall);
    const std::vector<double>& values = s.state.bodies[i].values;
    if (moved_from(s.model.bodies[i], values, shapes[i], s.motions[i]) <= allowed) continue;
    read_shape(s.model.bodies[i], values, true, shapes[i]);
    finish_shape(shapes[i]);
    moved[i] = 1;
    any = true;
  }
  std::fill(fresh_.begin(), fresh_.end(), 0);
  if (!any) return false;
  find_near(s, shapes);
  std::erase_if(pairs_, [&](const auto& pair) { return !moved[pair.first] && !moved[pair.second]; });
  woken = sleep.wake(pairs_);
  if (woken) return false;
  search_.find(shapes, pairs_, s.start.rows, contacts_, s.executor);
  if (after_lift) lifted_ = std::move(moved);
  const bool any_new = add_rows(s, false);
  lifted_.clear();
  return any_new;
}

/// Last resort. Rows see places move by their mean velocity, which is not how they move on a body that turns by radians: such a body
/// may end in a wall that its rows have kept it out of. Ends are looked at as they are; nothing passes.
void ContactStage::hold_entered(const Substep& s, std::vector<BodyShape>& shapes) {
  std::vector<IslandSolver*> island(shapes.size(), nullptr);
  for (std::size_t k = 0; k < ranges_.size(); ++k)
    for (std::size_t r = ranges_[k].begin; r < ranges_[k].end; ++r)
      for (const std::uint32_t i : {rows_[r].body_a, rows_[r].body_b})
        if (s.motions[i].moves) island[i] = solvers_[slot_[k]].get();
  std::vector<char> far(shapes.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!island[i]) continue;
    BodyShape& shape = shapes[i];
    const Pose now = s.model.bodies[i].pose(s.state.bodies[i].values);
    const double way =
        (now.position - shape.from.position).norm() + shape.size * now.rotation.angularDistance(shape.from.rotation);
    if (!(way > kFar * shape.size)) continue;
    read_shape(s.model.bodies[i], s.state.bodies[i].values, true, shape);
    finish_shape(shape);
    far[i] = 1;
    any = true;
  }
  if (!any) return;
  find_near(s, shapes);
  std::erase_if(pairs_, [&](const auto& pair) {
    return (!far[pair.first] && !far[pair.second]) || (island[pair.first] && island[pair.second]);
  });
  search_.find(shapes, pairs_, s.start.rows, contacts_, s.executor);
  for (const Contact& c : contacts_) {
    const std::uint32_t body = island[c.body_a] ? c.body_a : c.body_b;
    const double deep = kDeep * (kKeep / kSlop) * c.slop;
    const std::uint32_t other = body == c.body_a ? c.body_b : c.body_a;
    if (!(c.gap < -deep) || s.model.bodies[other].moves || s.forces[other].led) continue;
    std::vector<BodyShape> before = {shapes[c.body_a], shapes[c.body_b]};
    for (BodyShape& shape : before) {
      shape.to = shape.from;
      shape.nodes_to = shape.nodes_from;
      finish_shape(shape);
    }
    std::vector<Contact> was;
    search_.find(before, {{0, 1}}, {}, was);
    // Of what touches in the same way: a body inside out may have the corner of a wall in it that it is nowhere near.
    double deepest = 0;
    for (const Contact& w : was)
      if (w.feature >> kWayBits == c.feature >> kWayBits) deepest = std::min(deepest, w.gap);
    if (!(c.gap < deepest - deep)) continue;
    island[body]->hold(s, body, c.point, body == c.body_a ? c.normal : Vec3(-c.normal));
  }
}

/// Islands that have been solved since the last time. Their bodies are fresh: overlaps that are taken out move them.
void ContactStage::finish(const Substep& s, Executor& executor) {
  std::vector<std::size_t> wanted;
  std::fill(fresh_.begin(), fresh_.end(), 0);
  noted_.resize(used_);
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    Noted& noted = noted_[slot_[k]];
    if (noted.done) continue;
    noted.done = true;
    read_events(s, *solvers_[slot_[k]], noted.contacts, noted.touches);
    wanted.push_back(k);
    for (std::size_t r = ranges_[k].begin; r < ranges_[k].end; ++r) {
      freshen(s, rows_[r].body_a);
      freshen(s, rows_[r].body_b);
    }
  }
  executor.blocks(wanted.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      solvers_[slot_[wanted[k]]]->calm(s);
      solvers_[slot_[wanted[k]]]->finish(s);
    }
  });
}

std::optional<std::size_t> ContactStage::run(const Substep& s, std::vector<BodyShape>& shapes, Executor& executor,
                                             Sleep& sleep, bool& woken, StepReport& report) {
  rows_.clear();
  ranges_.clear();
  used_ = 0;
  fresh_.assign(shapes.size(), 0);
  loaded_.assign(shapes.size(), 0);
  noted_.clear();
  slot_of_.assign(shapes.size(), 0);
  passing_.clear();
  find_near(s, shapes);
  note_passing(s, shapes, report);
  woken = sleep.wake(pairs_);
  if (woken) return std::nullopt;
  if (sleep.any())
    std::erase_if(pairs_, [&](const auto& pair) { return sleep.of(pair.first) || sleep.of(pair.second); });
  search_.find(shapes, pairs_, s.start.rows, contacts_, s.executor);
  const bool any = add_rows(s, true);
  for (const Contact& c : contacts_)
    if (touches(c) && !s.motions[c.body_a].moves && !s.motions[c.body_b].moves)
      report.touching.emplace_back(s.model.bodies[c.body_a].id, s.model.bodies[c.body_b].id);
  for (int look = 0, lift = 0; any; ++look) {
    if (const auto failed = solve(s, executor)) return failed;
    if (look < kLooks && look_again(s, shapes, false, sleep, woken)) continue;
    if (woken) return std::nullopt;
    finish(s, executor);
    if (lift++ == kLifts || !look_again(s, shapes, true, sleep, woken)) break;
    look = 0;
  }
  if (woken) return std::nullopt;
  if (any) hold_entered(s, shapes);
  leave(s, sleep, report);
  return std::nullopt;
}

/// A gift is given in the sub-step in which its pair is first there, and never again (account.h).
void ContactStage::report_gifts(const Substep& s, StepReport& report) const {
  const auto in_order = [](const PairMemory& x, const PairMemory& y) {
    return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
  };
  for (std::size_t k = 0; k < ranges_.size(); ++k)
    for (const PairMemory& pair : solvers_[slot_[k]]->account.pairs) {
      if (!(pair.given > 0) || std::binary_search(s.start.pairs.begin(), s.start.pairs.end(), pair, in_order)) continue;
      const Body &a = s.model.bodies[pair.body_a], &b = s.model.bodies[pair.body_b];
      ContactGift gift{a.id, b.id, s.start.substep};
      for (const Row& row : rows_)
        if (row.body_a == pair.body_a && row.body_b == pair.body_b) gift.depth = std::max(gift.depth, -row.gap);
      const double mass_a = s.motions[pair.body_a].moves ? a.mass : 0,
                   mass_b = s.motions[pair.body_b].moves ? b.mass : 0;
      gift.energy_a = pair.given * mass_a / (mass_a + mass_b);
      gift.energy_b = pair.given * mass_b / (mass_a + mass_b);
      report.gifts.push_back(gift);
    }
  std::sort(report.gifts.begin(), report.gifts.end(),
            [](const ContactGift& x, const ContactGift& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

void ContactStage::leave(const Substep& s, const Sleep& sleep, StepReport& report) {
  std::vector<RowMemory>& memory = s.state.rows;
  memory.clear();
  for (const Row& row : rows_) {
    memory.push_back(row.memory);
    if (!(row.end_gap <= row.slop || row.impulse.dot(row.normal) > 0)) continue;
    const Id a = s.model.bodies[row.body_a].id, b = s.model.bodies[row.body_b].id;
    if (a != b) report.touching.emplace_back(a, b);
    report.marks.push_back({row.key, a, b, row.point, row.normal, row.impulse});
  }
  std::sort(report.marks.begin(), report.marks.end(),
            [](const ContactMark& x, const ContactMark& y) { return x.key < y.key; });
  std::vector<PairMemory> now;
  sleep.keep(s.start, memory, now);
  std::sort(memory.begin(), memory.end(), [](const RowMemory& x, const RowMemory& y) { return x.key < y.key; });
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const Noted& noted = noted_[slot_[k]];
    report.contacts.insert(report.contacts.end(), noted.contacts.begin(), noted.contacts.end());
    report.touches.insert(report.touches.end(), noted.touches.begin(), noted.touches.end());
  }
  ContactFigures& f = report.figures;
  f.islands = static_cast<int>(ranges_.size());
  f.rows = static_cast<int>(rows_.size());
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const IslandSolver& island = *solvers_[slot_[k]];
    for (const PairMemory& p : island.account.pairs) {
      f.least_account = std::min({f.least_account, p.sum(), p.elastic, p.spent});
      now.push_back(p);
    }
    f.work += island.figures.work;
    f.led += island.figures.led;
    f.solves += island.figures.solves;
    f.passes += island.figures.passes;
    f.steps += island.figures.steps;
    f.second_solves += island.figures.second_solves;
    f.scaled += island.figures.scaled;
    f.yielded += island.figures.yielded;
    f.turns += island.figures.turns;
    f.turns_refused += island.figures.turns_refused;
    f.held += island.figures.held;
    f.projected += island.figures.projected;
    f.over_account = std::max(f.over_account, island.figures.over_account);
    f.mismatch = std::max(f.mismatch, island.figures.mismatch);
  }
  report_gifts(s, report);
  s.state.pairs.clear();
  merge_pairs(s.start.pairs, now, s.start.substep, s.state.pairs);
}

}  // namespace hazumi
