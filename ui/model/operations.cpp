#include "ui/model/operations.h"

#include <array>

#include "core/scene/values/field_rows.h"
#include "ui/model/selection.h"

namespace hazumi {

namespace {

using namespace rows;

constexpr int kMostThings = 2000;  // in the end: more than that fills the scene by accident

/// A choice that the parameters keep as a number or an enumeration.
template <class Owner, auto member, std::size_t count>
Field<Owner> choice_row(const char* path, const char* label, const std::array<std::string_view, count>& words,
                        bool (*shown)(const Owner&), const char* tooltip) {
  return {path,
          label,
          "",
          "",
          tooltip,
          FieldType::choice,
          Effect::look,
          0,
          static_cast<double>(count) - 1,
          false,
          1,
          words,
          [](const Owner& o) -> FieldValue { return static_cast<std::int64_t>(o.*member); },
          [](Owner& o, const FieldValue& v) {
            using M = std::remove_cvref_t<decltype(o.*member)>;
            o.*member = static_cast<M>(std::get<std::int64_t>(v));
          },
          shown};
}

std::span<const Field<Shift>> shift_fields() {
  using Owner = Shift;
  static const std::vector<Field<Shift>> table = {
      ROW(offset, "Offset", "", "m", kAny, look, always, "From where it came to where it is."),
  };
  return table;
}

std::span<const Field<ArraySettings>> array_fields() {
  using Owner = ArraySettings;
  static constexpr std::array<std::string_view, 2> kKinds{"in a row", "around a centre"};
  static constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};
  static constexpr auto in_row = [](const ArraySettings& s) { return s.kind == ArrayKind::row; };
  static constexpr auto around = [](const ArraySettings& s) { return s.kind == ArrayKind::circle; };
  // clang-format off
  static const std::vector<Field<ArraySettings>> table = {
      choice_row<Owner, &ArraySettings::kind>("kind", "Copies", kKinds, always,
          "One after the other, or on a circle about an axis through a centre."),
      ROW(count, "Count", "", "", within(1, kMostInArray, 0.2), look, always,
          "How many there are in the end, what was selected among them."),
      ROW(offset, "Offset", "", "m", kAny, look, in_row,
          "From each to the next."),
      ROW(centre, "Centre", "", "m", kAny, look, around,
          "A point of the axis."),
      choice_row<Owner, &ArraySettings::axis>("axis", "Axis", kAxes, around,
          "What the circle goes about."),
      ROW(angle, "Angle", "", "°", within(-2 * kPi, 2 * kPi, 0), look, around,
          "Over all: 360 is the whole circle; less begins with what was selected and ends with the last copy."),
      ROW(turned, "Turn the copies", "", "", kNone, look, around,
          "Each copy looks at the centre as the first does, and its velocity and spin at the start are turned too."),
  };
  // clang-format on
  return table;
}

}  // namespace

std::unique_ptr<Operation> shift_operation(const Vec3& offset, bool follows, ShiftMake make) {
  return std::make_unique<OperationOf<Shift>>(rows_of(shift_fields()), Shift{offset}, std::move(make),
                                              follows ? &Shift::offset : nullptr);
}

QString array_problem(std::size_t things, int count) {
  return static_cast<double>(things) * count <= kMostThings
             ? QString()
             : tr("That would be more than %1 things at once.").arg(kMostThings);
}

std::unique_ptr<Operation> array_operation(Selection& selection, std::set<Id> ids, Id active,
                                           const ArraySettings& settings) {
  return std::make_unique<OperationOf<ArraySettings>>(
      rows_of(array_fields()), settings,
      [&selection, ids = std::move(ids), active](const Scene& before, const ArraySettings& now) {
        Operation::Made made;
        made.problem = array_problem(ids.size(), now.count);
        if (!made.problem.isEmpty()) return made;
        Array array = arrayed(before, ids, now);
        std::set<Id> all(ids);
        all.insert(array.copies.begin(), array.copies.end());
        made.scene = std::move(array.scene);
        made.select = [&selection, all, active] { selection.set(all, active); };
        return made;
      });
}

}  // namespace hazumi
