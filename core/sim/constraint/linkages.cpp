#include "core/sim/constraint/linkages.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/scene/derived/joined.h"

namespace hazumi {

void Linkage::lay(const Model& model) {
  const std::size_t count = bodies.size();
  free = true;
  const auto member = [&](std::int32_t body) -> std::int32_t {
    if (body < 0) return -1;
    const auto at = std::lower_bound(bodies.begin(), bodies.end(), static_cast<std::uint32_t>(body));
    return at != bodies.end() && *at == static_cast<std::uint32_t>(body)
               ? static_cast<std::int32_t>(at - bodies.begin())
               : -1;
  };
  const auto deforms = [&](std::int32_t body) {
    return std::any_of(soft.begin(), soft.end(),
                       [&](const LinkSoft& s) { return static_cast<std::int32_t>(s.body) == body; });
  };
  for (const LinkSoft& s : soft) free = free && model.bodies[s.body].truss.pinned.empty();
  // Firm joints make the forest; springs and ropes where nothing else does.
  std::vector<std::uint32_t> order(joints.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto gives = [&](std::uint32_t j) {
    const JointKind kind = model.joints[joints[j]].kind;
    return kind == JointKind::spring || kind == JointKind::rope || kind == JointKind::pull;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return gives(x) < gives(y); });
  std::vector<std::vector<std::uint32_t>> near(count);
  std::vector<std::int32_t> held(count, -1);  // the first joint that holds a body to what does not move
  for (const std::uint32_t j : order) {
    const ModelJoint& joint = model.joints[joints[j]];
    if (joint.kind == JointKind::gear) continue;
    const std::int32_t a = member(joint.a), b = member(joint.b);
    if (deforms(joint.a) || deforms(joint.b)) {
      free = free && joint.a >= 0 && joint.b >= 0 && (a >= 0 || deforms(joint.a)) && (b >= 0 || deforms(joint.b));
      continue;
    }
    if (a >= 0 && b >= 0) {
      near[static_cast<std::size_t>(a)].push_back(j);
      near[static_cast<std::size_t>(b)].push_back(j);
      continue;
    }
    free = false;
    if (std::int32_t& first = held[static_cast<std::size_t>(std::max(a, b))]; first < 0)
      first = static_cast<std::int32_t>(j);
  }

  // Breadth first from what is held, then from what is left (gears alone join trees); nodes are numbered the other way round.
  std::vector<std::int32_t> place(count, -1);
  std::vector<std::uint32_t> queue;
  std::vector<std::int32_t> parent, by;
  std::vector<char> used(joints.size(), 0);
  const auto begin_tree = [&](std::size_t root) {
    place[root] = static_cast<std::int32_t>(queue.size());
    queue.push_back(static_cast<std::uint32_t>(root));
    parent.push_back(-1);
    by.push_back(held[root]);
    if (held[root] >= 0) used[static_cast<std::size_t>(held[root])] = 1;
  };
  const auto grow = [&](std::size_t from) {
    for (std::size_t k = from; k < queue.size(); ++k)
      for (const std::uint32_t j : near[queue[k]]) {
        const ModelJoint& joint = model.joints[joints[j]];
        const std::int32_t a = member(joint.a), other = a == static_cast<std::int32_t>(queue[k]) ? member(joint.b) : a;
        if (used[j] || place[static_cast<std::size_t>(other)] >= 0) continue;
        used[j] = 1;
        place[static_cast<std::size_t>(other)] = static_cast<std::int32_t>(queue.size());
        queue.push_back(static_cast<std::uint32_t>(other));
        parent.push_back(static_cast<std::int32_t>(k));
        by.push_back(static_cast<std::int32_t>(j));
      }
  };
  for (const bool wanted : {true, false})
    for (std::size_t m = 0; m < count; ++m) {
      if (place[m] >= 0 || (held[m] >= 0) != wanted) continue;
      begin_tree(m);
      grow(queue.size() - 1);
    }
  number(model, queue, parent, by);
  leads_.clear();
  for (std::uint32_t j = 0; j < joints.size(); ++j)
    if (has_target(model.joints[joints[j]].kind) && model.joints[joints[j]].b < 0) leads_.push_back(j);
  tie(model, used);
}

/// Nodes of the forest, the other way round than they were found in `queue`.
void Linkage::number(const Model& model, std::span<const std::uint32_t> queue, std::span<const std::int32_t> parent,
                     std::span<const std::int32_t> by) {
  const std::size_t count = bodies.size();
  const auto node = [&](std::int32_t at) { return at < 0 ? -1 : static_cast<std::int32_t>(count) - 1 - at; };
  tree_.nodes.assign(count, {});
  node_body_.resize(count);
  slot_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto n = static_cast<std::size_t>(node(static_cast<std::int32_t>(k)));
    node_body_[n] = bodies[queue[k]];
    slot_[queue[k]] = static_cast<std::uint32_t>(n);
    LinkTree::Node& to = tree_.nodes[n];
    to.parent = node(parent[k]);
    to.joint = by[k];
    if (by[k] >= 0)
      to.child_is_a =
          model.joints[joints[static_cast<std::size_t>(by[k])]].a == static_cast<std::int32_t>(node_body_[n]);
  }
}

/// What joints are between, and those that close loops: what is not `used` by the forest.
void Linkage::tie(const Model& model, std::span<const char> used) {
  tree_.loops.clear();
  in_forest_.assign(used.begin(), used.end());
  any_lead_ = std::any_of(joints.begin(), joints.end(),
                          [&](std::uint32_t j) { return model.joints[j].kind == JointKind::lead; });
  joint_ends_.assign(joints.size(), {});
  gear_.assign(joints.size(), {-1, -1});
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const ModelJoint& joint = model.joints[joints[j]];
    joint_ends_[j] = {end_of(joint.a), end_of(joint.b)};
  }
  tie_soft(model);
  const auto moving = [&](std::int32_t slot) {
    return slot >= 0 && slot < static_cast<std::int32_t>(bodies.size()) ? slot : -1;
  };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const ModelJoint& joint = model.joints[joints[j]];
    if (joint.kind == JointKind::gear) {
      for (int k = 0; k < 2; ++k) {
        const auto hinge = static_cast<std::uint32_t>(k ? joint.second : joint.first);
        gear_[j][static_cast<std::size_t>(k)] =
            static_cast<std::int32_t>(std::lower_bound(joints.begin(), joints.end(), hinge) - joints.begin());
      }
      const Ends first = joint_ends_[static_cast<std::size_t>(gear_[j][0])],
                 second = joint_ends_[static_cast<std::size_t>(gear_[j][1])];
      joint_ends_[j] = first;
      tree_.loops.push_back(
          {static_cast<std::uint32_t>(j), moving(first.a), moving(first.b), moving(second.a), moving(second.b)});
    } else if (!used[j]) {
      tree_.loops.push_back({static_cast<std::uint32_t>(j), moving(joint_ends_[j].a), moving(joint_ends_[j].b)});
    }
  }
}

/// Slot of a body: its node, or behind the nodes that of what stands.
std::int32_t Linkage::end_of(std::int32_t body) const {
  if (body < 0) return -1;
  const auto number = static_cast<std::uint32_t>(body);
  if (std::binary_search(bodies.begin(), bodies.end(), number)) return static_cast<std::int32_t>(node_of(number));
  return static_cast<std::int32_t>(bodies.size()) +
         static_cast<std::int32_t>(std::lower_bound(ends.begin(), ends.end(), number) - ends.begin());
}

void Linkages::find(const Model& model, const State& start, std::span<const BodyForces> forces,
                    const JointDrives& drives) {
  if (model.joints.empty()) {
    all_.clear();
    model_ = nullptr;
    return;
  }
  drives_ = &drives;
  const double time = model.clock.film(start.substep);
  const std::size_t n = model.joints.size();
  const auto there = [&](std::int32_t i) {
    const auto body = static_cast<std::size_t>(i);
    return i < 0 || model.bodies[body].present(time, start.bodies[body].values);
  };
  const auto moves = [&](std::int32_t i) {
    return i >= 0 && can_be_held(model.bodies[static_cast<std::size_t>(i)]) && !forces[static_cast<std::size_t>(i)].led;
  };
  std::vector<char> pattern(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.remembers() && start.joints[j].broken) continue;
    if (joint.kind == JointKind::gear || joint.pins || !there(joint.a) || !there(joint.b)) continue;
    if (!drives.now[j].on || (joint.kind == JointKind::lead && drives.now[j].strictness <= 0)) continue;
    pattern[j] = static_cast<char>((moves(joint.a) ? 1 : 0) + (moves(joint.b) ? 2 : 0));
  }
  for (std::size_t j = 0; j < n; ++j) {
    const ModelJoint& pins = model.joints[j];
    if (!pins.pins) continue;
    for (std::size_t k = 0; k < j && !pattern[j]; ++k)
      for (const auto& [end, bit] : {std::pair(model.joints[k].a, 1), std::pair(model.joints[k].b, 2)})
        if (end == pins.a && (pattern[k] & bit) != 0) pattern[j] = 1;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.kind != JointKind::gear || start.joints[j].broken || !drives.now[j].on) continue;
    pattern[j] = pattern[static_cast<std::size_t>(joint.first)] && pattern[static_cast<std::size_t>(joint.second)];
  }
  if (model_ == &model && pattern == pattern_) return;
  model_ = &model;
  pattern_ = std::move(pattern);

  group(model);
}

/// Linkages of `pattern_`.
void Linkages::group(const Model& model) {
  const std::size_t n = model.joints.size();
  std::vector<std::uint32_t> parent(model.bodies.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto join = [&](std::int32_t x, std::int32_t y) {
    const std::uint32_t a = root(static_cast<std::uint32_t>(x)), b = root(static_cast<std::uint32_t>(y));
    parent[std::max(a, b)] = std::min(a, b);
  };
  const auto mover = [&](std::size_t j) { return pattern_[j] & 1 ? model.joints[j].a : model.joints[j].b; };
  for (std::size_t j = 0; j < n; ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.kind == JointKind::gear) {
      if (pattern_[j])
        join(mover(static_cast<std::size_t>(joint.first)), mover(static_cast<std::size_t>(joint.second)));
    } else if (pattern_[j] == 3) {
      join(joint.a, joint.b);
    }
  }
  std::map<std::uint32_t, Linkage*> by_root;
  all_.clear();
  of_.assign(model.bodies.size(), -1);
  const auto add = [](std::vector<std::uint32_t>& to, std::int32_t what) {
    to.push_back(static_cast<std::uint32_t>(what));
  };
  for (std::size_t j = 0; j < n; ++j) {
    if (!pattern_[j]) continue;
    const ModelJoint& joint = model.joints[j];
    const bool gear = joint.kind == JointKind::gear;
    Linkage*& linkage =
        by_root[root(static_cast<std::uint32_t>(gear ? mover(static_cast<std::size_t>(joint.first)) : mover(j)))];
    if (!linkage) {
      all_.push_back(std::make_unique<Linkage>());
      linkage = all_.back().get();
    }
    linkage->joints.push_back(static_cast<std::uint32_t>(j));
    if (gear) continue;
    if (joint.a >= 0) add(pattern_[j] & 1 ? linkage->all : linkage->ends, joint.a);
    if (joint.b >= 0) add(pattern_[j] & 2 ? linkage->all : linkage->ends, joint.b);
  }
  for (std::size_t k = 0; k < all_.size(); ++k) {
    Linkage& linkage = *all_[k];
    for (std::vector<std::uint32_t>* list : {&linkage.all, &linkage.ends}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    for (const std::uint32_t i : linkage.all) {
      of_[i] = static_cast<std::int32_t>(k);
      if (!model.bodies[i].deforms) {
        linkage.bodies.push_back(i);
        continue;
      }
      linkage.soft.emplace_back();
      linkage.soft.back().body = i;
    }
    linkage.lay(model);
  }
}

void Linkages::advance(const Model& model, const State& start, State& state, std::span<const BodyForces> forces,
                       const JointDrives& drives, std::span<const char> asleep, Executor& executor) {
  executor.blocks(all_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (sleeps(k, asleep)) continue;
      all_[k]->begin(model, start, state, forces, drives);
      all_[k]->advance(model, forces, {}, state);
    }
  });
}

void Linkages::settle(const Model& model, const State& start, State& state, std::span<const char> asleep,
                      Executor& executor, StepReport& report) {
  executor.blocks(all_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (sleeps(k, asleep)) {
        all_[k]->rest(model, state, *drives_);
        continue;
      }
      all_[k]->settle(model, model.step, state);
      all_[k]->leave(state);
    }
  });
  for (std::size_t j = 0; j < state.joints.size(); ++j)
    if (!pattern_[j]) state.joints[j].grip = JointMemory::kLoose;
  report.joint_figures.motors += told_springs(model, start, state);
  for (const auto& linkage : all_) {
    report.joints.insert(report.joints.end(), linkage->readings.begin(), linkage->readings.end());
    JointFigures& sum = report.joint_figures;
    sum.passes += linkage->figures.passes;
    sum.parts = std::max(sum.parts, linkage->figures.parts);
    sum.rough += linkage->figures.rough;
    sum.motors += linkage->figures.motors;
    sum.springs += linkage->figures.springs;
    sum.met += linkage->figures.met;
    sum.leads += linkage->figures.leads;
    sum.pulls += linkage->figures.pulls;
    sum.stayed += linkage->figures.stayed;
    if (!report.passes.empty())
      for (const LinkSoft& soft : linkage->soft) report.passes[soft.body] += soft.passes;
  }
  std::sort(report.joints.begin(), report.joints.end(),
            [](const JointReading& x, const JointReading& y) { return x.joint < y.joint; });
}

double spring_energy(const Model& model, const State& state, const ModelJoint& spring) {
  std::vector<Vec3> nodes;
  const auto place = [&](std::int32_t body, const Vec3& own, std::span<const NodeWeight> weights) -> Vec3 {
    if (body < 0) return own;
    const auto at = static_cast<std::size_t>(body);
    if (!weights.empty()) {
      nodes.resize(model.bodies[at].truss.nodes.size());
      model.bodies[at].positions(state.bodies[at].values, nodes);
      return mean_of(weights, nodes);
    }
    const Pose pose = model.bodies[at].pose(state.bodies[at].values);
    return pose.position + pose.rotation * own;
  };
  const double length =
      (place(spring.a, spring.place_a, spring.nodes_a) - place(spring.b, spring.place_b, spring.nodes_b)).norm();
  return 0.5 * spring.stiffness * (length - spring.length) * (length - spring.length);
}

double joint_energy(const Model& model, const State& state) {
  double sum = 0;
  std::vector<JointDrive> drives;
  std::vector<NumberTold> told;
  for (std::size_t j = 0; j < state.joints.size(); ++j) {
    const ModelJoint& joint = model.joints[j];
    if (joint.kind != JointKind::spring || state.joints[j].broken) continue;
    if (model.director && drives.empty()) {
      for (const ModelJoint& one : model.joints) drives.push_back(own_drive(one));
      model.director->numbers(model, state, state.substep - 1, told);
      drive_joints(model, state.substep - 1, told, drives);
    }
    if (!drives.empty() && !drives[j].on) continue;
    if (drives.empty() || !drives[j].numbers) {
      sum += spring_energy(model, state, joint);
      continue;
    }
    ModelJoint as_told = joint;
    put_numbers(model, joint, *drives[j].numbers, as_told);
    sum += spring_energy(model, state, as_told);
  }
  return sum;
}

/// By how much what springs hold changes since they are told otherwise, J: in the step stiffness and length are the means of both.
double Linkages::told_springs(const Model& model, const State& start, const State& state) const {
  double sum = 0;
  for (std::size_t j = 0; j < start.joints.size(); ++j) {
    const ModelJoint& made = model.joints[j];
    if (made.kind != JointKind::spring || start.joints[j].broken) continue;
    const JointDrive &before = drives_->before[j], &now = drives_->now[j];
    if (before.on == now.on && !before.numbers && !now.numbers) continue;
    const JointNumbers &from = before.numbers ? *before.numbers : made.numbers,
                       &to = now.numbers ? *now.numbers : made.numbers;
    if (before.on == now.on && from == to) continue;
    const auto energy = [&](const State& at, const JointNumbers& places, const JointNumbers& others) {
      ModelJoint spring = made;
      JointNumbers numbers = others;
      numbers.place_a = places.place_a;
      numbers.place_b = places.place_b;
      put_numbers(model, made, numbers, spring);
      return spring_energy(model, at, spring);
    };
    const double first = before.on ? energy(start, from, from) : 0, last = now.on ? energy(state, to, to) : 0;
    sum += last - first;
    if (!pattern_[j]) continue;
    const JointNumbers mean = between(from, to, 0.5);
    sum += energy(start, from, mean) - energy(state, to, mean);
  }
  return sum;
}

double Linkage::elastic(const Model& model, const State& state) const {
  double sum = 0;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joint_at(model, j).kind == JointKind::spring && !state.joints[joints[j]].broken)
      sum += spring_energy(model, state, joint_at(model, j));
  return sum;
}

}  // namespace hazumi
