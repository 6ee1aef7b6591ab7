#include "ui/viewport/picture.h"

#include <algorithm>

#include "core/scene/derived/collections.h"
#include "ui/jobs/looks_job.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/mode.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/view_gesture.h"

namespace hazumi {

bool elements_shown(const UiContext& context) {
  return context.elements.mode() && !context.playback.playing() &&
         context.playback.frame() <= std::max(0, context.document.scene().settings.first_frame);
}

ViewPicture::ViewPicture(UiContext& context, const ViewNavigation& navigation, const ViewGesture& gesture,
                         LooksJob& looks)
    : context_(context), navigation_(navigation), gesture_(gesture), looks_(looks) {}

FramePtr ViewPicture::newest_frame() const {
  // Transforms edit the start pose: that is what is seen while they run.
  if (gesture_.running() || elements_shown(context_)) return nullptr;
  if (FramePtr frame = context_.playback.shown()) return frame;
  const FrameCache& cache = context_.playback.cache();
  const int newest = std::min(context_.playback.frame(), cache.size() - 1);
  return newest >= 0 ? cache.frame(newest) : nullptr;
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
  if ((mode && mode->draws_analysis && elements_shown(context_)) || elements.preview())
    options.analysis = AnalysisOverlay::off;
  drawn_ = newest_frame();
  list_ = extract(context_.document.scene(), drawn_, navigation_.camera(), size.x / size.y, options, selected,
                  context_.document.meshes());
  spoilt_ = false;  // what layers add is of this frame
  for (const auto& layer : layers_) layer(list_);
  looks_.look(list_);
  return list_;
}

int ViewPicture::vertices() const {
  std::size_t vertices = 0;
  for (const DrawMesh& mesh : list_.meshes)
    if (mesh.mesh) vertices += mesh.mesh->positions.size();
  return static_cast<int>(vertices);
}

Box3 ViewPicture::bounds_of_all() const {
  const Scene& scene = context_.document.scene();
  const FramePtr shown = frame();
  const std::set<Id>& aside = context_.isolation.aside();
  const Standing standing(scene, &aside);
  Box3 box;
  for (const auto& object : scene.objects) {
    const bool floor = !body_kind(object->body.kind).moves && object->display.kind == DisplayKind::primitive &&
                       object->display.primitive.shape == PrimitiveShape::plane;
    if (!standing.visible(*object) || floor) continue;
    const Box3 one = shown_bounds(scene, shown.get(), object->id, context_.document.meshes());
    if (!one.valid()) continue;
    box.add(one.low);
    box.add(one.high);
  }
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
    if (const Light* light = find_light(scene, id)) {
      one.add(light->position + Vec3::Constant(0.5));
      one.add(light->position - Vec3::Constant(0.5));
    }
    if (!one.valid()) continue;
    box.add(one.low);
    box.add(one.high);
  }
  return box;
}

}  // namespace hazumi
