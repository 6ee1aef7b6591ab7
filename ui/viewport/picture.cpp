#include "ui/viewport/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/playback/between.h"
#include "core/playback/skins.h"
#include "core/scene/derived/collections.h"
#include "render/depth.h"
#include "ui/jobs/looks_job.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/mode.h"
#include "ui/tools/transform_target.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/view_gesture.h"

namespace hazumi {

namespace {

constexpr double kLightRoom = 0.1;  // around a light that is looked at, of the size of the scene

bool at_start(const UiContext& context) {
  return context.playback.frame() <= std::max(0, context.document.scene().settings.first_frame);
}

}  // namespace

bool elements_shown(const UiContext& context) {
  const ModeInfo* mode = context.elements.mode();
  if (!mode || context.playback.playing()) return false;
  return mode->of_curves || mode->at_frames || at_start(context);
}

bool start_pose_shown(const UiContext& context) {
  return elements_shown(context) && !context.elements.mode()->of_curves && at_start(context);
}

ViewPicture::ViewPicture(UiContext& context, const ViewNavigation& navigation, const ViewGesture& gesture,
                         LooksJob& looks)
    : context_(context), navigation_(navigation), gesture_(gesture), looks_(looks) {}

/// Transforms edit the start pose, which is what is seen while they run, or keys at this frame: then what is led is where it is
/// led now, among the others as they are.
FramePtr ViewPicture::frame_of_gesture() const {
  if (FramePtr seen = gesture_.running()->seen()) return seen;
  const Scene& scene = context_.keying.shown();
  std::set<Id> led;
  for (const LedTracks& tracks : led_objects(scene))
    if (find_object(scene, tracks.object)->body.led) led.insert(tracks.object);
  for (Id id : ObjectsTarget::movable(scene, context_.selection.ids()))
    if (find_joint(scene, id) || (find_object(scene, id) && !led.contains(id))) return nullptr;
  FramePtr shown = context_.playback.shown();
  if (!shown) shown = context_.playback.cache().nearest(context_.playback.frame());
  const auto is_curve = [&](Id id) { return find_curve(scene, id) != nullptr; };
  const std::set<Id>& ids = context_.selection.ids();
  if (shown && led.empty() && std::all_of(ids.begin(), ids.end(), is_curve)) return shown;
  if (!shown || led.empty()) return nullptr;
  auto frame = std::make_shared<Frame>(*shown);
  for (ObjectFrame& object : frame->objects)
    if (led.contains(object.id)) {
      const Transform& place = find_object(scene, object.id)->transform;
      put_rigidly(object, place.position.cast<float>(), place.rotation.cast<float>());
    }
  return frame;
}

/// Skins bend with what is led, and with the start, before a run has computed that: without a frame, or with one in which some are
/// elsewhere.
FramePtr ViewPicture::with_skins(FramePtr frame) const {
  if (frame && !gesture_.running()) return frame;
  const auto shapes = context_.playback.skins();
  if (shapes->empty()) return frame;
  auto posed = frame ? std::make_shared<Frame>(*frame) : std::make_shared<Frame>();
  Executor executor(1);
  pose_skins(context_.keying.shown(), *shapes, *context_.document.mesh_store(), *posed, executor);
  // Bones are edited as they were bound.
  if (start_pose_shown(context_))
    std::erase_if(posed->objects, [id = context_.elements.object_id()](const ObjectFrame& o) { return o.id == id; });
  return posed;
}

FramePtr ViewPicture::newest_frame() const {
  if (start_pose_shown(context_)) return nullptr;
  // Around what is shaped at a frame all stays as it was there, while the run is computed anew after each touch.
  if (const auto& stand = context_.elements.stand(); stand && elements_shown(context_)) return stand->frame;
  if (gesture_.running()) return frame_of_gesture();
  if (FramePtr frame = context_.playback.shown()) return frame;
  return context_.playback.cache().nearest(context_.playback.frame());
}

const RenderList& ViewPicture::list() {
  if (!spoilt_) return list_;
  const glm::vec2 size = navigation_.size();
  const ElementSelection& elements = context_.elements;
  const ModeInfo* mode = elements.mode();
  // In a mode the elements say what is selected; an outline around the whole object would only be in the way.
  ViewSelection selected;
  if (!mode)
    selected =
        ViewSelection{with_contents(context_.document.scene(), context_.selection.ids()), context_.selection.active()};
  ViewOptions options = options_;
  options.aside = context_.isolation.aside();
  if (const Camera* through = navigation_.looked_through()) options.through = through->id;
  options.height = navigation_.through_camera() ? 0 : size.y;  // through the camera it is what pictures will show
  if ((mode && mode->draws_analysis && elements_shown(context_)) || elements.preview())
    options.analysis = AnalysisOverlay::off;
  drawn_ = newest_frame();
  list_ = extract(context_.keying.shown(), with_skins(drawn_), navigation_.camera(), size.x / size.y, options, selected,
                  context_.document.meshes());
  spoilt_ = false;  // what layers add is of this frame
  for (const auto& layer : layers_) layer(list_);
  set_view(list_, navigation_.camera(), size.x / size.y);  // with what they added
  looks_.look(list_);
  return list_;
}

int ViewPicture::vertices() const {
  std::size_t vertices = 0;
  for (const DrawMesh& mesh : list_.meshes)
    if (mesh.mesh) vertices += mesh.mesh->positions.size();
  return static_cast<int>(vertices);
}

DepthRange ViewPicture::seen_depths() {
  const glm::vec2 size = navigation_.size();
  DepthRange seen{std::numeric_limits<float>::infinity(), 0};
  for (const DrawMesh& mesh : list().meshes) {
    if (!mesh.bounds.valid()) continue;
    const DepthRange one = depths_of(mesh.bounds, navigation_.camera(), size.x / size.y);
    if (!std::isfinite(one.near_plane)) continue;
    seen = {std::min(seen.near_plane, one.near_plane), std::max(seen.far_plane, one.far_plane)};
  }
  return seen;
}

Box3 ViewPicture::bounds_of_all() const {
  const Scene& scene = context_.document.scene();
  const FramePtr shown = frame();
  const std::set<Id>& aside = context_.isolation.aside();
  Box3 box = shown_bounds(scene, shown.get(), context_.document.meshes(), aside, [](const Object& object) {
    return body_kind(object.body.kind).moves || object.display.kind != DisplayKind::primitive ||
           object.display.primitive.shape != PrimitiveShape::plane;
  });
  if (!box.valid()) box = shown_bounds(scene, shown.get(), context_.document.meshes(), aside);
  if (!box.valid()) {
    box.add(Vec3(-2, 0, -2));
    box.add(Vec3(2, 1, 2));
  }
  return box;
}

Box3 ViewPicture::bounds_of_selection() const {
  const Scene& scene = context_.document.scene();
  const FramePtr shown = frame();
  Box3 box;
  for (Id id : with_contents(scene, context_.selection.ids())) {
    Box3 one = shown_bounds(scene, shown.get(), id, context_.document.meshes());
    const Light* light = find_light(scene, id);
    const Camera* camera = find_camera(scene, id);
    if (find_joint(scene, id) && one.valid()) {
      const Vec3 room = Vec3::Constant(kLightRoom * bounds_of_all().size().norm());
      const Box3 places = one;
      one.add(places.low - room);
      one.add(places.high + room);
    }
    if (light || camera) {
      const Vec3 room = Vec3::Constant(kLightRoom * bounds_of_all().size().norm());
      one.add((light ? light->position : camera->position) + room);
      one.add((light ? light->position : camera->position) - room);
    }
    if (!one.valid()) continue;
    box.add(one.low);
    box.add(one.high);
  }
  return box;
}

}  // namespace hazumi
