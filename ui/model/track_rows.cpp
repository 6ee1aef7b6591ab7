#include "ui/model/track_rows.h"

#include <algorithm>
#include <map>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/motion_commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

void add_times(const Track& track, std::vector<double>& times) {
  for (const Key& key : track.keys) times.push_back(key.time);
}

void settle(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a <= kSameTime; }),
              times.end());
}

TrackRow row_of(const Scene& scene, const Track& track) {
  TrackRow row;
  row.target = listed_with(scene, track);
  row.track = track.id;
  row.tracks = {track.id};
  row.label = track_label(scene, track);
  if (const MotionNode* box = find_motion(scene, Id{track.target}))
    row.label = tr("%1: %2").arg(box_title(*box), row.label);
  row.type = type_of(scene, track);
  row.turn = track.turn;
  row.used = track.visible;
  row.known = row.type != FieldType::text;
  add_times(track, row.times);
  return row;
}

/// Where a thing's own row stands among the others: the scene first, then as in the outliner.
struct Thing {
  std::uint64_t id = 0;
  std::string_view name, icon;
};
std::vector<Thing> things_in_order(const Scene& scene) {
  std::vector<Thing> things{{0, {}, "grid"}};
  visit_scene_lists([&](const auto& list) {
    if (list.listed)
      for (const auto& thing : scene.*list.member) things.push_back({thing->id.value, thing->name, list.icon(*thing)});
  });
  return things;
}

}  // namespace

QString track_label(const Scene& scene, const Track& track) {
  const auto field = track_field(scene, track.target, track.field);
  if (!field) return QString::fromStdString(track.field);
  return text_of(field->range.label);
}

QString target_label(const Scene& scene, const Track& track) {
  if (const MotionNode* box = track.target != 0 ? find_motion(scene, Id{track.target}) : nullptr)
    return box_title(*box);
  return track.target == 0 ? tr("Scene") : name_of(scene, Id{track.target});
}

std::vector<QString> component_names(FieldType type, TurnBy turn) {
  if (type == FieldType::colour) return {QStringLiteral("r"), QStringLiteral("g"), QStringLiteral("b")};
  std::vector<QString> names{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("z")};
  if (type == FieldType::rotation && turn == TurnBy::quaternion) names.insert(names.begin(), QStringLiteral("w"));
  return track_components(type, turn) == 1 ? std::vector<QString>{} : names;
}

std::vector<TrackRow> track_rows(const Scene& scene, const RowChoice& choice) {
  if (scene.tracks.empty()) return {};
  std::map<std::uint64_t, std::vector<TrackRow>> by_target;
  for (const auto& track : scene.tracks)
    if (const std::uint64_t owner = listed_with(scene, *track); !choice.only || choice.selected.count(Id{owner}) != 0)
      by_target[owner].push_back(row_of(scene, *track));
  if (by_target.empty()) return {};
  std::vector<TrackRow> rows(1);
  rows[0].kind = TrackRow::Kind::summary;
  rows[0].label = tr("All keys");
  const auto add_target = [&](std::uint64_t target, const QString& label, const QString& icon) {
    const auto at = by_target.find(target);
    if (at == by_target.end()) return;
    TrackRow head;
    head.kind = TrackRow::Kind::target;
    head.target = target;
    head.label = label;
    head.icon = icon;
    head.folded = choice.folded.count(target) != 0;
    head.used = std::any_of(at->second.begin(), at->second.end(), [](const TrackRow& row) { return row.used; });
    for (const TrackRow& row : at->second) {
      head.tracks.push_back(row.track);
      head.times.insert(head.times.end(), row.times.begin(), row.times.end());
    }
    settle(head.times);
    rows[0].tracks.insert(rows[0].tracks.end(), head.tracks.begin(), head.tracks.end());
    rows[0].times.insert(rows[0].times.end(), head.times.begin(), head.times.end());
    const bool folded = head.folded;
    rows.push_back(std::move(head));
    if (!folded) std::move(at->second.begin(), at->second.end(), std::back_inserter(rows));
    by_target.erase(at);
  };
  for (const Thing& thing : things_in_order(scene))
    if (by_target.count(thing.id) != 0)
      add_target(thing.id, thing.id == 0 ? tr("Scene") : text_of(thing.name), text_of(thing.icon));
  for (const auto& box : scene.motion)  // of nobody yet
    if (by_target.count(box->id.value) != 0)
      add_target(box->id.value, box_title(*box), text_of(lists::motion_icon(*box)));
  while (!by_target.empty()) {  // of things that are gone
    const std::uint64_t target = by_target.begin()->first;
    add_target(target, tr("Missing (%1)").arg(target), QStringLiteral("warning"));
  }
  settle(rows[0].times);
  return rows;
}

}  // namespace hazumi
