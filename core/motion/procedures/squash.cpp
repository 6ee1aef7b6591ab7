// Directs contact: from when it touches until it leaves it is processed geometrically (thesis 4.1, figure 4.6). It goes as asked, so deep or
// for so many frames, and physics has it again as it leaves, with the speed that was asked for and stretching as fast as it left.
//
//   y, n     height over the plane of contact, m; its normal
//   s, s₀    height of the centre of mass; as it touched
//   v, e     speed at which it came, m/s; share of it with which it leaves
//   T₁, T₂   s, it goes down and up:   s = s₀ − D sin(½ π t/T₁),   then   s = s₀ − D cos(½ π t/T₂)
//   D        m, how deep:              D = 2 v T₁/π = 2 e v T₂/π
//   λ        s/s₀: each place of it, turning and sliding on as it came, is λ as high, and 1/√λ as far from the middle
//
// So one of depth and time follows from the other. Where both are asked for, it is the speed that follows: v = ½ π D/T₁.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math/rotation.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kBy[] = {"depth", "frames", "both"};
constexpr ParameterRow kSquashRows[] = {
    {.name = "by",
     .label = "Directed by",
     .tooltip =
         "Depth or frames: the other one follows from the speed at which it comes. Both: it is the speed that changes.",
     .type = FieldType::choice,
     .choices = kBy},
    {.name = "depth",
     .label = "Squash",
     .unit = "%",
     .tooltip = "By how much its middle comes down at most, of its height over what it hits.",
     .low = 1,
     .high = 80,
     .fallback = 30},
    {.name = "frames",
     .label = "Frames",
     .tooltip = "How many frames it touches, of the film.",
     .low = 0.25,
     .high = 1000,
     .fallback = 4},
    number_row("restitution", "Bounce", "",
               "Speed with which it leaves, of that with which it came. 0: it is let go where it is deepest.", 0, 2,
               0.7),
    number_row("slowest", "Not below", "m/s", "A collision slower than this is left to physics.", 0, 1e5, 0.5)};
enum Row : std::size_t { kByRow, kDepth, kFrames, kRestitution, kSlowest };

constexpr double kLeast = 0.05;  // e: below that it is let go at the bottom
constexpr double kDeepest = 0.8;

enum Memory : std::size_t {
  kLeading,                   // 1: it touches
  kSince,                     // s, of the run, when it touched
  kDown,                      // T₁
  kUp,                        // T₂
  kHow,                       // D, m
  kHeight,                    // s₀
  kPlane,                     // n·x of the plane
  kNormal,                    // n, world
  kCentre = kNormal + 3,      // of mass, as it touched
  kAlong = kCentre + 3,       // velocity along the plane
  kSpin = kAlong + 3,         // rad/s
  kBefore = kSpin + 3,        // velocity before the sub-step that was, m/s
  kBeforeSpin = kBefore + 3,  // rad/s
  kCount = kBeforeSpin + 3
};

Vec3 vector_of(std::span<const double> memory, std::size_t at) { return {memory[at], memory[at + 1], memory[at + 2]}; }
void put(std::span<double> memory, std::size_t at, const Vec3& v) {
  for (int k = 0; k < 3; ++k) memory[at + static_cast<std::size_t>(k)] = v[k];
}

double lasts(std::span<const double> memory) { return memory[kDown] + memory[kUp]; }

/// λ and its rate, t after it touched.
std::pair<double, double> height_at(std::span<const double> memory, double t) {
  const double quarter = 0.5 * std::numbers::pi, down = quarter / memory[kDown], share = memory[kHow] / memory[kHeight];
  if (t <= memory[kDown]) return {1 - share * std::sin(down * t), -share * down * std::cos(down * t)};
  if (memory[kUp] == 0) return {1 - share, 0};
  const double up = quarter / memory[kUp], since = std::min(t - memory[kDown], memory[kUp]);
  return {1 - share * std::cos(up * since), share * up * std::sin(up * since)};
}

void meet(const MotionContext& context, std::span<double> memory, const ContactEvent& contact, double speed) {
  const auto& p = context.parameters;
  const Vec3 normal = contact.a == context.of_body().id ? contact.normal : Vec3(-contact.normal);
  const Vec3 velocity = vector_of(memory, kBefore);
  const Vec3 centre =
      centre_of(context.model, context.before, context.body) + contact.moment * context.model.step * velocity;
  const double plane = normal.dot(contact.point), height = normal.dot(centre) - plane, quarter = 0.5 * std::numbers::pi;
  if (!(height > 0)) return;
  const double e = p[kRestitution] < kLeast ? 0 : p[kRestitution], most = kDeepest * height;
  const double time = p[kFrames] / context.model.frame_rate * (e > 0 ? e / (1 + e) : 1);
  double down = time, deep = std::min(speed * down / quarter, most);
  if (p[kByRow] != 1) deep = std::min(0.01 * p[kDepth] * height, most);
  if (p[kByRow] != 2) down = quarter * deep / speed;
  memory[kLeading] = 1;
  memory[kSince] = context.time(static_cast<double>(contact.substep) + contact.moment);
  memory[kDown] = down;
  memory[kUp] = e > 0 ? down / e : 0;
  memory[kHow] = deep;
  memory[kHeight] = height;
  memory[kPlane] = plane;
  put(memory, kNormal, normal);
  put(memory, kCentre, centre);
  put(memory, kAlong, velocity - velocity.dot(normal) * normal);
  put(memory, kSpin, vector_of(memory, kBeforeSpin));
}

/// Where it is led at a moment: its nodes, as they are now relative to each other, taken back to the shape that is not squashed.
Lead lead_at(const MotionContext& context, std::span<const double> memory, double now, double end) {
  const Body& body = context.of_body();
  const std::size_t n = body.truss.nodes.size();
  const Vec3 normal = vector_of(memory, kNormal), along = vector_of(memory, kAlong), spin = vector_of(memory, kSpin);
  const auto centre_at = [&](double t) { return Vec3(vector_of(memory, kCentre) + t * along); };
  std::vector<Vec3> x(n);
  body.positions(context.values(), x);
  // What it is now, unsquashed: physics had it until it touched, and for what was left of that sub-step.
  const double t0 = now - memory[kSince], t1 = end - memory[kSince];
  const auto first = height_at(memory, t0), last = height_at(memory, t1);
  const bool begins = now - memory[kSince] < context.model.step * (1 - 1e-9);
  const double lambda = begins ? 1 : first.first;
  const Vec3 middle = begins ? centre_of(context.model, context.state, context.body)
                             : Vec3(centre_at(t0) + (lambda - 1) * memory[kHeight] * normal);
  const Quat turn = exp_rotation((t1 - t0) * spin);
  std::vector<Vec3> arms(n);
  double lowest = 1e300, lowest_now = 1e300;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = x[i] - middle;
    const double up = normal.dot(r);
    const Vec3 whole = up / lambda * normal + std::sqrt(lambda) * (r - up * normal);
    arms[i] = turn * whole;
    lowest_now = std::min(lowest_now, normal.dot(whole));
    lowest = std::min(lowest, normal.dot(arms[i]));
  }
  // What turns stands on what is lowest then.
  const double lift = memory[kHeight] + lowest_now - lowest, wide = 1 / std::sqrt(last.first);
  Lead lead;
  for (std::size_t i = 0; i < n; ++i) {
    const double up = normal.dot(arms[i]), high = up + lift;
    const Vec3 aside = arms[i] - up * normal;
    lead.nodes.push_back(centre_at(t1) + wide * aside + (last.first * high - memory[kHeight]) * normal);
    const Vec3 whole = spin.cross(arms[i]);
    const double rises = normal.dot(whole);
    lead.velocities.push_back(along + wide * (whole - rises * normal) - 0.5 * wide * last.second / last.first * aside +
                              (last.second * high + last.first * rises) * normal);
  }
  const Pose pose = body.object_pose(body.pose(context.values()));
  lead.pose = {pose.position, turn * pose.rotation};
  return lead;
}

void squash_direct(const MotionContext& context, const RunningProcedure&, std::span<const double> memory,
                   BodyForces& forces) {
  if (memory[kLeading] == 0) return;
  const double now = context.time(static_cast<double>(context.state.substep)), end = now + context.model.step;
  forces.stirred = true;
  if (memory[kLeading] == 2) return;  // it has just been let go
  forces.led = lead_at(context, memory, now, std::min(end, memory[kSince] + lasts(memory)));
}

bool squash_over(const MotionContext& context, const RunningProcedure&, std::span<double> memory,
                 const StepReport& report) {
  const double end = context.time(static_cast<double>(context.state.substep + 1));
  const Id id = context.of_body().id;
  if (memory[kLeading] == 1 && end >= memory[kSince] + lasts(memory) - 0.5 * context.model.step) {
    memory[kLeading] = 2;
  } else if (memory[kLeading] != 1) {
    memory[kLeading] = 0;
    for (const ContactEvent& contact : report.contacts) {
      if ((contact.a != id && contact.b != id) || !context.is_other(contact.a == id ? contact.b : contact.a)) continue;
      const Vec3 normal = contact.a == id ? contact.normal : Vec3(-contact.normal);
      const double speed = -normal.dot(vector_of(memory, kBefore));
      if (speed <= std::max(context.parameters[kSlowest], 1e-6)) continue;
      meet(context, memory, contact, speed);
      break;
    }
  }
  put(memory, kBefore, velocity_of(context.model, context.state, context.body));
  put(memory, kBeforeSpin, spin_of(context.model, context.state, context.body));
  return false;
}

void squash_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  put(memory, kBefore, velocity_of(context.model, context.state, context.body));
  put(memory, kBeforeSpin, spin_of(context.model, context.state, context.body));
}

}  // namespace

const ProcedureKind& procedure_squash() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"squash",
                                   "Squash",
                                   "Directs how it touches whatever it hits: how deep, or for how many frames, and how "
                                   "fast it leaves. Of flexible bodies.",
                                   "squash {of} on {with} by {depth} or for {frames}, bouncing with {restitution}",
                                   "Contact",
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
