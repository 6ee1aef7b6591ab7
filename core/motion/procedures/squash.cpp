// Directs contact: from when it touches until it leaves, its rest shape is driven so that its centre of mass goes as asked, for so many
// frames or so deep (issue of contact directed; spec 7.1).
//
//   s     height of the centre of mass over the plane of contact along its normal, m; s₀ when it touched
//   v, e  speed at which it came, m/s; share of it with which it leaves
//   T     how long it touches, s
//   q     1 − s/s₀, by how much it is squashed; a, by how much its rest shape is
//
// The push of contact is half a sine, so that s″ = (1 + e) v π/(2T) sin(π t/T), and s is deepest at cos(π t/T) = (e − 1)/(1 + e):
//   D = v T (φ/π − ½ (1 + e)(φ − sin φ)/π),   φ = arccos((e − 1)/(1 + e))
// One of T and D follows from the other. Of an affine squash that stands on the plane (S = Σ m y², k its stiffness, by the body's own energy)
//   (S/s₀) s″ + m g s₀ = k (q − a)
// gives the a that is wanted; what is left is steered against, ω at most a third of a sub-step's rate. Then the rest shape comes back slower
// than the body rises, so that it does not touch again.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kBy[] = {"depth", "frames"};
constexpr ParameterRow kSquashRows[] = {
    {.name = "by",
     .label = "Directed by",
     .tooltip = "What is asked for: how deep it is squashed, or how many frames it touches. The other follows from it and the speed.",
     .type = FieldType::choice,
     .choices = kBy},
    {.name = "depth",
     .label = "Squash",
     .unit = "%",
     .tooltip = "By how much of its height it is squashed at most.",
     .low = 1,
     .high = 70,
     .fallback = 30},
    {.name = "frames", .label = "Frames", .tooltip = "How many frames it touches.", .low = 0.5, .high = 1000, .fallback = 4},
    number_row("restitution", "Bounce", "", "Speed with which it leaves, of that with which it came.", 0, 1.5, 0.7),
    number_row("slowest", "Not below", "m/s", "A collision slower than this is left to physics.", 0, 1e5, 0.5)};
enum Row : std::size_t { kByRow, kDepth, kFrames, kRestitution, kSlowest };

enum Memory : std::size_t {
  kPhase,    // 0 waits, 1 touches, 2 its rest shape comes back
  kSince,    // s, of the run
  kSpeed,    // v
  kLasts,    // T
  kHeight,   // s₀
  kPlane,    // n·x of the plane
  kNormal,   // n, world
  kInertia = kNormal + 3,  // S
  kStiff,                  // k
  kLeft,                   // a as it was let go
  kBack,                   // s, how long that takes
  kBefore,                 // velocity before
  kCount = kBefore + 3
};

Vec3 vector_of(std::span<const double> memory, std::size_t at) { return {memory[at], memory[at + 1], memory[at + 2]}; }
void put(std::span<double> memory, std::size_t at, const Vec3& v) {
  for (int k = 0; k < 3; ++k) memory[at + static_cast<std::size_t>(k)] = v[k];
}

/// The push as a share of its mean, from 0 to 1 of the time: up in a tenth, down in a tenth; its sums once and twice.
constexpr double kRamp = 0.1;
struct Pulse {
  double push, once, twice;
};
Pulse pulse(double x) {
  const double top = 1 / (1 - kRamp);
  x = std::clamp(x, 0.0, 1.0);
  if (x < kRamp) return {top * x / kRamp, top * x * x / (2 * kRamp), top * x * x * x / (6 * kRamp)};
  const double y = x - kRamp, once = top * kRamp / 2, twice = top * kRamp * kRamp / 6;
  if (x <= 1 - kRamp) return {top, once + top * y, twice + once * y + top * y * y / 2};
  // From the end backwards: once(1) = 1, twice(1) = 1/2 by symmetry.
  const double z = 1 - x;
  return {top * z / kRamp, 1 - top * z * z / (2 * kRamp), 0.5 - z + top * z * z * z / (6 * kRamp)};
}

/// D over v T: where once = 1/(1 + e).
double depth_share(double e) {
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    ((1 + e) * pulse(middle).once < 1 ? low : high) = middle;
  }
  return low - (1 + e) * pulse(low).twice;
}

RestShape squashed(const Vec3& axis, double a) { return RestShape::stretched(axis, 1 - a, 1 / std::sqrt(1 - a)); }

/// k of an affine squash along an axis of the object.
double stiffness_of(const MotionContext& context, const Vec3& axis) {
  constexpr double kSmall = 1e-3;
  const Body& body = context.of_body();
  std::vector<double> values(context.values().begin(), context.values().end());
  const RestShape own = body.shape(values);
  double energy[3];
  for (int k = 0; k < 3; ++k) {
    RestShape shape = own;
    shape += squashed(axis, kSmall * (k - 1));
    body.take_shape(values, shape);
    energy[k] = body.observe(values).elastic_energy;
  }
  return (energy[0] + energy[2] - 2 * energy[1]) / (kSmall * kSmall);
}

void begin_contact(const MotionContext& context, std::span<double> memory, const ContactEvent& contact, double speed) {
  const Body& body = context.of_body();
  const Vec3 normal = contact.a == body.id ? contact.normal : Vec3(-contact.normal);
  std::vector<Vec3> nodes(body.truss.nodes.size());
  body.positions(context.before.bodies[context.body].values, nodes);
  const double plane = normal.dot(contact.point), share = body.mass > 0 ? 1 : 0;
  const Vec3 centre = centre_of(context.model, context.before, context.body);
  double inertia = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double y = normal.dot(nodes[i]) - plane;
    inertia += share * body.truss.masses[i] * y * y;
  }
  const double e = context.parameters[kRestitution], height = normal.dot(centre) - plane;
  double lasts = context.parameters[kFrames] / context.model.frame_rate;
  if (context.parameters[kByRow] == 0) lasts = 0.01 * context.parameters[kDepth] * height / (speed * depth_share(e));
  // No deeper than a shape can be thought of.
  lasts = std::min(lasts, 0.75 * height / (speed * depth_share(e)));
  memory[kPhase] = 1;
  memory[kSince] = context.time(static_cast<double>(contact.substep) + contact.moment);
  memory[kSpeed] = speed;
  memory[kLasts] = lasts;
  memory[kHeight] = height - speed * (contact.moment * context.model.step);
  memory[kPlane] = plane;
  put(memory, kNormal, normal);
  memory[kInertia] = inertia;
  const Pose pose = body.pose(context.values());
  memory[kStiff] = stiffness_of(context, pose.rotation.conjugate() * normal);
}

/// a that is asked for in the sub-step that begins at time `now`.
double wanted(const MotionContext& context, std::span<const double> memory, double now) {
  const double h = context.model.step, e = context.parameters[kRestitution], v = memory[kSpeed], T = memory[kLasts];
  const double t = now - memory[kSince];
  const Pulse now_pulse = pulse(t / T), middle = pulse((t + 0.5 * h) / T);
  const Vec3 n = vector_of(memory, kNormal);
  const double s = n.dot(centre_of(context.model, context.state, context.body)) - memory[kPlane];
  const double rate = n.dot(velocity_of(context.model, context.state, context.body));
  const double gain = (1 + e) * v;
  const double s_wanted = memory[kHeight] - v * t + gain * T * now_pulse.twice;
  const double rate_wanted = -v + gain * now_pulse.once;
  const double push = gain / T * middle.push;
  static const double kk = std::getenv("FB") ? std::atof(std::getenv("FB")) : 12; const double omega = std::min(1 / (3 * h), kk / T);
  const double asked = push + 2 * omega * (rate_wanted - rate) + omega * omega * (s_wanted - s);
  const double weight = -n.dot(weight_of(context));
  const double s0 = memory[kHeight], q = 1 - s / s0;
  const double a = q - (memory[kInertia] / s0 * asked + context.of_body().mass * weight * s0) / memory[kStiff];
  return std::clamp(a, -1.0, 0.9);
}

void squash_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                   BodyForces& forces) {
  if (!context.of_body().deforms) return;
  if (memory[kPhase] == 0) return;
  tell_contacts(context, own, 0, 0.5, forces);
  const double now = context.time(static_cast<double>(context.state.substep));
  double a = 0;
  if (memory[kPhase] == 1) {
    a = wanted(context, memory, now);
  } else {
    const double x = std::clamp((now - memory[kSince]) / memory[kBack], 0.0, 1.0);
    a = memory[kLeft] * (1 - x * x * (3 - 2 * x));
  }
  const Pose pose = context.of_body().pose(context.values());
  forces.shape += squashed(pose.rotation.conjugate() * vector_of(memory, kNormal), a);
}

bool squash_over(const MotionContext& context, const RunningProcedure&, std::span<double> memory,
                 const StepReport& report) {
  const double h = context.model.step, end = context.time(static_cast<double>(context.state.substep + 1));
  const Id id = context.of_body().id;
  if (memory[kPhase] == 0 || memory[kPhase] == 2)
    for (const ContactEvent& contact : report.contacts) {
      if ((contact.a != id && contact.b != id) || !context.is_other(contact.a == id ? contact.b : contact.a)) continue;
      const Vec3 normal = contact.a == id ? contact.normal : Vec3(-contact.normal);
      const double speed = -normal.dot(vector_of(memory, kBefore));
      if (speed <= std::max(context.parameters[kSlowest], 1e-6)) continue;
      begin_contact(context, memory, contact, speed);
      break;
    }
  if (memory[kPhase] == 1 && end >= memory[kSince] + memory[kLasts] - 0.5 * h) {
    const Vec3 n = vector_of(memory, kNormal);
    const double s = n.dot(centre_of(context.model, context.state, context.body)) - memory[kPlane];
    const double e = context.parameters[kRestitution];
    memory[kPhase] = 2;
    memory[kSince] = end;
    memory[kLeft] = std::clamp(1 - s / memory[kHeight], -1.0, 0.9);
    memory[kBack] = std::max(4 * h, 1.5 * 1.5 * std::abs(memory[kLeft]) * memory[kHeight] / std::max(e * memory[kSpeed], 1e-3));
  }
  if (memory[kPhase] == 2 && end >= memory[kSince] + memory[kBack]) memory[kPhase] = 0;
  put(memory, kBefore, velocity_of(context.model, context.state, context.body));
  return false;
}

void squash_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  put(memory, kBefore, velocity_of(context.model, context.state, context.body));
}

}  // namespace

const ProcedureKind& procedure_squash() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "squash",
        "Squash",
        "Directs how it touches: how deep it is squashed, or for how many frames, and how fast it leaves. For flexible bodies.",
        "squash {of} on {with} by {depth} or {frames}, bouncing with {restitution}",
        "Shape",
        kSquashRows,
        OtherUse::anything};
    k.memory = kCount;
    k.begin = squash_begin;
    k.direct = squash_direct;
    k.over = squash_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
