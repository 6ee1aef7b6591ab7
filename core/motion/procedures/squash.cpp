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
// So one of depth and time follows from the other. Where both are asked for, something else gives way. The speed: v = ½ π D/T₁. Or its own
// time, for as long as it touches: it goes the way that D and v say in its own time τ, which takes T₁ + T₂ of it, in T of the film.
//
//   T, m     s, so long it touches; m = (T₁ + T₂)/T, less than 1 where its time goes slower
//   r(u)     dτ/dt at u = t/T: 1 as it touches and as it leaves, so that nothing jumps, and ρ between; it goes from one to the other in ε T
//   ε, ρ     ε = min(¼, ½ m),   ρ = 1 − (1 − m)/(1 − ε) > 0,   so that ∫ r = m
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/math/rotation.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kBy[] = {"depth", "frames", "both"};
constexpr std::string_view kGives[] = {"speed", "time"};
constexpr ParameterRow kSquashRows[] = {
    {.name = "by",
     .label = "Directed by",
     .tooltip =
         "Depth or frames: the other one follows from the speed at which it comes. Both: what gives way is said below.",
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
     .label = "Touches for",
     .unit = "frames",
     .tooltip = "How many frames it touches, of the film.",
     .low = 0.25,
     .high = 1000,
     .fallback = 4},
    number_row("restitution", "Bounce", "",
               "Speed with which it leaves, of that with which it came. 0: it lands, and comes up to its full height "
               "in four times the time.",
               0, 2, 0.7),
    number_row("slides", "Slides on", "%",
               "What is left, as it leaves, of its speed along what it hits and of its turn.", 0, 100, 100),
    number_row("slowest", "Not below", "m/s", "A collision slower than this is left to physics.", 0, 1e5, 0.5),
    {.name = "gives",
     .label = "Gives way",
     .tooltip =
         "Where both are asked for. Speed: that with which it comes changes at once. Time: its own time goes slower or "
         "faster while it touches, and it leaves as fast as it would.",
     .type = FieldType::choice,
     .choices = kGives}};
enum SquashRow : std::size_t {
  kSquashByRow,
  kSquashDepth,
  kSquashFrames,
  kSquashRestitution,
  kSquashSlides,
  kSquashSlowest,
  kSquashGives
};

bool stretches_time(std::span<const double> p) { return p[kSquashByRow] == 2 && p[kSquashGives] != 0; }

constexpr double kLeast = 0.05;  // e: below that it lands
constexpr double kRises = 4;     // T₂/T₁ then
constexpr double kDeepest = 0.8;

constexpr double kWaits = 0, kMet = 1, kLed = 2, kLetGo = 3;  // of a contact

enum SquashMemory : std::size_t {
  kSquashPhase,
  kSquashSince,                            // s, of the run, when it touched
  kSquashOn,                               // number of what it touched
  kSquashDown,                             // T₁
  kSquashUp,                               // T₂
  kSquashLands,                            // 1: e is 0
  kSquashHow,                              // D, m
  kSquashHeight,                           // s₀
  kSquashPlane,                            // n·x of the plane
  kSquashNormal,                           // n, world
  kSquashCentre = kSquashNormal + 3,       // of mass, as it touched
  kSquashAlong = kSquashCentre + 3,        // velocity along the plane
  kSquashSpin = kSquashAlong + 3,          // rad/s
  kSquashBefore = kSquashSpin + 3,         // velocity before the sub-step that was, m/s
  kSquashBeforeSpin = kSquashBefore + 3,   // rad/s
  kSquashTouches = kSquashBeforeSpin + 3,  // T, s
  kSquashCount
};

Vec3 vector_of(std::span<const double> memory, std::size_t at) { return {memory[at], memory[at + 1], memory[at + 2]}; }
void put(std::span<double> memory, std::size_t at, const Vec3& v) {
  for (int k = 0; k < 3; ++k) memory[at + static_cast<std::size_t>(k)] = v[k];
}

double lasts(std::span<const double> memory) { return memory[kSquashTouches]; }

/// Its own time.
struct OwnTime {
  double all = 1;    ///< s, T
  double mean = 1;   ///< m
  double edge = 0;   ///< ε
  double least = 1;  ///< ρ, or the most
};
OwnTime own_time(double all, double own) {
  OwnTime out{all, own / all, 0, 1};
  out.edge = std::min(0.25, 0.5 * out.mean);
  out.least = 1 - (1 - out.mean) / (1 - out.edge);
  return out;
}

/// τ and r, t after it touched.
std::pair<double, double> own_at(const OwnTime& time, double t) {
  const double u = std::clamp(t / time.all, 0.0, 1.0), e = time.edge;
  // W goes from 0 to 1 in ε, as x²(3 − 2 x), and back; its integral from 0 to x of that part is x³ − ½ x⁴.
  const auto rises = [&](double x) { return std::pair(x * x * (3 - 2 * x), e * (x * x * x - 0.5 * x * x * x * x)); };
  double w = 1, sum = u - 0.5 * e;
  if (u < e) {
    std::tie(w, sum) = rises(u / e);
  } else if (u > 1 - e) {
    const auto [down, left] = rises((1 - u) / e);
    w = down;
    sum = 1 - e - left;
  }
  return {time.all * (u - (1 - time.least) * sum), 1 - (1 - time.least) * w};
}

std::pair<double, double> own_at(std::span<const double> memory, double t) {
  const double own = memory[kSquashDown] + memory[kSquashUp];
  if (memory[kSquashTouches] == own) return {t, 1};
  return own_at(own_time(memory[kSquashTouches], own), t);
}

/// λ and its rate, t after it touched.
std::pair<double, double> height_at(std::span<const double> memory, double t) {
  const double quarter = 0.5 * std::numbers::pi, down = quarter / memory[kSquashDown],
               share = memory[kSquashHow] / memory[kSquashHeight];
  if (t <= memory[kSquashDown]) return {1 - share * std::sin(down * t), -share * down * std::cos(down * t)};
  if (memory[kSquashLands] != 0) {  // comes up as far as it was, slow at both ends
    const double x = std::min((t - memory[kSquashDown]) / memory[kSquashUp], 1.0);
    return {1 - share * (1 - x * x * (3 - 2 * x)), share * 6 * x * (1 - x) / memory[kSquashUp]};
  }
  const double up = quarter / memory[kSquashUp], since = std::min(t - memory[kSquashDown], memory[kSquashUp]);
  return {1 - share * std::cos(up * since), share * up * std::sin(up * since)};
}

/// n·x of its lowest place, of what is seen of it, with its nodes there and its frame in that pose.
double lowest_of(const Body& body, const Vec3& normal, std::span<const Vec3> nodes, const Pose& frame) {
  std::vector<Vec3> seen(nodes.begin(), nodes.end());
  if (body.mapping) {
    std::vector<std::uint32_t> all(body.mapping->vertex_count());
    std::iota(all.begin(), all.end(), 0u);
    seen.resize(all.size());
    body.mapping->map_points(nodes, frame, all, seen);
  }
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& place : seen) lowest = std::min(lowest, normal.dot(place));
  return lowest;
}

void meet(const MotionContext& context, std::span<double> memory, const ContactEvent& contact, double speed) {
  const auto& p = context.parameters;
  const Vec3 normal = contact.a == context.of_body().id ? contact.normal : Vec3(-contact.normal);
  const Vec3 velocity = vector_of(memory, kSquashBefore);
  const Body& body = context.of_body();
  const auto lowest = [&](const State& at) {
    const std::vector<double>& values = at.bodies[context.body].values;
    std::vector<Vec3> places(body.truss.nodes.size());
    body.positions(values, places);
    return lowest_of(body, normal, places, body.pose(values));
  };
  // It has come down onto the plane by the end of the sub-step, or has risen from it again.
  const double from = lowest(context.before), way = speed * context.model.step;
  const double plane = std::min(lowest(context.state), from - contact.moment * way);
  const double moment = std::clamp((from - plane) / way, 0.0, 1.0);
  const Vec3 centre = centre_of(context.model, context.before, context.body) + moment * context.model.step * velocity;
  const double height = normal.dot(centre) - plane, quarter = 0.5 * std::numbers::pi;
  if (!(height > 0)) return;
  const double e = p[kSquashRestitution] < kLeast ? 0 : p[kSquashRestitution], most = kDeepest * height;
  const double time = p[kSquashFrames] / context.model.frame_rate * (e > 0 ? e / (1 + e) : 1 / (1 + kRises));
  double down = time, deep = std::min(speed * down / quarter, most);
  if (p[kSquashByRow] != 1) deep = std::min(0.01 * p[kSquashDepth] * height, most);
  const bool stretched = stretches_time(p);
  if (p[kSquashByRow] != 2 || stretched) down = quarter * deep / speed;
  memory[kSquashPhase] = kMet;
  memory[kSquashOn] = context.model.bodies.number(contact.a == body.id ? contact.b : contact.a);
  memory[kSquashSince] = context.time(static_cast<double>(contact.substep) + moment);
  memory[kSquashDown] = down;
  memory[kSquashUp] = e > 0 ? down / e : kRises * down;
  memory[kSquashTouches] =
      stretched ? p[kSquashFrames] / context.model.frame_rate : memory[kSquashDown] + memory[kSquashUp];
  memory[kSquashLands] = e > 0 ? 0 : 1;
  memory[kSquashHow] = deep;
  memory[kSquashHeight] = height;
  memory[kSquashPlane] = plane;
  put(memory, kSquashNormal, normal);
  put(memory, kSquashCentre, centre);
  put(memory, kSquashAlong, velocity - velocity.dot(normal) * normal);
  put(memory, kSquashSpin, vector_of(memory, kSquashBeforeSpin));
}

/// How far it slides and turns by t of its own time, in seconds at the speed with which it came, and the share of that speed that it has then.
std::pair<double, double> slid(const MotionContext& context, std::span<const double> memory, double t) {
  const double lost = 1 - 0.01 * context.parameters[kSquashSlides],
               all = std::max(memory[kSquashDown] + memory[kSquashUp], 1e-9);
  return {t - 0.5 * lost * t * t / all, 1 - lost * t / all};
}

/// Where it is led at a moment: its nodes, as they are now relative to each other, taken back to the shape that is not squashed, turned on,
/// and squashed as it is to be then.
Lead lead_at(const MotionContext& context, std::span<const double> memory, double now, double end) {
  const Body& body = context.of_body();
  const std::size_t n = body.truss.nodes.size();
  const Vec3 normal = vector_of(memory, kSquashNormal), along = vector_of(memory, kSquashAlong),
             spin = vector_of(memory, kSquashSpin);
  const double dt = std::max(end - now, 1e-9), since = memory[kSquashSince];
  const auto [t, runs] = own_at(memory, end - since);
  const double before = own_at(memory, std::max(end - since - dt, 0.0)).first;
  const Pose frame = body.pose(context.values());
  // For what was left of the sub-step in which it touched physics had it, and has squashed it so far.
  const double lambda = memory[kSquashPhase] == kMet
                            ? (normal.dot(frame.position) - memory[kSquashPlane]) / memory[kSquashHeight]
                            : height_at(memory, own_at(memory, now - since).first).first;
  const auto [high, own_rate] = height_at(memory, t);
  const auto [way, own_slides] = slid(context, memory, t);
  const double rate = runs * own_rate, slides = runs * own_slides;
  const Quat turn = exp_rotation((way - slid(context, memory, before).first) * spin);
  std::vector<Vec3> x(n), whole(n);
  body.positions(context.values(), x);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 r = x[i] - frame.position;
    const double up = normal.dot(r);
    whole[i] = up / lambda * normal + std::sqrt(lambda) * (r - up * normal);
  }
  // What turns stands on what is lowest then.
  const double was = -lowest_of(body, normal, whole, {Vec3::Zero(), frame.rotation});
  for (Vec3& r : whole) r = turn * r;
  const double stands = -lowest_of(body, normal, whole, {Vec3::Zero(), turn * frame.rotation});
  const double wide = 1 / std::sqrt(high), lifts = (stands - was) / dt;
  const Vec3 centre = vector_of(memory, kSquashCentre) + way * along;
  Lead lead;
  for (const Vec3& r : whole) {
    const double up = normal.dot(r), y = up + stands;
    const Vec3 aside = r - up * normal, turns = slides * spin.cross(r);
    const double rises = normal.dot(turns);
    lead.nodes.push_back(centre + wide * aside + (high * y - memory[kSquashHeight]) * normal);
    lead.velocities.push_back(slides * along + wide * (turns - rises * normal - 0.5 * rate / high * aside) +
                              (rate * y + high * (rises + lifts)) * normal);
  }
  const Pose object = body.object_pose(frame);
  lead.pose = {object.position, turn * object.rotation};
  return lead;
}

void squash_direct(const MotionContext& context, const RunningProcedure&, std::span<const double> memory,
                   BodyForces& forces) {
  if (memory[kSquashPhase] == kWaits) return;
  const double now = context.time(static_cast<double>(context.state.substep)), end = now + context.model.step;
  forces.stirred = true;
  if (memory[kSquashPhase] == kLetGo) return;
  const double last = memory[kSquashSince] + lasts(memory);
  forces.led = lead_at(context, memory, now, end >= last - 0.5 * context.model.step ? last : end);
}

/// Something that stands is in its way, beside what it is squashed on.
bool is_stopped(const MotionContext& context, std::span<const double> memory, const StepReport& report) {
  const Id id = context.of_body().id;
  const auto on = static_cast<std::uint32_t>(memory[kSquashOn]);
  return std::any_of(report.touching.begin(), report.touching.end(), [&](const auto& pair) {
    if (pair.first != id && pair.second != id) return false;
    const std::uint32_t other = context.model.bodies.number(pair.first == id ? pair.second : pair.first);
    return other != on && !context.model.bodies[other].moves;
  });
}

bool squash_over(const MotionContext& context, const RunningProcedure&, std::span<double> memory,
                 const StepReport& report) {
  const double end = context.time(static_cast<double>(context.state.substep + 1));
  const Id id = context.of_body().id;
  if (memory[kSquashPhase] == kMet || memory[kSquashPhase] == kLed) {
    const double t = end - memory[kSquashSince];
    const bool over = t >= lasts(memory) - 0.5 * context.model.step;
    if (is_stopped(context, memory, report)) {  // what is led goes through everything: it slides and turns no further
      put(memory, kSquashCentre,
          vector_of(memory, kSquashCentre) +
              slid(context, memory, own_at(memory, t).first).first * vector_of(memory, kSquashAlong));
      put(memory, kSquashAlong, Vec3::Zero());
      put(memory, kSquashSpin, Vec3::Zero());
    }
    memory[kSquashPhase] = over ? kLetGo : kLed;
  } else {
    memory[kSquashPhase] = kWaits;
    for (const ContactEvent& contact : report.contacts) {
      if ((contact.a != id && contact.b != id) || !context.is_other(contact.a == id ? contact.b : contact.a)) continue;
      const Vec3 normal = contact.a == id ? contact.normal : Vec3(-contact.normal);
      const double speed = -normal.dot(vector_of(memory, kSquashBefore));
      if (speed <= std::max(context.parameters[kSquashSlowest], 1e-6)) continue;
      meet(context, memory, contact, speed);
      break;
    }
  }
  put(memory, kSquashBefore, velocity_of(context.model, context.state, context.body));
  put(memory, kSquashBeforeSpin, spin_of(context.model, context.state, context.body));
  return false;
}

void squash_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  put(memory, kSquashBefore, velocity_of(context.model, context.state, context.body));
  put(memory, kSquashBeforeSpin, spin_of(context.model, context.state, context.body));
}

/// The contact that the numbers ask for: one of depth and time follows from the other and from the speed, or the speed from both.
struct AskedContact {
  double floor = 0;   ///< m, from the centre down to what it hits, of what stands on it
  double speed = 0;   ///< m/s, with which it would come
  double asked = 0;   ///< m/s, with which it has to
  double down = 0;    ///< s, T₁
  double frames = 0;  ///< of the film
  double slower = 1;  ///< its own time, 1/m; of that which is asked for by depth and frames alone
  double lambda = 1;  ///< at the deepest
};

double frames_per_down(std::span<const double> p, double frame_rate) {
  const double e = p[kSquashRestitution] < kLeast ? 0 : p[kSquashRestitution];
  return frame_rate * (1 + (e > 0 ? 1 / e : kRises));
}

std::optional<AskedContact> asked_of(std::span<const double> p, const SketchBody& body) {
  const double height = body.half_height(), quarter = 0.5 * std::numbers::pi;
  if (!body.under || !(height > 0)) return std::nullopt;
  AskedContact out;
  out.floor = *body.under + height;
  out.speed = out.asked = sketch::falls_at(body, *body.under);
  if (!(out.speed > 0)) return std::nullopt;
  double deep = 0.01 * p[kSquashDepth] * height;
  if (p[kSquashByRow] != 0 && !stretches_time(p)) {
    out.down = p[kSquashFrames] / frames_per_down(p, body.frame_rate);
    if (p[kSquashByRow] == 1)
      deep = std::min(out.speed * out.down / quarter, kDeepest * height);
    else
      out.asked = quarter * deep / out.down;
  } else {
    out.down = quarter * deep / out.speed;
  }
  out.frames = out.down * frames_per_down(p, body.frame_rate);
  if (stretches_time(p)) {
    out.slower = p[kSquashFrames] / out.frames;
    out.frames = p[kSquashFrames];
  }
  out.lambda = 1 - deep / height;
  return out;
}

std::string out_of_time(double slower) {
  if (std::abs(slower - 1) < 0.005) return ", in its own time";
  return slower > 1 ? ", its time " + sketch::number_text(slower) + " × slower"
                    : ", its time " + sketch::number_text(1 / slower) + " × faster";
}

/// What it looks like at the deepest, where it comes down: as high as that and so much wider, in two upright planes and level.
void sketch_squash(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const auto asked = asked_of(p, body);
  if (!asked) return;
  const Vec3 up = body.up(), floor = body.centre - asked->floor * up, x = up.unitOrthogonal(), z = up.cross(x);
  const double tall = asked->lambda * body.half_height(), high = body.half_height();
  const Vec3 middle = floor + tall * up;
  const auto half = [&](const Vec3& way) {
    const Vec3 own = body.pose.rotation.conjugate() * way;
    return 0.5 * (body.high - body.low).cwiseProduct(own.cwiseAbs()).sum() / std::sqrt(asked->lambda);
  };
  const auto ring = [&](const Vec3& a, const Vec3& b) {
    SketchLine line;
    for (int k = 0; k <= 48; ++k) {
      const double angle = 2 * std::numbers::pi * k / 48;
      line.points.push_back(middle + std::cos(angle) * a + std::sin(angle) * b);
    }
    out.lines.push_back(std::move(line));
  };
  ring(half(x) * x, tall * up);
  ring(half(z) * z, tall * up);
  ring(half(x) * x, half(z) * z);
  const Vec3 top = middle + tall * up;
  out.lines.push_back({{floor + 2 * high * up, top}, true, true});
  out.handles.push_back({top, floor + 2 * high * up, "squash"});
  std::string text =
      sketch::number_text(100 * (1 - asked->lambda), 0) + " %, " + sketch::number_text(asked->frames, 1) + " frames";
  if (stretches_time(p))
    text += out_of_time(asked->slower);
  else if (p[kSquashByRow] == 2)
    text += ", at " + sketch::number_text(asked->asked) + " m/s for " + sketch::number_text(asked->speed);
  out.notes.push_back({top, std::move(text)});
}

void drag_squash(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const auto asked = asked_of(p, body);
  if (!asked) return;
  const double height = body.half_height(), top = body.up().dot(to - body.centre) + asked->floor;
  const double deep = std::clamp(1 - 0.5 * top / height, 0.01, kDeepest);
  if (p[kSquashByRow] == 1 && deep >= kDeepest - 1e-9 && asked->lambda < 1 - kDeepest + 1e-9)
    return;  // flat, for however long
  if (p[kSquashByRow] != 1)
    p[kSquashDepth] = 100 * deep;
  else
    p[kSquashFrames] = 0.5 * std::numbers::pi * deep * height / asked->speed * frames_per_down(p, body.frame_rate);
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
    k.processing = Processing::geometric;
    k.shapes = k.leads = true;
    k.memory = kSquashCount;
    k.settled = [](std::span<const double> memory) {
      return memory[kSquashPhase] == kMet || memory[kSquashPhase] == kLed;
    };
    k.begin = squash_begin;
    k.direct = squash_direct;
    k.over = squash_over;
    k.sketch = sketch_squash;
    k.drag = drag_squash;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
