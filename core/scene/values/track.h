// Values that change in time (spec 8.3): a track is the keys of one field of one thing. What it says at a time is in
// derived/tracks.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/id.h"
#include "core/base/kept.h"

namespace hazumi {

/// Of the way from a key to the next one.
enum class KeyShape { step, linear, spline };
/// Where the slopes at a key come from: automatic ones follow the neighbours and never go beyond them; flat ones are 0; aligned ones
/// are given, equal on both sides; free ones are given for each side.
enum class KeyTangent { automatic, free, aligned, flat };
/// Before the first key and after the last one. A cycle with offset goes on where the one before it ended.
enum class Beyond { hold, linear, cycle, cycle_offset };
/// How rotations are keyed: as quaternions, whose ways are the shortest, or as angles about x, y and z, which may turn many times.
enum class TurnBy { quaternion, angles };

struct Key {
  double time = 0;  ///< s
  /// Number, switch (0 or 1), choice: the first; vector and colour: x y z; rotation: w x y z, by angles x y z in rad.
  std::array<double, 4> value = {};
  KeyShape shape = KeyShape::spline;
  KeyTangent tangent = KeyTangent::automatic;
  /// Slopes before and behind the key, unit of the value per s; of free and aligned tangents (aligned: `out` is both).
  std::array<double, 4> in = {}, out = {};
  /// How far a tangent reaches, as a part of the way to the neighbour, 0…1: with 1/3 a spline is Hermite's cubic.
  double reach_in = 1.0 / 3, reach_out = 1.0 / 3;
};

/// The keys of one field.
struct Track {
  Id id;
  std::string name;
  bool visible = true;       ///< it is used
  std::uint64_t target = 0;  ///< id of the thing; 0: the scene
  std::string field;         ///< path of its row in the field table; of the scene below "settings."
  Beyond before = Beyond::hold, after = Beyond::hold;
  TurnBy turn = TurnBy::quaternion;
  std::vector<Key> keys;  ///< ascending in time
  Kept kept;
};

}  // namespace hazumi
