#include "ui/tools/box_target.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/motion/kinds.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/motion_rules.h"
#include "ui/model/motion_commands.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

double shown(const ParameterRow& row, double number) {
  return row.unit == "°" ? number * 180 / std::numbers::pi : number;
}

/// What the drag set has no more digits than a person would type: four of the largest number in the same unit, which on the screen is
/// less than a pixel.
void round_dragged(const MotionNode& before, MotionNode& after) {
  const MotionNode dragged_to = after;
  const MotionKind* kind = kind_of(after);
  if (!kind) return;
  const auto set_by_drag = [&](const ParameterRow& row) -> const MotionParameter* {
    const MotionParameter *was = find_parameter(before, row.name), *now = find_parameter(dragged_to, row.name);
    const bool number = now && now->word.empty() && row.type == FieldType::number;
    return number && now->number != (was ? was->number : row.fallback) ? now : nullptr;
  };
  for (const ParameterRow& row : kind->parameters) {
    const MotionParameter* dragged = set_by_drag(row);
    if (!dragged) continue;
    double largest = 0;
    for (const ParameterRow& other : kind->parameters)
      if (const MotionParameter* set = other.unit == row.unit ? set_by_drag(other) : nullptr)
        largest = std::max(largest, std::abs(shown(other, set->number)));
    if (!(largest > 0)) continue;
    const double digits = std::pow(10.0, 3 - std::floor(std::log10(largest)));
    const double rounded = std::round(shown(row, dragged->number) * digits) / digits;
    const double number = row.unit == "°" ? rounded * std::numbers::pi / 180 : rounded;
    MotionParameter changed = *dragged;
    changed.number = std::clamp(number, row.low, row.high);
    if (changed.number == row.fallback)
      remove_parameter(after, row.name);
    else
      set_parameter(after, std::move(changed));
  }
}

}  // namespace

BoxTarget::BoxTarget(Shared<Scene> before, KeyedAt keys, Id box, std::size_t handle, const SketchHandle& shown,
                     const SketchBody& body, std::shared_ptr<const CurveWay> way,
                     std::shared_ptr<const std::vector<Vec3>> other_nodes)
    : before_(std::move(before)),
      keys_(std::move(keys)),
      box_(box),
      handle_(handle),
      at_(shown.at),
      label_(shown.label),
      body_(body),
      way_(std::move(way)),
      other_nodes_(std::move(other_nodes)) {}

const MotionNode* BoxTarget::box() const {
  for (const auto& node : keys_.shown->motion)
    if (node->id == box_) return &*node;
  return nullptr;
}

bool BoxTarget::empty() const { return box() == nullptr; }

QString BoxTarget::name() const {
  const MotionNode* node = box();
  return node ? tr("%1 of %2").arg(QString::fromStdString(label_), box_title(*node)) : QString();
}

QString BoxTarget::note() const {
  const MotionNode* node = box();
  return node ? tr("The box \"%1\" is edited").arg(box_title(*node)) : QString();
}

Scene BoxTarget::result(const TransformValue& value) const {
  Scene next = with_motion(*keys_.shown, box_, [&](MotionNode& node) {
    const MotionNode before = node;
    node = dragged(before, handle_, at_ + value.move, body_);
    round_dragged(before, node);
  });
  return keyed(*before_, *keys_.shown, std::move(next), keys_.time, keys_.here, keys_.moved);
}

}  // namespace hazumi
