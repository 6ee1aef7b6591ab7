// What a shape-matching body tells of a state: energies to the last bits, strain, what is turned inside out.
#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/mass_properties.h"
#include "core/math/rotation.h"
#include "core/sim/elastic/momenta.h"
#include "core/sim/elastic/shape_matching_body.h"

namespace hazumi::shape_matching {

namespace {

double determinant_of(const double (*fit)[8], std::size_t lane) {
  Mat3 m;
  for (int k = 0; k < 9; ++k) m.data()[k] = fit[k][lane];
  return m.determinant();
}

}  // namespace

/// E − ⅛ h² vᵀKv. Of sums over the whole body E would be the small difference of large numbers: it is added up node by node, from the turns and places
/// that sums give, at which it is least, so that their round-off does nothing.
double Body::plain_energy(const double* y, const double* v, const double* turns) const {
  const std::size_t n = node_count(), regions = region_count();
  std::vector<double> numbers;
  double* free;
  const Sums sums = make_room(numbers, 12 * n + 5 * regions, &free);
  double *const rings = free, *const clusters = rings + 4 * n, *const places = clusters + 4 * n,
                *const now = places + 4 * n, *const held = now + 4 * regions;
  gather(y, sums, sums.places);
  gather(v, sums, sums.speeds);
  std::copy(turns, turns + 4 * regions, now);
  const double swing = turned_energy(y, v, sums, nullptr, nullptr, now).swing;
  map_regions(sums, now, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      rings[4 * i + c] = clusters[4 * i + c] = reference_[3 * i + c];
      places[4 * i + c] = y[3 * i + c];
    }
    rings[4 * i + 3] = share_[i];
    clusters[4 * i + 3] = clusters_.count() > 0 ? cluster_share_[i] : 0;
    places[4 * i + 3] = 0;
  }
  const RegionLists lists{region_start_, region_node_};
  hold_regions(lists, {0, n}, rings, places, sums.nodes->data(), held);
  hold_regions(lists, {n, regions}, clusters, places, sums.nodes->data(), held);
  double sum = 0;
  for (std::size_t r = 0; r < regions; ++r) sum += held[r];
  return 0.5 * rate_ * sum - swing;
}

/// The same of a body with examples, one region after the other.
double Body::taught_energy(const double* y, const double* v, const double* turns, const double* weights) const {
  std::vector<double> memory(examples_.numbers());
  Examples::Room room = examples_.room(memory.data());
  examples_.use(weights, room);
  examples_.gather(y, room, room.of_places);
  examples_.gather(v, room, room.of_speeds);
  double sum = 0.5 * rate_ * (examples_.held_back(weights) + examples_.warps_held(weights));
  struct Seen {  // of a node of a region
    double share;
    Vec3 place, fast, arm;
  };
  std::vector<Seen> seen;
  for (std::size_t r = 0; r < region_count(); ++r) {
    Vec3 place = Vec3::Zero(), fast = Vec3::Zero();
    seen.clear();
    for (std::size_t k = region_start_[r]; k < region_start_[r + 1]; ++k) {
      const std::uint32_t i = region_node_[k];
      const Vec3 q = at(reference_.data(), i) - centre_of_[r];
      const Seen& one = seen.emplace_back(Seen{share(r, i), at(y, i), at(v, i), examples_.target(r, q, weights)});
      place += one.share / mass_of_[r] * one.place;
      fast += one.share / mass_of_[r] * one.fast;
    }
    Mat3 fit = Mat3::Zero(), of_lead = Mat3::Zero(), fast_of_lead = Mat3::Zero(), inertia = Mat3::Zero();
    if (const std::uint32_t lead = examples_.lead_of()[r]; lead != Examples::kNoLead) {
      fit = of_lead = examples_.of_lead(lead, room.of_places, weights, room);
      fast_of_lead = examples_.of_lead(lead, room.of_speeds, weights, room);
    }
    for (const Seen& i : seen) {
      fit += i.share * (i.place - place) * i.arm.transpose();
      inertia += i.share * (i.arm.squaredNorm() * Mat3::Identity() - i.arm * i.arm.transpose());
    }
    const double* const q = turns + 4 * r;
    const Quat turn = polar_rotation_near(fit, Quat(q[0], q[1], q[2], q[3]));
    const Mat3 m = turn.toRotationMatrix(), s = m.transpose() * fit;
    const Mat3 moment = s.trace() * Mat3::Identity() - 0.5 * (s + s.transpose());
    const Vec3 turning_of_lead = -axial(m.transpose() * fast_of_lead);
    Vec3 turning = turning_of_lead;
    for (const Seen& i : seen) turning += i.share * i.arm.cross(m.transpose() * (i.fast - fast));
    Vec3 rate = Vec3::Zero();
    const bool turns_freely = moment.determinant() > least_held_[r];
    if (turns_freely) rate = inverse3(moment) * turning;
    double held = -2 * m.cwiseProduct(of_lead).sum();
    double swing = rate.dot((moment - inertia) * rate) - 2 * rate.dot(turning_of_lead);
    for (const Seen& i : seen) {
      held += i.share * (i.place - place - m * i.arm).squaredNorm();
      swing += i.share * (m.transpose() * (i.fast - fast) - rate.cross(i.arm)).squaredNorm();
    }
    sum += 0.5 * rate_ * held - 0.125 * alpha_ / whole_ * swing;
  }
  return sum;
}

Observables Body::account(std::span<const double> state) const {
  const std::size_t n = node_count();
  Observables result = momenta_of(*this, state, mass_, total_mass_);
  const double* y = state.data() + kFrame;
  std::vector<double> v(3 * n);
  vibration_of(y, y + 3 * n, v.data());
  const double *const turns = y + 6 * n, *const weights = turns + 4 * region_count();
  result.elastic_energy =
      examples_.none() ? plain_energy(y, v.data(), turns) : taught_energy(y, v.data(), turns, weights);
  return result;
}

Observables Body::observe(std::span<const double> state) const {
  Observables result = account(state);
  std::vector<Vec3> x(node_count());
  positions(state, x);
  result.volume = mesh_volume(x, setup_.surface);
  double longest = 1, shortest = 1;  // squares of what is left of lengths
  for (const Edge& edge : edges_) {
    const double square = edge.light * (x[edge.b] - x[edge.a]).squaredNorm();
    longest = std::max(longest, square);
    shortest = std::min(shortest, square);
  }
  result.max_strain = std::max(std::sqrt(longest) - 1, 1 - std::sqrt(shortest));
  std::vector<double> numbers;
  double* free;
  const Sums sums = make_room(numbers, 0, &free);
  gather(state.data() + kFrame, sums, sums.places);
  alignas(64) double fit[9][8];
  for (std::size_t r = 0; r < node_count(); ++r) {
    if (r % 8 == 0) fit_eight(sums.places[r / 8], rests_[r / 8], fit);
    if (spans_[r]) result.inverted = std::max(result.inverted, 0) + (determinant_of(fit, r % 8) < 0);
  }
  return result;
}

}  // namespace hazumi::shape_matching
