#include "core/scene/derived/told_numbers.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "core/math/rotation.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

constexpr std::string_view kPrefix[] = {"object.", "joint.", "force.", "field.", "source.", "scene."};

/// What procedures of their own do, and no number.
const std::set<std::string_view>& left_out(NumberOf of) {
  static const std::set<std::string_view> none, joint = {"along", "b.place"}, scene = {"time_scale"};
  return of == NumberOf::joint ? joint : of == NumberOf::scene ? scene : none;
}

/// Numbers of joints that came after those of the scene: places in the list are in files.
constexpr std::string_view kLaterOfJoints[] = {"a.place",   "least_turn", "most_turn", "least_way",
                                               "most_way",  "length",     "stiffness", "damping",
                                               "pull_rate", "pull_most",  "ratio",     "break_force"};

class Table {
 public:
  Table() {
    for (const std::string_view path :
         {"material.substance.friction", "material.substance.restitution", "body.volume.size"})
      add(NumberOf::object, *find_field(object_fields(), path));
    add_all(NumberOf::joint, joint_fields());
    add_all(NumberOf::force, force_fields());
    add_all(NumberOf::field, force_field_fields());
    add_all(NumberOf::source, particle_source_fields());
    add_all(NumberOf::scene, settings_fields());
    for (const std::string_view path : kLaterOfJoints) add(NumberOf::joint, *find_field(joint_fields(), path));
    for (const SettableNumber& number : all) words.push_back(number.word);
  }
  std::vector<SettableNumber> all;
  std::vector<std::string_view> words;

 private:
  static bool is_later(std::string_view path) {
    return std::find(std::begin(kLaterOfJoints), std::end(kLaterOfJoints), path) != std::end(kLaterOfJoints);
  }
  std::string_view kept(std::string text) { return texts_.emplace_back(std::move(text)); }

  template <class Owner>
  void add_all(NumberOf of, std::span<const Field<Owner>> rows) {
    for (const Field<Owner>& row : rows)
      if (row.keyable && row.effect != Effect::look && !left_out(of).contains(row.path) &&
          !(of == NumberOf::joint && is_later(row.path)))
        add(of, row);
  }

  template <class Owner>
  void add(NumberOf of, const Field<Owner>& row) {
    const bool vector = row.type == FieldType::vector;
    if (!vector && row.type != FieldType::number && row.type != FieldType::boolean) return;
    constexpr std::array<std::string_view, 3> axes = {"x", "y", "z"}, shown = {" X", " Y", " Z"};
    for (std::size_t axis = 0; axis < (vector ? 3u : 1u); ++axis) {
      SettableNumber number;
      number.of = of;
      number.path = row.path;
      const std::string word = std::string(kPrefix[static_cast<std::size_t>(of)]) + std::string(row.path);
      number.word = kept(vector ? word + "." + std::string(axes[axis]) : word);
      number.label = vector ? kept(std::string(row.label) + std::string(shown[axis])) : row.label;
      number.range = {row.label,
                      row.unit,
                      vector ? FieldType::number : row.type,
                      row.type == FieldType::boolean ? 0 : row.low,
                      row.type == FieldType::boolean ? 1 : row.high,
                      row.low_open,
                      {}};
      number.range.label = number.label;
      number.axis = vector ? static_cast<int>(axis) : -1;
      all.push_back(number);
    }
  }

  std::deque<std::string> texts_;
};

const Table& table() {
  static const Table all;
  return all;
}

template <class Thing>
void put(std::span<const NumberTold> all, NumberOf of, std::span<const Field<Thing>> rows,
         std::vector<Shared<Thing>>& things) {
  for (const NumberTold& one : all) {
    const SettableNumber& number = settable_numbers()[one.number];
    if (number.of != of) continue;
    const auto at =
        std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing->id == one.thing; });
    const Field<Thing>* row = at == things.end() ? nullptr : find_field(rows, number.path);
    if (!row) continue;
    FieldValue value = row->get(**at);
    if (number.is_switch())
      value = told(one, std::get<bool>(value) ? 1 : 0) >= 0.5;
    else if (number.axis >= 0)
      std::get<Vec3>(value)[number.axis] = told(one, std::get<Vec3>(value)[number.axis]);
    else
      value = told(one, std::get<double>(value));
    if (!operator_equal(value, row->get(**at))) *at = at->edited([&](Thing& thing) { row->set(thing, value); });
  }
}

template <class Owner>
bool shows(std::span<const Field<Owner>> rows, const SettableNumber& number, const Owner* owner) {
  if (!owner) return false;
  const Field<Owner>* row = find_field(rows, number.path);
  return row && row->shown(*owner);
}

}  // namespace

double SettableNumber::shown(double value) const { return is_angle() ? value * 180 / kPi : value; }
double SettableNumber::meant(double shown) const { return is_angle() ? shown * kPi / 180 : shown; }

std::span<const SettableNumber> settable_numbers() { return table().all; }
std::span<const std::string_view> settable_words() { return table().words; }

NumberOf number_owner(const Scene& scene, Id thing) {
  if (find_object(scene, thing)) return NumberOf::object;
  if (find_joint(scene, thing)) return NumberOf::joint;
  if (find_force(scene, thing)) return NumberOf::force;
  if (find_force_field(scene, thing)) return NumberOf::field;
  if (find_source(scene, thing)) return NumberOf::source;
  return NumberOf::scene;
}

bool has_number(const Scene& scene, const SettableNumber& number, Id thing) {
  switch (number.of) {
    case NumberOf::object: {
      const Object* object = find_object(scene, thing);
      // A substance that follows its material has these numbers too; its row is grey and not hidden.
      return object && (number.path != "body.volume.size" || shows(object_fields(), number, object));
    }
    case NumberOf::joint:
      return shows(joint_fields(), number, find_joint(scene, thing));
    case NumberOf::force:
      return shows(force_fields(), number, find_force(scene, thing));
    case NumberOf::field:
      return shows(force_field_fields(), number, find_force_field(scene, thing));
    case NumberOf::source:
      return shows(particle_source_fields(), number, find_source(scene, thing));
    case NumberOf::scene:
      return true;
  }
  return false;
}

bool is_told_by_box(const Scene& scene, Id thing) {
  const auto tells = [](const MotionNode& node) { return node.visible && node.role == MotionRole::procedure; };
  if (scene.motion.empty()) return false;
  if (std::any_of(scene.motion.begin(), scene.motion.end(),
                  [&](const auto& node) { return node->other == thing.value && tells(*node); }))
    return true;
  return std::any_of(scene.tracks.begin(), scene.tracks.end(), [&](const auto& track) {
    if (!is_with(track->field) || !track->visible) return false;
    const MotionNode* node = find_motion(scene, Id{track->target});
    return node && tells(*node) && std::any_of(track->keys.begin(), track->keys.end(), [&](const Key& key) {
             return key.value[0] == static_cast<double>(thing.value);
           });
  });
}

double told(const NumberTold& told, double own) {
  if (settable_numbers()[told.number].is_switch()) return told.share > 0 ? told.value : own;
  if (told.share >= 1) return told.value;
  return (1 - told.share) * own + told.share * told.value;
}

void put_told(std::span<const NumberTold> all, std::vector<Shared<ForceField>>& fields) {
  put(all, NumberOf::field, force_field_fields(), fields);
}
void put_told(std::span<const NumberTold> all, std::vector<Shared<ParticleSource>>& sources) {
  put(all, NumberOf::source, particle_source_fields(), sources);
}

Vec3 told_gravity(std::span<const NumberTold> all, const Vec3& own) {
  Vec3 gravity = own;
  for (const NumberTold& one : all)
    if (const SettableNumber& number = settable_numbers()[one.number]; number.of == NumberOf::scene)
      gravity[number.axis] = told(one, own[number.axis]);
  return gravity;
}

}  // namespace hazumi
