#include "ui/model/keying_sets.h"

#include <algorithm>
#include <functional>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

constexpr std::string_view kOfScene = "settings.";

std::string joined_fields(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& field : fields) text += (text.empty() ? "" : ", ") + field;
  return text;
}

/// What most is said of a joint: where a lead leads to, how fast a motor drives, else whether it holds.
std::string field_of_joint(const Joint& joint) {
  if (has_target(joint.kind)) return goes_along_curve(joint) ? "along" : std::string(kTargetPlace);
  if (joint.kind == JointKind::hinge && joint.motor) return "motor_turn";
  if (joint.kind == JointKind::slider && joint.motor) return "motor_speed";
  return "on";
}

/// Where what is selected is, and how it is turned; nothing selected: the scene's camera.
std::vector<KeyPlace> places_and_rotations(const UiContext& c) {
  const Scene& scene = c.document.scene();
  std::vector<KeyPlace> places;
  const auto add_camera = [&](const Camera& camera) {
    const bool rides = curve_of(scene, camera) != nullptr;
    places.push_back({camera.id.value, rides ? std::string(kAlong) : "position"});
    if (!rides || !camera.follow.turned || camera.looks_at != 0) places.push_back({camera.id.value, "target"});
    if (camera.roll != 0) places.push_back({camera.id.value, "roll"});
  };
  if (c.selection.empty() && !scene.cameras.empty()) add_camera(active_camera(c.keying.shown()));
  for (Id id : c.selection.ids()) {
    if (const Object* object = find_object(scene, id))
      for (std::string_view field : {"transform.position", "transform.rotation"}) {
        if (!curve_of(scene, *object))
          places.push_back({id.value, std::string(field)});
        else if (field == "transform.position")
          places.push_back({id.value, std::string(kAlong)});
        else if (!object->follow.turned && !looked_at(scene, *object))
          places.push_back({id.value, std::string(field)});
      }
    if (const Light* light = find_light(scene, id)) {
      places.push_back({id.value, "position"});
      if (light->kind == LightKind::directional) places.push_back({id.value, "target"});
    }
    if (const Camera* camera = find_camera(scene, id)) add_camera(*camera);
    if (find_force(scene, id)) places.push_back({id.value, "push"});
    if (find_force_field(scene, id))
      for (const char* field : {"position", "rotation"}) places.push_back({id.value, field});
    if (const ParticleSource* source = find_source(scene, id); source && source->shape != SourceShape::surface)
      for (const char* field : {"position", "rotation"})
        if (field != std::string_view("position") || source->shape != SourceShape::curve)
          places.push_back({id.value, field});
    if (const Joint* joint = find_joint(scene, id)) places.push_back({id.value, field_of_joint(*joint)});
  }
  return places;
}

std::vector<KeyPlace> keyed_places(const UiContext& c) {
  std::vector<KeyPlace> places;
  for (const auto& track : c.document.scene().tracks)
    if (c.selection.empty() || c.selection.contains(Id{listed_with(c.document.scene(), *track)}))
      places.push_back({track->target, track->field});
  return places;
}

std::vector<KeyPlace> places_of_set(const UiContext& c, const KeyingSet& set) {
  const Scene& scene = c.document.scene();
  std::vector<Id> things(c.selection.ids().begin(), c.selection.ids().end());
  if (things.empty() && !scene.cameras.empty()) things.push_back(active_camera(c.keying.shown()).id);
  std::vector<KeyPlace> places;
  for (const std::string& field : fields_of(set)) {
    if (field.starts_with(kOfScene)) {
      if (key_problem(scene, 0, field).empty()) places.push_back({0, field});
      continue;
    }
    for (Id id : things)
      if (key_problem(scene, id.value, field).empty()) places.push_back({id.value, field});
    if (!may_be_of_box(field)) continue;
    for (const auto& box : scene.motion)  // of those things
      if (std::find(things.begin(), things.end(), Id{box->object}) != things.end() &&
          key_problem(scene, box->id.value, field).empty())
        places.push_back({box->id.value, field});
  }
  return places;
}

bool is_name_of_set(const Scene& scene, const std::string& name) {
  return std::any_of(scene.keying_sets.begin(), scene.keying_sets.end(),
                     [&](const auto& set) { return set->name == name; });
}

void change_set(UiContext& context, const QString& text, Id id, const std::function<void(KeyingSet&)>& change) {
  const KeyingSet* set = find_keying_set(context, id);
  if (!set) return;
  const QString step = text.arg(QString::fromStdString(set->name));
  Scene scene = context.document.scene();
  for (auto& each : scene.keying_sets)
    if (each->id == id) each = each.edited(change);
  (void)context.document.edit(step, std::move(scene));
}

}  // namespace

const KeyingSet* find_keying_set(const UiContext& context, Id id) {
  for (const auto& set : context.document.scene().keying_sets)
    if (set->id == id) return set.get();
  return nullptr;
}

std::vector<std::string> fields_of(const KeyingSet& set) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < set.fields.size();) {
    const std::size_t end = std::min(set.fields.find(',', at), set.fields.size());
    const std::size_t first = std::min(set.fields.find_first_not_of(' ', at), end);
    std::string field = set.fields.substr(first, end - first);
    field.erase(field.find_last_not_of(' ') + 1);
    if (!field.empty() && std::find(fields.begin(), fields.end(), field) == fields.end())
      fields.push_back(std::move(field));
    at = end + 1;
  }
  return fields;
}

QString field_label(const std::string& path) {
  if (path.starts_with(kOfScene)) {
    const auto* field = find_field(settings_fields(), std::string_view(path).substr(kOfScene.size()));
    return field ? text_of(field->label) : QString::fromStdString(path);
  }
  if (const auto* field = find_field(motion_parameter_rows(), path))
    return tr("%1: %2").arg(text_of(field->group), text_of(field->label));
  QString label;
  visit_scene_lists([&](const auto& list) {
    if (!label.isEmpty()) return;
    if (const auto* field = find_field(list.fields(), path); field && field->keyable) label = text_of(field->label);
  });
  return label.isEmpty() ? QString::fromStdString(path) : label;
}

QString name_of(const UiContext& context, const ActiveSet& set) {
  const KeyingSet* own = set.kind == ActiveSet::Kind::own ? find_keying_set(context, set.own) : nullptr;
  if (own) return QString::fromStdString(own->name);
  return set.kind == ActiveSet::Kind::keyed ? tr("All That Is Keyed") : tr("Place and Rotation");
}

std::vector<KeyPlace> places_of_active_set(const UiContext& context) {
  const ActiveSet& set = context.keying.active_set();
  if (set.kind == ActiveSet::Kind::keyed) return keyed_places(context);
  const KeyingSet* own = set.kind == ActiveSet::Kind::own ? find_keying_set(context, set.own) : nullptr;
  return own ? places_of_set(context, *own) : places_and_rotations(context);
}

QString no_places(const UiContext& context) {
  if (!places_of_active_set(context).empty()) return {};
  const ActiveSet& set = context.keying.active_set();
  if (set.kind == ActiveSet::Kind::keyed) return tr("Nothing that is selected has keys yet.");
  if (set.kind == ActiveSet::Kind::own)
    return tr("What is selected has no field of the keying set %1 that can be keyed.").arg(name_of(context, set));
  return tr(
      "The place of what is selected cannot be keyed: physics moves what bends. Fields can, with the mouse over them.");
}

QString whose_keys(const UiContext& context) {
  if (!context.selection.empty()) return selection_text(context.document.scene(), context.selection);
  if (context.keying.active_set().kind == ActiveSet::Kind::keyed) return {};
  const std::vector<KeyPlace> places = places_of_active_set(context);
  const bool of_scene = std::all_of(places.begin(), places.end(), [](const KeyPlace& at) { return at.target == 0; });
  return of_scene ? QString() : QString::fromStdString(active_camera(context.keying.shown()).name);
}

void add_keying_set(UiContext& context, const std::vector<std::string>& fields) {
  Scene scene = context.document.scene();
  KeyingSet set;
  set.id = next_id(scene);
  int number = static_cast<int>(scene.keying_sets.size());
  do set.name = tr("Keying Set %1").arg(++number).toStdString();
  while (is_name_of_set(scene, set.name));
  set.fields = joined_fields(fields);
  const Id id = set.id;
  const QString text = tr("Add %1").arg(QString::fromStdString(set.name));
  scene.keying_sets.push_back(Shared<KeyingSet>(std::move(set)));
  if (context.document.edit(text, std::move(scene)).ok()) context.keying.set_active_set({ActiveSet::Kind::own, id});
}

void add_set_of_tracks(UiContext& context) {
  std::vector<std::string> fields;
  const std::set<Id> tracks = chosen_tracks(context);
  for (const auto& track : context.document.scene().tracks)
    if (tracks.contains(track->id) && std::find(fields.begin(), fields.end(), track->field) == fields.end())
      fields.push_back(track->field);
  if (!fields.empty()) add_keying_set(context, fields);
}

void add_to_keying_set(UiContext& context, Id id, const std::string& field) {
  change_set(context, tr("Add %1 to %2").arg(field_label(field), QStringLiteral("%1")), id, [&](KeyingSet& set) {
    std::vector<std::string> fields = fields_of(set);
    if (std::find(fields.begin(), fields.end(), field) != fields.end()) return;
    fields.push_back(field);
    set.fields = joined_fields(fields);
  });
}

void remove_from_keying_set(UiContext& context, Id id, const std::string& field) {
  change_set(context, tr("Take %1 out of %2").arg(field_label(field), QStringLiteral("%1")), id, [&](KeyingSet& set) {
    std::vector<std::string> fields = fields_of(set);
    std::erase(fields, field);
    set.fields = joined_fields(fields);
  });
}

void rename_keying_set(UiContext& context, Id id, const QString& name) {
  const KeyingSet* set = find_keying_set(context, id);
  const std::string wanted = name.trimmed().toStdString();
  if (!set || wanted.empty() || wanted == set->name) return;
  change_set(context, tr("Rename %1"), id, [&](KeyingSet& each) { each.name = wanted; });
}

void delete_keying_set(UiContext& context, Id id) {
  const KeyingSet* set = find_keying_set(context, id);
  if (!set) return;
  const QString text = tr("Delete %1").arg(QString::fromStdString(set->name));
  Scene scene = context.document.scene();
  std::erase_if(scene.keying_sets, [&](const auto& each) { return each->id == id; });
  (void)context.document.edit(text, std::move(scene));
}

}  // namespace hazumi
