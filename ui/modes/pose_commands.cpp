#include "ui/modes/pose_commands.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <QFileInfo>

#include "core/import/mesh_file.h"
#include "core/import/vertex_list.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr std::string_view kShapePose = "body.shape.pose";

QString name_in(const Object& object, const AnalysisPose& pose) {
  return tr("%1 of %2").arg(QString::fromStdString(pose.name), QString::fromStdString(object.name));
}

Status edit_object(UiContext& context, const QString& text, Id id, const std::function<void(Object&)>& change,
                   quint64 merge_key = 0) {
  return context.document.edit(text, with_object(context.document.scene(), id, change), merge_key);
}

/// Appends it and chooses it.
void add(UiContext& context, const QString& text, const Object& object, AnalysisPose pose) {
  const std::uint32_t id = next_pose_id(object.analysis);
  const Id owner = object.id;
  if (!edit_object(context, text, owner, [&](Object& o) { add_pose(o.analysis, pose); }).ok()) return;
  if (const Object* now = find_object(context.document.scene(), owner))
    PoseOptions::of(context.elements).choose(*now, id);
}

}  // namespace

EditedPose edited_pose(ElementSelection& elements, const Object& object) {
  EditedPose edited;
  edited.object = &object;
  PoseOptions& options = PoseOptions::of(elements);
  edited.truss = options.truss(object);
  const AnalysisPose* pose = options.pose(object);
  if (!pose || pose->nodes.size() != edited.truss->nodes.size()) return edited;
  edited.pose = pose;
  edited.index = static_cast<std::size_t>(pose - object.analysis.poses.data());
  edited.nodes = blended_nodes(edited.truss->nodes, *pose, 1);
  return edited;
}

EditedPose edited_pose(ElementSelection& elements) {
  const Object* object = elements.in("poses") ? elements.object() : nullptr;
  return object ? edited_pose(elements, *object) : EditedPose{};
}

bool place_pose(UiContext& context, const QString& text, Id object, std::uint32_t pose, std::span<const Vec3> rest,
                std::span<const Vec3> nodes, quint64 merge_key, const AnalysisPose* from) {
  const Object* now = find_object(context.document.scene(), object);
  const AnalysisPose* known = now ? find_pose(now->analysis, pose) : nullptr;
  if (!known) return false;
  const std::vector<PoseNode> start = (from ? from : known)->nodes;
  const auto shift = [&](std::size_t i) {
    const bool stayed = i < start.size() && nodes[i] == rest[i] + start[i].shift;
    return stayed ? start[i].shift : Vec3(nodes[i] - rest[i]);
  };
  return edit_object(
             context, tr("%1 pose %2").arg(text, name_in(*now, *known)), object,
             [&](Object& o) {
               for (AnalysisPose& p : o.analysis.poses)
                 if (p.id == pose)
                   for (std::size_t i = 0; i < p.nodes.size() && i < nodes.size(); ++i) p.nodes[i].shift = shift(i);
             },
             merge_key)
      .ok();
}

void new_pose(UiContext& context, const Object& object) {
  AnalysisPose pose;
  pose.name = "Pose";
  pose.nodes.resize(PoseOptions::of(context.elements).truss(object)->nodes.size());
  add(context, tr("New pose of %1").arg(QString::fromStdString(object.name)), object, pose);
}

void duplicate_pose(UiContext& context, const Object& object) {
  const AnalysisPose* pose = PoseOptions::of(context.elements).pose(object);
  if (pose) add(context, tr("Duplicate pose %1").arg(name_in(object, *pose)), object, *pose);
}

void delete_pose(UiContext& context, const Object& object) {
  const AnalysisPose* pose = PoseOptions::of(context.elements).pose(object);
  if (!pose) return;
  (void)edit_object(context, tr("Delete pose %1").arg(name_in(object, *pose)), object.id, [id = pose->id](Object& o) {
    std::erase_if(o.analysis.poses, [id](const AnalysisPose& p) { return p.id == id; });
  });
}

bool rename_pose(UiContext& context, const Object& object, std::uint32_t id, const QString& name) {
  const AnalysisPose* pose = find_pose(object.analysis, id);
  const std::string wanted = name.trimmed().toStdString();
  if (!pose || wanted.empty() || wanted == pose->name) return false;
  return edit_object(context, tr("Rename pose %1").arg(name_in(object, *pose)), object.id,
                     [&](Object& o) {
                       for (AnalysisPose& p : o.analysis.poses)
                         if (p.id == id) p.name = unique_pose_name(o.analysis, wanted);
                     })
      .ok();
}

void set_example(UiContext& context, const Object& object, std::uint32_t id, bool on) {
  const AnalysisPose* pose = find_pose(object.analysis, id);
  if (!pose || pose->example == on) return;
  (void)edit_object(context, (on ? tr("Take %1 as example") : tr("Take %1 as no example")).arg(name_in(object, *pose)),
                    object.id, [&](Object& o) {
                      for (AnalysisPose& p : o.analysis.poses)
                        if (p.id == id) p.example = on;
                    });
}

Status mirror_pose(UiContext& context, const Object& object, int axis) {
  const AnalysisPose* pose = PoseOptions::of(context.elements).pose(object);
  if (!pose) return Diagnostic{Severity::error, "", tr("There is no pose.").toStdString(), ""};
  auto seen = mirrored(PoseOptions::of(context.elements).truss(object)->nodes, pose->nodes, axis);
  if (!seen.ok()) return seen.diagnostics();
  const auto text = tr("Mirror pose %1").arg(name_in(object, *pose));
  return edit_object(context, text, object.id, [&, id = pose->id](Object& o) {
    for (AnalysisPose& p : o.analysis.poses)
      if (p.id == id) p.nodes = *seen;
  });
}

namespace {

/// Of places in the object's axes and with its scale, wherever they are as a whole.
Result<std::vector<PoseNode>> nodes_at(const Object& object, std::vector<Vec3> rest, std::span<const Vec3> places) {
  const Vec3 scale = object.transform.scale;
  for (Vec3& x : rest) x = scale.cwiseProduct(x);
  auto found = pose_from_places(rest, places);
  if (!found.ok()) return found;
  std::vector<PoseNode> nodes = std::move(found).value();
  for (PoseNode& node : nodes) node.shift = node.shift.cwiseQuotient(scale);
  return nodes;
}

Result<std::vector<PoseNode>> nodes_in(const ObjectFrame& body, const Object& object, std::vector<Vec3> rest) {
  std::vector<Vec3> places;
  for (const Vec3f& node : body.nodes) places.push_back(node.cast<double>());
  return nodes_at(object, std::move(rest), places);
}

Status pose_from(UiContext& context, const Object& object, std::span<const Vec3> places, const QString& name,
                 const QString& text) {
  auto nodes = nodes_at(object, PoseOptions::of(context.elements).truss(object)->nodes, places);
  if (!nodes.ok()) return nodes.diagnostics();
  AnalysisPose pose;
  pose.name = name.toStdString();
  pose.nodes = std::move(nodes).value();
  add(context, text, object, std::move(pose));
  return Done{};
}

}  // namespace

Status pose_from_frame(UiContext& context, const Object& object) {
  const FramePtr frame = context.playback.shown();
  const ObjectFrame* seen = frame ? frame->find(object.id) : nullptr;
  if (!seen || seen->nodes.empty())
    return Diagnostic{Severity::error, "", tr("This frame is not computed yet.").toStdString(),
                      tr("Wait until the strip under the ruler is green there.").toStdString()};
  std::vector<Vec3> places;
  for (const Vec3f& node : seen->nodes) places.push_back(node.cast<double>());
  return pose_from(context, object, places, tr("Frame %1").arg(frame->index),
                   tr("Pose of %1 from frame %2").arg(QString::fromStdString(object.name)).arg(frame->index));
}

Status take_frame(UiContext& context) {
  const EditedPose edited = edited_pose(context.elements);
  const auto& stand = context.elements.stand();
  const FramePtr frame = stand && stand->here ? context.playback.shown() : nullptr;
  const ObjectFrame* body = edited && frame ? frame->find(edited.object->id) : nullptr;
  if (!body || body->nodes.size() != edited.nodes.size())
    return Diagnostic{Severity::error, "", tr("This frame is not computed yet.").toStdString(),
                      tr("Wait until the strip under the ruler is green there.").toStdString()};
  std::vector<Vec3> nodes = edited.nodes;
  const auto chosen = context.elements.numbers(static_cast<std::uint8_t>(edited.index));
  const ObjectSpace space(stand->place);
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (chosen.empty() || chosen.contains(i)) nodes[i] = space.local(body->nodes[i].cast<double>());
  (void)place_pose(context, tr("Shape of frame %1,").arg(frame->index), edited.object->id, edited.pose->id,
                   edited.truss->nodes, nodes);
  return Done{};
}

namespace {

/// The pose that a key of the shape at this time tells; 0: there is none, or it tells the model as it is.
std::uint32_t keyed_pose(const Scene& scene, Id object, double time, double step) {
  const Track* track = find_track(scene, object.value, kShapePose);
  if (!track) return 0;
  for (const Key& key : track->keys)
    if (std::abs(key.time - time) < 0.5 * step) return static_cast<std::uint32_t>(std::lround(key.value[0]));
  return 0;
}

/// How the body is in the frame that is shown; before it is computed, as it is told to be there.
Result<AnalysisPose> shape_here(UiContext& context, const Object& object) {
  AnalysisPose made;
  made.name = tr("Frame %1").arg(context.playback.frame()).toStdString();
  const std::vector<Vec3> rest = PoseOptions::of(context.elements).truss(object)->nodes;
  const FramePtr frame = context.playback.shown();
  const ObjectFrame* body = frame ? frame->find(object.id) : nullptr;
  if (body && body->nodes.size() == rest.size()) {
    auto nodes = nodes_in(*body, object, rest);
    if (!nodes.ok()) return nodes.diagnostics();
    made.nodes = std::move(nodes).value();
    return made;
  }
  const Object* told = find_object(context.keying.shown(), object.id);
  const AnalysisPose* pose =
      told ? find_pose(object.analysis, static_cast<std::uint32_t>(told->body.shape.pose)) : nullptr;
  if (pose && pose->nodes.size() == rest.size()) made.nodes = pose->nodes;
  made.nodes.resize(rest.size());
  return made;
}

/// The first key of a shape has another before it, at the start, of what the body began with: a lone key would hold from the start on.
Scene with_shape_key(Scene scene, const Object& object, double time, std::uint32_t pose) {
  const Track* track = find_track(scene, object.id.value, kShapePose);
  if ((!track || track->keys.empty()) && time > 0 && std::cmp_not_equal(object.body.shape.pose, pose))
    scene = with_key(std::move(scene), object.id.value, kShapePose, 0, std::int64_t{object.body.shape.pose});
  return with_key(std::move(scene), object.id.value, kShapePose, time, std::int64_t{pose});
}

}  // namespace

Status sculpt_key(UiContext& context, const Object& object) {
  const Scene& scene = context.document.scene();
  const double time = context.keying.time();
  std::uint32_t id = keyed_pose(scene, object.id, time, 1 / scene.settings.frame_rate);
  const Id owner = object.id;
  if (!find_pose(object.analysis, id)) {
    auto made = shape_here(context, object);
    if (!made.ok()) return made.diagnostics();
    id = next_pose_id(object.analysis);
    Scene next =
        with_shape_key(with_object(scene, owner, [&](Object& o) { add_pose(o.analysis, *made); }), object, time, id);
    const Status done = context.document.edit(
        tr("Key a shape of %1 at frame %2").arg(QString::fromStdString(object.name)).arg(context.playback.frame()),
        std::move(next));
    if (!done.ok()) return done;
  }
  const Object* now = find_object(context.document.scene(), owner);
  if (!now) return Done{};
  PoseOptions::of(context.elements).choose(*now, id);
  if (const QString why = context.elements.enter(*find_mode("poses")); !why.isEmpty())
    return Diagnostic{Severity::error, "", why.toStdString(), ""};
  return Done{};
}

Status pose_from_mesh(UiContext& context, const Object& object, const QString& file) {
  // What is read for the eye has other vertices: split at sharp edges, those inside left out.
  auto listed = read_vertex_list(file.toStdString());
  if (!listed.ok()) return listed.diagnostics();
  std::vector<Vec3> places;
  if (listed->has_value()) {
    places = std::move(**listed);
  } else {
    const auto mesh = read_mesh_file(file.toStdString());
    if (!mesh.ok()) return mesh.diagnostics();
    places = mesh->mesh.positions;
  }
  for (Vec3& x : places) x = object.transform.scale.cwiseProduct(x);
  return pose_from(context, object, places, QFileInfo(file).completeBaseName(),
                   tr("Pose of %1 from a mesh").arg(QString::fromStdString(object.name)));
}

Status key_pose(UiContext& context, const Object& object, std::uint32_t pose) {
  const AnalysisPose* known = find_pose(object.analysis, pose);
  const QString what =
      known ? name_in(object, *known) : tr("the rest shape of %1").arg(QString::fromStdString(object.name));
  return context.document.edit(tr("Key %1").arg(what), with_shape_key(context.document.scene(), object,
                                                                      context.keying.time(), known ? pose : 0));
}

void reset_nodes(UiContext& context) {
  const EditedPose edited = edited_pose(context.elements);
  if (!edited) return;
  std::vector<Vec3> nodes = edited.nodes;
  const auto chosen = context.elements.numbers(static_cast<std::uint8_t>(edited.index));
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (chosen.empty() || chosen.contains(i)) nodes[i] = edited.truss->nodes[i];
  (void)place_pose(context, tr("Reset"), edited.object->id, edited.pose->id, edited.truss->nodes, nodes);
}

void put_in_group(UiContext& context) {
  const EditedPose edited = edited_pose(context.elements);
  if (!edited) return;
  const std::uint32_t group = PoseOptions::of(context.elements).group();
  std::vector<std::uint32_t> groups = pose_groups_of(edited.object->analysis, edited.nodes.size());
  for (const std::uint32_t node : context.elements.numbers(static_cast<std::uint8_t>(edited.index)))
    if (node < groups.size()) groups[node] = group;
  (void)edit_object(context, tr("Group %1 of %2").arg(group).arg(QString::fromStdString(edited.object->name)),
                    edited.object->id, [&](Object& o) { o.analysis.pose_groups = pose_group_rows(groups); });
}

}  // namespace hazumi
