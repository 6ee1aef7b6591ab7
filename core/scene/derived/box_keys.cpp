#include "core/scene/derived/box_keys.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/track_difference.h"
#include "core/scene/derived/track_hash.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {
namespace {

FieldRange range_of_row(const Field<MotionNode>& row) {
  return {row.label, row.unit, row.type, row.low, row.high, row.low_open, row.choices, row.refers};
}

double number_of(const Field<MotionNode>& row, const MotionNode& node) { return numbers_of(row.get(node))[0]; }

/// Of the row in a box: its keys, or the number that it has.
struct Said {
  const Track* track = nullptr;
  double number = 0;
};
Said said(const Field<MotionNode>& row, const MotionNode& node, const std::vector<BoxTrack>& tracks) {
  for (const BoxTrack& one : tracks)
    if (one.row == &row) return {one.track.get(), 0};
  return {nullptr, number_of(row, node)};
}

/// The row of the box that the track says; null: none now.
const Field<MotionNode>* said_row(const MotionNode& node, const Track& track) {
  if (!track.visible || track.keys.empty()) return nullptr;
  const Field<MotionNode>* row = box_row(node, track.field);
  return row && row->keyable && !is_expression(node, row->path) ? row : nullptr;
}

}  // namespace

bool may_be_of_box(std::string_view field) { return field.starts_with("event.") || field.starts_with("procedure."); }

std::string_view parameter_of(std::string_view field) { return field.substr(field.rfind('.') + 1); }

bool is_with(std::string_view field) { return may_be_of_box(field) && parameter_of(field) == kWithRow; }

bool is_parameter(std::string_view field) {
  const std::string_view name = parameter_of(field);
  return name != kWithRow && name != "loop";
}

const Field<MotionNode>* box_row(const MotionNode& node, std::string_view field) {
  const Field<MotionNode>* row = find_field(motion_parameter_rows(), field);
  return row && row->shown(node) ? row : nullptr;
}

bool is_expression(const MotionNode& node, std::string_view field) {
  const MotionParameter* own = is_parameter(field) ? find_parameter(node, parameter_of(field)) : nullptr;
  if (!own || own->word.empty()) return false;
  const Field<MotionNode>* row = box_row(node, field);
  return !row || row->type != FieldType::choice;
}

std::vector<Field<MotionNode>> keyable_rows(const MotionNode& node) {
  std::vector<Field<MotionNode>> rows;
  for (const Field<MotionNode>& row : motion_parameter_rows())
    if (row.keyable && row.shown(node) && !is_expression(node, row.path)) rows.push_back(row);
  return rows;
}

BoxTracks::BoxTracks(const Scene& scene) {
  if (scene.motion.empty() || scene.tracks.empty()) return;
  for (const auto& track : scene.tracks)
    if (may_be_of_box(track->field)) of_.emplace(track->target, track);
}

std::vector<BoxTrack> BoxTracks::of(const MotionNode& node) const {
  std::vector<BoxTrack> all;
  const auto [begin, end] = of_.equal_range(node.id.value);
  for (auto at = begin; at != end; ++at) {
    if (const Field<MotionNode>* row = said_row(node, *at->second)) all.push_back({row, at->second});
  }
  std::sort(all.begin(), all.end(), [](const BoxTrack& a, const BoxTrack& b) { return a.row < b.row; });
  return all;
}

bool is_keyed(const Scene& scene, const MotionNode& node) {
  return std::any_of(scene.tracks.begin(), scene.tracks.end(),
                     [&](const auto& track) { return track->target == node.id.value && said_row(node, *track); });
}

std::uint64_t listed_with(const Scene& scene, const Track& track) {
  const MotionNode* box = may_be_of_box(track.field) ? find_motion(scene, Id{track.target}) : nullptr;
  return box && box->object != 0 ? box->object : track.target;
}

double keyed_number(const FieldRange& range, const Track& track, double time) {
  const double value = track_value(track, range.type, time)[0];
  if (!std::isfinite(value)) return track.keys.front().value[0];
  return numbers_of(value_of(range, {value}))[0];
}

const Track* with_track(const std::vector<BoxTrack>& tracks) {
  const auto at =
      std::find_if(tracks.begin(), tracks.end(), [](const BoxTrack& one) { return is_with(one.row->path); });
  return at == tracks.end() ? nullptr : at->track.get();
}

std::vector<std::uint64_t> others_of(const MotionNode& node, const std::vector<BoxTrack>& tracks) {
  const Track* track = with_track(tracks);
  if (!track) return {node.other};
  std::vector<std::uint64_t> all;
  for (const Key& key : track->keys)
    if (key.value[0] >= 0) all.push_back(static_cast<std::uint64_t>(std::llround(key.value[0])));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::uint64_t other_at(const MotionNode& node, const std::vector<BoxTrack>& tracks, double time) {
  const Track* track = with_track(tracks);
  if (!track) return node.other;
  const double id = track_value(*track, FieldType::integer, time)[0];
  return id >= 0 && id < 0x1p63 ? static_cast<std::uint64_t>(std::llround(id)) : 0;
}

MotionNode keyed_box(MotionNode node, const BoxTracks& tracks, double time) {
  for (const BoxTrack& one : tracks.of(node))
    one.row->set(node, value_of(range_of_row(*one.row), track_value(*one.track, one.row->type, time)));
  return node;
}

Scene boxes_at(Scene scene, double time) {
  const BoxTracks tracks(scene);
  if (tracks.empty()) return scene;
  for (auto& node : scene.motion)
    if (!tracks.of(*node).empty()) node = node.edited([&](MotionNode& n) { n = keyed_box(n, tracks, time); });
  return scene;
}

std::optional<double> first_keyed_otherwise(const MotionNode& was, const std::vector<BoxTrack>& a, const MotionNode& is,
                                            const std::vector<BoxTrack>& b) {
  std::optional<double> first;
  for (const std::vector<BoxTrack>* side : {&a, &b})
    for (const BoxTrack& one : *side) {
      const Said x = said(*one.row, was, a), y = said(*one.row, is, b);
      const Track own_x = constant_track(x.number), own_y = constant_track(y.number);
      const auto from = first_difference(x.track ? *x.track : own_x, y.track ? *y.track : own_y, one.row->type);
      if (from) first = std::min(first.value_or(*from), *from);
    }
  return first;
}

void add_keys(Hasher& hasher, const std::vector<BoxTrack>& tracks) {
  for (const BoxTrack& one : tracks) {
    hasher.add(one.row->path);
    add_track(hasher, one.track.get());
  }
}

bool same_keys(const std::vector<BoxTrack>& a, const std::vector<BoxTrack>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const BoxTrack& x, const BoxTrack& y) {
    return x.row == y.row && (x.track.same_as(y.track) || same_keys(x.track.get(), y.track.get()));
  });
}

}  // namespace hazumi
