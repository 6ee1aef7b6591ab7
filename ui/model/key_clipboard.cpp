#include "ui/model/key_clipboard.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

const QLatin1String kFormat("hazumi keys");
using Row = RowFormat<Key>;

struct CopiedTrack {
  Id target;
  QString name;
  std::string field;
  TurnBy turn = TurnBy::quaternion;
  std::vector<Key> keys;
};

QJsonArray row_of(const Key& key) {
  QJsonArray row;
  for (std::size_t i = 0; i < Row::columns.size(); ++i) row.append(Row::get(key, i));
  return row;
}

/// False: no key of ours.
bool read_row(const QJsonArray& row, Key& key) {
  if (row.size() != static_cast<qsizetype>(Row::columns.size())) return false;
  for (std::size_t i = 0; i < Row::columns.size(); ++i) {
    const QJsonValue value = row[static_cast<qsizetype>(i)];
    const auto& column = Row::columns[i];
    if (!value.isDouble() || !(value.toDouble() >= column.low && value.toDouble() <= column.high)) return false;
    Row::set(key, i, value.toDouble());
  }
  return true;
}

std::optional<std::vector<CopiedTrack>> read_tracks(const QString& text) {
  const QJsonObject all = QJsonDocument::fromJson(text.toUtf8()).object();
  if (all[QLatin1String("format")].toString() != kFormat) return std::nullopt;
  std::vector<CopiedTrack> tracks;
  for (const QJsonValue& value : all[QLatin1String("tracks")].toArray()) {
    const QJsonObject object = value.toObject();
    CopiedTrack track;
    track.target = Id{object[QLatin1String("id")].toString().toULongLong()};
    track.name = object[QLatin1String("target")].toString();
    track.field = object[QLatin1String("field")].toString().toStdString();
    track.turn = object[QLatin1String("angles")].toBool() ? TurnBy::angles : TurnBy::quaternion;
    for (const QJsonValue& row : object[QLatin1String("keys")].toArray()) {
      Key key;
      if (!read_row(row.toArray(), key)) return std::nullopt;
      if (!track.keys.empty() && !(key.time - track.keys.back().time > kSameTime)) return std::nullopt;
      track.keys.push_back(key);
    }
    if (!track.keys.empty()) tracks.push_back(std::move(track));
  }
  if (tracks.empty()) return std::nullopt;
  return tracks;
}

/// Things that have the field.
std::vector<std::uint64_t> places_of(const Scene& scene, const CopiedTrack& track, const std::set<Id>& targets) {
  const auto suits = [&](std::uint64_t target) {
    const auto field = track_field(scene, target, track.field);
    return field && field->keyable;
  };
  std::vector<std::uint64_t> places;
  if (!track.target) {
    if (suits(0)) places.push_back(0);
    return places;
  }
  for (const Id id : targets)
    if (suits(id.value)) places.push_back(id.value);
  // What a box says only boxes of its kind say.
  if (!places.empty() || (!targets.empty() && !find_motion(scene, track.target))) return places;
  if (name_of(scene, track.target) == track.name && suits(track.target.value)) return {track.target.value};
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member)
      if (places.empty() && QString::fromStdString(thing->name) == track.name && suits(thing->id.value))
        places.push_back(thing->id.value);
  });
  return places;
}

}  // namespace

QString copied_keys_text(const Scene& scene, const KeyTimes& keys) {
  double first = std::numeric_limits<double>::max();
  for (const auto& [track, times] : keys) first = std::min(first, times.front());
  QJsonArray tracks;
  for (const auto& track : scene.tracks) {
    const auto at = keys.find(track->id);
    if (at == keys.end()) continue;
    QJsonArray rows;
    for (Key key : track->keys) {
      if (!std::binary_search(at->second.begin(), at->second.end(), key.time)) continue;
      key.time -= first;
      rows.append(row_of(key));
    }
    tracks.append(QJsonObject{{"target", name_of(scene, Id{track->target})},
                              {"id", QString::number(track->target)},
                              {"field", QString::fromStdString(track->field)},
                              {"angles", track->turn == TurnBy::angles},
                              {"keys", rows}});
  }
  return QString::fromUtf8(QJsonDocument(QJsonObject{{"format", kFormat}, {"tracks", tracks}}).toJson());
}

PastedKeys pasted_keys(const Scene& scene, const std::set<Id>& selected, const QString& text, double time,
                       const std::set<Id>& boxes) {
  PastedKeys pasted{{scene, {}}, {}, {}};
  const auto tracks = read_tracks(text);
  if (!tracks) {
    pasted.why_not = tr("Nothing was pasted: the clipboard holds no keys that were copied in Hazumi.");
    return pasted;
  }
  std::set<Id> sources;
  for (const CopiedTrack& track : *tracks)
    if (track.target) sources.insert(track.target);
  const std::set<Id> targets = sources.size() == 1 ? selected : std::set<Id>{};
  QStringList without;
  for (const CopiedTrack& track : *tracks) {
    std::vector<Key> keys = track.keys;
    for (Key& key : keys) key.time += time;
    const bool of_box = find_motion(scene, track.target) != nullptr;
    const auto places = places_of(scene, track, of_box && sources.size() == 1 ? boxes : targets);
    if (places.empty()) without << QString::fromStdString(track.field);
    for (const std::uint64_t target : places) {
      KeyEdit next = with_keys(pasted.edit.scene, target, track.field, track.turn, keys);
      pasted.edit = {std::move(next.scene), joined_keys(pasted.edit.keys, next.keys)};
    }
  }
  without.removeDuplicates();
  const QString names = without.mid(0, 3).join(QStringLiteral(", ")) + (without.size() > 3 ? tr(" …") : QString());
  if (pasted.edit.keys.empty())
    pasted.why_not = tr("Nothing was pasted: nothing here has %1. Select an object that has.").arg(names);
  else if (!without.isEmpty())
    pasted.left = tr("Some keys were left out: nothing here has %1.").arg(names);
  return pasted;
}

}  // namespace hazumi
