#include "core/sim/constraint/row_curve.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kRests = 0.1;         // of what weight makes it go faster in a sub-step
constexpr double kOneWay = 1 - 1e-12;  // cosine
constexpr double kGivenBack = 0.9;     // of the credit: what the row works is known to second order

/// Of a ball its centre's: what its surface does of that goes with its spin. `of` (motion, grip, place): the velocity there.
template <class Of>
Vec3 velocity_along(const Row& row, const BodyMotion& a, const BodyMotion& b, const Of& of) {
  const auto there = [&](const BodyMotion& motion, const ContactAnchor& anchor, const RowGrip& grip) {
    return of(motion, grip, anchor.kind == ContactAnchor::world_axes ? motion.centre : row.point);
  };
  return there(a, row.anchor_a, row.a) - there(b, row.anchor_b, row.b);
}

Vec3 way_along(const Row& row, const BodyMotion& a, const BodyMotion& b) {
  return row.law.h * velocity_along(row, a, b, [&](const BodyMotion& motion, const RowGrip& grip, const Vec3& place) {
           return mean_velocity(motion, grip, place, row.law.h);
         });
}

}  // namespace

void follow_surface(const RowSetting& on, const Contact& contact, double credit, Row& row) {
  row.curve.lies = true;
  const Vec3 velocity = velocity_along(
      row, on.a, on.b,
      [](const BodyMotion& motion, const RowGrip& grip, const Vec3& at) { return start_velocity(motion, grip, at); });
  if (velocity.norm() < kRests * row.law.h * on.model.gravity.norm()) return;
  const auto across_it = [&](const ContactStart& s) { return std::abs(s.normal.dot(velocity)); };
  const ContactStart& start =
      *std::min_element(contact.starts.begin(), contact.starts.end(),
                        [&](const ContactStart& x, const ContactStart& y) { return across_it(x) < across_it(y); });
  const Vec3 &began = start.normal, half = (began + contact.normal).normalized();
  lay_row(on, contact, half, row);
  RowCurve& curve = row.curve;
  curve.curves = true;
  curve.lain = start.gap;
  curve.onto = contact.normal;
  curve.gap = contact.gap - curve.onto.dot(way_along(row, on.seen_a, on.seen_b));
  curve.comes = curve.leaves = velocity.dot(began - half);
  const double coming = -velocity.dot(began);
  if (coming > row.law.rest_speed) return;
  if (began.dot(contact.normal) > kOneWay) {
    // Where an edge has left it above weight brings it down, and what that gives is kept.
    curve.comes = curve.leaves = 0;
    curve.follows = row.gap + row.law.h * (row.before - 0.5 * row.law.closing * row.law.h) < 0;
    return;
  }
  if (curve.comes <= 0) return;
  // What does not come to where the surface turns lies on what it lay on.
  if (row.gap + row.law.h * row.before >= 0) {
    lay_row(on, contact, began, row);
    curve = RowCurve();
    curve.lies = true;
    return;
  }
  curve.follows = true;
  const double inverse = inverse_mass_between(on.a, on.b);
  const Vec3 turn = began - contact.normal, along = velocity + coming * began;
  const double across = along.dot(turn) / turn.norm();
  const double load = curve.leaves - row.before + row.law.closing * row.law.h;
  if (!(inverse > 0 && across > 0 && load > 0)) return;
  const double end = row.gap + 0.5 * row.law.h * (row.before + std::min(curve.leaves, -row.before));
  const double lift = end < 0 ? taken_out(-end, std::clamp(-curve.lain, 0.0, -end), row.law.h) : -end;
  const double wanted = kGivenBack * credit * inverse - std::max(0.0, row.law.closing * lift);  // m²/s²
  const double most = 0.5 * turn.norm(), tilt = std::clamp(wanted / (load * across), -most, most);
  if (tilt == 0) return;
  lay_row(on, contact, (half + tilt / turn.norm() * turn).normalized(), row);
  curve.comes = velocity.dot(began - row.normal);
  curve.leaves = row.normal.dot(Quat::FromTwoVectors(began, contact.normal) * along);
}

double curved_end_gap(const Row& row, const BodyMotion& a, const BodyMotion& b) {
  return row.curve.gap + row.curve.onto.dot(way_along(row, a, b));
}

}  // namespace hazumi
