#include "ui/model/markers.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kLatest = 1e6;  // s, as in the field table

void change_marker(UiContext& context, const QString& text, Id id, const std::function<void(Marker&)>& change,
                   quint64 gesture = 0) {
  Scene scene = context.document.scene();
  for (auto& marker : scene.markers)
    if (marker->id == id) marker = marker.edited(change);
  (void)context.document.edit(text, std::move(scene), gesture);
}

bool is_taken(const Scene& scene, const std::string& name) {
  return std::any_of(scene.markers.begin(), scene.markers.end(),
                     [&](const auto& marker) { return marker->name == name; });
}

}  // namespace

int frame_of(const UiContext& context, const Marker& marker) {
  return static_cast<int>(std::lround(std::min(marker.time * frame_rate(context), 2e9)));
}

const Marker* find_marker(const UiContext& context, Id id) { return find_marker(context.document.scene(), id); }

const Marker* marker_at_frame(const UiContext& context, int frame) {
  for (const auto& marker : context.document.scene().markers)
    if (frame_of(context, *marker) == frame) return marker.get();
  return nullptr;
}

std::vector<const Marker*> markers_in_time(const UiContext& context) {
  std::vector<const Marker*> all;
  for (const auto& marker : context.document.scene().markers) all.push_back(marker.get());
  std::stable_sort(all.begin(), all.end(), [](const Marker* a, const Marker* b) { return a->time < b->time; });
  return all;
}

const Marker* next_marker(const UiContext& context, int direction) {
  const int now = context.playback.frame();
  const Marker* best = nullptr;
  for (const auto& marker : context.document.scene().markers) {
    const int frame = frame_of(context, *marker);
    if ((frame - now) * direction <= 0) continue;
    if (!best || (frame - frame_of(context, *best)) * direction < 0) best = marker.get();
  }
  return best;
}

void add_marker(UiContext& context, int frame) {
  Scene scene = context.document.scene();
  Marker marker;
  marker.id = next_id(scene);
  marker.time = std::clamp(frame / frame_rate(context), 0.0, kLatest);
  int number = static_cast<int>(scene.markers.size());
  do marker.name = tr("Marker %1").arg(++number).toStdString();
  while (is_taken(scene, marker.name));
  const QString text = tr("Add %1").arg(QString::fromStdString(marker.name));
  scene.markers.push_back(Shared<Marker>(std::move(marker)));
  (void)context.document.edit(text, std::move(scene));
}

void go_to_marker(UiContext& context, const Marker& marker) {
  context.playback.play(false);
  context.playback.set_frame(frame_of(context, marker));
}

void move_marker(UiContext& context, Id id, int frame, quint64 gesture) {
  const Marker* marker = find_marker(context, id);
  if (!marker) return;
  const double time = std::clamp(frame / frame_rate(context), 0.0, kLatest);
  change_marker(
      context, tr("Move %1").arg(QString::fromStdString(marker->name)), id, [&](Marker& m) { m.time = time; }, gesture);
}

void rename_marker(UiContext& context, Id id, const QString& name) {
  const Marker* marker = find_marker(context, id);
  const std::string wanted = name.trimmed().toStdString();
  if (!marker || wanted.empty() || wanted == marker->name) return;
  change_marker(context, tr("Rename to %1").arg(name.trimmed()), id, [&](Marker& m) { m.name = wanted; });
}

void colour_marker(UiContext& context, Id id, const Vec3& colour) {
  const Marker* marker = find_marker(context, id);
  if (!marker) return;
  change_marker(context, tr("Colour of %1").arg(QString::fromStdString(marker->name)), id,
                [&](Marker& m) { m.colour = colour; });
}

void delete_marker(UiContext& context, Id id) {
  const Marker* marker = find_marker(context, id);
  if (!marker) return;
  const QString text = tr("Delete %1").arg(QString::fromStdString(marker->name));
  Scene scene = context.document.scene();
  std::erase_if(scene.markers, [&](const auto& each) { return each->id == id; });
  (void)context.document.edit(text, std::move(scene));
}

}  // namespace hazumi
