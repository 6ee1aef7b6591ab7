// The field table: one row per editable member of the scene's structs. It drives the file format (key = path
// in JSON), validation (range), the property panel (label, unit, tooltip, widget), docs/fields.md, and what a run reads:
// the signature (scene/derived/signature.h) is made from the rows that are read now, and the diff compares signatures.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

/// From when on a run reads a value, so that a change of it alters what comes then (ChangeSet::first_frame, scene/diff.h).
enum class Effect {
  look,     ///< never, it is only looked at: no frame is dropped
  contact,  ///< when the object touches something: from its first contact on
  touch,    ///< to find contacts: from frame 0 on; from the first contact on when the object stops taking part in them
  motion,   ///< from frame 0 on
};

enum class FieldType { boolean, integer, number, text, vector, colour, rotation, choice, integers };

/// Of which list of the scene a number is an id; 0 names nothing. thing: of any.
enum class Refers { nothing, object, camera, curve, joint, collection, source, thing };

/// integers: three ints. choice: number of the entry in Field::choices.
using FieldValue = std::variant<bool, std::int64_t, double, std::string, Vec3, Quat, std::array<int, 3>>;

bool operator_equal(const FieldValue& a, const FieldValue& b);  ///< bitwise for numbers

template <class Owner>
struct Field {
  std::string_view path;     ///< "body.stiffness": nested keys in the file
  std::string_view label;    ///< "Stiffness"
  std::string_view group;    ///< "Body": section in the property panel
  std::string_view unit;     ///< "N/m"; "" for none; angles: "°" (shown) while the value is rad
  std::string_view tooltip;  ///< one sentence
  FieldType type;
  Effect effect;
  double low, high;  ///< allowed range of every number in it (inclusive unless open); text: of its length
  bool low_open;     ///< low itself is not allowed (mass > 0)
  double step;       ///< of a drag by one pixel-ish, in shown units; ≤ 0: proportional to the value
  std::span<const std::string_view> choices;
  FieldValue (*get)(const Owner&);
  void (*set)(Owner&, const FieldValue&);
  /// False: not meaningful for this owner now (spring constant of a rigid body); hidden in the panel, still
  /// saved.
  bool (*shown)(const Owner&);
  bool sparse = false;  ///< left out of files while it has the default
  /// From when on a run reads it for this owner now, at most `effect`; null: `effect` while it is shown. When in doubt
  /// more than is read: a frame dropped too many is slow, one too few is wrong.
  Effect (*reads)(const Owner&) = nullptr;
  /// Hash of what a run reads through it; null: of the value itself.
  std::uint64_t (*content)(const Owner&) = nullptr;
  bool keyable = false;  ///< a track may change it in time (values/track.h)
  Refers refers = Refers::nothing;
};

/// From when on a run reads the field of this owner.
template <class Owner>
Effect effect_now(const Field<Owner>& field, const Owner& owner) {
  if (field.reads != nullptr) return field.reads(owner);
  return field.effect != Effect::look && field.shown(owner) ? field.effect : Effect::look;
}

std::span<const Field<Object>> object_fields();
/// Of one entry of a list (scene/values/lists.h), without its id. Those of analysis and material are rows of
/// object_fields() too, below "analysis." and "material.".
std::span<const Field<MetaballPrimitive>> metaball_fields();
std::span<const Field<Bone>> bone_fields();
std::span<const Field<AnalysisModel>> analysis_fields();
std::span<const Field<AnalysisPose>> pose_fields();
std::span<const Field<Material>> material_fields();
std::span<const Field<PartMaterial>> part_material_fields();
std::span<const Field<SolverParameter>> solver_parameter_fields();
std::span<const Field<Light>> light_fields();
std::span<const Field<ContactPair>> pair_fields();
std::span<const Field<Collection>> collection_fields();
std::span<const Field<Track>> track_fields();
std::span<const Field<Marker>> marker_fields();
std::span<const Field<Sound>> sound_fields();
std::span<const Field<KeyingSet>> keying_set_fields();
std::span<const Field<Take>> take_fields();
std::span<const Field<Camera>> camera_fields();
std::span<const Field<Curve>> curve_fields();
std::span<const Field<Joint>> joint_fields();
std::span<const Field<Force>> force_fields();
std::span<const Field<ForceField>> force_field_fields();
std::span<const Field<ParticleSource>> particle_source_fields();
std::span<const Field<MotionNode>> motion_fields();
std::span<const Field<MotionParameter>> motion_parameter_fields();
std::span<const Field<SceneSettings>> settings_fields();

template <class Owner>
const Field<Owner>* find_field(std::span<const Field<Owner>> fields, std::string_view path) {
  for (const auto& field : fields)
    if (field.path == path) return &field;
  return nullptr;
}

/// What of a row says which values it takes, whoever owns it.
struct FieldRange {
  std::string_view label, unit;
  FieldType type;
  double low, high;
  bool low_open;
  std::span<const std::string_view> choices;
  Refers refers = Refers::nothing;
};
std::string range_problem(const FieldRange& field, const FieldValue& value);

/// Empty when the value may be set; else the sentence to show at the field ("Mass must be above 0 kg.").
template <class Owner>
std::string field_problem(const Field<Owner>& field, const FieldValue& value) {
  return range_problem({field.label, field.unit, field.type, field.low, field.high, field.low_open, field.choices},
                       value);
}

/// "box", "sphere" or "cone", with the quotation marks: for sentences.
std::string choice_list(std::span<const std::string_view> choices);

/// What a panel does when a person changes a field: sets it and draws the consequences. Picking a preset
/// takes over its look, and its physics when they follow; letting the physics follow again takes the
/// preset's; a model strung by hand starts as the shape that was there, a metaball group with one ball.
/// Field::set alone changes exactly one member (files, tests).
void edit_field(Object& object, const Field<Object>& field, const FieldValue& value);
void edit_field(MetaballPrimitive& primitive, const Field<MetaballPrimitive>& field, const FieldValue& value);
void edit_field(PartMaterial& part, const Field<PartMaterial>& field, const FieldValue& value);

}  // namespace hazumi
