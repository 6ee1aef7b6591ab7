#include "ui/viewport/picker.h"

#include "render/picking.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/mode_input.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"

namespace hazumi {

ViewPicker::ViewPicker(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture, ModeInput& modes,
                       DriverView& drivers)
    : context_(context), navigation_(navigation), picture_(picture), modes_(modes), drivers_(drivers) {}

bool ViewPicker::hover(QPointF mouse, bool inside, const std::vector<GizmoHandle>& handles) {
  const bool in_mode = context_.elements.mode() != nullptr;
  const int axis = axis_gizmo_at(navigation_.camera(), navigation_.size(), mouse);
  const int handle = axis >= 0 ? -1 : handle_at(handles, mouse);
  const bool free = axis < 0 && handle < 0;
  bool changed = !in_mode && free && drivers_.on() &&
                 drivers_.hover(picture_.list(), {navigation_.camera(), navigation_.size(), picture_.frame()}, mouse);
  if (in_mode) modes_.hover(free && inside ? modes_.element_under(mouse) : std::nullopt);
  changed = changed || axis != axis_ || handle != handle_;
  axis_ = axis;
  handle_ = handle;
  return changed;
}

bool ViewPicker::leave() {
  drivers_.leave();
  modes_.hover(std::nullopt);
  const bool changed = axis_ >= 0 || handle_ >= 0;
  axis_ = handle_ = -1;
  return changed;
}

void ViewPicker::click(QPointF mouse, Qt::KeyboardModifiers held) {
  if (context_.elements.mode()) return modes_.click(mouse, held);
  if (!(held & Qt::ShiftModifier) &&
      drivers_.click(picture_.list(), {navigation_.camera(), navigation_.size(), picture_.frame()}, mouse))
    return;
  click_object(mouse, held);
}

void ViewPicker::click_object(QPointF mouse, Qt::KeyboardModifiers held) {
  const Scene& scene = context_.document.scene();
  const auto hit = pick(picture_.list(), scene, navigation_.camera(), to_glm(mouse), navigation_.size());
  const bool adds = held & Qt::ShiftModifier;
  if (hit && adds)
    context_.selection.toggle(hit->id);
  else if (hit)
    context_.selection.select_only(hit->id);
  else if (!adds)
    context_.selection.clear();
  if (!hit || hit->part < 0) return;
  if (const Object* object = find_object(context_.document.scene(), hit->id)) {
    const auto mesh = context_.document.meshes().mesh(*object);
    if (static_cast<std::size_t>(hit->part) < mesh->parts.size())
      context_.selection.announce_part(hit->id,
                                       QString::fromStdString(mesh->parts[static_cast<std::size_t>(hit->part)].name));
  }
}

void ViewPicker::select_box(const QRectF& box, Qt::KeyboardModifiers held) {
  if (context_.elements.mode()) return modes_.select_box(box, held);
  const std::vector<Id> hits = pick_box(picture_.list(), context_.document.scene(), navigation_.camera(),
                                        to_glm(box.topLeft()), to_glm(box.bottomRight()), navigation_.size());
  const std::set<Id> ids(hits.begin(), hits.end());
  if (held & Qt::ShiftModifier) {
    context_.selection.add(ids);
  } else if (held & Qt::ControlModifier) {
    std::set<Id> left = context_.selection.ids();
    for (Id id : ids) left.erase(id);
    context_.selection.set(std::move(left), context_.selection.active());
  } else {
    context_.selection.set(ids);
  }
}

void ViewPicker::select_for_menu(QPointF mouse) {
  if (context_.elements.mode()) {
    (void)modes_.hold(mouse);
    return;
  }
  const auto hit =
      pick(picture_.list(), context_.document.scene(), navigation_.camera(), to_glm(mouse), navigation_.size());
  if (hit && !context_.selection.contains(hit->id)) context_.selection.select_only(hit->id);
}

bool ViewPicker::meets_selection(QPointF mouse) {
  const auto hit =
      pick(picture_.list(), context_.document.scene(), navigation_.camera(), to_glm(mouse), navigation_.size());
  return hit && context_.selection.contains(hit->id);
}

Id ViewPicker::object_at(QPointF mouse) {
  const Scene& scene = context_.document.scene();
  const auto hit = pick(picture_.list(), scene, navigation_.camera(), to_glm(mouse), navigation_.size());
  return hit && find_object(scene, hit->id) ? hit->id : Id();
}

}  // namespace hazumi
