#include "core/sim/elastic/cell_body.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/geometry/mesh/mass_properties.h"

namespace hazumi::cell_body {

namespace {

constexpr double kStill = 1e-14;                                    // of the speed: round-off of what does not vibrate
constexpr double kExact = 1e-13, kNear = 1e-4, kNearFronts = 1e-2;  // of what is solved for
constexpr double kAsContacts = 1e-8;                                // which ask the true step afterwards
// Products of blocks from which a factor is made in fronts, and up to which; how far bends may outweigh the masses, and springs where the
// factor has numbers of seven digits.
constexpr double kFewProducts = 1e5, kMostFrontProducts = 5e7, kMostBent = 100, kMostRough = 1e6;

}  // namespace

void Body::clear_held(double* x) const {
  for (const std::uint32_t i : held_) x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0;
}

/// J⁻¹ of an angular momentum. Nodes on a line that bend far have a turn about it too; straight ones have none, and the line
/// is the longest column of Σ m y yᵀ.
Vec3 Body::rigid_rate(const SecondMoment& moment, const Vec3& angular) const {
  const Mat3 inertia = moment.inertia();
  return directions_.is_free() ? free_rate(inertia, angular) : directions_.solve(inertia, angular);
}

void Body::initialise(const Pose& pose, const Vec3& velocity, const Vec3& spin, std::span<double> state) const {
  const std::size_t n = node_count();
  const Quat q = pose.rotation.normalized();
  put(state.data(), 0, pose.position + q * origin_);
  put_turn(state.data() + 3, 0, q);
  double* p = state.data() + kFrame;
  double* u = p + 3 * n;
  std::copy(reference_.begin(), reference_.end(), p);
  for (std::size_t e = 0; e < cells_.turn_count(); ++e) put_turn(u + 3 * n, e, Quat::Identity());
  fit_cells(cells_, p, u + 3 * n);
  std::fill(state.begin() + static_cast<std::ptrdiff_t>(told_at()), state.end(), 0.0);
  if (!pinned()) {
    for (std::size_t i = 0; i < n; ++i) put(u, i, velocity + spin.cross(q * at(p, i)));
    return;
  }
  const Vec3 drift = q.conjugate() * velocity, turn = q.conjugate() * spin;
  Vec3 centre = Vec3::Zero(), angular = Vec3::Zero();
  SecondMoment moment;
  for (std::size_t i = 0; i < n; ++i) centre += mass_[i] / total_mass_ * at(p, i);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = at(p, i);
    moment.add(mass_[i], r.x(), r.y(), r.z());
    angular += mass_[i] * r.cross(drift + turn.cross(r - centre));
  }
  const Vec3 rate = directions_.solve(moment.inertia(), angular);
  for (std::size_t i = 0; i < n; ++i) put(u, i, q * rate.cross(at(p, i)));
  clear_held(u);
}

void Body::apply_impulses(std::span<double> state, std::span<const NodeImpulse> impulses) const {
  double* u = state.data() + kFrame + 3 * node_count();
  for (const NodeImpulse& j : impulses) {
    const std::size_t i = place_[j.node];
    put(u, i, at(u, i) + j.impulse / mass_[i]);
  }
  clear_held(u);
}

void Body::fit_cells(const Cells& cells, const double* p, double* turns, Executor* executor) const {
  in_blocks(executor, cells.turn_count(), kTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const Cell& cell = cells[e];
      const auto nodes = cells.nodes(cell);
      const auto rest = cells.rest(cell);
      Vec3 centre = Vec3::Zero();
      for (const std::uint32_t i : nodes) centre += at(p, i);
      centre /= static_cast<double>(cell.count);
      Mat3 fit = Mat3::Zero();
      for (std::size_t k = 0; k < cell.count; ++k) fit += (at(p, nodes[k]) - centre) * rest[k].transpose();
      put_turn(turns, e, Cells::turn(cell, fit, turn_at(turns, e)));
    }
  });
}

/// Which places of `Step::of_cells` a node adds up, in the order of the cells: the sums are those of a loop over the cells.
void Body::list_slots() {
  slot_start_.assign(mass_.size() + 1, 0);
  for (std::size_t e = 0; e < cells_.turn_count(); ++e) {
    if (cells_[e].warp > 0) slots_ = 3;
    for (const std::uint32_t i : cells_.nodes(cells_[e])) ++slot_start_[i + 1];
  }
  for (std::size_t i = 0; i < mass_.size(); ++i) slot_start_[i + 1] += slot_start_[i];
  slot_.resize(slot_start_.back());
  slot_cell_.resize(slot_.size());
  std::vector<std::uint32_t> next(slot_start_.begin(), slot_start_.end() - 1);
  for (std::size_t e = 0; e < cells_.turn_count(); ++e) {
    const auto nodes = cells_.nodes(cells_[e]);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const std::uint32_t at = next[nodes[k]]++;
      slot_[at] = static_cast<std::uint32_t>(slots_ * (cells_[e].first + k));
      slot_cell_[at] = static_cast<std::uint32_t>(e);
    }
  }
}

void Body::node_turns(const Cells& cells, const double* turns, const Quat& near, double* out,
                      Executor* executor) const {
  in_blocks(executor, node_count(), kNodesTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Quat sum(0, 0, 0, 0);
      for (std::uint32_t k = slot_start_[i]; k < slot_start_[i + 1]; ++k) {
        const Quat q = turn_at(turns, slot_cell_[k]) * cells.turned(slot_cell_[k]);
        if (q.coeffs().dot(near.coeffs()) < 0)
          sum.coeffs() -= q.coeffs();
        else
          sum.coeffs() += q.coeffs();
      }
      put_turn(out, i, sum.squaredNorm() > 0.01 ? sum.normalized() : near);
    }
  });
}

std::optional<SparseFactor> Body::make_factor(double h) const {
  std::vector<Eigen::Triplet<double>> entries;
  cells_.add_stiffness(0.25 * h * h, 0.5 * h, damping_, is_held_, entries);
  for (std::size_t i = 0; i < mass_.size(); ++i)
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        entries.emplace_back(3 * static_cast<int>(i) + row, 3 * static_cast<int>(i) + column,
                             row == column ? mass_[i] : 0.0);
  const auto size = 3 * static_cast<Eigen::Index>(mass_.size());
  SparseMatrix a(size, size);
  a.setFromTriplets(entries.begin(), entries.end());
  return SparseFactor::factor(a);
}

void Body::set_springs(const Cells& cells, const double* p, double h, SpringMatrix& matrix) const {
  for (std::size_t e = 0; e < cells.size(); ++e) {
    const Cell& cell = cells[e];
    const auto nodes = cells.nodes(cell);
    const Vec3 along = at(p, nodes[1]) - at(p, nodes[0]);
    const double l = along.norm(), pull = cell.stiffness * (l - 2 * cells.rest(cell)[1].norm());
    const double stiff = 0.125 * h * h * cell.stiffness + 0.25 * h * cell.drag;
    matrix.set(e, l > 0 ? Vec3(along / l) : Vec3(Vec3::Zero()),
               cell.bends ? stiff
               : l > 0    ? 0.125 * h * h * std::max(0.0, pull / l)
                          : 0,
               stiff);
  }
  matrix.factor();
}

const SparseFactor& Body::factor(int depth) const {
  if (depth == 0 || cells_.are_springs()) return *factor_;
  auto& made = part_factors_[static_cast<std::size_t>(depth - 1)];
  std::call_once(part_made_[static_cast<std::size_t>(depth - 1)], [&] { made = make_factor(std::ldexp(h_, -depth)); });
  return *made;
}

void Body::respond(std::span<const double> state, std::span<const NodeImpulse> impulses, std::span<Vec3> dv) const {
  const std::size_t n = node_count();
  const Quat q = turn_at(state.data() + 3, 0);
  std::vector<double> x(3 * n, 0.0), turns(4 * n), scratch(factor_->scratch_size());
  node_turns(*cells_in(state), state.data() + kFrame + 6 * n, Quat::Identity(), turns.data());
  for (const NodeImpulse& j : impulses) {
    const std::size_t i = place_[j.node];
    put(x.data(), i, at(x.data(), i) + (q * turn_at(turns.data(), i)).conjugate() * j.impulse);
  }
  clear_held(x.data());
  if (cells_.are_springs()) {
    std::vector<double> memory(springs_.memory());
    SpringMatrix matrix(springs_, mass_, memory.data());
    set_springs(*cells_in(state), state.data() + kFrame, h_, matrix);
    matrix.solve(x.data(), kExact);
    for (std::size_t i = 0; i < n; ++i) dv[order_[i]] = q * at(x.data(), i);
    return;
  }
  factor_->solve(x.data(), scratch.data());
  for (std::size_t i = 0; i < n; ++i) dv[order_[i]] = q * (turn_at(turns.data(), i) * at(x.data(), i));
  for (const std::uint32_t i : held_) dv[order_[i]].setZero();
}

void Body::inverse_blocks(std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                          ElasticWorkspace& workspace) const {
  const std::size_t n = node_count(), m = nodes.size();
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t j = place_[nodes[a]];
    const double* column = columns_.find(j);
    if (!column && !is_held_[j]) {
      const std::size_t wanted = 9 * n + factor_->scratch_size();
      if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
      double* x = workspace.numbers.data();
      std::fill(x, x + 9 * n, 0.0);
      for (std::size_t k = 0; k < 3; ++k) {
        x[3 * n * k + 3 * j + k] = 1;
        factor_->solve(x + 3 * n * k, x + 9 * n);
        clear_held(x + 3 * n * k);
      }
      columns_.keep(j, {x, 9 * n});
      column = x;
    }
    for (std::size_t b = 0; b < m; ++b) {
      const std::size_t i = place_[nodes[b]];
      if (i < j) continue;
      Mat3 block = Mat3::Zero();  // B_ij
      if (column)
        for (Eigen::Index k = 0; k < 3; ++k) block.col(k) = at(column + 3 * n * static_cast<std::size_t>(k), i);
      if (i == j) block = (0.5 * (block + block.transpose())).eval();
      blocks[b * m + a] = block;
      blocks[a * m + b] = block.transpose();
    }
  }
}

void Body::inverse_blocks_at(std::span<const Vec3> places, std::span<const std::uint32_t> nodes, std::span<Mat3> blocks,
                             ElasticWorkspace& workspace) const {
  if (!cells_.are_springs()) return inverse_blocks(nodes, blocks, workspace);
  const std::size_t n = node_count(), m = nodes.size();
  std::vector<double> memory(springs_.memory()), p(3 * n), x(9 * n), column;
  for (std::size_t i = 0; i < n; ++i) put(p.data(), i, places[order_[i]]);
  SpringMatrix matrix(springs_, mass_, memory.data());
  set_springs(cells_, p.data(), h_, matrix);
  std::vector<std::uint32_t> at_place(m);
  for (std::size_t a = 0; a < m; ++a) at_place[a] = place_[nodes[a]];
  if (springs_.whole()) return matrix.inverse_blocks(at_place, blocks);
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t j = at_place[a];
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t k = 0; k < 3 && !is_held_[j]; ++k) {
      column.assign(3 * n, 0.0);
      column[3 * j + k] = 1;
      matrix.solve(column.data(), kAsContacts);
      for (std::size_t i = 0; i < n; ++i) put(x.data() + 3 * k, 3 * i, at(column.data(), i));
    }
    for (std::size_t b = 0; b < m; ++b) {
      const std::size_t i = at_place[b];
      if (i < j) continue;
      Mat3 block = Eigen::Map<const Mat3>(x.data() + 9 * i);  // B_ij
      if (i == j) block = (0.5 * (block + block.transpose())).eval();
      blocks[b * m + a] = block;
      blocks[a * m + b] = block.transpose();
    }
  }
}

void Body::respond_at(std::span<const Vec3> places, std::span<const Vec3> impulses, std::span<Vec3> dv) const {
  if (!cells_.are_springs()) return ElasticSolver::respond_at(places, impulses, dv);
  const std::size_t n = node_count();
  std::vector<double> memory(springs_.memory()), p(3 * n), x(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    put(p.data(), i, places[order_[i]]);
    put(x.data(), i, impulses[order_[i]]);
  }
  SpringMatrix matrix(springs_, mass_, memory.data());
  set_springs(cells_, p.data(), h_, matrix);
  matrix.solve(x.data(), kExact);
  for (std::size_t i = 0; i < n; ++i) dv[order_[i]] = at(x.data(), i);
}

void Body::displace(std::span<double> state, std::span<const Vec3> displacement) const {
  const std::size_t n = node_count();
  double* p = state.data() + kFrame;
  double* turns = p + 6 * n;
  Vec3 shift = Vec3::Zero();
  bool moved = false, apart = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3& x = displacement[order_[i]];
    shift += mass_[i] * x;
    moved = moved || x != Vec3::Zero();
    apart = apart || x != displacement[order_[0]];
  }
  if (!moved) return;
  if (pinned()) {
    shift.setZero();
  } else if (!apart) {  // the body as a whole: nothing is deformed
    put(state.data(), 0, at(state.data(), 0) + displacement[order_[0]]);
    return;
  }
  shift /= total_mass_;
  put(state.data(), 0, at(state.data(), 0) + shift);
  const Quat q = turn_at(state.data() + 3, 0);
  const Mat3 to_body = q.toRotationMatrix().transpose();
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_held_[i]) put(p, i, at(p, i) + to_body * (displacement[order_[i]] - shift));
    fit += mass_[i] * at(p, i) * at(reference_.data(), i).transpose();
  }
  const Quat turn = fitted_turn(directions_, fit, Quat::Identity());
  const Mat3 back = turn.toRotationMatrix().transpose();
  put_turn(state.data() + 3, 0, (q * turn).normalized());
  for (std::size_t i = 0; i < n; ++i) put(p, i, is_held_[i] ? at(reference_.data(), i) : Vec3(back * at(p, i)));
  for (std::size_t e = 0; e < cells_.turn_count(); ++e)
    put_turn(turns, e, (turn.conjugate() * turn_at(turns, e)).normalized());
  fit_cells(*cells_in(state), p, turns);
}

bool Body::take_shape(std::span<double> state, const RestShape& shape) const {
  if (!setup_.takes_shape) return false;
  double* told = state.data() + told_at();
  shape.store(told);
  if (setup_.takes_nodes) {
    told += RestShape::kNumbers;
    const bool nodes = shape.nodes.size() == mass_.size();
    *told++ = nodes ? 1 : 0;
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      const std::uint32_t node = order_[i];
      put(told, i, nodes ? Vec3(shape.nodes[node] - setup_.nodes[node]) : Vec3(Vec3::Zero()));
    }
  }
  double* p = state.data() + kFrame;
  fit_cells(*cells_in(state), p, p + 6 * mass_.size());
  return true;
}

RestShape Body::shape(std::span<const double> state) const {
  RestShape out;
  if (!setup_.takes_shape) return out;
  const double* told = state.data() + told_at();
  out = RestShape::of(told);
  told += RestShape::kNumbers;
  if (setup_.takes_nodes && *told != 0)
    for (std::size_t node = 0; node < mass_.size(); ++node)
      out.nodes.push_back(setup_.nodes[node] + at(told + 1, place_[node]));
  return out;
}

std::shared_ptr<const Cells> Body::cells_in(std::span<const double> state) const {
  const auto told = state.subspan(told_at());
  if (std::all_of(told.begin(), told.end(), [](double x) { return x == 0; }))
    return {std::shared_ptr<const Cells>(), &cells_};
  std::lock_guard lock(shaping_);
  if (shaped_ && std::equal(told.begin(), told.end(), shaped_as_.begin(), shaped_as_.end())) return shaped_;
  const RestShape shape = this->shape(state);
  std::vector<Vec3> rest(mass_.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::uint32_t node = order_[i];
    rest[i] =
        (shape.nodes.empty() ? setup_.nodes[node] : shape.nodes[node]) + shape.offset(setup_.nodes[node] - centre_);
    if (!setup_.rest_offset.empty()) rest[i] += setup_.rest_offset[node];
  }
  auto cells = std::make_shared<Cells>(cells_);
  cells->take_shape(rest);
  shaped_ = std::move(cells);
  shaped_as_.assign(told.begin(), told.end());
  return shaped_;
}

bool Body::still(std::span<double> state) const {
  const auto velocities = state.subspan(kFrame + 3 * mass_.size(), 3 * mass_.size());
  std::fill(velocities.begin(), velocities.end(), 0.0);
  return true;
}

void Body::positions(std::span<const double> state, std::span<Vec3> out) const {
  const Vec3 c = at(state.data(), 0);
  const Mat3 rotation = turn_at(state.data() + 3, 0).toRotationMatrix();
  const double* p = state.data() + kFrame;
  for (std::size_t i = 0; i < node_count(); ++i) out[order_[i]] = c + rotation * at(p, i);
}

void Body::velocities(std::span<const double> state, std::span<Vec3> out) const {
  const double* u = state.data() + kFrame + 3 * node_count();
  for (std::size_t i = 0; i < node_count(); ++i) out[order_[i]] = at(u, i);
}

Pose Body::frame(std::span<const double> state) const {
  const Vec3 c = at(state.data(), 0);
  const Quat q = turn_at(state.data() + 3, 0);
  if (!pinned()) return {c, q};
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < node_count(); ++i) centre += mass_[i] / total_mass_ * at(state.data() + kFrame, i);
  return {c + q * centre, q};
}

void Body::calm(std::span<double> state, ElasticWorkspace& workspace) const {
  if (!damped_) return;
  const std::size_t n = node_count(), size = 3 * n;
  const bool springs = cells_.are_springs();
  const std::size_t wanted = 2 * size + 4 * n + (springs ? stepped().memory() : factor_->scratch_size());
  if (workspace.numbers.size() < wanted) workspace.numbers.resize(wanted);
  double *v = workspace.numbers.data(), *x = v + size, *turns = x + size, *scratch = turns + 4 * n;
  const double* p = state.data() + kFrame;
  double* u = state.data() + kFrame + size;
  node_turns(*cells_in(state), u + size, Quat::Identity(), turns, workspace.executor);
  const Mat3 attitude = turn_at(state.data() + 3, 0).toRotationMatrix(), to_body = attitude.transpose();
  SecondMoment moment;
  double whole = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 pi = at(p, i), ui = to_body * at(u, i);
    moment.add(mass_[i], pi.x(), pi.y(), pi.z());
    whole += mass_[i] * ui.squaredNorm();
    put(v, i, ui);
  }
  const auto take_out_rigid = [&](double* of) {
    Vec3 mean = Vec3::Zero(), angular = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      mean += mass_[i] / total_mass_ * at(of, i);
      angular += mass_[i] * at(p, i).cross(at(of, i));
    }
    if (pinned()) mean.setZero();
    const Vec3 spin = rigid_rate(moment, angular);
    for (std::size_t i = 0; i < n; ++i) put(of, i, at(of, i) - mean - spin.cross(at(p, i)));
    clear_held(of);
  };
  take_out_rigid(v);
  double vibration = 0;
  for (std::size_t i = 0; i < n; ++i) vibration += mass_[i] * at(v, i).squaredNorm();
  if (vibration <= kStill * kStill * whole) return;
  std::optional<SpringMatrix> matrix;
  if (springs) set_springs(*cells_in(state), p, h_, matrix.emplace(stepped(), mass_, scratch));
  for (int power = 0; power < 3; ++power) {
    for (std::size_t i = 0; i < n; ++i) put(x, i, mass_[i] * (turn_at(turns, i).conjugate() * at(v, i)));
    if (springs)
      matrix->solve(x, fronts_.in_fronts() ? kNearFronts : springs_.whole() ? kExact : kNear);
    else
      factor_->solve(x, scratch, workspace.executor);
    for (std::size_t i = 0; i < n; ++i) put(v, i, at(v, i) - turn_at(turns, i) * at(x, i));
    clear_held(v);
  }
  take_out_rigid(v);
  // What was solved for only nearly could add.
  double taken = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 vi = attitude * at(v, i);
    taken += mass_[i] * vi.dot(2 * at(u, i) - vi);
  }
  if (fronts_.in_fronts() && !(taken > 0)) return;
  for (std::size_t i = 0; i < n; ++i) put(u, i, at(u, i) - attitude * at(v, i));
}

void Body::make_patterns() {
  const std::size_t n = mass_.size();
  std::vector<SpringPattern::Ends> ends;
  for (std::size_t e = 0; e < cells_.size(); ++e) {
    const auto at = cells_.nodes(cells_[e]);
    ends.emplace_back(at[0], at[1]);
  }
  springs_ = SpringPattern(n, ends, is_held_);
  if (springs_.whole() && springs_.products() < kFewProducts) return;
  // Bends reach over the next node, which makes four times the factor. Where masses outweigh them the factor has only neighbours, and half
  // of what bends hold these with: what they hold of waves of six nodes. Conjugate gradients do the rest.
  std::vector<double> shares(ends.size(), 1), held_by(n, 0.0), stiff(n, 0.0);
  std::set<SpringPattern::Ends> joined;
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const Cell& cell = cells_[e];
    if (!cell.bends) joined.insert(std::minmax(ends[e].first, ends[e].second));
    const double holds = 0.25 * h_ * h_ * std::abs(cell.stiffness) + 0.5 * h_ * cell.drag;
    for (const std::uint32_t i : {ends[e].first, ends[e].second}) (cell.bends ? held_by : stiff)[i] += holds;
  }
  double most = 0, stiffest = 0;  // kg/kg
  for (std::size_t i = 0; i < n; ++i)
    if (!is_held_[i]) {
      most = std::max(most, held_by[i] / mass_[i]);
      stiffest = std::max(stiffest, stiff[i] / mass_[i]);
    }
  if (most < kMostBent)
    for (std::size_t e = 0; e < ends.size(); ++e)
      if (cells_[e].bends)
        shares[e] = cells_[e].stiffness > 0 && joined.contains(std::minmax(ends[e].first, ends[e].second)) ? 0.5 : 0;
  std::vector<Vec3> rest(n);
  for (std::size_t i = 0; i < n; ++i) rest[i] = at(reference_.data(), i);
  SpringPattern fronts(rest, std::move(ends), is_held_, std::move(shares), stiffest < kMostRough);
  if (fronts.products() < kMostFrontProducts) fronts_ = std::move(fronts);
}

Result<std::unique_ptr<ElasticSolver>> Body::make(const ElasticSetup& setup, Cells cells) {
  auto body = std::make_unique<Body>();
  const std::size_t n = setup.nodes.size();
  body->setup_ = setup;
  body->h_ = setup.time_step;
  body->cells_ = std::move(cells);
  body->order_ = fill_reducing_order(n, body->cells_.pairs());
  body->place_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) body->place_[body->order_[i]] = i;
  body->cells_.renumber(body->place_);

  const MassProperties whole = mass_properties(std::span<const Vec3>(setup.nodes), setup.masses);
  body->total_mass_ = whole.mass;
  body->pins_ = pin_frame(setup.nodes, setup.pinned);
  body->centre_ = whole.centre;
  body->origin_ = body->pinned() ? body->pins_.origin : whole.centre;
  Mat3 inertia = whole.inertia;  // about the frame's origin
  if (body->pinned()) {
    const Vec3 arm = whole.centre - body->origin_;
    inertia += whole.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  body->directions_ = RigidDirections(inertia, body->pins_);
  body->mass_.resize(n);
  body->reference_.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t node = body->order_[i];
    const Vec3 r = setup.nodes[node] - body->origin_;
    body->mass_[i] = setup.masses[node];
    put(body->reference_.data(), i, r);
    body->extent_ = std::max(body->extent_, r.norm());
  }
  for (const std::uint32_t node : setup.pinned) body->held_.push_back(body->place_[node]);
  std::sort(body->held_.begin(), body->held_.end());
  body->held_.erase(std::unique(body->held_.begin(), body->held_.end()), body->held_.end());
  body->is_held_.assign(n, 0);
  for (const std::uint32_t i : body->held_) body->is_held_[i] = 1;
  if (body->cells_.are_springs()) body->make_patterns();
  body->list_slots();

  // The damping floor of "lagrange" (lagrange_body.cpp): without it modes of h ω ≫ 1 are left all but undamped.
  constexpr double kShare = 0.05;
  body->damping_ = body->cells_.damping();
  body->damped_ = body->damping_ > 0;
  if (body->damped_) {
    const double resolved = 0.25 * body->h_ * body->h_ * body->cells_.rate_bound(body->mass_);
    body->damping_ += kShare * body->h_ * resolved / (1 + resolved);
  }
  body->cells_.set_drag(body->damping_);
  body->columns_.start(n);
  body->factor_ = body->make_factor(body->h_);
  if (!body->factor_)
    return Diagnostic{Severity::error, "body.stiffness",
                      "The body is too stiff for its mass: its matrix could not be factored.",
                      "Lower the stiffness or raise the mass of its lightest node."};
  return std::unique_ptr<ElasticSolver>(std::move(body));
}

}  // namespace hazumi::cell_body
