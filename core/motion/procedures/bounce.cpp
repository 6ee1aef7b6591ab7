// It bounces off so much, until it comes slower than a speed; then it stays down.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/motion/classes.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kBounceRows[] = {
    number_row("until", "Until slower than", "m/s", "A collision slower than this is the last.", 0, 1e5, 0.2),
    processing_row(0)};
enum BounceRow : std::size_t { kBounceUntil, kBounceRestitution, kBounceFriction };

GeometricLaw bounce_law(const MotionContext& context, const RunningProcedure& own) {
  const auto& p = context.parameters;
  GeometricLaw law;
  law.acceleration = weight_of(context);
  law.flies = true;
  if (!own.done) law.restitution = p[kBounceRestitution];
  law.until = p[kBounceUntil];
  law.friction = p[kBounceFriction];
  if (own.done) law.ground = GeometricLaw::Ground::slides;
  return law;
}

void bounce_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                   BodyForces& forces) {
  tell_contacts(context, own, own.done ? 0 : context.parameters[kBounceRestitution],
                context.parameters[kBounceFriction], forces);
}

bool bounce_over(const MotionContext& context, const RunningProcedure&, std::span<double> memory,
                 const StepReport& report) {
  const Id id = context.of_body().id;
  for (const ContactEvent& contact : report.contacts)
    if ((contact.a == id || contact.b == id) && context.is_other(contact.a == id ? contact.b : contact.a) &&
        contact.approach_speed < context.parameters[kBounceUntil])
      return true;
  // What lies on it as long as the slowest bounce would take to come up does not bounce any more, however gently it came down.
  const double g = weight_of(context).norm(), h = context.model.step;
  const double wanted = g > 0 ? std::max(context.parameters[kBounceUntil] / g, 2 * h) : 4 * h;
  memory[0] = touches_other(context, report) ? memory[0] + h : 0;
  return memory[0] > wanted - 1e-9;
}

/// Its bounces beside each other, as often and as high as they will be: along its way, or to the side where it falls straight.
void sketch_bounce(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const double g = body.gravity.norm(), e = p[kBounceRestitution];
  if (!body.under || !(g > 0)) return;
  const Vec3 up = body.up(), floor = body.centre - *body.under * up;
  double speed = sketch::falls_at(body, *body.under);
  if (!(speed > 0)) return;
  Vec3 aside = body.velocity - body.velocity.dot(up) * up;
  const double slowest = 0.15 * speed;  // so that arcs can be told apart
  const Vec3 right = up.cross(Vec3::UnitZ());
  if (aside.norm() < 1e-6 * speed) aside = slowest * (right.norm() > 0.1 ? right.normalized() : up.unitOrthogonal());
  if (aside.norm() < slowest) aside = slowest * aside.normalized();
  // As high as it would come, although it may be too slow to bounce at all.
  const double first = 2 * e * speed / g;
  const Vec3 top = floor + 0.5 * first * aside + 0.5 * e * e * speed * speed / g * up;
  out.handles.push_back({top, floor + 0.5 * first * aside, "first bounce"});
  constexpr int kMost = 30;
  int times = 0;
  Vec3 at = floor;
  // A collision slower than `until` is the last, and does not bounce any more.
  for (; times < kMost && speed >= p[kBounceUntil] && e > 0; ++times) {
    speed *= e;
    const double flight = 2 * speed / g;
    SketchLine line;
    for (int k = 0; k <= 24; ++k) {
      const double t = flight * k / 24;
      line.points.push_back(at + t * aside + (speed * t - 0.5 * g * t * t) * up);
    }
    if (times == 0) out.notes.push_back({top, sketch::number_text(0.5 * speed * speed / g) + " m"});
    at = line.points.back();
    out.lines.push_back(std::move(line));
  }
  std::string often = times == 0 ? "stays down" : times == 1 ? "once" : std::to_string(times) + " times";
  if (times == kMost) often = "bounces on and on";
  out.notes.push_back({at, std::move(often)});
}

/// As high as that: e = √(h/h₀), h₀ the height from which it would come as fast.
void drag_bounce(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const double g = body.gravity.norm();
  if (!body.under || !(g > 0)) return;
  const double speed = sketch::falls_at(body, *body.under), height = *body.under + body.up().dot(to - body.centre);
  if (speed > 0) p[kBounceRestitution] = std::min(std::sqrt(2 * g * std::max(height, 0.0)) / speed, 1.0);
}

}  // namespace

const ProcedureKind& procedure_bounce() {
  static const std::vector<ParameterRow> rows =
      inherited_rows(procedure_collide(), kBounceRows, {{.name = "friction", .fallback = 0.2}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"bounce",
                                   "Bounce",
                                   "It bounces off so much, until it comes slower than a speed; then it stays down.",
                                   "bounce {of} off {with} with {restitution}, until slower than {until}",
                                   "Contact",
                                   rows,
                                   OtherUse::anything};
    k.parent = &procedure_collide();
    k.own_rows = kBounceRows;
    k.law = bounce_law;
    k.claim = Claim::contact;
    k.stays = true;
    k.memory = 1;
    k.direct = bounce_direct;
    k.over = bounce_over;
    k.sketch = sketch_bounce;
    k.drag = drag_bounce;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
