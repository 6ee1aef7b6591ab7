// The field tables of lights, cameras, curves, pairs, collections and scene settings, and what is common to all tables.
#include "core/scene/values/fields.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <sstream>

#include "core/scene/values/field_rows.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/materials.h"

namespace hazumi {

namespace {

using namespace rows;

constexpr Range kFrame{0, 1e7, false, 1};
}  // namespace

std::span<const Field<Light>> light_fields() {
  using Owner = Light;
  static constexpr auto aimed = [](const Light& l) { return l.kind == LightKind::directional; };
  // clang-format off
  static const std::vector<Field<Light>> table = {
      ROW(name, "Name", "Light", "", kName, look, always,
          "What the light is called in lists."),
      rows::keyed(ROW(visible, "On", "Light", "", kNone, look, always,
          "Whether the light shines.")),
      ROW(kind, "Kind", "Light", "", kNone, look, always,
          "Directional like the sun, or shining from a point to all sides."),
      rows::keyed(ROW(position, "Position", "Light", "m", kAny, look, always,
          "Where the light is; a directional light shines from here towards its target.")),
      rows::keyed(ROW(target, "Target", "Light", "m", kAny, look, aimed,
          "What a directional light is aimed at.")),
      rows::keyed(rows::as_colour(ROW(colour, "Colour", "Light", "", kColour, look, always,
          "Colour of the light."))),
      rows::keyed(ROW(intensity, "Intensity", "Light", "", within(0, 1000, 0.02), look, always,
          "Strength of the light.")),
      ROW(shadow, "Shadow", "Light", "", kNone, look, always,
          "The first light with this set casts shadows."),
      rows::sparse(ROW(collection, "Collection", "Light", "", kThing, look, never,
          "Id of the collection that the light is in.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<ContactPair>> pair_fields() {
  using Owner = ContactPair;
  // clang-format off
  static const std::vector<Field<ContactPair>> table = {
      ROW(name, "Name", "Pair", "", kName, look, always,
          "What the pair is called in lists."),
      ROW(visible, "On", "Pair", "", kNone, contact, always,
          "Whether the values of the pair are used; off, what the two materials say."),
      ROW(a, "First", "Pair", "", kThing, contact, never,
          "Id of one of the two objects."),
      ROW(b, "Second", "Pair", "", kThing, contact, never,
          "Id of the other one."),
      ROW(restitution, "Restitution", "Pair", "", within(0, 1, 0.01), contact, always,
          "How much of its speed a collision of the two gives back, whatever their materials say."),
      ROW(friction, "Friction", "Pair", "", within(0, 10, 0.01), contact, always,
          "Coulomb friction between the two, whatever their materials say."),
  };
  // clang-format on
  return table;
}

std::span<const Field<Collection>> collection_fields() {
  using Owner = Collection;
  // clang-format off
  static const std::vector<Field<Collection>> table = {
      ROW(name, "Name", "Collection", "", kName, look, always,
          "What the collection is called in lists."),
      ROW(visible, "Visible", "Collection", "", kNone, look, always,
          "Whether what is in the collection is drawn; hidden objects still take part in the motion."),
      ROW(locked, "Locked", "Collection", "", kNone, look, always,
          "What is in a locked collection cannot be selected by clicking in the viewport."),
      rows::as_colour(ROW(colour, "Colour", "Collection", "", kColour, look, always,
          "Colour of its icon in the outliner.")),
      rows::sparse(ROW(collection, "Collection", "Collection", "", kThing, look, never,
          "Id of the collection that this one is in.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<Track>> track_fields() {
  using Owner = Track;
  // clang-format off
  static const std::vector<Field<Track>> table = {
      ROW(name, "Name", "Track", "", kName, look, always,
          "What the track is called in lists."),
      rows::sparse(ROW(visible, "Used", "Track", "", kNone, look, always,
          "Off, the field has its own value and the keys wait.")),
      rows::sparse(ROW(target, "Of", "Track", "", kThing, look, never,
          "Id of the object, light, camera, box of a motion graph or other thing whose field it is; 0 for the scene.")),
      ROW(field, "Field", "Track", "", kName, look, never,
          "The field that the keys are of."),
      rows::sparse(ROW(before, "Before", "Track", "", kNone, look, always,
          "What comes before the first key.")),
      rows::sparse(ROW(after, "After", "Track", "", kNone, look, always,
          "What comes after the last key.")),
      rows::sparse(ROW(turn, "Turns by", "Track", "", kNone, look, never,
          "Of a rotation: quaternions, which turn the shortest way, or angles about x, y and z, which may turn many times.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<Marker>> marker_fields() {
  using Owner = Marker;
  // clang-format off
  static const std::vector<Field<Marker>> table = {
      ROW(name, "Name", "Marker", "", kName, look, always,
          "What the marker is called on the rulers."),
      rows::sparse(ROW(visible, "Visible", "Marker", "", kNone, look, always,
          "Whether the marker is drawn on the rulers.")),
      ROW(time, "Time", "Marker", "s", within(-1e6, 1e6, 0.01), look, always,
          "Where in time the marker is."),
      rows::as_colour(ROW(colour, "Colour", "Marker", "", kColour, look, always,
          "Colour of its flag.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<Sound>> sound_fields() {
  using Owner = Sound;
  // clang-format off
  static const std::vector<Field<Sound>> table = {
      ROW(name, "Name", "Sound", "", kName, look, always,
          "What the sound is called on the time line."),
      rows::sparse(ROW(visible, "Heard", "Sound", "", kNone, look, always,
          "Off, the sound is muted.")),
      ROW(file, "File", "Sound", "", (Range{1, 4000}), look, always,
          "The sound file beside the scene: WAV, FLAC, OGG, MP3."),
      ROW(start, "Start", "Sound", "s", within(-1e6, 1e6, 0.01), look, always,
          "When its beginning is heard; before 0, what comes before is left out."),
      rows::sparse(ROW(gain, "Gain", "Sound", "", within(0, 100, 0.01), look, always,
          "How loud: 1 is as in the file.")),
      rows::sparse(ROW(waits, "Only in motions", "Sound", "", kNone, look, always,
          "On, it is not heard at its start, only when a Play Sound of a motion plays it.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<KeyingSet>> keying_set_fields() {
  using Owner = KeyingSet;
  // clang-format off
  static const std::vector<Field<KeyingSet>> table = {
      ROW(name, "Name", "Keying set", "", kName, look, always,
          "What the set is called in menus."),
      rows::sparse(ROW(visible, "Offered", "Keying set", "", kNone, look, always,
          "Off, menus leave it out.")),
      ROW(fields, "Fields", "Keying set", "", (Range{0, 20000}), look, always,
          "Fields with commas between them, as of tracks; what a thing does not have is left out."),
  };
  // clang-format on
  return table;
}

std::span<const Field<Camera>> camera_fields() {
  using Owner = Camera;
  static constexpr auto by_hand = [](const Camera& c) { return !c.depth.automatic; };
  static constexpr auto aimed = [](const Camera& c) {
    return c.looks_at == 0 && !(c.follow.curve != 0 && c.follow.turned);
  };
  static constexpr auto rides = [](const Camera& c) { return c.follow.curve != 0; };
  static constexpr auto pictured = [](const Camera& c) { return !c.picture.file.empty(); };
  // clang-format off
  static const std::vector<Field<Camera>> table = {
      ROW(name, "Name", "Camera", "", kName, look, always,
          "What the camera is called in lists and on the time line."),
      rows::sparse(ROW(visible, "Visible", "Camera", "", kNone, look, always,
          "Whether the camera's symbol is drawn in the view.")),
      rows::sparse(ROW(locked, "Locked", "Camera", "", kNone, look, always,
          "A locked camera cannot be selected by clicking in the viewport.")),
      rows::keyed(ROW(position, "Position", "Camera", "m", kAny, look, always,
          "Where the camera is.")),
      rows::keyed(ROW(target, "Target", "Camera", "m", kAny, look, aimed,
          "What the camera looks at.")),
      rows::sparse(rows::keyed(rows::names_a(Refers::object,
          ROW(looks_at, "Looks at", "Camera", "", kThing, look, always,
          "An object that the camera turns to, wherever it goes; with keys, one after the other.")))),
      rows::sparse(rows::keyed(ROW(roll, "Roll", "Camera", "°", kTurns, look, always,
          "How far the camera is turned about its line of sight."))),
      rows::sparse(rows::names_a(Refers::curve, ROW(follow.curve, "Curve", "Follow", "", kThing, look, always,
          "A curve that the camera rides on."))),
      rows::sparse(rows::keyed(ROW(follow.along, "Along", "Follow", "", within(0, 1, 0.002), look, rides,
          "Where on the curve, from its start 0 to its end 1; with keys, the ride."))),
      rows::sparse(ROW(follow.height, "Height", "Follow", "m", kAny, look, rides,
          "How far above the curve it is: along up of the curve, which turns with it.")),
      rows::sparse(ROW(follow.turned, "Looks along it", "Follow", "", kNone, look, rides,
          "It looks where the curve goes, unless it looks at an object.")),
      rows::keyed(ROW(focal_length, "Focal length", "Camera", "mm", within(0.5, 5000, 0.2), look, always,
          "Of the lens, for film of 36 × 24 mm: short is wide, 35 is usual, long is near.")),
      rows::as_colour(rows::sparse(ROW(colour, "Colour", "Camera", "", kColour, look, always,
          "Colour of the camera's stretches on the time line."))),
      rows::sparse(ROW(depth.automatic, "Automatic", "Depth", "", kNone, look, always,
          "The planes follow what is seen; off, they stay where they are put.")),
      rows::keyed(ROW(depth.near_plane, "Near plane", "Depth", "m", within(1e-5, 1e6, 0), look, by_hand,
          "What is nearer than this is not drawn.")),
      rows::keyed(ROW(depth.far_plane, "Far plane", "Depth", "m", within(1e-4, 1e7, 0), look, by_hand,
          "What is farther than this is not drawn.")),
      rows::sparse(ROW(safe_areas, "Safe areas", "Frame", "", kNone, look, always,
          "Lines around what every screen shows: 93 % of the picture for action, 90 % for titles.")),
      rows::sparse(ROW(picture.file, "Picture", "Reference picture", "", (Range{0, 4000}), look, always,
          "A picture behind what is seen through the camera in the view; pictures that are written do not have it.")),
      rows::sparse(rows::keyed(
          ROW(picture.opacity, "Opacity", "Reference picture", "", within(0, 1, 0.01), look, pictured,
          "How strongly the picture shows."))),
      rows::sparse(rows::keyed(ROW(picture.shown, "Shown", "Reference picture", "", kNone, look, pictured,
          "Whether the picture is drawn."))),
      rows::sparse(ROW(collection, "Collection", "Camera", "", kThing, look, never,
          "Id of the collection that the camera is in.")),
  };
  // clang-format on
  return table;
}

std::span<const Field<Curve>> curve_fields() {
  using Owner = Curve;
  // clang-format off
  static const std::vector<Field<Curve>> table = {
      ROW(name, "Name", "Curve", "", kName, look, always,
          "What the curve is called in lists."),
      rows::sparse(ROW(visible, "Visible", "Curve", "", kNone, look, always,
          "Whether the curve is drawn in the view; pictures that are written never show it.")),
      rows::sparse(ROW(locked, "Locked", "Curve", "", kNone, look, always,
          "A locked curve cannot be selected by clicking in the viewport.")),
      ROW(kind, "Kind", "Curve", "", kNone, look, always,
          "Straight from point to point, circles through every three points, or a spline with tangents."),
      ROW(closed, "Closed", "Curve", "", kNone, look, always,
          "The end goes on to the start; three points of an arc become a whole circle."),
      rows::sparse(rows::as_colour(ROW(colour, "Colour", "Curve", "", kColour, look, always,
          "Colour of its line."))),
      rows::sparse(ROW(collection, "Collection", "Curve", "", kThing, look, never,
          "Id of the collection that the curve is in.")),
      ROW(transform.position, "Position", "Transform", "m", kAny, look, always,
          "Where the origin of the curve is."),
      ROW(transform.rotation, "Rotation", "Transform", "°", kRotation, look, always,
          "How the whole curve is turned."),
      ROW(transform.scale, "Scale", "Transform", "", within(1e-6, 1e6, 0.01), look, always,
          "Stretches the curve along its own axes, before it is turned."),
  };
  // clang-format on
  return table;
}

std::span<const Field<SceneSettings>> settings_fields() {
  using Owner = SceneSettings;
  static constexpr auto own_light = [](const SceneSettings& s) { return s.look.light == StudioLight::scene; };
  static constexpr auto occluded = [](const SceneSettings& s) { return s.look.occlusion > 0; };
  // clang-format off
  static const std::vector<Field<SceneSettings>> table = {
      ROW(first_frame, "First frame", "Range", "", kFrame, look, always,
          "First frame that is played and written; the simulation always starts at frame 0."),
      ROW(last_frame, "Last frame", "Range", "", kFrame, look, always,
          "Last frame that is played, simulated and written."),
      ROW(frame_rate, "Frame rate", "Range", "1/s", within(1, 1000, 1), motion, always,
          "Frames per second."),
      ROW(substeps, "Sub-steps", "Simulation", "", within(1, 64, 1), motion, always,
          "Steps of the simulation per frame: more is more exact and slower."),
      rows::keyed(ROW(gravity, "Gravity", "Simulation", "m/s²", within(-1e4, 1e4, 0.05), motion, always,
          "Acceleration of everything that gravity pulls on.")),
      ROW(seed, "Seed", "Simulation", "", within(0, 9007199254740992.0, 1), motion, always,
          "Start of the random numbers: another seed, another run."),
      ROW(rest_speed, "Rest speed", "Simulation", "m/s", within(0, 100, 0.005), motion, always,
          "Impacts slower than this become resting contacts."),
      rows::sparse(ROW(impacts, "Impacts", "Simulation", "", {}, motion, always,
          "At once: a collision is over within a sub-step. Sine pulse: a force that swells and fades over the contact time by "
          "Hertz pushes the two apart, and they squash into each other meanwhile.")),
      rows::sparse(rows::keyed(ROW(time_scale, "Time scale", "Simulation", "", within(0, 10, 0.01), motion, always,
          "How fast physics goes: 0.1 is slow motion, 0 stands still. Keys of places stay at their frames."))),
      rows::sparse(rows::keyed(rows::names_a(Refers::camera, ROW(camera, "Camera", "Cameras", "", kThing, look, always,
          "The camera that pictures are taken with; its keys are the cuts from one to the next.")))),
      rows::keyed(rows::as_colour(ROW(background, "Background", "World", "", kColour, look, always,
          "Colour behind everything."))),
      rows::keyed(rows::as_colour(ROW(ambient, "Ambient light", "World", "", kColour, look, always,
          "Light that comes from everywhere."))),
      rows::sparse(ROW(look.light, "Lighting", "Look", "", {}, look, always,
          "What lights the scene: its own lights, or a ready set of lights with sky and ground in their place.")),
      rows::sparse(rows::keyed(rows::as_colour(ROW(look.sky, "Sky", "Look", "", kColour, look, own_light,
          "Colour of the ambient light on what faces up.")))),
      rows::sparse(rows::keyed(rows::as_colour(ROW(look.ground, "Ground", "Look", "", kColour, look, own_light,
          "Colour of the ambient light on what faces down.")))),
      rows::sparse(ROW(look.curve, "Curve", "Look", "", {}, look, always,
          "How light becomes a picture. Shoulder: as it is, rounded off near white. Filmic: deeper darks, and bright colours that "
          "run to white as on film.")),
      rows::sparse(rows::keyed(ROW(look.exposure, "Exposure", "Look", "", within(-10, 10, 0.05), look, always,
          "Stops by which surfaces are brighter: 1 is twice the light, −1 half of it."))),
      rows::sparse(rows::keyed(ROW(look.occlusion, "Occlusion", "Look", "", within(0, 1, 0.02), look, always,
          "How much corners and the places where things meet are darkened; 0 is off."))),
      rows::sparse(ROW(look.occlusion_reach, "Occlusion reach", "Look", "m", within(0, 1e6, 0.01), look, occluded,
          "How far what darkens a corner is looked for; 0: half of the size of a usual thing in the scene.")),
      rows::sparse(rows::keyed(ROW(look.softness, "Soft shadows", "Look", "°", within(0, radians(30), radians(0.1)), look, always,
          "Angle under which the light is seen that casts shadows: their edges are sharp at the contact and soften away from it; "
          "0: the same narrow edge everywhere."))),
      rows::sparse(ROW(look.floor_fades, "Fading floor", "Look", "", kNone, look, always,
          "Fixed planes fade into the background before their edge is seen.")),
  };
  // clang-format on
  return table;
}

namespace {

/// 12 significant digits without trailing zeros: for sentences, not for files.
std::string plain(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(12);
  text << number;
  return text.str();
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// What is wrong with one number against a range given in the field's own unit; "" when nothing is.
std::string number_problem(const FieldRange& field, double number) {
  const bool angle = field.unit.starts_with("°");
  const auto shown = [&](double value) { return plain(angle ? degrees(value) : value); };
  const std::string unit = field.unit.empty() ? "" : " " + std::string(field.unit);
  const std::string label(field.label);
  if (!std::isfinite(number)) return label + " must be a finite number.";
  const bool low = field.low_open ? number <= field.low : number < field.low;
  if (low && field.low_open) return label + " must be above " + shown(field.low) + unit + ".";
  if (low) return label + " must be at least " + shown(field.low) + unit + ".";
  if (number > field.high) return label + " must be at most " + shown(field.high) + unit + ".";
  return {};
}

}  // namespace

bool operator_equal(const FieldValue& a, const FieldValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using T = std::remove_cvref_t<decltype(x)>;
        const T& y = std::get<T>(b);
        if constexpr (std::is_same_v<T, double>)
          return same_bits(x, y);
        else if constexpr (std::is_same_v<T, Vec3>)
          return same_bits(x.x(), y.x()) && same_bits(x.y(), y.y()) && same_bits(x.z(), y.z());
        else if constexpr (std::is_same_v<T, Quat>)
          return same_bits(x.w(), y.w()) && same_bits(x.x(), y.x()) && same_bits(x.y(), y.y()) &&
                 same_bits(x.z(), y.z());
        else
          return x == y;
      },
      a);
}

std::string range_problem(const FieldRange& field, const FieldValue& value) {
  const std::string label(field.label);
  // Which alternative of the variant each type of field holds.
  static constexpr std::size_t kAlternative[] = {0, 1, 2, 3, 4, 4, 5, 1, 6};
  if (value.index() != kAlternative[static_cast<std::size_t>(field.type)])
    return label + " was given a value of another type.";
  switch (field.type) {
    case FieldType::boolean:
      return {};
    case FieldType::choice: {
      const auto number = std::get<std::int64_t>(value);
      if (number >= 0 && number < static_cast<std::int64_t>(field.choices.size())) return {};
      return label + " must be " + choice_list(field.choices) + ".";
    }
    case FieldType::integer:
      return number_problem(field, static_cast<double>(std::get<std::int64_t>(value)));
    case FieldType::number:
      return number_problem(field, std::get<double>(value));
    case FieldType::text: {
      const auto size = static_cast<double>(std::get<std::string>(value).size());
      if (size < field.low) return label + " must not be empty.";
      if (size > field.high) return label + " must be at most " + plain(field.high) + " characters long.";
      return {};
    }
    case FieldType::vector:
    case FieldType::colour: {
      for (double x : std::get<Vec3>(value))
        if (std::string problem = number_problem(field, x); !problem.empty()) return problem;
      return {};
    }
    case FieldType::rotation: {
      const Quat& q = std::get<Quat>(value);
      // Written files carry 17 digits, typed ones fewer: a file may be off by what four digits leave.
      if (!q.coeffs().allFinite() || std::abs(q.norm() - 1.0) > 1e-3) return label + " must be a unit quaternion.";
      return {};
    }
    case FieldType::integers: {
      for (int x : std::get<std::array<int, 3>>(value))
        if (std::string problem = number_problem(field, x); !problem.empty()) return problem;
      return {};
    }
  }
  return {};
}

std::string column_problem(const Column& column, double value) {
  const bool low = column.low_open ? value <= column.low : value < column.low;
  if (std::isfinite(value) && !low && value <= column.high && (!column.whole || value == std::floor(value))) return {};
  // Columns of whole numbers that are called by a letter are numbers of nodes: "node a".
  std::string name = (column.whole && column.name.size() == 1 ? "node " : "") + std::string(column.name);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  if (!std::isfinite(value)) return name + " must be a finite number.";
  if (low) return name + (column.low_open ? " must be above " : " must be at least ") + plain(column.low) + ".";
  if (value > column.high) return name + " must be at most " + plain(column.high) + ".";
  return name + " must be a whole number.";
}

std::string choice_list(std::span<const std::string_view> choices) {
  std::string list;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) list += i + 1 == choices.size() ? " or " : ", ";
    list += '"' + std::string(choices[i]) + '"';
  }
  return list;
}

namespace {

/// After the preset was picked, or the physics were told to follow it.
void follow_preset(Material& material, std::string_view path) {
  const MaterialPreset* preset = find_material(material.preset);
  if (preset == nullptr || (path != "preset" && path != "substance_follows")) return;
  const Surface kept = material.surface;
  material = apply_preset(std::move(material), *preset);
  if (path == "substance_follows") material.surface = kept;
}

constexpr std::string_view kMaterial = "material.";

}  // namespace

void edit_field(Object& object, const Field<Object>& field, const FieldValue& value) {
  const AnalysisModel before = object.analysis;
  field.set(object, value);
  if (field.path.starts_with(kMaterial)) follow_preset(object.material, field.path.substr(kMaterial.size()));
  AnalysisModel& analysis = object.analysis;
  if (analysis.kind == AnalysisKind::strung && analysis.strung == nullptr)
    analysis.strung = std::make_shared<const StrungTruss>(to_strung(make_truss(truss_recipe(before))));
  MetaballGroup& group = object.display.metaballs;
  if (object.display.kind == DisplayKind::metaballs && group.primitives.empty()) {
    group.primitives.push_back(MetaballPrimitive{});
    group.primitives.back().id = 1;
  }
}

void edit_field(MetaballPrimitive& primitive, const Field<MetaballPrimitive>& field, const FieldValue& value) {
  field.set(primitive, value);
  if (const MaterialPreset* preset = find_material(primitive.preset); preset != nullptr && field.path == "preset")
    primitive.surface = preset->surface;
}

void edit_field(PartMaterial& part, const Field<PartMaterial>& field, const FieldValue& value) {
  field.set(part, value);
  if (field.path.starts_with(kMaterial)) follow_preset(part.material, field.path.substr(kMaterial.size()));
}

}  // namespace hazumi
