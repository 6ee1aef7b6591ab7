// What joints hold with, frame by frame (core/playback/frame.h: FrameJoint), as numbers for plots, for the panel of properties and for tables.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/playback/frame.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class Selection;

enum class JointQuantity { force, force_x, force_y, force_z, torque, way, power };

/// "Force", "Force x".
QString name_of(JointQuantity quantity);
/// "N"; of the way of a hinge "°".
QString unit_of(JointQuantity quantity, JointKind kind);
/// A gear and a slider have no force along axes, and only hinges, sliders, springs and ropes a way.
bool has_quantity(JointQuantity quantity, JointKind kind);

/// In the unit that is shown. Nothing (NaN): the joint did not hold.
double value_of(const FrameJoint& joint, JointQuantity quantity, JointKind kind);
/// "3.21 N", "−12 °"; nothing: "–".
QString value_text(double value, const QString& unit);

/// What joints held with in each frame of a run, from frame 0 on, as far as it is computed.
using JointFrames = std::vector<std::shared_ptr<const FrameJoints>>;
const FrameJoint* find_joint(const JointFrames& frames, int frame, Id joint);

/// A line of a plot.
struct PlotSeries {
  Id thing;
  QString name, unit;
  std::vector<double> values;  ///< by frame; NaN: nothing
};
/// Of those that have such a quantity.
std::vector<PlotSeries> joint_series(const Scene& scene, const std::vector<Id>& joints, JointQuantity quantity,
                                     const JointFrames& frames);

/// The selected joints and those that hold selected objects, ascending; nothing selected: all.
std::vector<Id> plotted_joints(const Scene& scene, const Selection& selection);

/// A text as a cell of a table, quoted where it must be.
QString table_cell(const QString& text);
/// A line of names, and one for each frame: its number, its time, and the value of each column.
QString table_of(const QStringList& names, const std::vector<PlotSeries>& columns, std::size_t frames,
                 double frame_rate);
/// All quantities of the joints: a line of names with units, then one for each frame. Numbers as in C; what there is not is empty.
QString joint_table(const Scene& scene, const std::vector<Id>& joints, const JointFrames& frames);

}  // namespace hazumi
