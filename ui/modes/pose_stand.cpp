#include "ui/modes/pose_stand.h"

#include <algorithm>

#include "core/scene/derived/poses.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/modes/pose_commands.h"

namespace hazumi {

PoseStand::PoseStand(UiContext& context) : context_(context) {
  const auto again = [this] { update(); };
  connect(&context_.elements, &ElementSelection::mode_changed, this, again);
  connect(&PoseOptions::of(context_.elements), &PoseOptions::changed, this, again);
  connect(&context_.playback, &PlaybackController::frame_changed, this, again);
  connect(&context_.playback, &PlaybackController::shown_changed, this, again);
  connect(&context_.playback, &PlaybackController::playing_changed, this, again);
}

/// The pose as it is, put on the body by the turn that fits best.
Transform PoseStand::place_in(const FramePtr& frame, const Object& object) const {
  const Vec3& scale = object.transform.scale;
  const ObjectFrame* body = frame ? frame->find(object.id) : nullptr;
  if (!body || !body->present) {
    const Object* led = find_object(context_.keying.shown(), object.id);
    Transform place = led ? led->transform : object.transform;
    place.scale = scale;
    return place;
  }
  const Quat turn = body->rotation.cast<double>().normalized();
  if (nodes_.empty() || body->nodes.size() != nodes_.size()) return {body->position.cast<double>(), turn, scale};
  std::vector<Vec3> places;
  for (const Vec3f& node : body->nodes) places.push_back(node.cast<double>());
  return placed_on(nodes_, scale, places, turn);
}

void PoseStand::update() {
  ElementSelection& elements = context_.elements;
  const int frame = context_.playback.frame();
  const FramePtr now = context_.playback.shown();
  if (now)
    seen_ = now;
  else if (seen_ && seen_->index != frame)
    seen_ = nullptr;
  const Object* object = elements.mode() && elements.mode()->at_frames ? elements.object() : nullptr;
  if (!object || frame <= std::max(0, context_.document.scene().settings.first_frame)) {
    of_ = {};
    elements.set_stand(std::nullopt);
    return;
  }
  if (context_.playback.playing()) return;
  EditedPose edited = edited_pose(elements, *object);
  const Of of{object->id, edited ? edited.pose->id : 0, frame};
  const std::optional<ElementStand>& old = elements.stand();
  // Once it is touched it stays under the mouse.
  if (old && of == of_ && (old->here || !now || edited.nodes != nodes_)) {
    if (now) elements.set_stand(ElementStand{old->place, now, old->here});
    return;
  }
  of_ = of;
  nodes_ = std::move(edited.nodes);
  const FramePtr there = seen_ ? seen_ : context_.playback.cache().nearest(frame);
  elements.set_stand(ElementStand{place_in(there, *object), there, now != nullptr});
}

}  // namespace hazumi
