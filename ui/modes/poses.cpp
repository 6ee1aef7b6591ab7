// Edit mode of poses: elements are nodes of the analysis model where the chosen pose has them, by their numbers; the type is the place of the
// pose in the object's list.
#include <algorithm>

#include <QCoreApplication>

#include "core/scene/derived/pose_sculpt.h"
#include "core/scene/derived/poses.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"
#include "ui/modes/pose_commands.h"
#include "ui/modes/pose_look.h"
#include "ui/modes/pose_tools.h"

namespace hazumi {

namespace {

constexpr double kRadiusStep = 1.2;  // of the radius, a key

bool fits(const Object& object, const AnalysisPose& pose) {
  return static_cast<std::int64_t>(pose.nodes.size()) == node_count(object.analysis) || !pose.nodes.empty();
}

QString pose_why_not(const Object& object) {
  const QString name = QString::fromStdString(object.name);
  if (!body_kind(object.body.kind).deforms) return tr("%1 does not bend.").arg(name);
  if (object.analysis.poses.empty()) return tr("%1 has no poses.").arg(name);
  return {};
}

QString pose_remedy(const Object& object) {
  if (!body_kind(object.body.kind).deforms)
    return object.display.kind == DisplayKind::none ? QString() : tr("Make it flexible, with a pose");
  return tr("New pose");
}

void apply_pose_remedy(Object& object, MeshStore& meshes) {
  if (object.analysis.kind == AnalysisKind::none) object.analysis = fitting_analysis(object, meshes);
  object.body.kind = kBendingBody;
  if (!object.analysis.poses.empty()) return;
  AnalysisPose pose;
  pose.name = "Pose";
  pose.nodes.resize(analysis_truss(object.analysis).nodes.size());
  add_pose(object.analysis, std::move(pose));
}

Elements pose_elements(const Object& object) {
  Elements all;
  for (std::size_t k = 0; k < object.analysis.poses.size() && k < 256; ++k)
    for (std::uint32_t i = 0; i < object.analysis.poses[k].nodes.size(); ++i)
      all.insert(all.end(), {static_cast<std::uint8_t>(k), i});
  return all;
}

bool meant(ElementSelection& owner, const Object& object, Element element) {
  const EditedPose edited = edited_pose(owner, object);
  return edited && edited.index == element.type;
}

const AnalysisPose* pose_of(const Object& object, const Elements& chosen) {
  if (chosen.empty() || chosen.begin()->type >= object.analysis.poses.size()) return nullptr;
  const AnalysisPose& pose = object.analysis.poses[chosen.begin()->type];
  return fits(object, pose) ? &pose : nullptr;
}

QString pose_name(const Object& object, const Elements& chosen) {
  const AnalysisPose* pose = pose_of(object, chosen);
  const QString own = pose ? QString::fromStdString(pose->name) : QString();
  return chosen.size() == 1 ? tr("Node %1 of pose %2").arg(chosen.begin()->number + 1).arg(own)
                            : tr("%1 nodes of pose %2").arg(chosen.size()).arg(own);
}

void pose_shapes(const ModeView& view, ElementShapes& list) {
  const EditedPose edited = edited_pose(view.owner, view.object);
  if (!edited) return;
  for (std::uint32_t i = 0; i < edited.nodes.size(); ++i)
    list.add_point({static_cast<std::uint8_t>(edited.index), i}, view.space.at(edited.nodes[i]));
}

std::optional<ElementPlace> pose_place(const Object& object, const Elements& chosen, Element) {
  const AnalysisPose* pose = pose_of(object, chosen);
  if (!pose) return std::nullopt;
  const std::vector<Vec3> rest = analysis_truss(object.analysis).nodes;
  std::vector<Vec3> places;
  for (const Element& element : chosen)
    if (element.number < rest.size() && element.number < pose->nodes.size())
      places.push_back(rest[element.number] + pose->nodes[element.number].shift);
  if (places.empty()) return std::nullopt;
  return middle_of(places);
}

void move_pose(Object& object, const Elements& chosen, const ElementMotion& motion) {
  const AnalysisPose* known = pose_of(object, chosen);
  if (!known) return;
  const std::vector<Vec3> rest = analysis_truss(object.analysis).nodes;
  AnalysisPose& pose = object.analysis.poses[chosen.begin()->type];
  if (pose.nodes.size() != rest.size()) return;
  std::vector<std::uint32_t> numbers;
  for (const Element& element : chosen) numbers.push_back(element.number);
  const std::vector<double> shares = soft_shares(rest, numbers, motion.soft);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (shares[i] == 0) continue;
    const Vec3 from = rest[i] + pose.nodes[i].shift;
    pose.nodes[i].shift += shares[i] * (motion.point(from) - from);
  }
}

/// Nodes of a pose cannot go: they are put back.
void remove_pose(Object& object, const Elements& chosen) {
  if (chosen.empty() || chosen.begin()->type >= object.analysis.poses.size()) return;
  AnalysisPose& pose = object.analysis.poses[chosen.begin()->type];
  for (const Element& element : chosen)
    if (element.number < pose.nodes.size()) pose.nodes[element.number] = {};
}

QString pose_needs_selection(const ModeContext& context) {
  return context.elements.empty() ? tr("Select nodes first.") : QString();
}

void scale_radius(const ModeContext& context, double factor) {
  PoseOptions& options = PoseOptions::of(context.elements);
  options.set_radius(options.radius() * factor);
}

template <int axis>
void mirror(const ModeContext& context) {
  const Object* object = context.object();
  if (!object) return;
  if (const Status done = mirror_pose(context.ui, *object, axis); !done.ok())
    emit context.ui.document.refused(QString::fromStdString(done.error().message));
}

void take_shape_here(const ModeContext& context) {
  if (const Status done = take_frame(context.ui); !done.ok())
    emit context.ui.document.refused(QString::fromStdString(done.error().message));
}

QString no_frame_here(const ModeContext& context) {
  const auto& stand = context.elements.stand();
  if (!stand) return tr("The run begins here: go to a later frame first.");
  return stand->here && context.ui.playback.shown() ? QString() : tr("This frame is not computed yet.");
}

bool is_soft(const ModeContext& context) { return PoseOptions::of(context.elements).soft(); }

constexpr ModeAction kPoseActions[] = {
    {"poses.soft", "&Soft Selection", "wave", "O",
     "What lies around the selection goes along, the less the farther it is: as far as the radius.", "", false, true,
     [](const ModeContext& c) { PoseOptions::of(c.elements).set_soft(!is_soft(c)); }, nullptr, &is_soft},
    {"poses.smaller", "S&maller Radius", "", "[", "The radius of soft selection and of the brushes gets smaller.", "",
     false, false, [](const ModeContext& c) { scale_radius(c, 1 / kRadiusStep); }},
    {"poses.larger", "&Larger Radius", "", "]", "The radius of soft selection and of the brushes gets larger.", "",
     false, false, [](const ModeContext& c) { scale_radius(c, kRadiusStep); }},
    {"poses.reset", "&Back to Rest", "start_unbent", "Alt+G",
     "The selected nodes, or all, go back to where they are in the analysis model.", "", true, true,
     [](const ModeContext& c) { reset_nodes(c.ui); }},
    {"poses.as_here", "As the Body &Is Here", "camera", "",
     "The selected nodes, or all, go to where the body has them in the frame that is shown.", "", false, true,
     &take_shape_here, &no_frame_here},
    {"poses.mirror_x", "Mirror Across &x", "mirror_x", "", "The pose becomes what is seen in a mirror across x.",
     "Mirror", false, true, &mirror<0>},
    {"poses.mirror_y", "Mirror Across &y", "mirror_y", "", "The pose becomes what is seen in a mirror across y.",
     "Mirror", false, false, &mirror<1>},
    {"poses.mirror_z", "Mirror Across &z", "mirror_z", "", "The pose becomes what is seen in a mirror across z.",
     "Mirror", false, false, &mirror<2>},
    {"poses.group", "Put in &Group", "collection", "Ctrl+G",
     "The selected nodes go into the group that the panel says; each group takes examples by itself.", "", true, true,
     [](const ModeContext& c) { put_in_group(c.ui); }, &pose_needs_selection},
};

constexpr ModeTool kPoseTools[] = {
    {"poses.grab", "Grab", "pull", "B", "Pull the nodes in a circle, those at its rim less.", &start_grab_pose},
    {"poses.smooth", "Smooth", "brush", "N", "Take bumps out of the pose.", &start_smooth_pose},
    {"poses.twist", "Twist", "rotate", "J", "Twist one end about the middle line of the body.", &start_twist_pose},
    {"poses.bend", "Bend", "curve_arc", "K", "Bend one end along an arc.", &start_bend_pose},
    {"poses.curve", "Bend Along a Line", "curve", "L",
     "Draw a line, or click points: the body, or its selected part, bends along it, as long as it was.",
     &start_curve_pose},
    {"poses.groups", "Paint Groups", "colours", "P",
     "Put nodes into the group that the panel says; each group takes examples by itself.", &start_paint_groups},
};

QString pose_hint(const ModeContext& context) {
  if (!edited_pose(context.elements))
    return tr("The chosen pose does not fit the analysis model · choose another one in the Analysis panel");
  if (context.elements.empty())
    return tr(
        "Click a node · B grabs · N smooths · J twists · K bends · L bends along a line · P paints groups · Tab back "
        "to objects");
  return tr(
      "Drag or G moves, R turns · O soft selection · [ and ] its radius · Alt+G back to rest · Ctrl+G into the group");
}

}  // namespace

const ModeInfo& mode_poses() {
  static const ModeInfo info{
      .id = "poses",
      .title = "Poses",
      .icon = "figure",
      .tip = "Make shapes that the body takes when it is pushed: drag its nodes, twist and bend it, paint groups.",
      .order = 3,
      .panel = "analysis",
      .at_frames = true,
      .why_not = &pose_why_not,
      .remedy = &pose_remedy,
      .apply_remedy = &apply_pose_remedy,
      .elements = &pose_elements,
      .name = &pose_name,
      .shapes = &pose_shapes,
      .draw = &draw_pose,
      .draws_analysis = true,
      .place = &pose_place,
      .apply = &move_pose,
      .remove = &remove_pose,
      .actions = kPoseActions,
      .tools = kPoseTools,
      .hint = &pose_hint,
      .meant = &meant,
  };
  return info;
}

}  // namespace hazumi
