#include "core/sim/contact/impact.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/sim/contact/hertz.h"

namespace hazumi {
namespace {

constexpr double kSameWay = 0.7;       // cosine: normals of one region
constexpr double kRegion = 0.5;        // of the smaller body's reach: farther apart is another region
constexpr double kDepthAllowed = 2.0;  // of α_m: an e = 0 pulse sinks to π/2 / 1.068 = 1.47 α_m

/// Curvature of the surface that takes part in the contact, 1/m; flat ones 0.
double curvature(const Body& body) {
  const ContactProxy& p = body.proxy;
  return (p.info && p.info->flat) || p.radius <= 0 ? 0.0 : 1.0 / p.radius;
}

/// Two flat faces touch with no point first: the smaller extent of the thing that moves stands for its roundness.
double pair_stiffness(const Body& a, const Body& b) {
  double sum = curvature(a) + curvature(b);
  if (sum == 0) {
    double radius = 1e300;
    for (const Body* body : {&a, &b})
      if (body->moves && body->proxy.radius > 0) radius = std::min(radius, body->proxy.radius);
    sum = 1.0 / (radius < 1e300 ? radius : 0.01);
  }
  return hertz_stiffness(hertz_delta(a.hertz_young, a.substance.poisson),
                         hertz_delta(b.hertz_young, b.substance.poisson), {0.5 * sum, 0.5 * sum});
}

struct Place {
  Vec3 a, b, middle;
};

Place place(const BodyMotion& a, const BodyMotion& b, const PulsePoint& point) {
  Place p{a.point(point.a), b.point(point.b), Vec3::Zero()};
  p.middle = a.movable() ? p.a : p.b;
  return p;
}

Vec3 centre_of(const BodyMotion& a, const BodyMotion& b, const ContactPulse& pulse) {
  Vec3 sum = Vec3::Zero();
  for (const PulsePoint& point : pulse.points) sum += point.share * place(a, b, point).middle;
  return sum;
}

/// Share θ ≤ wanted of `impulse` that may drive deformation so that its energy stays within the budget:
/// ½ θ² J² w + θ J v ≤ E, w the mobility of the deformation and v its speed along the normal.
double deformation_share(const BodyMotion& a, const BodyMotion& b, const ContactPulse& pulse, double impulse,
                         double wanted, double budget, double& used) {
  double mobility = 0, speed = 0;
  for (const PulsePoint& point : pulse.points) {
    // Upper bound: places that share nodes act together.
    mobility +=
        point.share * (a.deformation_mobility(point.a, pulse.normal) + b.deformation_mobility(point.b, pulse.normal));
    speed += point.share * pulse.normal.dot(a.deformation_velocity(point.a) - b.deformation_velocity(point.b));
  }
  used = 0;
  if (mobility <= 0 || wanted <= 0) return 0;
  const double qa = 0.5 * impulse * impulse * mobility, qb = impulse * speed;
  const double root = qb * qb + 4 * qa * std::max(budget, 0.0);
  const double most = (-qb + std::sqrt(root)) / (2 * qa);
  const double share = std::clamp(most, 0.0, wanted);
  used = share * (qa * share + qb);
  return share;
}

/// The impulse of a pulse over [from, to] seconds since its start; `rest` is the time from `to` to the end of the sub-step.
void give(const ImpactContext& context, ContactPulse& pulse, double from, double to, double rest) {
  BodyMotion &a = context.motions[pulse.body_a], &b = context.motions[pulse.body_b];
  const Vec3 n = pulse.normal;
  const Vec3 middle = centre_of(a, b, pulse);
  const double mobility = a.rigid_mobility(middle, n) + b.rigid_mobility(middle, n);
  if (!can_answer(a, b, mobility)) return;
  const double speed = n.dot(a.rigid_velocity(middle) - b.rigid_velocity(middle));
  double impulse = pulse_impulse(pulse.impulse, pulse.duration, from, to);
  // Rounding of the last part must not count as "pushed by something else".
  const double room = (pulse.rebound_speed - speed) / mobility + 1e-12 * pulse.impulse;
  impulse = std::min(impulse, std::max(room, 0.0));
  if (impulse <= 0) return;

  double used = 0;
  const double share = deformation_share(a, b, pulse, impulse, pulse.deformation, pulse.energy_left, used);
  pulse.energy_left -= used;
  const double later = rest + (to - pulse_centroid(pulse.duration, from, to));  // from the kick to the end

  const Vec3 total = impulse * n;
  const auto push = [&](const Vec3& whole, double deform) {
    for (const PulsePoint& point : pulse.points) {
      const Vec3 p = place(a, b, point).middle, part = point.share * whole;
      a.add_impulse(point.a, p, part, deform);
      b.add_impulse(point.b, p, -part, deform);
      a.add_shift(point.a, p, later * part, deform);
      b.add_shift(point.b, p, -later * part, deform);
    }
  };
  const Vec3 velocity_a = a.velocity(), velocity_b = b.velocity();
  push(total, share);

  const Vec3 relative = a.rigid_velocity(middle) - b.rigid_velocity(middle);
  const Vec3 slide = relative - n * n.dot(relative);
  if (slide.norm() > 1e-12 && pulse.friction > 0) {
    const Vec3 t = slide.normalized();
    const double w = a.rigid_mobility(middle, t) + b.rigid_mobility(middle, t);
    push(-std::min(slide.norm() / w, pulse.friction * impulse) * t, 0);
  }
  // A speed of approach that is looked up at an earlier moment of this sub-step must know of the kick.
  context.velocity_from[pulse.body_a] += a.velocity() - velocity_a;
  context.velocity_from[pulse.body_b] += b.velocity() - velocity_b;
}

/// Mean place and normal of contacts [begin, end) of one pair that look the same way.
struct Region {
  std::vector<Contact*> contacts;
  Vec3 normal = Vec3::Zero(), place = Vec3::Zero();
  double moment = 1, depth = 0;
};

/// The deepest places count most; those only just in touch not nothing.
double depth_weight(const Contact& c, double deepest) { return c.slop - c.gap + 1e-3 * deepest + 1e-3 * c.slop; }

std::vector<Region> regions_of(std::vector<Contact>& contacts, std::size_t begin, std::size_t end) {
  std::vector<Region> regions;
  for (std::size_t k = begin; k < end; ++k) {
    Contact& c = contacts[k];
    if (!touches(c)) continue;
    auto region = std::find_if(regions.begin(), regions.end(),
                               [&](const Region& r) { return r.contacts.front()->normal.dot(c.normal) > kSameWay; });
    if (region == regions.end()) region = regions.emplace(regions.end());
    region->contacts.push_back(&c);
    region->depth = std::max(region->depth, -c.gap);
  }
  for (Region& r : regions) {
    double sum = 0;
    for (const Contact* c : r.contacts) {
      const double w = depth_weight(*c, r.depth);
      sum += w;
      r.normal += w * c->normal;
      r.place += w * c->point;
      r.moment = std::min(r.moment, c->moment);
    }
    r.normal.normalize();
    r.place /= sum;
  }
  return regions;
}

void spread(const Region& region, ContactPulse& pulse) {
  constexpr std::size_t kMost = 8;  // places of one pulse: the deepest ones
  std::vector<Contact*> deepest = region.contacts;
  std::stable_sort(deepest.begin(), deepest.end(), [](const Contact* a, const Contact* b) { return a->gap < b->gap; });
  if (deepest.size() > kMost) deepest.resize(kMost);
  double sum = 0;
  for (const Contact* c : deepest) sum += depth_weight(*c, region.depth);
  for (const Contact* c : deepest) pulse.points.push_back({depth_weight(*c, region.depth) / sum, c->a, c->b});
}

}  // namespace

double pair_restitution(const Body& a, const Body& b) {
  return std::sqrt(a.substance.restitution * b.substance.restitution);
}
double pair_friction(const Body& a, const Body& b) { return std::sqrt(a.substance.friction * b.substance.friction); }

void continue_pulses(const ImpactContext& context, std::vector<ContactPulse>& pulses) {
  const double h = context.model.step;
  for (ContactPulse& pulse : pulses) {
    const double from = pulse.elapsed, to = std::min(pulse.duration, from + h);
    give(context, pulse, from, to, h - (to - from));
    pulse.elapsed = from + h;
  }
  std::erase_if(pulses, [](const ContactPulse& p) { return p.elapsed >= p.duration; });
}

std::vector<std::uint32_t> begin_pulses(const ImpactContext& context, std::vector<Contact>& contacts,
                                        std::vector<ContactPulse>& pulses, std::vector<ContactEvent>& events) {
  std::vector<std::uint32_t> hit;
  const Model& model = context.model;
  const double h = model.step;
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    const std::uint32_t ia = contacts[begin].body_a, ib = contacts[begin].body_b;
    while (end < contacts.size() && contacts[end].body_a == ia && contacts[end].body_b == ib) ++end;
    const Body &body_a = model.bodies[ia], &body_b = model.bodies[ib];
    BodyMotion &a = context.motions[ia], &b = context.motions[ib];
    double size = 1e300;
    for (std::uint32_t i : {ia, ib})
      if (!context.shapes[i].unbounded())
        size = std::min(size, std::max(context.shapes[i].size, model.bodies[i].proxy.radius));

    for (Region& region : regions_of(contacts, begin, end)) {
      std::uint64_t number = 0;
      const ContactPulse* open = nullptr;
      for (const ContactPulse& pulse : pulses) {
        if (pulse.body_a != ia || pulse.body_b != ib) continue;
        number = std::max(number, pulse.region + 1);
        if (pulse.normal.dot(region.normal) > kSameWay &&
            (centre_of(a, b, pulse) - region.place).norm() < kRegion * size)
          open = &pulse;
      }
      const auto hold = [&](double depth) {
        for (Contact* c : region.contacts) c->in_pulse = -c->gap < depth;
      };
      if (open) {
        hold(open->depth);
        continue;
      }
      // Speed of approach at the moment of touch: gravity acts on the way there.
      const double s = region.moment;
      const auto back = [&](const BodyMotion& m, std::uint32_t i) {
        return Vec3((1 - s) * (context.velocity_from[i] - m.velocity()));
      };
      ContactPulse pulse;
      pulse.normal = region.normal;
      spread(region, pulse);
      const Vec3 middle = centre_of(a, b, pulse);
      const Vec3 at_end = a.rigid_velocity(middle) - b.rigid_velocity(middle);
      const double speed = -region.normal.dot(at_end + back(a, ia) - back(b, ib));
      const double n1 = a.rigid_mobility(middle, region.normal) + b.rigid_mobility(middle, region.normal);
      if (!(speed > model.rest_speed) || !can_answer(a, b, n1)) continue;

      const double e = pair_restitution(body_a, body_b);
      const HertzPulse hertz = hertz_pulse(n1, pair_stiffness(body_a, body_b), speed, e);
      pulse.body_a = ia;
      pulse.body_b = ib;
      pulse.region = number;
      pulse.start_substep = context.substep;
      pulse.duration = hertz.duration;
      pulse.impulse = hertz.impulse;
      pulse.peak_force = hertz.peak;
      // Gravity goes on while they touch: in a uniform field it takes the same from the end as from the speed of approach.
      pulse.rebound_speed = std::max(e * speed, hertz.impulse * n1 + region.normal.dot(at_end));
      pulse.friction = pair_friction(body_a, body_b);
      pulse.depth = kDepthAllowed * hertz.approach;
      pulse.energy_left = std::min(0.5 * (1 - e * e) * speed * speed / n1,
                                   std::max(body_a.deformation_energy(), body_b.deformation_energy()));
      double used = 0;
      const double softest = std::max(a.softness(), b.softness());
      pulse.deformation = softest * deformation_share(a, b, pulse, pulse.impulse, 1.0, pulse.energy_left, used);

      // After an earlier impact in this sub-step the way to this one began later.
      const double begun = std::max(context.shapes[ia].moment, context.shapes[ib].moment);
      const double left = (1 - s) * (1 - begun) * h, to = std::min(left, pulse.duration);
      give(context, pulse, 0, to, left - to);
      pulse.elapsed = left;
      events.push_back({body_a.id, body_b.id, context.substep, middle, region.normal, speed, hertz.impulse,
                        hertz.physical_peak, hertz.peak, hertz.duration});
      for (std::uint32_t i : {ia, ib})
        if (context.motions[i].movable()) hit.push_back(i);
      if (pulse.elapsed < pulse.duration) {
        hold(pulse.depth);
        pulses.push_back(std::move(pulse));
      }
    }
  }
  std::stable_sort(pulses.begin(), pulses.end(), [](const ContactPulse& x, const ContactPulse& y) {
    return std::tie(x.body_a, x.body_b, x.region, x.start_substep) <
           std::tie(y.body_a, y.body_b, y.region, y.start_substep);
  });
  std::sort(hit.begin(), hit.end());
  hit.erase(std::unique(hit.begin(), hit.end()), hit.end());
  return hit;
}

}  // namespace hazumi
