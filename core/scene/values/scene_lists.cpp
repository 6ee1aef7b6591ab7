#include "core/scene/values/scene_lists.h"

#include <iterator>

#include "core/scene/values/words.h"

namespace hazumi {

std::string_view lists::object_icon(const Object& object) {
  if (object.display.kind == DisplayKind::none) return object.analysis.kind == AnalysisKind::none ? "point" : "truss";
  if (object.display.kind == DisplayKind::metaballs) return "metaballs";
  if (object.display.kind == DisplayKind::mesh) return object.display.mesh.mesh ? "mesh" : "warning";
  switch (object.display.primitive.shape) {
    case PrimitiveShape::hyperboloid_one:
      return "hyperboloid_one";
    case PrimitiveShape::hyperboloid_two:
      return "hyperboloid_two";
    case PrimitiveShape::rounded_box:
      return "rounded_box";
    default:
      return word(object.display.primitive.shape);
  }
}

std::string_view lists::object_label(const Object& object) { return word(object.body.kind); }

std::string_view lists::light_icon(const Light& light) { return light.kind == LightKind::directional ? "sun" : "bulb"; }

std::string_view lists::light_label(const Light&) { return "light"; }

std::string_view lists::camera_icon(const Camera&) { return "camera"; }

std::string_view lists::camera_label(const Camera&) { return "camera"; }

std::string_view lists::curve_icon(const Curve&) { return "curve"; }

std::string_view lists::curve_label(const Curve& curve) { return word(curve.kind); }

std::string_view lists::joint_icon(const Joint& joint) {
  static constexpr std::string_view kIcons[] = {"joint_ball",  "joint_hinge",  "joint_slider",
                                                "joint_fixed", "joint_spring", "joint_rope",
                                                "joint_gear",  "joint_lead",   "joint_pull"};
  static_assert(std::size(kIcons) == static_cast<std::size_t>(JointKind::pull) + 1);
  return kIcons[static_cast<std::size_t>(joint.kind)];
}

std::string_view lists::joint_label(const Joint& joint) { return word(joint.kind); }

std::string_view lists::force_icon(const Force&) { return "force"; }

std::string_view lists::force_label(const Force&) { return "force"; }

std::string_view lists::field_icon(const ForceField& field) {
  static constexpr std::string_view kIcons[] = {"field_wind",  "field_drag",    "field_vortex",       "field_attractor",
                                                "field_water", "field_gravity", "field_point_gravity"};
  static_assert(std::size(kIcons) == static_cast<std::size_t>(FieldKind::point_gravity) + 1);
  return kIcons[static_cast<std::size_t>(field.kind)];
}

std::string_view lists::field_label(const ForceField& field) { return word(field.kind); }

std::string_view lists::source_icon(const ParticleSource&) { return "particles"; }

std::string_view lists::source_label(const ParticleSource& source) { return word(source.look); }

std::string_view lists::pair_icon(const ContactPair&) { return "pair"; }

std::string_view lists::pair_label(const ContactPair&) { return "pair"; }

std::string_view lists::collection_icon(const Collection&) { return "collection"; }

std::string_view lists::collection_label(const Collection&) { return "collection"; }

std::string_view lists::track_icon(const Track&) { return "key"; }

std::string_view lists::track_label(const Track&) { return "track"; }

std::string_view lists::motion_icon(const MotionNode& node) {
  return node.role == MotionRole::event ? "event" : "procedure";
}

std::string_view lists::motion_label(const MotionNode& node) { return word(node.role); }

std::string_view lists::marker_icon(const Marker&) { return "marker"; }

std::string_view lists::marker_label(const Marker&) { return "marker"; }

std::string_view lists::sound_icon(const Sound&) { return "sound"; }

std::string_view lists::sound_label(const Sound&) { return "sound"; }

std::string_view lists::keying_set_icon(const KeyingSet&) { return "key"; }

std::string_view lists::keying_set_label(const KeyingSet&) { return "keying set"; }

std::string_view lists::take_icon(const Take&) { return "takes"; }

std::string_view lists::take_label(const Take&) { return "take"; }

std::string things_of_scene(std::string_view and_or) {
  std::vector<std::string_view> names;
  visit_scene_lists([&](const auto& list) {
    if (list.listed) names.push_back(list.singular);
  });
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(and_or) + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace hazumi
