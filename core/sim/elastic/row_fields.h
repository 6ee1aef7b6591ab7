// Parameter rows as fields of what they belong to: a field's functions have no place for that, so there is one of each for each
// number of a row. All else is written in a loop: as one function of all rows it took compilers half a minute.
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/sim/elastic/parameters.h"

namespace hazumi {

/// As the field table holds it; `set`: null, or what has a number and, for choices, a word. A word that is no choice: −1.
template <class Parameter>
FieldValue row_value(const ParameterRow& row, const Parameter* set) {
  double number = set == nullptr ? row.fallback : set->number;
  if (row.type == FieldType::choice && set != nullptr) {
    number = -1;
    for (std::size_t i = 0; i < row.choices.size(); ++i)
      if (row.choices[i] == set->word) number = static_cast<double>(i);
  }
  if (row.type == FieldType::boolean) return number != 0;
  if (row.type == FieldType::number) return number;
  return static_cast<std::int64_t>(std::abs(number) < 0x1p53 ? number : -1);
}

inline double number_of_row(const FieldValue& value) {
  if (const auto* tick = std::get_if<bool>(&value)) return *tick;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

/// `Rows` says what they belong to: kMost, at least all().size(), kEffect, and
///   all(): things with a `row`, const ParameterRow*;  path(thing): text that stays;  group(thing): of the panel
///   get(thing, owner), set(thing, owner, value), shown(thing, owner)
template <class Owner, class Rows>
std::vector<Field<Owner>> fields_of_rows() {
  struct Functions {
    decltype(Field<Owner>::get) get;
    decltype(Field<Owner>::set) set;
    decltype(Field<Owner>::shown) shown;
  };
  static constexpr auto functions = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<Functions, sizeof...(i)>{
        Functions{[](const Owner& o) { return Rows::get(Rows::all()[i], o); },
                  [](Owner& o, const FieldValue& value) { Rows::set(Rows::all()[i], o, value); },
                  [](const Owner& o) { return Rows::shown(Rows::all()[i], o); }}...};
  }
  (std::make_index_sequence<Rows::kMost>{});
  const auto& rows = Rows::all();
  assert(rows.size() <= Rows::kMost);
  std::vector<Field<Owner>> fields;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ParameterRow& row = *rows[i].row;
    const bool ranged = row.type == FieldType::number || row.type == FieldType::integer;
    const double last = row.type == FieldType::choice ? static_cast<double>(row.choices.size()) - 1 : 1;
    fields.push_back({Rows::path(rows[i]), row.label, Rows::group(rows[i]), row.unit, row.tooltip, row.type,
                      Rows::kEffect, ranged ? row.low : 0, ranged ? row.high : last, row.low_open, row.step,
                      row.choices, functions[i].get, functions[i].set, functions[i].shown});
  }
  return fields;
}

}  // namespace hazumi
