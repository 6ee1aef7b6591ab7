#include "ui/panels/joint_line.h"

#include <algorithm>

#include "core/scene/derived/joint_faults.h"
#include "ui/model/document_controller.h"
#include "ui/model/joint_series.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// "x 0 N, y 12 N, z 0 N".
QString along_axes(const FrameJoint& reading, const Joint& joint) {
  QStringList parts;
  for (const auto& [letter, quantity] : {std::pair("x", JointQuantity::force_x), std::pair("y", JointQuantity::force_y),
                                         std::pair("z", JointQuantity::force_z)})
    if (has_quantity(quantity, joint.kind))
      parts << QStringLiteral("%1 %2").arg(QLatin1String(letter),
                                           value_text(value_of(reading, quantity, joint.kind), QStringLiteral("N")));
  return parts.join(QStringLiteral(", "));
}

QString reading_text(const FrameJoint& reading, const Joint& joint) {
  QStringList parts;
  for (const JointQuantity quantity :
       {JointQuantity::force, JointQuantity::torque, JointQuantity::way, JointQuantity::power})
    if (has_quantity(quantity, joint.kind))
      parts << QStringLiteral("%1 %2").arg(
          name_of(quantity), value_text(value_of(reading, quantity, joint.kind), unit_of(quantity, joint.kind)));
  const QString axes = along_axes(reading, joint);
  return parts.join(QStringLiteral(" · ")) + (axes.isEmpty() ? QString() : QStringLiteral("\n") + axes);
}

bool is_faulty(const Scene& scene, Id joint) {
  const std::vector<FaultyJoint> all = joint_faults(scene);
  return std::any_of(all.begin(), all.end(), [joint](const FaultyJoint& fault) { return fault.joint == joint; });
}

}  // namespace

JointLine::JointLine(UiContext& context, QWidget* parent) : QLabel(parent), context_(context) {
  setObjectName(QStringLiteral("properties_joint"));
  setTextFormat(Qt::PlainText);
  setContentsMargins(8, 0, 8, 5);
  setWordWrap(true);
  setToolTip(
      tr("What it held with since the frame before, as a mean; along x, y and z of the world it is the force on the "
         "first object. "
         "Plots shows it over the frames."));
  connect(&context_.playback, &PlaybackController::frame_changed, this, &JointLine::refresh);
  connect(&context_.playback, &PlaybackController::fill_changed, this, &JointLine::refresh);
  connect(&context_.selection, &Selection::changed, this, &JointLine::refresh);
  connect(&context_.document, &DocumentController::changed, this, &JointLine::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &JointLine::refresh);
  refresh();
}

void JointLine::refresh() {
  const Joint* joint = context_.selection.ids().size() == 1
                           ? find_joint(context_.keying.shown(), *context_.selection.ids().begin())
                           : nullptr;
  setVisible(joint != nullptr);
  if (!joint) return;
  const int now = context_.playback.frame();
  const QString frame = tr("Frame %1: ").arg(now);
  if (now == 0) return setText(frame + tr("nothing has been held yet."));
  if (context_.playback.cache().size() <= now) return setText(frame + tr("being computed…"));
  const JointFrames frames = context_.playback.cache().joints(now);
  const FrameJoint* reading = frames.empty() ? nullptr : find_joint(frames, 0, joint->id);
  if (!reading && is_faulty(context_.document.scene(), joint->id))
    return setText(frame + tr("it holds nothing; Problems says why."));
  if (reading && reading->broken) return setText(frame + tr("broken."));
  if (!reading || !reading->holds) return setText(frame + tr("off."));
  setText(frame + reading_text(*reading, *joint));
}

}  // namespace hazumi
