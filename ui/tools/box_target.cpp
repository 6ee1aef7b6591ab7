#include "ui/tools/box_target.h"

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "ui/model/motion_commands.h"
#include "ui/model/text.h"

namespace hazumi {

BoxTarget::BoxTarget(Shared<Scene> before, Id box, std::size_t handle, const SketchHandle& shown,
                     const SketchBody& body, std::shared_ptr<const CurveWay> way)
    : before_(std::move(before)),
      box_(box),
      handle_(handle),
      at_(shown.at),
      label_(shown.label),
      body_(body),
      way_(std::move(way)) {}

const MotionNode* BoxTarget::box() const {
  for (const auto& node : before_->motion)
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
  return with_motion(*before_, box_, [&](MotionNode& node) { node = dragged(node, handle_, at_ + value.move, body_); });
}

}  // namespace hazumi
