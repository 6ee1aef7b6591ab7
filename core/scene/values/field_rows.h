// Helpers that make one row of the field table one line or two: ROW(member, label, group, unit, range,
// effect, shown, tooltip).
// The path in files is the member's own spelling ("body.stiffness"), so table and structs cannot drift apart;
// the type of the field follows from the type of the member. Used by fields*.cpp only.
#pragma once

#include <array>
#include <cassert>
#include <deque>
#include <limits>
#include <type_traits>

#include "core/scene/values/fields.h"
#include "core/scene/values/words.h"

namespace hazumi::rows {

struct Range {
  double low = -1e9, high = 1e9;
  bool low_open = false;
  double step = 0;  ///< ≤ 0: proportional to the value
};

inline constexpr double kLargest = 1e9;  ///< no length, speed, mass … of a scene is larger

// Ranges that many rows have.
inline constexpr Range kAny{-kLargest, kLargest, false, 0.01};
inline constexpr Range kSize{1e-6, 1e6, false, 0.01};  ///< m
inline constexpr Range kColour{0, 1, false, 0.01};
inline constexpr Range kRotation{-1, 1, false, 0.01};
inline constexpr Range kTurns{radians(-60000), radians(60000), false, 0.01};  ///< rad, many turns
inline constexpr Range kSpins{radians(-6e6), radians(6e6), false, 0.05};      ///< rad/s
inline constexpr Range kName{1, 200};
inline constexpr Range kNone{};
inline constexpr Range kThing{0, 9007199254740992.0, false, 1};  ///< ids that a file can write as a number
constexpr Range above(double low, double high) { return {low, high, true, 0}; }
constexpr Range within(double low, double high, double step) { return {low, high, false, step}; }

/// For rows that are shown whatever the owner is like.
inline constexpr auto always = [](const auto&) { return true; };
/// For those that are said in words where they are shown, and set by what is done to things.
inline constexpr auto never = [](const auto&) { return false; };

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

/// Left out of files while it has the default.
template <class Owner>
Field<Owner> sparse(Field<Owner> field) {
  field.sparse = true;
  return field;
}

/// A whole table of such rows.
template <class Owner>
std::vector<Field<Owner>> all_sparse(std::vector<Field<Owner>> rows) {
  for (auto& row : rows) row.sparse = true;
  return rows;
}

/// A track may change it in time.
template <class Owner>
Field<Owner> keyed(Field<Owner> field) {
  field.keyable = true;
  return field;
}

/// Its number is the id of a thing.
template <class Owner>
Field<Owner> names_a(Refers what, Field<Owner> field) {
  field.refers = what;
  return field;
}

/// Read by a run at another time than while it is shown.
template <class Owner>
Field<Owner> read_as(Field<Owner> field, Effect (*reads)(const Owner&)) {
  field.reads = reads;
  return field;
}

/// Read by a run as something made from it.
template <class Owner>
Field<Owner> read_through(Field<Owner> field, std::uint64_t (*content)(const Owner&)) {
  field.content = content;
  return field;
}

/// The names of the material presets, as choices.
std::span<const std::string_view> preset_names();

// The preset is kept by name, so that files stay readable and presets can be added; here it is a choice by
// number. `name` is the pointer to the member that holds it.
template <class Owner, std::string Owner::*name>
Field<Owner> preset_row(std::string_view group, std::string_view tooltip) {
  return {"preset",
          "Preset",
          group,
          "",
          tooltip,
          FieldType::choice,
          Effect::look,
          0,
          static_cast<double>(preset_names().size()) - 1,
          false,
          1,
          preset_names(),
          [](const Owner& o) -> FieldValue {
            const auto names = preset_names();
            for (std::size_t i = 0; i < names.size(); ++i)
              if (names[i] == o.*name) return static_cast<std::int64_t>(i);
            return std::int64_t{-1};
          },
          [](Owner& o, const FieldValue& v) {
            o.*name = preset_names()[static_cast<std::size_t>(std::get<std::int64_t>(v))];
          },
          always};
}

/// The rows of a part's own table as rows of what the part is a member of: "stiffness" of Object::body
/// becomes "body.stiffness". `member` points to the part, `table` is its table. A row's functions carry no
/// state, so there is one of each for every number of a row; a table has at most 24 rows.
template <class Owner, class Part, Part Owner::*member, auto table>
std::vector<Field<Owner>> rows_of_part(std::string_view prefix) {
  static std::deque<std::string> paths;  // rows refer to them for good
  std::vector<Field<Owner>> rows;
  const auto add = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
    if (i >= table().size()) return;
    const Field<Part>& row = table()[i];
    paths.push_back(std::string(prefix) + std::string(row.path));
    rows.push_back({paths.back(),
                    row.label,
                    row.group,
                    row.unit,
                    row.tooltip,
                    row.type,
                    row.effect,
                    row.low,
                    row.high,
                    row.low_open,
                    row.step,
                    row.choices,
                    [](const Owner& o) { return table()[i].get(o.*member); },
                    [](Owner& o, const FieldValue& v) { table()[i].set(o.*member, v); },
                    [](const Owner& o) { return table()[i].shown(o.*member); },
                    row.sparse,
                    [](const Owner& o) { return effect_now(table()[i], o.*member); },
                    nullptr,
                    row.keyable,
                    row.refers});
    assert(row.content == nullptr);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) { (add(std::integral_constant<std::size_t, i>{}), ...); }
  (std::make_index_sequence<24>{});
  assert(rows.size() == table().size());
  return rows;
}

template <class Owner>
void append(std::vector<Field<Owner>>& rows, std::vector<Field<Owner>> more) {
  rows.insert(rows.end(), more.begin(), more.end());
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
