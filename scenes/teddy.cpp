// A teddy of metaballs, one colour each, in a truss that follows head, body and limbs.
#include "scenes/shipped.h"

#include <algorithm>

#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

/// Sits on y = 0 and looks along +x, 1.2 m high.
MetaballGroup teddy_group() {
  CharacterMaker m;
  const auto fur = [&] { m.paint(0.66, 0.42, 0.20); };
  const auto light = [&] { m.paint(0.90, 0.74, 0.50); };
  const auto dark = [&] { m.paint(0.06, 0.04, 0.04); };
  fur();
  m.ball("Body", {0, 0.42, 0}, {0.26, 0.33, 0.29});
  m.ball("Head", {0.03, 0.93, 0}, {0.25, 0.235, 0.275});
  m.weight = 6;
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left " : "right ";
    fur();
    m.ball(name + "ear", {0.0, 1.13, 0.22 * side}, {0.06, 0.105, 0.105});
    light();
    m.ball(name + "inside of the ear", {0.045, 1.135, 0.225 * side}, {0.035, 0.065, 0.065});
    fur();
    m.limb(name + "arm", {0.04, 0.64, 0.26 * side}, {0.2, 0.42, 0.43 * side}, 0.1);
    m.limb(name + "leg", {0.1, 0.15, 0.18 * side}, {0.45, 0.13, 0.31 * side}, 0.13);
    light();
    m.ball(name + "sole", {0.585, 0.145, 0.345 * side}, {0.04, 0.1, 0.1});
  }
  m.weight = 4;
  light();
  m.ball("Tummy", {0.15, 0.43, 0}, {0.13, 0.2, 0.18});
  m.ball("Snout", {0.25, 0.86, 0}, {0.105, 0.085, 0.115});
  dark();
  m.button("Nose", {0.345, 0.895, 0}, {0.032, 0.032, 0.047});
  m.buttons("eye", {0.235, 1.0, 0.105}, {0.03, 0.036, 0.032});
  m.paint(0.75, 0.12, 0.12);
  m.buttons("bow", {0.2, 0.7, 0.075}, {0.045, 0.05, 0.075});
  m.button("knot", {0.225, 0.7, 0}, {0.04, 0.035, 0.035});
  return m.finished(0.003);
}

}  // namespace

Scene teddy() {
  Builder b("Teddy", "It topples and swings back to its seat; every limb moves on its own.", 210);
  b.stage(1e7, 0.4, Vec3(0.72, 0.58, 0.42), Vec3(0.36, 0.45, 0.52));
  b.add(b.block("Blue block", Vec3::Constant(0.55), Vec3(-1.25, 0.275, -0.5), Vec3(0.20, 0.45, 0.70)));
  b.add(b.block("Red block", Vec3::Constant(0.45), Vec3(-0.62, 0.225, -1.0), Vec3(0.75, 0.22, 0.16)));
  b.add(b.block("Yellow block", Vec3::Constant(0.4), Vec3(1.3, 0.2, -0.55), Vec3(0.90, 0.68, 0.15)));
  StrungTruss truss = follow(teddy_group(), 0.13);
  for (StrungNode& node : truss.nodes)
    if (node.position.y() < 0.2) node.mass = 4;  // a heavy seat rights it
  Object o = b.character("Teddy", teddy_group(), truss, Vec3(0.0, 0.75, 0));
  o.transform.rotation = Quat(Eigen::AngleAxisd(radians(-75), Vec3::UnitY())) *
                         Quat(Eigen::AngleAxisd(radians(7), Vec3::UnitX())) *
                         Quat(Eigen::AngleAxisd(radians(-21), Vec3::UnitZ()));
  Builder::springs(o, 3, 800, 15);
  o.body.velocity = Vec3(0, 1.2, 0);
  Builder::physics(o, 1e5, 0.2, 0.8);
  b.add(o);
  b.camera(Vec3(0.5, 1.2, 4.0), Vec3(0.05, 0.88, 0));
  return b.done();
}

namespace {

double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// Arms to the front, about the shoulders.
Vec3 hugging(const Vec3& x) {
  const double side = x.z() < 0 ? -1 : 1, share = smooth_step(0.16, 0.44, std::abs(x.z())) *
                                                  smooth_step(0.2, 0.5, x.y()) * (1 - smooth_step(0.6, 0.95, x.y()));
  const Vec3 shoulder(0.04, 0.64, 0.26 * side);
  return shoulder + Quat(Eigen::AngleAxisd(0.8 * side * share, Vec3::UnitY())) * (x - shoulder);
}

/// Legs up, about the hips.
Vec3 kicking(const Vec3& x) {
  const double share = smooth_step(0.0, 0.5, x.x()) * (1 - smooth_step(0.3, 0.7, x.y()));
  const Vec3 hip(0.1, 0.2, x.z());
  return hip + Quat(Eigen::AngleAxisd(0.6 * share, Vec3::UnitZ())) * (x - hip);
}

}  // namespace

/// What he knows is known by two groups of nodes, each by itself: the upper half hugs, the lower kicks.
Scene taught_teddy() {
  Builder b(
      "Taught teddy",
      "He was shown a hug and a kick, painted into two groups. A paddle comes under his feet: he kicks, and his arms "
      "know nothing of it. Then one comes to each hand: he hugs.",
      240);
  b.stage(1e7, 0.1, Vec3(0.58, 0.48, 0.40), Vec3(0.62, 0.70, 0.66));
  b.scene.settings.substeps = 6;
  StrungTruss truss = follow(teddy_group(), 0.13);
  for (StrungNode& node : truss.nodes)
    node.pinned = node.position.y() < 0.2 && node.position.x() < 0.1;  // he stays seated
  Object o = b.character("Teddy", teddy_group(), truss, Vec3(0, 0.01, 0));
  Builder::springs(o, 3, 1500, 10);
  Builder::physics(o, 1e5, 0.1, 0.9);
  o.body.solver = "shape_matching";
  const std::vector<Vec3> rest = analysis_truss(o.analysis).nodes;
  for (const bool hug : {true, false}) {
    AnalysisPose pose;
    pose.name = hug ? "Hug" : "Kick";
    for (const Vec3& x : rest) pose.nodes.push_back({(hug ? hugging(x) : kicking(x)) - x});
    add_pose(o.analysis, std::move(pose));
  }
  for (std::uint32_t i = 0; i < rest.size(); ++i) o.analysis.pose_groups.push_back({i, rest[i].y() > 0.36 ? 1u : 2u});
  b.add(o);
  const auto paddle = [&](const char* name, const Vec3& size, const Vec3& from, const Vec3& to, double time) {
    Object p = b.block(name, size, from, Vec3(0.30, 0.42, 0.62));
    Builder::physics(p, 1e7, 0.1, 0.2);
    p.body.kind = BodyKind::rigid;
    const Id id = p.id;
    b.add(p);
    const auto place = [&](double t, const Vec3& at) {
      b.scene = with_key(std::move(b.scene), id.value, "transform.position", t, at);
    };
    b.scene = with_key(std::move(b.scene), id.value, "body.led", 0, true);
    place(0, from), place(time, from), place(time + 0.25, to), place(time + 0.6, to), place(time + 1, from);
    b.next = next_id(b.scene).value;
  };
  paddle("Paddle under the feet", Vec3(0.3, 0.04, 0.9), Vec3(0.62, -0.06, 0), Vec3(0.58, 0.24, 0), 0.8);
  paddle("Left paddle", Vec3(0.3, 0.3, 0.04), Vec3(0.2, 0.45, 0.8), Vec3(0.24, 0.45, 0.4), 2.2);
  paddle("Right paddle", Vec3(0.3, 0.3, 0.04), Vec3(0.2, 0.45, -0.8), Vec3(0.24, 0.45, -0.4), 2.2);
  b.camera(Vec3(3.1, 1.3, 1.7), Vec3(0.1, 0.55, 0));
  return b.done();
}

}  // namespace hazumi::shipped
