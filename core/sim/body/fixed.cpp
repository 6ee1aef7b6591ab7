// Stays where it is; others can hit it. No state; no impulse moves it: A⁻¹ = 0.
#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/body/body.h"
#include "core/sim/body/motion.h"

namespace hazumi {
namespace {

struct FixedBody final : Body {
  using Body::Body;

  std::size_t state_size() const override { return 0; }
  void initialise(std::span<double>) const override {}
  bool advance(double, const BodyForces&, const Vec3&, std::span<const double>, std::span<double>, ElasticWorkspace&,
               BodyMotion*) const override {
    return true;
  }
  Pose pose(std::span<const double>) const override { return start; }
  Observables observe(std::span<const double>) const override {
    Observables o;
    o.mass = mass;
    if (!mesh->empty()) o.volume = mesh_volume(mesh->positions, mesh->faces);
    o.centre = start.position;
    return o;
  }

  Vec3 centre_velocity(std::span<const double>, std::vector<Vec3>&) const override { return Vec3::Zero(); }
  void motion(double, std::span<const double>, std::span<const double>, BodyMotion& out) const override {
    out.origin = out.centre = start.position;
    out.attitude = out.mean_attitude = start.rotation.toRotationMatrix();
  }
  void shift(std::span<double>, const BodyForces&, const BodyMotion&) const override {}
  void add_turn(std::span<double>, const Vec3&, const Vec3&) const override {}
  void stay(std::span<const double>, std::span<double>, const Vec3&, const Vec3&) const override {}
  void slow(std::span<double>, double) const override {}
};

}  // namespace

HAZUMI_BODY_KIND(10, fixed, follows)

const BodyInfo& body_fixed() {
  static const BodyInfo info = {"fixed", "fixed", [](const Truss&, bool led) { return !led; }, &make_body<FixedBody>};
  return info;
}

}  // namespace hazumi
