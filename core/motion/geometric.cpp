#include "core/motion/geometric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/motion/classes.h"
#include "core/motion/sight.h"
#include "core/sim/body/rigid_values.h"

namespace hazumi {
namespace {

constexpr double kNear = 1e-9;        // m and m/s, relative too: it is where its path has it
constexpr double kOnePlane = 0.9999;  // cosine of the normals of what is flat

enum class Phase { free, flight, ground };

struct Path {
  Phase phase = Phase::free;
  double since = 0;      // s, of the run
  std::uint32_t on = 0;  // number of what it touches, or bounced off; no body: nothing
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero(), normal = Vec3::Zero();
  double radius = 0;   // ρ, 0: it is not round
  double lighter = 0;  // 1/κ
};

constexpr double kNothing = -1;

Path read_path(std::span<const double> m) {
  const auto three = [&](std::size_t at) { return Vec3(m[at], m[at + 1], m[at + 2]); };
  Path path;
  path.phase = static_cast<Phase>(static_cast<int>(m[0]));
  path.since = m[1];
  path.on = m[2] == kNothing ? std::numeric_limits<std::uint32_t>::max() : static_cast<std::uint32_t>(m[2]);
  path.place = three(3);
  path.velocity = three(6);
  path.spin = three(9);
  path.normal = three(12);
  path.radius = m[15];
  path.lighter = m[16];
  return path;
}

void write_path(const Path& path, std::span<double> m) {
  const auto put = [&](std::size_t at, const Vec3& v) { std::copy_n(v.data(), 3, m.begin() + static_cast<long>(at)); };
  m[0] = static_cast<double>(path.phase);
  m[1] = path.since;
  m[2] = path.on == std::numeric_limits<std::uint32_t>::max() ? kNothing : static_cast<double>(path.on);
  put(3, path.place);
  put(6, path.velocity);
  put(9, path.spin);
  put(12, path.normal);
  m[15] = path.radius;
  m[16] = path.lighter;
}

struct Where {
  Vec3 centre, velocity, spin;
};

struct Slope {
  double pressed;  // N
  Vec3 along;      // a_t
};
Slope slope_of(const Path& path, const GeometricLaw& law) {
  const double pressed = -law.acceleration.dot(path.normal);
  return {pressed, law.acceleration + pressed * path.normal};
}

Vec3 slip_of(const Path& path) { return path.velocity - path.radius * path.spin.cross(path.normal); }

/// T: how long it slips, or until it has come to rest.
double slip_time(const Path& path, const GeometricLaw& law) {
  const Slope slope = slope_of(path, law);
  if (law.ground == GeometricLaw::Ground::lands) {
    const double fast = std::max(path.velocity.norm(), path.radius * path.spin.norm());
    return fast > 0 ? fast / (law.friction * slope.pressed) : 0;
  }
  const Vec3 slip = slip_of(path);
  const double fast = slip.norm();
  if (!(fast > 1e-12)) return 0;
  const double brakes = law.friction * slope.pressed * (1 + path.lighter) - slope.along.dot(slip) / fast;
  return brakes > 0 ? fast / brakes : std::numeric_limits<double>::infinity();
}

Where on_ground(const Path& path, const GeometricLaw& law, double t) {
  const Slope slope = slope_of(path, law);
  const double end = slip_time(path, law), past = std::min(t, end);
  if (law.ground == GeometricLaw::Ground::lands) {
    const double left = end > 0 ? 1 - past / end : 0;
    return {path.place + 0.5 * (1 + left) * past * path.velocity, left * path.velocity, left * path.spin};
  }
  const Vec3 slip = slip_of(path), way = slip.norm() > 1e-12 ? Vec3(slip.normalized()) : Vec3(Vec3::Zero());
  const double rubs = law.friction * slope.pressed;
  const Vec3 gained = slope.along - rubs * way;
  Where at{path.place + past * path.velocity + 0.5 * past * past * gained, path.velocity + past * gained, path.spin};
  if (path.radius > 0) at.spin += past * rubs * path.lighter / path.radius * path.normal.cross(way);
  if (t < end) return at;
  const double more = t - end;
  if (!(path.radius > 0)) {  // it stands, or goes down what is too steep for it
    const double steep = slope.along.norm();
    at.velocity = steep > rubs ? Vec3(more * (1 - rubs / steep) * slope.along) : Vec3(Vec3::Zero());
    at.centre += 0.5 * more * at.velocity;
    return at;
  }
  const Vec3 aside = at.velocity - path.radius * at.spin.cross(path.normal);  // slip that is left, along the slope
  at.velocity -= aside / (1 + path.lighter);
  const Vec3 rolls = path.lighter / (1 + path.lighter) * slope.along;
  at.centre += more * at.velocity + 0.5 * more * more * rolls;
  at.velocity += more * rolls;
  at.spin = path.normal.cross(at.velocity) / path.radius + path.spin.dot(path.normal) * path.normal;
  return at;
}

Where along(const Path& path, const GeometricLaw& law, double t) {
  if (path.phase == Phase::ground) return on_ground(path, law, t);
  return {path.place + t * path.velocity + 0.5 * t * t * law.acceleration, path.velocity + t * law.acceleration,
          path.spin};
}

double now(const MotionContext& context) { return context.time(static_cast<double>(context.state.substep)); }

/// 1/κ of a round body about an axis, and its radius; of what is not round both 0.
std::pair<double, double> roundness(const Body& body, std::span<const double> values, const Vec3& axis) {
  const ContactProxy& proxy = body.proxy;
  if (proxy.shape != ContactShape::sphere || !(proxy.radius > 0) || proxy.centre.norm() > 1e-9 * proxy.radius)
    return {0, 0};
  const JoinedBody joined = body.read_joined(values);
  if (!joined.turns) return {0, 0};
  const Vec3 own = joined.pose.rotation.conjugate() * axis;
  return {joined.mass * proxy.radius * proxy.radius / own.dot(joined.inertia * own), proxy.radius};
}

bool stands(const MotionContext& context, std::uint32_t on) {
  const Body& body = context.model.bodies[on];
  return !body.moves && context.before.bodies[on].values == context.state.bodies[on].values;
}

/// What touches it, ascending.
std::vector<std::uint32_t> touched(const MotionContext& context, const StepReport& report) {
  std::vector<std::uint32_t> all;
  const Id id = context.of_body().id;
  const auto add = [&](Id a, Id b) {
    if ((a == id) != (b == id)) all.push_back(context.model.bodies.number(a == id ? b : a));
  };
  for (const auto& [a, b] : report.touching) add(a, b);
  for (const ContactEvent& contact : report.contacts) add(contact.a, contact.b);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool meets(const Path& path, const GeometricLaw& law, const MotionContext& context, const StepReport& report) {
  const std::vector<std::uint32_t> all = touched(context, report);
  if (path.phase == Phase::ground) return all != std::vector<std::uint32_t>{path.on};
  const double end = now(context) + context.model.step - path.since;
  return std::any_of(all.begin(), all.end(), [&](std::uint32_t other) {
    return other != path.on || !(path.normal.dot(along(path, law, end).velocity) > 0);
  });
}

/// From a collision on that began in the sub-step that was: the flight after it.
bool bounce_off(const MotionContext& context, const GeometricLaw& law, const ContactEvent& hit, Path& path) {
  const Body& body = context.of_body();
  const bool first = hit.a == body.id;
  const std::uint32_t on = context.model.bodies.number(first ? hit.b : hit.a);
  if (!stands(context, on)) return false;
  const double h = context.model.step, e = *law.restitution;
  const Vec3 n = first ? hit.normal : Vec3(-hit.normal), a = law.acceleration;
  const Vec3 centre = centre_of(context.model, context.before, context.body),
             velocity = velocity_of(context.model, context.before, context.body),
             spin = spin_of(context.model, context.before, context.body);
  // n·(v + a t) of the gap; what is round turns under it as it likes
  const Vec3 sideways = n.unitOrthogonal();
  const double radius = roundness(body, context.before.bodies[context.body].values, sideways).second;
  const double gap = hit.moment * hit.approach_speed * h, down = n.dot(a);
  double closes = n.dot(velocity);
  if (!(radius > 0)) closes += n.dot(spin.cross(hit.point - centre));
  if (!(closes + down * h < 0)) return false;
  const double root = std::sqrt(std::max(closes * closes - 2 * down * gap, 0.0));
  const double tau = std::clamp(2 * gap / (root - closes), 0.0, h);
  Path next;
  next.velocity = velocity + tau * a;
  next.place = centre + tau * (velocity + 0.5 * tau * a);
  next.spin = spin;
  const double speed = -n.dot(next.velocity);
  if (!(speed > 0) || speed < law.until) return false;
  const Vec3 level = next.velocity + speed * n;
  next.radius = radius;
  const Vec3 slip = level - radius * spin.cross(n);
  if (const double fast = slip.norm(); fast > 0) {
    const Vec3 axis = n.cross(slip / fast);
    const double lighter = roundness(body, context.before.bodies[context.body].values, axis).first;
    const double lost = std::min(law.friction * (1 + e) * speed, fast / (1 + lighter));
    next.velocity -= lost * slip / fast;
    if (radius > 0) next.spin += lost * lighter / radius * axis;
  }
  next.velocity += (1 + e) * speed * n;
  next.phase = Phase::flight;
  next.since = context.time(static_cast<double>(hit.substep)) + tau;
  next.on = on;
  next.normal = n;
  path = next;
  return true;
}

/// From the end of the sub-step that was, on the only thing that it touches.
bool set_down(const MotionContext& context, const GeometricLaw& law, std::uint32_t on, const StepReport& report,
              Path& path) {
  const Body& body = context.of_body();
  if (!stands(context, on)) return false;
  Vec3 normal = Vec3::Zero();
  for (const ContactMark& mark : report.marks) {
    if (mark.a != body.id && mark.b != body.id) continue;
    const Vec3 n = mark.a == body.id ? mark.normal : Vec3(-mark.normal);
    if (normal != Vec3::Zero() && n.dot(normal) < kOnePlane * normal.norm()) return false;
    normal += n;
  }
  if (normal == Vec3::Zero()) return false;
  Path next;
  next.phase = Phase::ground;
  next.on = on;
  next.normal = normal.normalized();
  const Vec3 velocity = velocity_of(context.model, context.state, context.body);
  next.velocity = velocity - velocity.dot(next.normal) * next.normal;
  next.spin = spin_of(context.model, context.state, context.body);
  // It begins to turn against its slip, else down the slope.
  Vec3 way = next.velocity - body.proxy.radius * next.spin.cross(next.normal);
  if (!(way.norm() > 1e-9)) way = law.acceleration - law.acceleration.dot(next.normal) * next.normal;
  const Vec3 axis = way.norm() > 1e-9 ? Vec3(next.normal.cross(way.normalized())) : next.normal.unitOrthogonal();
  std::tie(next.lighter, next.radius) = roundness(body, context.values(), axis);
  if (std::abs(velocity.dot(next.normal)) > context.model.rest_speed) return false;
  if (!(next.radius > 0)) {  // it lies flat, and does not tumble
    const double reach = std::max(body.proxy.radius, body.proxy.half_extents.norm());
    if (next.spin.norm() * reach > context.model.rest_speed) return false;
    next.spin.setZero();
  }
  next.place = centre_of(context.model, context.state, context.body);
  next.since = now(context) + context.model.step;
  path = next;
  return true;
}

/// It is where its path has it, and touches nothing else.
bool is_kept(const Path& path, const GeometricPath& of, const GeometricLaw& law, const StepReport& report) {
  const MotionContext& c = of.context;
  if (meets(path, law, c, report)) return false;
  const Where at = along(path, law, now(c) + c.model.step - path.since);
  const Vec3 centre = centre_of(c.model, c.state, c.body), velocity = velocity_of(c.model, c.state, c.body);
  return (centre - at.centre).norm() <= kNear * (1 + centre.norm()) &&
         (velocity - at.velocity).norm() <= kNear * (1 + velocity.norm());
}

bool fly(const MotionContext& context, const State& from, double since, Path& path) {
  path = Path();
  path.phase = Phase::flight;
  path.since = since;
  path.on = std::numeric_limits<std::uint32_t>::max();
  path.place = centre_of(context.model, from, context.body);
  path.velocity = velocity_of(context.model, from, context.body);
  path.spin = spin_of(context.model, from, context.body);
  return true;
}

}  // namespace

std::string_view no_path(const Model& model, std::size_t body) {
  const Body& of = model.bodies[body];
  if (!of.moves) return "does not move";
  if (of.deforms) return "bends";
  if (of.pins() || !of.can_be_led()) return "hangs on pins";
  const auto number = static_cast<std::int32_t>(body);
  for (const ModelJoint& joint : model.joints)
    if (joint.a == number || joint.b == number) return "is held by joints";
  return "";
}

bool follows_path(const ProcedureKind& kind, const MotionContext& context) {
  return kind.law && is_geometric(kind, context.parameters) && no_path(context.model, context.body).empty();
}

void begin_path(const GeometricPath& of, std::span<double> memory) {
  const GeometricLaw law = of.kind.law(of.context, of.own);
  Path path;
  path.on = std::numeric_limits<std::uint32_t>::max();
  const ContactEvent* hit = of.context.hit;
  if (hit && law.restitution && of.context.is_other(hit->a == of.context.of_body().id ? hit->b : hit->a))
    bounce_off(of.context, law, *hit, path);
  write_path(path, memory);
}

std::optional<Lead> lead_on_path(const GeometricPath& of, std::span<const double> memory) {
  const MotionContext& c = of.context;
  const Path path = read_path(memory);
  if (path.phase == Phase::free) return std::nullopt;
  const GeometricLaw law = of.kind.law(c, of.own);
  const Body& body = c.of_body();
  const double h = c.model.step, begin = now(c) - path.since;
  const Where at = along(path, law, begin + h);
  Lead lead;
  lead.spin = at.spin;
  lead.pose.rotation = rotated(body.pose(c.values()).rotation, h * along(path, law, begin + 0.5 * h).spin);
  const Vec3 arm = lead.pose.rotation * body.mesh_origin;
  lead.pose.position = at.centre - arm;
  lead.velocity = at.velocity - at.spin.cross(arm);
  return lead;
}

bool gives_way(const GeometricPath& of, std::span<const double> memory, const StepReport& report) {
  const Path path = read_path(memory);
  return path.phase != Phase::free && meets(path, of.kind.law(of.context, of.own), of.context, report);
}

void follow_path(const GeometricPath& of, std::span<double> memory, const StepReport& report) {
  const MotionContext& c = of.context;
  const GeometricLaw law = of.kind.law(c, of.own);
  Path path = read_path(memory);
  if (path.phase != Phase::free && !is_kept(path, of, law, report)) path.phase = Phase::free;
  const std::vector<std::uint32_t> all = touched(c, report);
  if (path.phase == Phase::free && all.empty() && law.flies) {
    const bool first = law.at_once && c.state.substep == of.own.start;
    fly(c, first ? c.before : c.state, now(c) + (first ? 0 : c.model.step), path);
  } else if (path.phase == Phase::free && all.size() == 1) {
    const Id id = c.of_body().id;
    bool flies = false;
    for (const ContactEvent& contact : report.contacts)
      if ((contact.a == id || contact.b == id) && law.restitution &&
          c.is_other(contact.a == id ? contact.b : contact.a))
        flies = flies || bounce_off(c, law, contact, path);
    if (!flies && law.ground != GeometricLaw::Ground::none && c.is_other(c.model.bodies[all[0]].id))
      set_down(c, law, all[0], report, path);
  }
  write_path(path, memory);
}

std::optional<double> slips_for(const GeometricPath& of, std::span<const double> memory) {
  const Path path = read_path(memory);
  if (path.phase != Phase::ground) return std::nullopt;
  return path.since + slip_time(path, of.kind.law(of.context, of.own)) - now(of.context) - of.context.model.step;
}

bool touches_anything(const MotionContext& context, const StepReport& report) {
  return !touched(context, report).empty();
}

}  // namespace hazumi
