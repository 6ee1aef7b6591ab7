#include "core/sim/body/response.h"

namespace hazumi {

Mat3 coupling(const Body& body, std::span<const double> values, const ContactAnchor& i, const ContactAnchor& j) {
  std::vector<double> du(body.velocity_size());
  Mat3 w;
  for (int k = 0; k < 3; ++k) {
    const AnchorImpulse unit = {j, Vec3::Unit(k)};
    body.respond(values, {&unit, 1}, du);
    w.col(k) = body.velocity_at(values, du, i);
  }
  return w;
}

Mat3 mobility(const Body& body, std::span<const double> values, const ContactAnchor& anchor) {
  return coupling(body, values, anchor, anchor);
}

void apply_response(const Body& body, std::span<double> values, std::span<const double> du, double h) {
  const double share = body.before() == Before::start ? 0.5 * h : h;
  std::vector<double> dx(du.begin(), du.end());
  for (double& x : dx) x *= share;
  body.add_velocity(values, du);
  body.displace(values, dx);
}

double displacement_cost(const Body& body, std::span<const double> values, std::span<const double> dx, const Vec3& g) {
  std::vector<double> moved(values.begin(), values.end());
  body.displace(moved, dx);
  const Observables before = body.observe(values), after = body.observe(moved);
  return after.kinetic_energy - before.kinetic_energy + after.elastic_energy - before.elastic_energy -
         body.mass * g.dot(after.centre - before.centre);
}

}  // namespace hazumi
