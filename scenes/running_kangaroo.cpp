#include <algorithm>
#include <cmath>

#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/characters.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kHop = 0.6, kStance = 0.4;  // s of a hop, and the part of it with the feet on the ground
constexpr double kSpeed = 1.6;               // m/s
constexpr double kKeys = 0.05;               // s from key to key

/// A bone: where it hangs on its parent when the kangaroo stands, and how it swings about z.
struct Limb {
  const char* name;
  int parent;
  Vec3 joint, end;
  double still, swing, ahead;  // rad, rad, parts of a hop
  std::vector<const char*> metaballs;
};

const std::vector<Limb>& limbs() {
  static const std::vector<Limb> all = {
      {"Hips", -1, {-0.02, 0.56, 0}, {0.08, 0.64, 0}, -0.25, 0.10, 0.25, {"Hips", "Belly"}},
      {"Chest", 0, {0.06, 0.64, 0}, {0.22, 0.98, 0}, -0.10, 0.12, 0.35, {"Chest"}},
      {"Head",
       1,
       {0.25, 1.03, 0},
       {0.50, 1.27, 0},
       0.25,
       -0.16,
       0.30,
       {"Neck", "Head", "Snout", "left ear", "right ear"}},
      {"Arms", 1, {0.27, 0.92, 0}, {0.42, 0.74, 0}, 0.2, 0.30, 0.40, {"left arm", "right arm"}},
      {"Thighs", 0, {0.0, 0.52, 0}, {0.17, 0.32, 0}, 0.15, 0.55, 0.02, {"left thigh", "right thigh"}},
      {"Shins", 4, {0.17, 0.31, 0}, {-0.06, 0.14, 0}, 0.15, -0.50, 0.10, {"left shin", "right shin"}},
      {"Feet", 5, {-0.06, 0.12, 0}, {0.32, 0.07, 0}, -0.05, 0.45, 0.18, {"left foot", "right foot"}},
      {"Tail", 0, {-0.2, 0.44, 0}, {-0.5, 0.22, 0}, 0.1, 0.22, 0.75, {"Tail"}},
      {"End of the tail", 7, {-0.5, 0.21, 0}, {-0.95, 0.10, 0}, -0.15, 0.30, 0.60, {"End of the tail"}},
  };
  return all;
}

/// Of each bone as it hangs on the hips, which do not move.
std::vector<Pose> swung(double t) {
  std::vector<Pose> poses;
  std::vector<double> turned;
  for (const Limb& limb : limbs()) {
    const double angle = limb.still + limb.swing * std::cos(2 * kPi * (t / kHop + limb.ahead));
    if (limb.parent < 0) {
      turned.push_back(angle);
      poses.push_back({limb.joint, Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()))});
      continue;
    }
    const auto parent = static_cast<std::size_t>(limb.parent);
    turned.push_back(turned[parent] + angle);
    poses.push_back({poses[parent] * Vec3(limb.joint - limbs()[parent].joint),
                     Quat(Eigen::AngleAxisd(turned.back(), Vec3::UnitZ()))});
  }
  return poses;
}

/// How far the soles would be below the ground.
double sunk(double t) {
  const Pose foot = swung(t)[6];
  double lowest = 1e9;
  for (const double x : {-0.06, 0.32})
    lowest = std::min(lowest, (foot * Vec3(Vec3(x, 0.07, 0) - limbs()[6].joint)).y() - 0.065);
  return -lowest;
}

/// On the ground the feet carry it; between two stances it flies.
std::vector<Pose> running(double t) {
  const double hop = t / kHop - std::floor(t / kHop), fly = (hop - kStance) / (1 - kStance);
  double height = sunk(t);
  if (fly > 0) {
    const double air = (1 - kStance) * kHop, up = sunk(t - fly * air), down = sunk(t + (1 - fly) * air);
    height = std::max(height, up + fly * (down - up) + 0.5 * 9.80665 * air * air * fly * (1 - fly));
  }
  std::vector<Pose> poses = swung(t);
  for (Pose& pose : poses) pose.position += Vec3(kSpeed * (t - 2), height, 0);
  return poses;
}

}  // namespace

// Issue 16: metaballs that go with bones; the surface of each frame, and an export whose vertices stay.
Scene running_kangaroo() {
  Builder b("Running kangaroo",
            "Each metaball goes with one of nine keyed bones, and each frame has the surface that they blend to.", 240);
  b.stage(1e7, 0.55, Vec3(0.80, 0.66, 0.46), Vec3(0.52, 0.68, 0.82));
  b.soften();
  Object skin = b.object("Kangaroo", "white plastic", PrimitiveShape::box, Vec3(1, 1, 1), Vec3::Zero());
  skin.display.kind = DisplayKind::metaballs;
  skin.display.metaballs = kangaroo();
  skin.display.metaballs.moving = true;
  skin.display.metaballs.final_tolerance = 0.008;
  Builder::only_seen(skin);
  Builder::paint(skin, Vec3(0.62, 0.38, 0.2));
  skin.mapping.kind = MappingKind::skeleton;
  const std::vector<Pose> first = running(0);
  for (std::size_t k = 0; k < limbs().size(); ++k) {
    const Limb& limb = limbs()[k];
    Object carrier =
        b.object(limb.name, "white plastic", PrimitiveShape::sphere, Vec3(0.08, 0.08, 0.08), first[k].position);
    carrier.transform.rotation = first[k].rotation;
    carrier.visible = false;
    Builder::only_seen(carrier);
    Bone bone;
    bone.id = static_cast<std::uint32_t>(k + 1);
    bone.name = limb.name;
    bone.parent = static_cast<std::uint32_t>(limb.parent + 1);
    bone.head = limb.joint;
    bone.tail = limb.end;
    bone.carrier = carrier.id.value;
    bone.bound_position = limb.joint;
    for (const char* name : limb.metaballs)
      for (MetaballPrimitive& p : skin.display.metaballs.primitives)
        if (p.name == name) p.bone = bone.id;
    skin.mapping.bones.push_back(bone);
    b.add(carrier);
  }
  b.add(skin);
  for (double t = 0; t < 4 + 0.5 * kKeys; t += kKeys) {
    const std::vector<Pose> poses = running(t);
    for (std::size_t k = 0; k < limbs().size(); ++k) {
      const std::uint64_t carrier = skin.mapping.bones[k].carrier;
      b.scene = with_key(std::move(b.scene), carrier, "transform.position", t, poses[k].position);
      b.scene = with_key(std::move(b.scene), carrier, "transform.rotation", t, poses[k].rotation);
    }
  }
  b.next = next_id(b.scene).value;
  b.camera(Vec3(0.6, 1.5, 6.4), Vec3(0, 0.85, 0));
  return b.done();
}

}  // namespace hazumi::shipped
