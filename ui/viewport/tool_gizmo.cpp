#include "ui/viewport/tool_gizmo.h"

#include "core/scene/derived/cameras.h"
#include "core/scene/derived/collections.h"
#include "render/force_arrows.h"
#include "render/joint_symbols.h"
#include "render/particles.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/element_target.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"

namespace hazumi {

ToolGizmo::ToolGizmo(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture)
    : context_(context), navigation_(navigation), picture_(picture) {
  (void)take(QStringLiteral("move"));
}

bool ToolGizmo::take(const QString& id) {
  for (const ToolInfo* info : tools()) {
    if (text_of(info->id) != id) continue;
    tool_ = info;
    return true;
  }
  return false;
}

std::optional<glm::vec3> ToolGizmo::pivot() const {
  if (context_.elements.mode()) {
    const ElementsTarget target(context_.document.snapshot(), context_.elements);
    if (!elements_shown(context_) || target.empty()) return std::nullopt;
    return to_float(target.pivot());
  }
  const Scene& scene = context_.keying.shown();
  const FramePtr frame = picture_.frame();
  const Standing standing(scene, &context_.isolation.aside());
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (Id id : ObjectsTarget::movable(scene, context_.selection.ids())) {
    if (const Object* object = find_object(scene, id)) {
      if (!standing.visible(*object)) continue;
      const ObjectFrame* shown = frame ? frame->find(id) : nullptr;
      if (shown && !shown->present) continue;
      sum += shown ? Vec3(shown->position.cast<double>()) : object->transform.position;
      ++count;
    } else if (const Light* light = find_light(scene, id)) {
      sum += light->position;
      ++count;
    } else if (const Camera* camera = find_camera(scene, id)) {
      if (!standing.visible(*camera)) continue;
      sum += camera->position;
      ++count;
    } else if (const Curve* curve = find_curve(scene, id)) {
      if (!standing.visible(*curve)) continue;
      sum += curve->transform.position;
      ++count;
    } else if (const ForceField* field = find_force_field(scene, id)) {
      if (!standing.visible(*field)) continue;
      sum += field->position;
      ++count;
    } else if (const ParticleSource* source = find_source(scene, id)) {
      if (!standing.visible(*source)) continue;
      sum += shown_source(scene, *source, frame.get()).position;
      ++count;
    } else if (const Force* force = find_force(scene, id)) {
      const auto arrow = force_arrow(scene, *force, frame.get(), context_.document.meshes());
      if (!standing.visible(*force) || !arrow) continue;
      sum += arrow->from;
      ++count;
    } else if (const Joint* joint = find_joint(scene, id)) {
      const auto places = shown_joint(scene, *joint, frame.get(), context_.document.meshes());
      if (!standing.visible(*joint) || !places) continue;
      sum += has_target(joint->kind) ? places->b : places->middle();  // it is held by its target
      ++count;
    }
  }
  if (!count) return std::nullopt;
  return to_float(Vec3(sum / count));
}

std::vector<GizmoHandle> ToolGizmo::handles() const {
  const std::optional<glm::vec3> place = tool_->handles ? pivot() : std::nullopt;
  if (!place) return {};
  GizmoView view;
  view.camera = navigation_.camera();
  view.size = navigation_.size();
  view.pivot = *place;
  const float depth = view.camera.project(view.pivot, view.size).z;
  if (!(depth > 0 && depth < 1)) return {};
  if (context_.elements.mode()) {
    view.local = ElementsTarget(context_.document.snapshot(), context_.elements).local_axes();
    return tool_->handles(view);
  }
  const Id active = context_.selection.active();
  const FramePtr frame = picture_.frame();
  if (const ObjectFrame* shown = frame ? frame->find(active) : nullptr)
    view.local = shown->rotation.cast<double>().normalized().toRotationMatrix();
  else if (const Camera* camera = find_camera(context_.keying.shown(), active))
    view.local = camera_axes(*camera);
  else if (const Curve* curve = find_curve(context_.keying.shown(), active))
    view.local = curve->transform.rotation.normalized().toRotationMatrix();
  else if (const ForceField* field = find_force_field(context_.keying.shown(), active))
    view.local = field->rotation.normalized().toRotationMatrix();
  else if (const ParticleSource* source = find_source(context_.keying.shown(), active))
    view.local = shown_source(context_.keying.shown(), *source, frame.get()).rotation.toRotationMatrix();
  else if (const Force* force = find_force(context_.keying.shown(), active))
    view.local = force_arrow(context_.keying.shown(), *force, frame.get(), context_.document.meshes())
                     .value_or(ForceArrow())
                     .axes.toRotationMatrix();
  else if (const Joint* joint = find_joint(context_.keying.shown(), active))
    view.local = shown_joint(context_.keying.shown(), *joint, frame.get(), context_.document.meshes())
                     .value_or(JointPlaces())
                     .turn.toRotationMatrix();
  else if (const Object* object = find_object(context_.keying.shown(), active))
    view.local = object->transform.rotation.normalized().toRotationMatrix();
  return tool_->handles(view);
}

}  // namespace hazumi
