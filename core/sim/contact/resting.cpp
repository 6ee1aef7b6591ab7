#include "core/sim/contact/resting.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/sim/contact/impact.h"

namespace hazumi {
namespace {

constexpr int kMostPasses = 400;           // of Gauss–Seidel, for few rows; it stops when converged
constexpr int kFewestPasses = 30;          // for many
constexpr std::size_t kRowVisits = 30000;  // rows × passes between the two
constexpr double kConverged = 1e-9;        // m/s, largest change of a pass
constexpr int kSeparatePasses = 12;
constexpr double kGentle = 0.1;       // of an overlap per sub-step
constexpr double kGentleSpeed = 0.6;  // m/s at most

/// Whether a contact may push nodes on their own over `distance` (m) within the sub-step: linear springs say nothing about
/// a body that is turned inside out, so what is large against it moves the body as a whole.
bool deform(const Contact& c, double distance) { return std::abs(distance) < 0.1 * c.slop / kSlop; }

struct Row {
  const Contact* contact;
  BodyMotion *a, *b;
  Vec3 n, u, v;
  double wn, wu, wv;  // 1/kg
  double closing;     // m/s, speed at which the gap may close
  double friction;
  double share_a, share_b;        // ψ, or 0: see deform()
  double ln = 0, lu = 0, lv = 0;  // N s
};

Vec3 relative(const Row& r) {
  const Contact& c = *r.contact;
  return r.a->contact_velocity(c.a, c.point, r.share_a) - r.b->contact_velocity(c.b, c.point, r.share_b);
}

void push(const Row& r, const Vec3& impulse) {
  r.a->add_impulse(r.contact->a, r.contact->point, impulse, r.share_a);
  r.b->add_impulse(r.contact->b, r.contact->point, -impulse, r.share_b);
}

/// Sorts rows into islands (rows that share no body that can move do not know of each other) and returns their ends. Each
/// island stops when it has converged: a hundred bodies lying about do not wait for the one stack among them.
std::vector<std::size_t> islands(const Model& model, std::vector<Row>& rows) {
  std::vector<std::uint32_t> parent(model.bodies.size());
  for (std::uint32_t i = 0; i < parent.size(); ++i) parent[i] = i;
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Row& r : rows) {
    if (!r.a->movable() || !r.b->movable()) continue;
    const std::uint32_t a = root(r.contact->body_a), b = root(r.contact->body_b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  const auto island = [&](const Row& r) { return root(r.a->movable() ? r.contact->body_a : r.contact->body_b); };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& x, const Row& y) { return island(x) < island(y); });
  std::vector<std::size_t> ends;
  for (std::size_t k = 1; k <= rows.size(); ++k)
    if (k == rows.size() || island(rows[k]) != island(rows[k - 1])) ends.push_back(k);
  return ends;
}

void solve_island(std::span<Row> rows) {
  const int passes = std::clamp(static_cast<int>(kRowVisits / rows.size()), kFewestPasses, kMostPasses);
  for (int pass = 0; pass < passes; ++pass) {
    double change = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // To and fro: one direction alone would always leave the same rows behind and make stacks creep sideways.
      Row& r = rows[pass % 2 == 0 ? k : rows.size() - 1 - k];
      const double normal = std::max(0.0, r.ln - (r.n.dot(relative(r)) + r.closing) / r.wn);
      const double step_n = normal - r.ln;
      r.ln = normal;
      if (step_n != 0) push(r, step_n * r.n);
      change = std::max(change, std::abs(step_n) * r.wn);
      if (r.friction <= 0) continue;
      const Vec3 w = relative(r);
      const double weight = std::max(r.wu, r.wv);
      if (!can_answer(*r.a, *r.b, weight)) continue;
      double lu = r.lu - r.u.dot(w) / weight, lv = r.lv - r.v.dot(w) / weight;
      const double most = r.friction * r.ln, slide = std::hypot(lu, lv);
      if (slide > most) lu *= most / slide, lv *= most / slide;
      const double du = lu - r.lu, dv = lv - r.lv;
      r.lu = lu;
      r.lv = lv;
      if (du != 0 || dv != 0) push(r, du * r.u + dv * r.v);
      change = std::max(change, std::hypot(du, dv) * weight);
    }
    if (change < kConverged) break;
  }
}

void apply_force(const Body& body, const BodyMotion& motion, const ContactAnchor& anchor, const Vec3& p,
                 const Vec3& force, BodyForces& out) {
  if (!body.moves) return;
  out.any = true;
  out.force += force;
  const Vec3 arm = p - motion.mass_centre();
  if (!body.deforms) {
    out.torque += arm.cross(force);
    return;
  }
  if (anchor.kind == ContactAnchor::nodal) motion.share_force(body, anchor, p, force, out.nodes);
}

}  // namespace

void supporting_forces(const Model& model, const std::vector<RestingImpulse>& resting,
                       const std::vector<BodyMotion>& motions, std::vector<BodyForces>& forces) {
  for (const RestingImpulse& r : resting) {
    const BodyMotion &a = motions[r.body_a], &b = motions[r.body_b];
    Vec3 u, v;
    tangents(r.direction, u, v);
    const Vec3 force = (r.normal * r.direction + r.tangent_u * u + r.tangent_v * v) / model.step;
    const Vec3 p = a.movable() ? a.point(r.a) : b.point(r.b);
    apply_force(model.bodies[r.body_a], a, r.a, p, force, forces[r.body_a]);
    apply_force(model.bodies[r.body_b], b, r.b, p, -force, forces[r.body_b]);
  }
}

void solve_resting(const Model& model, const std::vector<Contact>& contacts, std::vector<BodyMotion>& motions,
                   std::vector<RestingImpulse>& resting) {
  std::vector<const Contact*> touching;
  for (const Contact& c : contacts)
    if (!c.in_pulse) touching.push_back(&c);
  std::stable_sort(touching.begin(), touching.end(),
                   [](const Contact* x, const Contact* y) { return contact_key(*x) < contact_key(*y); });

  std::vector<Row> rows;
  rows.reserve(touching.size());
  auto old = resting.begin();
  const auto give_back = [&](const RestingImpulse& r, const Vec3& impulse) {
    BodyMotion &a = motions[r.body_a], &b = motions[r.body_b];
    const Vec3 p = a.movable() ? a.point(r.a) : b.point(r.b);
    a.add_impulse(r.a, p, -impulse, a.softness());
    b.add_impulse(r.b, p, impulse, b.softness());
  };
  const auto impulse_of = [](const RestingImpulse& r) {
    Vec3 u, v;
    tangents(r.direction, u, v);
    return Vec3(r.normal * r.direction + r.tangent_u * u + r.tangent_v * v);
  };
  for (const Contact* c : touching) {
    Row r;
    r.contact = c;
    r.a = &motions[c->body_a];
    r.b = &motions[c->body_b];
    r.n = c->normal;
    tangents(r.n, r.u, r.v);
    r.share_a = r.a->softness();
    r.share_b = r.b->softness();
    if (!deform(*c, model.step * relative(r).norm())) {
      // What pins hold has no motion as a whole to fall back on.
      if (!r.a->pinned()) r.share_a = 0;
      if (!r.b->pinned()) r.share_b = 0;
    }
    const auto mobility = [&](const Vec3& d) {
      return r.a->mobility(c->a, c->point, d, r.share_a) + r.b->mobility(c->b, c->point, d, r.share_b);
    };
    r.wn = mobility(r.n);
    if (!can_answer(*r.a, *r.b, r.wn)) continue;  // pins hold both
    r.wu = mobility(r.u);
    r.wv = mobility(r.v);
    r.friction = pair_friction(model.bodies[c->body_a], model.bodies[c->body_b]);
    r.closing = std::max(0.0, c->gap) / model.step;
    const std::uint64_t key = contact_key(*c);
    for (; old != resting.end() && old->key < key; ++old) give_back(*old, impulse_of(*old));
    if (old != resting.end() && old->key == key) {
      const Vec3 impulse = impulse_of(*old);
      // The normal may have turned: what does not fit the new rows is given back.
      r.ln = std::max(0.0, impulse.dot(r.n));
      r.lu = impulse.dot(r.u);
      r.lv = impulse.dot(r.v);
      const double most = r.friction * r.ln, slide = std::hypot(r.lu, r.lv);
      if (slide > most) r.lu *= most / slide, r.lv *= most / slide;
      const Vec3 excess = impulse - (r.ln * r.n + r.lu * r.u + r.lv * r.v);
      if (excess.norm() > 1e-12 * impulse.norm()) give_back(*old, excess);
      ++old;
    } else if (!touches(*c)) {
      continue;
    }
    rows.push_back(r);
  }
  for (; old != resting.end(); ++old) give_back(*old, impulse_of(*old));

  std::size_t begin = 0;
  for (const std::size_t end : islands(model, rows)) {
    solve_island(std::span(rows).subspan(begin, end - begin));
    begin = end;
  }

  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& x, const Row& y) { return contact_key(*x.contact) < contact_key(*y.contact); });

  resting.clear();
  for (const Row& r : rows) {
    if (r.ln <= 0) continue;
    RestingImpulse kept;
    kept.key = contact_key(*r.contact);
    kept.normal = r.ln;
    kept.tangent_u = r.lu;
    kept.tangent_v = r.lv;
    kept.direction = r.n;
    kept.body_a = r.contact->body_a;
    kept.body_b = r.contact->body_b;
    kept.a = r.contact->a;
    kept.b = r.contact->b;
    resting.push_back(kept);
  }
}

void separate(const Model& model, const std::vector<Contact>& contacts, std::vector<BodyMotion>& motions) {
  struct Overlap {
    const Contact* contact;
    double share_a, share_b, wanted, mobility, pushed = 0;
  };
  std::vector<Overlap> overlaps;
  for (const Contact& c : contacts) {
    if (c.in_pulse) continue;
    BodyMotion &a = motions[c.body_a], &b = motions[c.body_b];
    // Where the impacts of this sub-step have left it.
    const double gap = c.gap + c.normal.dot(a.shift_at(c.a, c.point) - b.shift_at(c.b, c.point));
    if (gap > -c.slop) continue;
    const double over = -gap - 0.5 * c.slop;
    const double wanted = c.crossed ? over : std::min(kGentle * over, kGentleSpeed * model.step);
    const bool soft = deform(c, wanted);
    const double share_a = soft || a.pinned() ? a.softness() : 0, share_b = soft || b.pinned() ? b.softness() : 0;
    const double mobility = a.mobility(c.a, c.point, c.normal, share_a) + b.mobility(c.b, c.point, c.normal, share_b);
    if (can_answer(a, b, mobility)) overlaps.push_back({&c, share_a, share_b, wanted - c.gap + gap, mobility});
  }
  for (int pass = 0; pass < kSeparatePasses && !overlaps.empty(); ++pass)
    for (Overlap& o : overlaps) {
      const Contact& c = *o.contact;
      BodyMotion &a = motions[c.body_a], &b = motions[c.body_b];
      const double moved = c.normal.dot(a.shift_at(c.a, c.point) - b.shift_at(c.b, c.point));
      const double pushed = std::max(0.0, o.pushed + (o.wanted - moved) / o.mobility);
      const double more = pushed - o.pushed;
      o.pushed = pushed;
      if (more == 0) continue;
      a.add_shift(c.a, c.point, more * c.normal, o.share_a);
      b.add_shift(c.b, c.point, -more * c.normal, o.share_b);
    }
}

void hold_back(const Model& model, const std::vector<Vec3>& centre_from, std::vector<BodyMotion>& motions) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    BodyMotion& motion = motions[i];
    if (!motion.loaded() || !motion.movable() || motion.pinned() || body.proxy.shape == ContactShape::none) continue;
    const ContactAnchor whole;  // the centre of mass
    const auto put_back = [&](const Vec3& n, double behind) {
      motion.add_shift(whole, motion.centre(), body.mass * behind * n, 0);
      const double into = n.dot(motion.velocity());
      if (into < 0) motion.add_impulse(whole, motion.centre(), -body.mass * into * n, 0);
    };
    for (const Body& wall : model.bodies) {
      if (wall.moves || !wall.proxy.info || !wall.proxy.info->entry) continue;
      const Vec3 middle = wall.start * wall.proxy.centre;
      const Quat into_wall = wall.start.rotation.conjugate();
      const Vec3 p0 = into_wall * (centre_from[i] - middle);
      const Vec3 p1 = into_wall * (motion.centre() + motion.shift_at(whole, motion.centre()) - middle);
      const double margin = kSlop * body.proxy.reach;
      if (const auto entry = wall.proxy.info->entry(wall.proxy, p0, p1))
        put_back(wall.start.rotation * entry->normal, margin - entry->level);
    }
  }
}

}  // namespace hazumi
