// Thesis 2.6.2, figure 2.28: how heavy a thing looks is a matter of where its mass is.
#include "scenes/shipped.h"

#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

/// Stands on y = 0 and looks along +x, 1.2 m high.
MetaballGroup doll_group(const Vec3& coat) {
  CharacterMaker m;
  m.weight = 8;
  m.paint(coat.x(), coat.y(), coat.z());
  m.ball("Body", {0, 0.36, 0}, {0.30, 0.36, 0.30});
  m.ball("Hat", {0, 1.10, 0}, {0.17, 0.13, 0.17});
  m.ball("Bobble", {0, 1.24, 0}, {0.06, 0.06, 0.06});
  m.paint(0.93, 0.78, 0.62);
  m.ball("Head", {0, 0.86, 0}, {0.22, 0.23, 0.22});
  m.paint(0.95, 0.92, 0.84);
  m.ball("Scarf", {0, 0.67, 0}, {0.19, 0.055, 0.19});
  m.paint(0.06, 0.04, 0.04);
  m.buttons("eye", {0.20, 0.92, 0.085}, {0.026, 0.034, 0.026});
  m.paint(0.86, 0.45, 0.30);
  m.button("Nose", {0.225, 0.85, 0}, {0.045, 0.04, 0.04});
  m.paint(0.95, 0.92, 0.84);
  m.button("Upper button", {0.275, 0.48, 0}, {0.03, 0.04, 0.04});
  m.button("Lower button", {0.305, 0.33, 0}, {0.03, 0.04, 0.04});
  return m.finished(0.003);
}

}  // namespace

Scene dolls() {
  Builder b(
      "Light and heavy doll",
      "The same doll twice, and the same push. The right one is light all over and flies; the feet of the left one "
      "are heavy, and it only bends.",
      240);
  b.stage(1e7, 0.2, Vec3(0.60, 0.57, 0.52), Vec3(0.70, 0.78, 0.82));
  for (const bool heavy : {true, false}) {
    const MetaballGroup group = doll_group(heavy ? Vec3(0.22, 0.36, 0.58) : Vec3(0.82, 0.34, 0.24));
    StrungTruss truss = string_box({Vec3(-0.32, 0, -0.32), Vec3(0.32, 1.32, 0.32)}, {2, 5, 2});
    constexpr double kLight = 0.4, kFeet = 40;  // kg of the light one; times as heavy as its own are the other's
    double all = 0, of_heavy = 0;
    for (StrungNode& node : truss.nodes) {
      const bool foot = node.position.y() < 0.3;
      all += 1;
      of_heavy += foot ? kFeet : 1;
      if (heavy && foot) node.mass = kFeet;
    }
    Object o = b.character(heavy ? "Heavy doll" : "Light doll", group, truss, Vec3(heavy ? -1.5 : 0, 0.003, 0));
    Builder::springs(o, heavy ? kLight * of_heavy / all : kLight, 260, 1.1);
    Builder::physics(o, 1e5, 0.2, 0.9);
    b.add(o);
    Force push;
    push.id = {b.next++};
    push.name = heavy ? "Push on the heavy one" : "Push on the light one";
    push.object = o.id.value;
    push.push = Vec3(6.5, 3.2, 0);
    for (std::uint32_t n = 0; n < truss.nodes.size(); ++n)
      if (truss.nodes[n].position.y() > 0.7) push.nodes.push_back({n});
    b.scene.forces.emplace_back(push);
    for (const auto& [at, on] : {std::pair(0.0, false), std::pair(0.6, true), std::pair(0.9, false)})
      b.scene = with_key(std::move(b.scene), push.id.value, "on", at, on);
    b.next = next_id(b.scene).value;
  }
  b.soften();
  b.camera(Vec3(0.8, 1.2, 5.0), Vec3(0.75, 0.72, 0));
  return b.done();
}

}  // namespace hazumi::shipped
