#include "ui/model/curve_commands.h"

#include <algorithm>

#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kAboveFloor = 0.5;  // m

CurveShape start_shape(CurveStart start) {
  const auto at = [](double x, double z) {
    CurvePoint point;
    point.place = Vec3(x, 0, z);
    return point;
  };
  switch (start) {
    case CurveStart::line:
      return {CurveKind::line, false, {at(-2, 0), at(2, 0)}};
    case CurveStart::arc:
      return {CurveKind::arc, false, {at(-2, 0), at(0, -2), at(2, 0)}};
    case CurveStart::circle:
      return {CurveKind::arc, true, {at(2, 0), at(0, -2), at(-2, 0)}};
    case CurveStart::spline:
      break;
  }
  return {CurveKind::spline, false, {at(-3, 1), at(-1, -1), at(1, 1), at(3, -1)}};
}

const char* start_name(CurveStart start) {
  constexpr const char* kNames[] = {QT_TR_NOOP("Line"), QT_TR_NOOP("Arc"), QT_TR_NOOP("Circle"), QT_TR_NOOP("Spline")};
  return kNames[static_cast<std::size_t>(start)];
}

bool is_rider(const Scene& scene, Id id) { return find_object(scene, id) || find_camera(scene, id); }

struct Chosen {
  std::vector<Id> riders;
  std::vector<const Curve*> curves;
};

Chosen chosen(const Scene& scene, const Selection& selection) {
  Chosen all;
  for (Id id : selection.ids()) {
    if (is_rider(scene, id)) all.riders.push_back(id);
    if (const Curve* curve = find_curve(scene, id)) all.curves.push_back(curve);
  }
  return all;
}

QString names_of(const Scene& scene, const std::vector<Id>& ids) {
  return ids.size() == 1 ? name_of(scene, ids.front()) : tr("%1 Things").arg(ids.size());
}

template <class Change>
Scene with_ride(Scene scene, Id id, const Change& change) {
  if (find_object(scene, id)) return with_object(std::move(scene), id, [&](Object& o) { change(o.follow); });
  return with_camera(std::move(scene), id, [&](Camera& c) { change(c.follow); });
}

/// Evenly from the start to the end over the range, in place of keys that are there.
Scene with_ride_keys(Scene scene, Id id) {
  std::erase_if(scene.tracks, [id](const auto& t) { return t->target == id.value && t->field == kAlong; });
  const SceneSettings& range = scene.settings;
  const double first = range.first_frame / range.frame_rate, last = range.last_frame / range.frame_rate;
  scene = with_key(std::move(scene), id.value, kAlong, first, 0.0);
  if (last > first) scene = with_key(std::move(scene), id.value, kAlong, last, 1.0);
  auto& track = scene.tracks.back();
  track = track.edited([](Track& t) {
    for (Key& key : t.keys) key.shape = KeyShape::linear;
  });
  return scene;
}

}  // namespace

Id add_curve(DocumentController& document, Selection& selection, CurveStart start) {
  const Scene& scene = document.scene();
  Curve curve;
  static_cast<CurveShape&>(curve) = start_shape(start);
  curve.id = next_id(scene);
  curve.name = unique_name(scene, tr(start_name(start)).toStdString());
  curve.transform.position.y() = kAboveFloor;
  const Id id = curve.id;
  const QString text = tr("Add %1").arg(QString::fromStdString(curve.name));
  auto operation = added_operation(
      rows_of(curve_fields(), {"transform.position", "transform.rotation", "transform.scale", "kind", "closed"}),
      std::move(curve), &Scene::curves, [&selection, id] { selection.select_only(id); });
  return document.last_operation().begin(text, std::move(operation)).ok() ? id : Id{};
}

QString no_following(const Scene& scene, const Selection& selection) {
  const Chosen all = chosen(scene, selection);
  if (all.curves.size() != 1 || all.riders.empty())
    return tr("Select what shall ride, an object or a camera, and one curve.");
  return {};
}

void follow_curve(DocumentController& document, const Selection& selection) {
  Scene next = document.scene();
  if (!no_following(next, selection).isEmpty()) return;
  const Chosen all = chosen(document.scene(), selection);
  for (Id id : all.riders) {
    next = with_ride(std::move(next), id, [&](Follow& follow) {
      follow.curve = all.curves.front()->id.value;
      follow.along = 0;
    });
    next = with_ride_keys(std::move(next), id);
  }
  const QString text =
      tr("%1 Follows %2").arg(names_of(next, all.riders), QString::fromStdString(all.curves.front()->name));
  (void)document.edit(text, std::move(next));
}

QString no_leaving(const Scene& scene, const Selection& selection) {
  if (selection.empty()) return tr("Select something first.");
  for (Id id : chosen(scene, selection).riders) {
    const Object* object = find_object(scene, id);
    if (object ? object->follow.curve != 0 : find_camera(scene, id)->follow.curve != 0) return {};
  }
  return tr("Nothing of what is selected is on a curve.");
}

void leave_curve(DocumentController& document, const Selection& selection) {
  Scene next = document.scene();
  std::vector<Id> gone;
  for (Id id : chosen(document.scene(), selection).riders)
    next = with_ride(std::move(next), id, [&](Follow& follow) {
      if (follow.curve == 0) return;
      follow.curve = 0;
      gone.push_back(id);
    });
  (void)document.edit(tr("Take %1 from its Curve").arg(names_of(document.scene(), gone)), std::move(next));
}

}  // namespace hazumi
