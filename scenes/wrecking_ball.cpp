// A tower of ten boxes, and a heavy ball on a cable that swings into it. Cable and ball are one rigid body, hung on one pinned
// node: a ball joint.
#include "core/math/rotation.h"
#include "scenes/shipped.h"

#include <cmath>
#include <vector>

#include "scenes/builder.h"
#include "scenes/mesh_text.h"

namespace hazumi::shipped {

namespace {

constexpr double kHeavyRadius = 0.42, kCable = 3.55;  // m, from the joint to the middle of the ball

/// One piece from the bottom of the ball to the top of the cable; its middle is that of the ball.
MeshText ball_on_cable() {
  std::vector<Vec2> profile;
  const int rows = 16;
  const double collar = 0.09, cable = 0.022;
  for (int k = 0; k <= rows; ++k) {
    const double angle = (kPi - std::asin(collar / kHeavyRadius)) * k / rows;
    profile.push_back(kHeavyRadius * Vec2(std::sin(angle), -std::cos(angle)));
  }
  profile.front().x() = 0;
  const std::size_t ball = profile.size() - 1;
  const double top = profile.back().y() + 0.12;
  profile.push_back({collar, top});
  profile.push_back({cable, top + 0.04});
  const std::size_t hook = profile.size() - 1;
  profile.push_back({cable, kCable});
  profile.push_back({0, kCable + 0.01});
  MeshText mesh;
  mesh.part("Ball");
  mesh.turned(profile, 32, Vec3::Zero(), 0, ball);
  mesh.part("Hook");
  mesh.turned(profile, 32, Vec3::Zero(), ball, hook);
  mesh.part("Cable");
  mesh.turned(profile, 32, Vec3::Zero(), hook);
  return mesh;
}

PartMaterial part(const char* name, const char* material) {
  PartMaterial p;
  p.part = name;
  p.material = apply_preset(p.material, *find_material(material));
  return p;
}

/// The crane that it hangs on, which is out of everybody's way.
void crane(Builder& b, const Vec3& joint) {
  const Vec3 yellow(0.86, 0.58, 0.06);
  const auto beam = [&](const char* name, const Vec3& from, const Vec3& to, double thick) {
    Object o = b.block(name, Vec3(thick, (to - from).norm() + thick, thick), 0.5 * (from + to), yellow);
    o.transform.rotation = turn_onto(Vec3::UnitY(), to - from);
    Builder::only_seen(o);
    o.locked = true;
    b.add(o);
  };
  const Vec3 nose = joint + Vec3(0, 0.22, 0), head = nose - Vec3(2.0, 0, 2.2), foot(head.x(), 0, head.z()),
             ahead = (nose - head).normalized();
  beam("Mast", foot, head, 0.30);
  beam("Jib", head - 0.9 * ahead, nose + 0.2 * ahead, 0.24);
  beam("Strut", head - Vec3(0, 1.3, 0), head + 1.3 * ahead, 0.16);
  Object block = b.object("Pulley", "pewter", PrimitiveShape::cylinder, Vec3(0.3, 0.14, 0.3), joint + Vec3(0, 0.02, 0));
  block.transform.rotation = Quat(Eigen::AngleAxisd(radians(90), Vec3::UnitX()));
  Builder::only_seen(block);
  block.locked = true;
  b.add(block);
  Object weight =
      b.block("Counterweight", Vec3(0.7, 0.6, 0.5), head - 0.8 * ahead - Vec3(0, 0.1, 0), Vec3(0.30, 0.30, 0.32));
  Builder::only_seen(weight);
  weight.locked = true;
  b.add(weight);
}

}  // namespace

Scene wrecking_ball(const std::string& folder) {
  Builder b("Wrecking ball",
            "A ball on a cable swings into a tower of ten boxes. Cable and ball hang on one pinned node.", 300);
  b.stage(1e8, 0.3, Vec3(0.46, 0.38, 0.30), Vec3(0.62, 0.72, 0.80));
  const Vec3 joint(-0.45, 4.9, 0);
  crane(b, joint);
  const Vec3 size(0.62, 0.3, 0.62);
  for (int k = 0; k < 10; ++k) {
    Object o = b.block("Box " + std::to_string(k + 1), size, Vec3(0, (k + 0.5) * size.y(), 0),
                       k % 2 ? Vec3(0.83, 0.76, 0.64) : Vec3(0.66, 0.20, 0.12));
    o.body.kind = BodyKind::rigid;
    o.body.mass = 3;
    Builder::physics(o, 1e8, 0.2, 0.6);
    b.add(o);
  }
  Object ball = b.object("Wrecking ball", "obsidian", PrimitiveShape::sphere, Vec3::Ones(), Vec3::Zero());
  if (!take_mesh(ball, folder, "wrecking_ball.obj", ball_on_cable())) return b.done();
  ball.transform.rotation = Quat(Eigen::AngleAxisd(radians(-68), Vec3::UnitZ()));
  ball.transform.position = joint - ball.transform.rotation * Vec3(0, kCable, 0);
  ball.analysis.name = "Joint";
  ball.analysis.kind = AnalysisKind::strung;
  StrungTruss truss;
  truss.nodes = {{Vec3(0, kCable, 0), 1, true}, {Vec3::Zero(), 1, false}};
  truss.springs = {{0, 1}};
  ball.analysis.strung = std::make_shared<const StrungTruss>(truss);
  ball.body.mass = 40;
  ball.part_materials = {part("Hook", "brass"), part("Cable", "silver")};
  Builder::physics(ball, 1e8, 0.2, 0.4);
  b.add(ball);
  b.camera(Vec3(0.9, 2.3, 9.4), Vec3(0.4, 2.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
