// Random edits of objects, their rows and their lists; values near the present ones, so that most are valid.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/scene/validate.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/materials.h"
#include "core/scene/values/variants.h"
#include "core/sim/model.h"

namespace hazumi::test {

class EditDice {
 public:
  explicit EditDice(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, Id{1}, count_++, 0); }
  int below(int n) { return std::min(static_cast<int>(unit() * n), n - 1); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  int turn() { return turn_++; }  ///< for what shall be met equally often
  Vec3 vector(double size) {
    const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
    return Vec3(x, y, z);
  }

 private:
  std::uint64_t seed_, count_ = 0;
  int turn_ = 0;
};

/// A number near the present one, now and then a far one; the caller asks the table whether it may be set.
inline double near_number(double now, EditDice& dice) {
  if (dice.below(4) == 0) return dice.between(-2, 2);
  return now * dice.between(0.5, 1.7) + (dice.below(2) ? dice.between(-0.1, 0.1) : 0);
}

template <class Table>
const auto& pick(const Table& table, EditDice& dice) {
  return table[static_cast<std::size_t>(dice.below(static_cast<int>(table.size())))];
}

template <class Owner>
FieldValue near_value(const Field<Owner>& field, const FieldValue& now, EditDice& dice) {
  switch (field.type) {
    case FieldType::boolean:
      return !std::get<bool>(now);
    case FieldType::integer:
      return static_cast<std::int64_t>(1 + dice.below(4));
    case FieldType::number:
      return near_number(std::get<double>(now), dice);
    case FieldType::text:
      if (field.path.find("preset") != std::string_view::npos) return std::string(pick(material_presets(), dice).name);
      if (field.path.find("solver") != std::string_view::npos && !elastic_solvers().empty())
        return std::string(pick(elastic_solvers(), dice)->name);
      return "text " + std::to_string(dice.below(1000));
    case FieldType::vector:
    case FieldType::colour: {
      Vec3 v = std::get<Vec3>(now);
      for (int i = 0; i < 3; ++i)
        if (dice.below(2)) v[i] = near_number(v[i], dice);
      return v;
    }
    case FieldType::rotation: {
      const Vec3 axis = dice.vector(1).normalized();
      return Quat(Eigen::AngleAxisd(dice.between(0, 3), axis));
    }
    case FieldType::choice:
      return static_cast<std::int64_t>(dice.below(static_cast<int>(field.choices.size())));
    case FieldType::integers:
      return std::array<int, 3>{1 + dice.below(3), 1 + dice.below(3), 1 + dice.below(3)};
  }
  return now;
}

/// Sets the field to another value that its row allows; the number of tries is bounded. False: it stays as it is.
template <class Owner>
bool change_field(const Field<Owner>& field, Owner& owner, EditDice& dice) {
  const FieldValue now = field.get(owner);
  for (int i = 0; i < 50; ++i) {
    const FieldValue value = near_value(field, now, dice);
    if (operator_equal(value, now) || !field_problem(field, value).empty()) continue;
    field.set(owner, value);
    return true;
  }
  return false;
}

/// Needs files beside the scene.
template <class Owner>
bool names_file(const Field<Owner>& field) {
  return field.path.find("mesh") != std::string_view::npos;
}

/// One field of the owner, any. `what` is told its path.
template <class Owner>
bool change_some_field(std::span<const Field<Owner>> fields, Owner& owner, EditDice& dice, std::string& what) {
  for (int i = 0; i < 50; ++i) {
    const Field<Owner>& field = pick(fields, dice);
    if (names_file(field) || !change_field(field, owner, dice)) continue;
    what = field.path;
    return true;
  }
  return false;
}

/// One number of a row, number `column`; false when it has no other value.
template <class Entry>
bool change_column(Entry& entry, std::size_t column, EditDice& dice) {
  using Format = RowFormat<Entry>;
  const Column& c = Format::columns[column];
  const double now = Format::get(entry, column);
  for (int i = 0; i < 50; ++i) {
    double value = near_number(now, dice);
    if (c.whole) value = c.high <= 1 ? 1 - now : static_cast<double>(dice.below(8));
    Entry changed = entry;
    if (!column_problem(c, value).empty()) continue;
    Format::set(changed, column, value);
    if (same_entry(changed, entry)) continue;
    entry = changed;
    return true;
  }
  return false;
}

/// One edit of one of the owner's lists that has entries (the one at `path`, or any): a number or field of an entry, an entry removed, a thing
/// copied. What comes of it may be invalid.
template <class Owner>
bool change_some_list(Owner& owner, EditDice& dice, std::string& what, std::string_view path = {}) {
  const auto fits = [&](const auto& list) { return !list.get(owner).empty() && (path.empty() || list.path == path); };
  int filled = 0;
  visit_lists(std::type_identity<Owner>{}, [&](const auto& list) { filled += fits(list) ? 1 : 0; });
  if (filled == 0) return false;
  int wanted = dice.below(filled);
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    if (!fits(list) || wanted-- != 0) return;
    std::vector<Entry> entries = list.get(owner);
    what = list.path;
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(entries.size())));
    const int kind = dice.below(8);
    if (kind == 0) {
      what += " removed";
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
    } else if constexpr (kIsRow<Entry>) {
      const auto column = static_cast<std::size_t>(dice.below(static_cast<int>(RowFormat<Entry>::columns.size())));
      what += " " + std::string(RowFormat<Entry>::columns[column].name);
      change_column(entries[at], column, dice);
    } else if (kind == 1) {
      what += " copied";
      Entry copy = entries[at];
      if constexpr (kHasNumber<Entry>) copy.id = entries.back().id + 1;
      if constexpr (std::is_same_v<Entry, AnalysisModel>) copy.name += " 2";
      if constexpr (std::is_same_v<Entry, AnalysisPose>) copy.name += " 2";
      if constexpr (std::is_same_v<Entry, PartMaterial>) copy.part += " 2";
      entries.push_back(std::move(copy));
    } else if (std::string inner; dice.below(4) == 0 && change_some_list(entries[at], dice, inner)) {
      what += " " + inner;
    } else {
      change_some_field(entry_fields(std::type_identity<Entry>{}), entries[at], dice, inner);
      what += " " + inner;
    }
    if constexpr (std::is_same_v<Entry, PoseGroupNode>) {
      std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.node < b.node; });
      entries.erase(
          std::unique(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.node == b.node; }),
          entries.end());
    }
    if constexpr (std::is_same_v<Entry, PaintedWeight>)
      std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.vertex, a.bone) < std::pair(b.vertex, b.bone);
      });
    list.set(owner, std::move(entries));
  });
  return true;
}

/// Lists that are empty get a first entry, or the object another analysis model.
inline void grow_some_list(Object& o, EditDice& dice, std::string& what) {
  switch (dice.below(5)) {
    case 0: {
      what = "display.metaballs.primitives added";
      MetaballPrimitive ball;
      ball.id = next_primitive_id(o.display.metaballs);
      ball.centre = dice.vector(0.3);
      o.display.metaballs.primitives.push_back(ball);
      break;
    }
    case 1:
      what = "part_materials added";
      o.part_materials.push_back({"part " + std::to_string(o.part_materials.size()), o.material});
      break;
    case 2:
      what = "other_analyses added";
      if (o.analysis.kind != AnalysisKind::none) add_variant(o);
      break;
    case 3:
      what = "analysis switched";
      if (!o.other_analyses.empty()) use_variant(o, pick(o.other_analyses, dice).name);
      break;
    default:
      what = "mapping.painted added";
      if (o.mapping.bones.empty()) break;
      o.mapping.painted.push_back({pick(o.mapping.bones, dice).id, static_cast<std::uint32_t>(20 + dice.below(4)),
                                   static_cast<float>(dice.unit())});
  }
}

}  // namespace hazumi::test
