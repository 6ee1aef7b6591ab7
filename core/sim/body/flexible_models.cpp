// Which elastic model a flexible body bends by. A state in which it bends by another model than it was made with is that of the other
// solver, then its number; one more between them where it would be as long as one as it was made.
#include <cassert>

#include "core/sim/body/flexible.h"

namespace hazumi {

const OtherElastic* FlexibleBody::find_other(int number) const {
  for (const OtherElastic& other : others)
    if (other.number == number) return &other;
  return nullptr;
}

const OtherElastic* FlexibleBody::other_of(std::span<const double> values) const {
  if (others.empty() || values.size() == elastic->state_size()) return nullptr;
  const OtherElastic* const other = find_other(static_cast<int>(values.back()));
  assert(other);  // whoever keeps states over an edit drops those from the box on that is gone
  return other;
}

std::size_t FlexibleBody::size_with(const OtherElastic* other) const {
  const std::size_t own = elastic->state_size();
  if (!other) return own;
  const std::size_t with = other->elastic->state_size() + 1;
  return with == own ? with + 1 : with;
}

bool FlexibleBody::bends_by(int solver, std::span<const double> values) const {
  return others.empty() || other_of(values) == find_other(solver);
}

double FlexibleBody::contact_young(std::span<const double> values) const {
  const OtherElastic* const other = other_of(values);
  return other ? other->contact_modulus : hertz_young;
}

void FlexibleBody::bend_by(int solver, std::vector<double>& values) const {
  if (bends_by(solver, values)) return;
  const OtherElastic* const other = find_other(solver);
  const ElasticSolver& next = other ? *other->elastic : *elastic;
  const KeptVolume* const volume = other ? other->kept : kept;
  const auto was = now(std::span<const double>(values));
  const std::size_t n = truss.nodes.size();
  std::vector<Vec3> x(n), u(n), at(n);
  was.elastic.positions(was.values, x);
  was.elastic.velocities(was.values, u);
  const Pose frame = was.elastic.frame(was.values);
  const bool pinned = pins.kind != PinKind::none;
  const std::uint32_t pin = pinned ? truss.pinned.front() : 0;
  const Vec3 about = pinned ? x[pin] : frame.position, about_rest = pinned ? truss.nodes[pin] : mesh_origin;
  std::vector<double> state(size_with(other), 0.0);
  const std::span<double> of_next = std::span(state).first(next.state_size());
  // What keeps its volume would put that right, at each turn: it is right.
  const ElasticSolver& bare = volume ? volume->inner() : next;
  const std::span<double> of_bare = of_next.first(bare.state_size());
  bare.initialise({about - frame.rotation * about_rest, frame.rotation}, Vec3::Zero(), Vec3::Zero(), of_bare);
  if (const RestShape shape = was.elastic.shape(was.values); !shape.none()) bare.take_shape(of_bare, shape);
  std::vector<SpringPast> gone_through;
  was.elastic.past(was.values, gone_through);
  if (!gone_through.empty()) bare.take_past(of_bare, gone_through);
  for (int round = 0; round < 2; ++round) {  // the second takes the round-off of the first
    bare.positions(of_bare, at);
    for (std::size_t i = 0; i < n; ++i) at[i] = x[i] - at[i];
    bare.displace(of_bare, at);
  }
  std::vector<NodeImpulse> impulses(n);
  bare.velocities(of_bare, at);
  for (std::uint32_t i = 0; i < n; ++i) impulses[i] = {i, truss.masses[i] * (u[i] - at[i])};
  bare.apply_impulses(of_bare, impulses);
  if (volume && was.kept) volume->go_on(*was.kept, was.values, of_next);
  if (other) state.back() = other->number;
  values = std::move(state);
}

}  // namespace hazumi
