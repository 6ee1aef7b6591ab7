// A scene of metaballs that go with bones.
#pragma once

#include "core/scene/derived/skinning.h"
#include "core/scene/values/scene.h"

namespace hazumi::test {

inline constexpr std::uint64_t kBlob = 1, kLeft = 2, kRight = 3;

/// Two balls that fly through each other at 2 m/s, and meet in frame 21, and a blob of two metaballs that go with them.
inline Scene two_flying() {
  Scene scene;
  scene.settings.gravity = Vec3::Zero();
  Object blob;
  blob.id = Id{kBlob};
  blob.name = "Blob";
  blob.display.kind = DisplayKind::metaballs;
  blob.display.metaballs.moving = true;
  blob.display.metaballs.final_tolerance = 0.02;
  blob.body.kind = BodyKind::fixed;
  blob.contact.enabled = false;
  blob.mapping.kind = MappingKind::skeleton;
  for (const std::uint64_t id : {kLeft, kRight}) {
    const double side = id == kLeft ? -1 : 1;
    Object ball;
    ball.id = Id{id};
    ball.name = side < 0 ? "Left" : "Right";
    ball.transform.position = Vec3(0.6 * side, 1, 0);
    ball.body.velocity = Vec3(-side, 0, 0);
    ball.contact.enabled = false;
    MetaballPrimitive p;
    p.id = static_cast<std::uint32_t>(id);
    p.centre = ball.transform.position;
    blob.display.metaballs.primitives.push_back(p);
    Bone bone;
    bone.id = static_cast<std::uint32_t>(id);
    bone.head = p.centre;
    bone.tail = p.centre + Vec3(0, 0.2, 0);
    bind_bone(bone, blob.transform, &ball);
    blob.mapping.bones.push_back(bone);
    scene.objects.push_back(ball);
  }
  scene.objects.insert(scene.objects.begin(), blob);
  return scene;
}

}  // namespace hazumi::test
