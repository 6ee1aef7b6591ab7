// What rides on curves (values/follow.h): objects that can be led, and cameras. Where it stands on the curve is its place; position
// keys wait meanwhile, and keys of a rotation too while the curve or what it looks at turns it.
//
// The scene's own values say where it stands at the start, as they do of everything: an edit puts what rides where its curve has
// it (settled_on_curves), so that a run, pictures and files need to know no curve for that. Who moves a thing on a curve slides it:
// it goes to the nearest place of the curve.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::string_view kAlong = "follow.along", kFollowRoll = "follow.roll";

/// Where a curve lies in the world, worked out once for each version of it.
std::shared_ptr<const CurveWay> way_of(const Shared<Curve>& curve);
/// Null: the scene has no such curve.
const Shared<Curve>* find_shared_curve(const Scene& scene, std::uint64_t id);

/// The curve that an object is on; null: none, or nothing can lead it.
const Shared<Curve>* curve_of(const Scene& scene, const Object& object);
const Shared<Curve>* curve_of(const Scene& scene, const Camera& camera);
/// What an object on a curve looks at; no id: nothing, or what must not be looked at: itself, and what goes with it, whose place
/// would follow from where it looks.
Id looked_at(const Scene& scene, const Object& object);

/// Its position (and what it looks at when it is turned) as its curve has it; as it was without one.
void put_on_curve(const Scene& scene, Camera& camera);

/// What of `next` was moved from where `before` has it slides along its curve; turned with the curve, it is turned on it.
Scene slid(const Scene& before, Scene next);
/// What an edit of `now` to `next` does to what rides; `start` as of settled() (family.h).
Scene settled_on_curves(const Scene& start, const Scene& now, Scene next);
/// Everything that rides where its curve has it at the start.
Scene placed_on_curves(Scene scene);

}  // namespace hazumi
