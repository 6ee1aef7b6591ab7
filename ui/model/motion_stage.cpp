#include "ui/model/motion_stage.h"

#include <algorithm>
#include <cmath>

#include "core/motion/catalogue.h"
#include "core/motion/kinds.h"
#include "core/motion/model_recipe.h"
#include "ui/model/commands.h"

namespace hazumi {

namespace {

constexpr double kFalls = 3;  // times its size

bool has_box(const Scene& motion, bool (*is)(const MotionNode& node)) {
  return std::any_of(motion.motion.begin(), motion.motion.end(), [&](const auto& node) { return is(*node); });
}

bool shapes(const MotionNode& node) {
  const ProcedureKind* kind = node.role == MotionRole::procedure ? find_procedure_kind(node.kind) : nullptr;
  return kind && kind->shapes;
}

}  // namespace

Scene motion_stage(const Scene& motion, MeshStore& meshes) {
  Scene stage = make_new_scene();
  stage.name = motion.name;
  stage.description = motion.description;
  stage.settings.last_frame = 240;
  const std::vector<StandIn> wanted = stand_ins(motion);
  const Object* made_with = wanted.empty() ? nullptr : find_object(motion, wanted.front().id);
  MotionBody body{0.5, 1};
  if (made_with) body = {size_made_with(*made_with), made_with->body.mass};
  Object ball;
  ball.id = next_id(stage);
  ball.name = made_with ? made_with->name : "Ball";
  ball.display.primitive = {PrimitiveShape::sphere, Vec3::Constant(body.size), {24, 16, 1}};
  ball.material = material_from("red plastic");
  ball.body.kind = kMovingBody;
  ball.body.mass = body.mass;
  const bool waits = !has_box(motion, [](const MotionNode& node) { return node.kind == "time"; });
  ball.transform.position.y() = (0.5 + (waits ? kFalls : 0)) * body.size;
  if (has_box(motion, shapes) && !(made_with && bends(made_with->body))) {
    ball.body.kind = kBendingBody;
    ball.analysis = fitting_analysis(ball, meshes);
    // So soft that it is seen to give way, whatever its size (Froude).
    ball.body.stiffness = 1000 * body.mass / body.size;
    ball.body.damping = 6 * body.mass / std::sqrt(body.size);
  }
  const Id id = ball.id;
  stage.objects.push_back(Shared<Object>(std::move(ball)));
  if (wanted.empty()) return stage;
  auto put = put_motion(stage, motion, {{wanted.front().id, id}}, {}, [&](const Object&) { return body; });
  return put.ok() ? std::move(put->scene) : stage;
}

}  // namespace hazumi
