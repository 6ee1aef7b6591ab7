// Helpers that make one row of the field table one line or two: ROW(member, label, group, unit, range,
// effect, shown, tooltip).
// The path in files is the member's own spelling ("body.stiffness"), so table and structs cannot drift apart;
// the type of the field follows from the type of the member. Used by fields*.cpp only.
#pragma once

#include <limits>
#include <type_traits>

#include "core/scene/fields.h"
#include "core/scene/words.h"

namespace hazumi::rows {

struct Range {
  double low = -1e9, high = 1e9;
  bool low_open = false;
  double step = 0;  ///< ≤ 0: proportional to the value
};

inline constexpr double kLargest = 1e9;  ///< no length, speed, mass … of a scene is larger

// Value of a member as FieldValue and back. The setter trusts the alternative: callers check with
// field_problem().
template <class M>
FieldValue get(const M& member) {
  if constexpr (std::is_enum_v<M>)
    return static_cast<std::int64_t>(member);
  else if constexpr (std::is_same_v<M, bool>)
    return member;
  else if constexpr (std::is_integral_v<M>)
    return static_cast<std::int64_t>(member);
  else
    return member;
}

template <class M>
void set(M& member, const FieldValue& value) {
  if constexpr (std::is_enum_v<M> || (std::is_integral_v<M> && !std::is_same_v<M, bool>))
    member = static_cast<M>(std::get<std::int64_t>(value));
  else
    member = std::get<M>(value);
}

template <class M>
constexpr FieldType type_of() {
  if constexpr (std::is_enum_v<M>)
    return FieldType::choice;
  else if constexpr (std::is_same_v<M, bool>)
    return FieldType::boolean;
  else if constexpr (std::is_integral_v<M>)
    return FieldType::integer;
  else if constexpr (std::is_same_v<M, double>)
    return FieldType::number;
  else if constexpr (std::is_same_v<M, std::string>)
    return FieldType::text;
  else if constexpr (std::is_same_v<M, Vec3>)
    return FieldType::vector;
  else if constexpr (std::is_same_v<M, Quat>)
    return FieldType::rotation;
  else
    return FieldType::integers;
}

template <class M>
std::span<const std::string_view> choices_of() {
  if constexpr (std::is_enum_v<M>)
    return words<M>();
  else
    return {};
}

/// Allowed range of a row: choices have the numbers of their entries, booleans 0 and 1.
template <class M>
Range range_of(Range range) {
  if constexpr (std::is_enum_v<M>)
    return {0, static_cast<double>(words<M>().size()) - 1, false, 1};
  else if constexpr (std::is_same_v<M, bool>)
    return {0, 1, false, 1};
  else
    return range;
}

template <class Owner>
Field<Owner> as_colour(Field<Owner> field) {
  field.type = FieldType::colour;
  return field;
}

}  // namespace hazumi::rows

// Owner is a name in scope where ROW is used.
#define ROW(member, label, group, unit, range, effect, shown, tooltip)                    \
  [] {                                                                                    \
    using M = std::remove_cvref_t<decltype(std::declval<Owner&>().member)>;               \
    const rows::Range r = rows::range_of<M>(range);                                       \
    return Field<Owner>{#member,                                                          \
                        label,                                                            \
                        group,                                                            \
                        unit,                                                             \
                        tooltip,                                                          \
                        rows::type_of<M>(),                                               \
                        Effect::effect,                                                   \
                        r.low,                                                            \
                        r.high,                                                           \
                        r.low_open,                                                       \
                        r.step,                                                           \
                        rows::choices_of<M>(),                                            \
                        [](const Owner& o) -> FieldValue { return rows::get(o.member); }, \
                        [](Owner& o, const FieldValue& v) { rows::set(o.member, v); },    \
                        shown};                                                           \
  }()
