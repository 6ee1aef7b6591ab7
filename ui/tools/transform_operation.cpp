#include "ui/tools/transform_operation.h"

#include <array>

#include "core/scene/values/field_rows.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

using namespace rows;

struct Parameters {
  TransformMode mode = TransformMode::move;
  Vec3 move = Vec3::Zero();   ///< m, along the axes
  double angle = 0;           ///< rad
  Vec3 axis = Vec3::UnitY();  ///< along the axes, of any length
  Vec3 factors = Vec3::Ones();
  bool local = false;
  Vec3 pivot = Vec3::Zero();  ///< m, world
  Mat3 local_axes = Mat3::Identity();
  bool keyed = false, here = false;  ///< what it moves has keys; they are set at the frame that was shown
};

/// The table is one for all three: `shown` tells them apart.
std::span<const Field<Parameters>> parameter_fields() {
  using Owner = Parameters;
  static constexpr std::array<std::string_view, 2> kAxes{"world", "own"}, kKeys{"all", "at this frame"};
  static constexpr auto moves = [](const Owner& o) { return o.mode == TransformMode::move; };
  static constexpr auto turns = [](const Owner& o) { return o.mode == TransformMode::rotate; };
  static constexpr auto scales = [](const Owner& o) { return o.mode == TransformMode::scale; };
  static constexpr auto about = [](const Owner& o) { return o.mode != TransformMode::move; };
  static constexpr auto tilted = [](const Owner& o) { return !o.local_axes.isIdentity(1e-12); };
  static constexpr auto keyed = [](const Owner& o) { return o.keyed; };
  // clang-format off
  static const std::vector<Field<Owner>> table = {
      ROW(move, "Move", "", "m", kAny, look, moves,
          "How far, along each axis."),
      ROW(angle, "Angle", "", "°", within(-1e4, 1e4, 0), look, turns,
          "How far it is turned; positive is anticlockwise when the axis points at you."),
      ROW(axis, "Axis", "", "", within(-1000, 1000, 0.01), look, turns,
          "What it is turned about: a direction, of any length."),
      ROW(factors, "Factor", "", "", within(kSmallestScale, 1e6, 0.01), look, scales,
          "How many times as large, along each axis."),
      Field<Owner>{"axes", "Axes", "", "",
          "The numbers are along the axes of the world, or along those that what is active has itself.",
          FieldType::choice, Effect::look, 0, 1, false, 1, kAxes,
          [](const Owner& o) -> FieldValue { return std::int64_t{o.local}; },
          [](Owner& o, const FieldValue& v) { o.local = std::get<std::int64_t>(v) != 0; },
          tilted},
      Field<Owner>{"keys", "Keys", "", "",
          "All keys of where it is go along, and its motion stays the same elsewhere; or it gets a key at the frame at which it was moved.",
          FieldType::choice, Effect::look, 0, 1, false, 1, kKeys,
          [](const Owner& o) -> FieldValue { return std::int64_t{o.here}; },
          [](Owner& o, const FieldValue& v) { o.here = std::get<std::int64_t>(v) != 0; },
          keyed},
      ROW(pivot, "About", "", "m", kAny, look, about,
          "The point that stays where it is."),
  };
  // clang-format on
  return table;
}

}  // namespace

QString transform_text(const TransformTarget& target, TransformMode mode) {
  const char* verb = mode == TransformMode::move ? "Move" : mode == TransformMode::rotate ? "Rotate" : "Scale";
  const QString name = QStringLiteral("%1 %2").arg(QLatin1String(verb), target.name());
  switch (target.keys()) {
    case KeyWay::none:
      return name;
    case KeyWay::all:
      return name + (target.several() ? QStringLiteral(" with All Their Keys") : QStringLiteral(" with All Its Keys"));
    case KeyWay::here:
      return QStringLiteral("%1 at Frame %2").arg(name).arg(target.frame());
  }
  return name;
}

std::unique_ptr<Operation> transform_operation(TransformChoice choice, const TransformValue& value,
                                               const Mat3& local_axes, bool local) {
  const Mat3 frame = local ? local_axes : Mat3(Mat3::Identity());
  Parameters parameters;
  parameters.mode = value.mode;
  parameters.move = frame.transpose() * value.move;
  parameters.angle = value.angle;
  parameters.axis = frame.transpose() * value.axis;
  parameters.factors = value.factors;
  parameters.local = local;
  parameters.pivot = value.pivot;
  parameters.local_axes = local_axes;
  parameters.keyed = choice.here && choice.target->keys() == KeyWay::all;
  parameters.here = choice.is_here;
  return std::make_unique<OperationOf<Parameters>>(
      rows_of(parameter_fields()), parameters, [choice = std::move(choice)](const Scene&, const Parameters& now) {
        Operation::Made made;
        TransformValue next;
        next.mode = now.mode;
        next.frame = now.local ? now.local_axes : Mat3(Mat3::Identity());
        next.pivot = now.pivot;
        next.move = next.frame * now.move;
        next.angle = now.angle;
        next.factors = now.factors;
        if (now.mode == TransformMode::rotate) {
          if (now.axis.norm() < 1e-9) made.problem = tr("The axis must point somewhere: give it a length.");
          if (!made.problem.isEmpty()) return made;
          next.axis = next.frame * now.axis.normalized();
        }
        const TransformTarget& target = now.here ? *choice.here : *choice.target;
        made.scene = target.result(next);
        if (now.keyed) made.text = transform_text(target, now.mode);
        return made;
      });
}

}  // namespace hazumi
