#include "ui/model/joint_series.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/scene/derived/joined.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr JointQuantity kAll[] = {JointQuantity::force,   JointQuantity::force_x, JointQuantity::force_y,
                                  JointQuantity::force_z, JointQuantity::torque,  JointQuantity::way,
                                  JointQuantity::power};

}  // namespace

QString name_of(JointQuantity quantity) {
  constexpr const char* kNames[] = {QT_TR_NOOP("Force"),   QT_TR_NOOP("Force x"), QT_TR_NOOP("Force y"),
                                    QT_TR_NOOP("Force z"), QT_TR_NOOP("Torque"),  QT_TR_NOOP("Way"),
                                    QT_TR_NOOP("Power")};
  return tr(kNames[static_cast<std::size_t>(quantity)]);
}

QString unit_of(JointQuantity quantity, JointKind kind) {
  if (quantity == JointQuantity::power) return QStringLiteral("W");
  if (quantity == JointQuantity::torque) return QStringLiteral("N m");
  if (quantity != JointQuantity::way) return QStringLiteral("N");
  return kind == JointKind::hinge ? QStringLiteral("°") : QStringLiteral("m");
}

bool has_quantity(JointQuantity quantity, JointKind kind) {
  const bool gear = kind == JointKind::gear, slider = kind == JointKind::slider;
  switch (quantity) {
    case JointQuantity::force:
      return !gear;
    case JointQuantity::force_x:
    case JointQuantity::force_y:
    case JointQuantity::force_z:
      return !gear && !slider;
    case JointQuantity::torque:
      return gear || slider || kind == JointKind::hinge || kind == JointKind::fixed;
    case JointQuantity::way:
      return slider || kind == JointKind::hinge || has_length(kind) || kind == JointKind::pull;
    case JointQuantity::power:
      return kind == JointKind::pull;
  }
  return false;
}

double value_of(const FrameJoint& joint, JointQuantity quantity, JointKind kind) {
  if (!joint.holds) return kNothing;
  switch (quantity) {
    case JointQuantity::force:
      return joint.force;
    case JointQuantity::force_x:
    case JointQuantity::force_y:
    case JointQuantity::force_z:
      return joint.pull[static_cast<Eigen::Index>(quantity) - static_cast<Eigen::Index>(JointQuantity::force_x)];
    case JointQuantity::torque:
      return joint.torque;
    case JointQuantity::way:
      return kind == JointKind::hinge ? joint.way * 180 / kPi : joint.way;
    case JointQuantity::power:
      return joint.power;
  }
  return kNothing;
}

QString value_text(double value, const QString& unit) {
  if (std::isnan(value)) return QStringLiteral("–");
  const double shown = std::abs(value) < 5e-10 ? 0 : value;
  QString number = QString::number(shown, 'g', 4);
  if (number.contains('e') && std::abs(shown) >= 1e-4 && std::abs(shown) < 1e6) number = QString::number(shown, 'f', 0);
  number.replace('-', QStringLiteral("−"));
  return unit.isEmpty() ? number : number + ' ' + unit;
}

const FrameJoint* find_joint(const JointFrames& frames, int frame, Id joint) {
  if (frame < 0 || frame >= static_cast<int>(frames.size())) return nullptr;
  const auto& joints = frames[static_cast<std::size_t>(frame)];
  if (!joints) return nullptr;
  const auto at = std::lower_bound(joints->begin(), joints->end(), joint,
                                   [](const FrameJoint& one, Id wanted) { return one.joint < wanted; });
  return at != joints->end() && at->joint == joint ? &*at : nullptr;
}

std::vector<PlotSeries> joint_series(const Scene& scene, const std::vector<Id>& joints, JointQuantity quantity,
                                     const JointFrames& frames) {
  std::vector<PlotSeries> all;
  for (const Id id : joints) {
    const Joint* joint = hazumi::find_joint(scene, id);
    if (!joint || !has_quantity(quantity, joint->kind)) continue;
    PlotSeries series{id, QString::fromStdString(joint->name), unit_of(quantity, joint->kind), {}};
    series.values.reserve(frames.size());
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const FrameJoint* at = find_joint(frames, static_cast<int>(f), id);
      series.values.push_back(at ? value_of(*at, quantity, joint->kind) : kNothing);
    }
    all.push_back(std::move(series));
  }
  return all;
}

std::vector<Id> plotted_joints(const Scene& scene, const Selection& selection) {
  std::set<Id> found;
  for (const Id id : selection.ids()) {
    if (hazumi::find_joint(scene, id)) found.insert(id);
    if (!find_object(scene, id)) continue;
    for (const Id joint : joints_of(scene, id)) found.insert(joint);
  }
  if (selection.empty())
    for (const auto& joint : scene.joints) found.insert(joint->id);
  return {found.begin(), found.end()};
}

QString table_cell(const QString& text) {
  if (!text.contains(',') && !text.contains('"') && !text.contains('\n')) return text;
  return '"' + QString(text).replace('"', QLatin1String("\"\"")) + '"';
}

QString table_of(const QStringList& names, const std::vector<PlotSeries>& columns, std::size_t frames,
                 double frame_rate) {
  QString text = names.join(',') + '\n';
  for (std::size_t f = 0; f < frames; ++f) {
    text += QStringLiteral("%1,%2").arg(f).arg(static_cast<double>(f) / frame_rate, 0, 'g', 9);
    for (const PlotSeries& series : columns) {
      text += ',';
      if (!std::isnan(series.values[f])) text += QString::number(series.values[f], 'g', 9);
    }
    text += '\n';
  }
  return text;
}

QString joint_table(const Scene& scene, const std::vector<Id>& joints, const JointFrames& frames) {
  std::vector<PlotSeries> columns;
  QStringList names{QStringLiteral("frame"), QStringLiteral("time (s)")};
  for (const Id id : joints)
    for (const JointQuantity quantity : kAll)
      for (PlotSeries& series : joint_series(scene, {id}, quantity, frames)) {
        names << table_cell(QStringLiteral("%1: %2 (%3)").arg(series.name, name_of(quantity).toLower(), series.unit));
        columns.push_back(std::move(series));
      }
  return table_of(names, columns, frames.size(), scene.settings.frame_rate);
}

}  // namespace hazumi
