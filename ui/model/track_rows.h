// The rows of the dope sheet and of the list beside the curves: all keys, then each thing that has some, then its tracks.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <QString>

#include "ui/model/key_edits.h"

namespace hazumi {

struct TrackRow {
  enum class Kind { summary, target, track };
  Kind kind = Kind::track;
  std::uint64_t target = 0;  ///< of a thing or track; 0: the scene
  Id track;
  QString label, icon;
  FieldType type = FieldType::number;
  TurnBy turn = TurnBy::quaternion;
  bool used = true;   ///< of a track; of others: one of their tracks is
  bool known = true;  ///< the field is there
  bool folded = false;
  std::vector<Id> tracks;     ///< below it, or itself
  std::vector<double> times;  ///< s, of all keys below it, ascending and each once
};

struct RowChoice {
  std::set<std::uint64_t> folded;  ///< things whose tracks are not shown
  bool only = false;               ///< those of `selected`, and of the scene none
  std::set<Id> selected;
};

/// Empty when no track is shown.
std::vector<TrackRow> track_rows(const Scene& scene, const RowChoice& choice);

/// "Position", "Gravity"; of a field that is gone its path. Of a box of a motion graph a row says "Throw: X".
QString track_label(const Scene& scene, const Track& track);
/// "Ball", "Scene", "Camera"; "Throw" of a box.
QString target_label(const Scene& scene, const Track& track);
/// What the numbers of its keys are called: x y z, w x y z, r g b; of one number nothing.
std::vector<QString> component_names(FieldType type, TurnBy turn);

}  // namespace hazumi
