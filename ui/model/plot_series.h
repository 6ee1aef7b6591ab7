// What can be plotted over the frames of a run, as lines of numbers: what joints hold with (joint_series.h), how bodies do, how far they have gone
// into the poses that they know, and what sources of particles and copies have (core/playback/frame.h: FrameBody, FrameExample, FrameSource).
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <QString>

#include "core/playback/frame_cache.h"
#include "ui/model/joint_series.h"

namespace hazumi {

enum class BodyQuantity { speed, x, y, z, kinetic, elastic, energy, strain, volume, passes, inverted, poses };
enum class SourceQuantity { alive, waiting, speed, fastest };
using PlotQuantity = std::variant<JointQuantity, BodyQuantity, SourceQuantity>;

/// All of joints, then all of bodies, then all of sources.
const std::vector<PlotQuantity>& plot_quantities();
/// "Force x", "Speed", "Weights of poses".
QString name_of(const PlotQuantity& quantity);

/// What was computed of a run, from frame 0 on.
struct PlotFrames {
  JointFrames joints;
  std::vector<std::shared_ptr<const FrameBodies>> bodies;
  std::vector<std::shared_ptr<const FrameExamples>> examples;
  std::vector<std::shared_ptr<const FrameSources>> sources;

  std::size_t size() const { return bodies.size(); }
  void clear();
  /// What the cache has beyond these.
  void add_from(const FrameCache& cache);
};
const FrameBody* find_body(const PlotFrames& frames, int frame, Id object);
const FrameSource* find_source(const PlotFrames& frames, int frame, Id source);

/// In the unit that is shown; NaN: it has no such number. `poses` is no number of a body.
double value_of(const FrameBody& body, BodyQuantity quantity);
QString unit_of(BodyQuantity quantity);
double value_of(const FrameSource& source, SourceQuantity quantity);
QString unit_of(SourceQuantity quantity);

/// What a plot of the quantity is of: selected joints and those that hold selected objects, selected objects that move, or selected sources; with
/// nothing selected all. Ascending.
std::vector<Id> plotted_things(const Scene& scene, const Selection& selection, const PlotQuantity& quantity,
                               const PlotFrames& frames);
/// A line for each of those that have such a quantity; of poses one for each group and pose.
std::vector<PlotSeries> plot_series(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity,
                                    const PlotFrames& frames);
/// Why there is no line: a sentence.
QString why_no_series(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity);

/// All quantities of joints (bodies or sources, where `quantity` is one of these) as text: a line of names with units, then one for each frame.
QString plot_table(const Scene& scene, const std::vector<Id>& things, const PlotQuantity& quantity,
                   const PlotFrames& frames);

/// "Kinetic 3.2 J · elastic 0.1 J · strain 12 % · 7 passes · 2 elements inside out", of what deforms; of what does not the motion alone.
QString body_reading(const FrameBody& body);

}  // namespace hazumi
