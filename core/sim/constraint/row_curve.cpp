#include "core/sim/constraint/row_curve.h"

#include <algorithm>
#include <cmath>

namespace hazumi {
namespace {

constexpr double kGivenBack = 0.9;  // of the credit: what the row works is known to second order

/// Of a ball its centre's: what its surface does of that goes with its spin.
Vec3 velocity_along(const RowSetting& on, const Row& row) {
  const auto of = [&](const BodyMotion& motion, const ContactAnchor& anchor, const RowGrip& grip) {
    return start_velocity(motion, grip, anchor.kind == ContactAnchor::world_axes ? motion.centre : row.point);
  };
  return of(on.a, row.anchor_a, row.a) - of(on.b, row.anchor_b, row.b);
}

}  // namespace

void follow_surface(const RowSetting& on, const Contact& contact, double credit, Row& row) {
  row.curve.lies = true;
  const Vec3 velocity = velocity_along(on, row);
  if (velocity.norm() < row.law.h * on.model.gravity.norm()) return;  // it rests
  const auto across_it = [&](const ContactStart& s) { return std::abs(s.normal.dot(velocity)); };
  const ContactStart& start =
      *std::min_element(contact.starts.begin(), contact.starts.end(),
                        [&](const ContactStart& x, const ContactStart& y) { return across_it(x) < across_it(y); });
  const Vec3 &began = start.normal, half = (began + contact.normal).normalized();
  lay_row(on, contact, half, row);
  RowCurve& curve = row.curve;
  curve.curves = true;
  curve.lain = start.gap;
  curve.comes = curve.leaves = velocity.dot(began - half);
  const double coming = -velocity.dot(began);
  if (curve.comes <= 0 || coming > row.law.rest_speed) return;
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
  curve.pays = -tilt * load * across / inverse;
}

}  // namespace hazumi
