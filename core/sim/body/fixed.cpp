// Stays where it is; others can hit it. No state; no impulse moves it: A⁻¹ = 0.
#include "core/geometry/mesh/mass_properties.h"
#include "core/sim/body/body.h"
#include "core/sim/contact/body_motion.h"

namespace hazumi {
namespace {

struct FixedBody final : Body {
  using Body::Body;

  std::size_t state_size() const override { return 0; }
  void initialise(std::span<double>) const override {}
  bool advance(double, const BodyForces&, const Vec3&, std::span<double>, ElasticWorkspace&) const override {
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
  void load(std::span<const double>, std::span<const Vec3>, MotionNow& now) const override {
    now.centre = now.mass_centre = start.position;
    now.rotation = start.rotation;
  }
  void store(BodyMotion&, std::span<double>) const override {}

  std::size_t velocity_size() const override { return 0; }
  void velocities(std::span<const double>, std::span<double>) const override {}
  Vec3 velocity_at(std::span<const double>, std::span<const double>, const ContactAnchor&) const override {
    return Vec3::Zero();
  }
  void respond(std::span<const double>, std::span<const AnchorImpulse>, std::span<double>) const override {}
  void add_velocity(std::span<double>, std::span<const double>) const override {}
  void displace(std::span<double>, std::span<const double>) const override {}
};

}  // namespace

HAZUMI_BODY_KIND(10, fixed, stands)

const BodyInfo& body_fixed() {
  static const BodyInfo info = {"fixed", "fixed", nullptr, &make_body<FixedBody>};
  return info;
}

}  // namespace hazumi
