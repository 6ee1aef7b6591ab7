// Numbers that a motion graph may set in a run: of the rows of the field table what a run reads and keys may change, each axis of a vector by
// itself. Left out is what other procedures do: places along which things are led, turns, rest shapes, a body's own gravity, and the clock.
//
// A number that is told is that of the thing itself, with its keys, by a share 1 − s, and what it is told by s; a switch is what it is told.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/values/fields.h"
#include "core/scene/values/scene.h"

namespace hazumi {

enum class NumberOf { object, joint, force, field, source, scene };

struct SettableNumber {
  NumberOf of = NumberOf::object;
  std::string_view word;   ///< in files: "field.speed", "force.push.x"
  std::string_view path;   ///< of its row
  std::string_view label;  ///< "Speed", "Force X"
  FieldRange range;        ///< of the row; of an angle in rad
  int axis = -1;           ///< of a vector
  bool is_switch() const { return range.type == FieldType::boolean; }
  bool is_angle() const { return range.unit.starts_with("°"); }
  /// As it is shown, in its unit; there and back.
  double shown(double value) const;
  double meant(double shown) const;
};
/// In the order of their lists and rows.
std::span<const SettableNumber> settable_numbers();
std::span<const std::string_view> settable_words();  ///< the same order

/// The list that a thing of the scene is of; scene: it is none of them.
NumberOf number_owner(const Scene& scene, Id thing);
/// Whether it has that number now: of what it is, and as it is. `thing` of a number of the scene is none.
bool has_number(const Scene& scene, const SettableNumber& number, Id thing);
/// A box of a motion graph that is used is about it: a run may tell it otherwise than it says itself.
bool is_told_by_box(const Scene& scene, Id thing);

struct NumberTold {
  Id thing;  ///< none: the scene
  std::size_t number = 0;
  double value = 0, share = 0;
  friend bool operator==(const NumberTold&, const NumberTold&) = default;
};
/// What a run is told at the end of the sub-step before and of this one, ascending by number and thing.
struct NumbersTold {
  std::vector<NumberTold> before, now;
};
/// What comes of it.
double told(const NumberTold& told, double own);

/// The things with what they are told.
void put_told(std::span<const NumberTold> all, std::vector<Shared<ForceField>>& fields);
void put_told(std::span<const NumberTold> all, std::vector<Shared<ParticleSource>>& sources);
/// m/s².
Vec3 told_gravity(std::span<const NumberTold> all, const Vec3& own);

}  // namespace hazumi
