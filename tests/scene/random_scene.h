// Random valid values for every row of the field table, and scenes made of them.
#pragma once

#include <cmath>

#include "core/base/random.h"
#include "core/math/rotation.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/pushes.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/materials.h"
#include "tests/support/world.h"

namespace hazumi::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, Id{1}, index_++, 1); }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(unit() * static_cast<double>(n)); }
  bool coin() { return below(2) == 1; }

 private:
  std::uint64_t seed_, index_ = 0;
};

/// Within the range; sometimes an end of it, often of a very small or large magnitude.
inline double random_number(Dice& dice, double low, double high, bool low_open) {
  double x = 0;
  switch (dice.below(6)) {
    case 0:
      x = high;
      break;
    case 1:
      x = low_open ? low + (high - low) * 1e-3 : low;
      break;
    case 2:
      x = std::pow(10.0, 18.0 * dice.unit() - 9.0) * (dice.coin() ? 1.0 : -1.0);
      break;
    case 3:
      x = -0.0;
      break;
    default:
      x = low + (high - low) * dice.unit();
  }
  const bool allowed = (low_open ? x > low : x >= low) && x <= high;
  return allowed ? x : low + (high - low) * (0.25 + 0.5 * dice.unit());
}

inline std::string random_text(Dice& dice, double most) {
  static const std::vector<std::string> kPieces = {"a", "Z", " ",  "\"", "\\",   "\n", "\t",
                                                   "/", "é", "日", "😀",  "\x01", "{",  "]"};
  std::string text = "x";
  const auto length = dice.below(12);
  for (std::int64_t i = 0; i < length; ++i) text += kPieces[static_cast<std::size_t>(dice.below(14))];
  return static_cast<double>(text.size()) <= most ? text : "x";
}

template <class Owner>
FieldValue random_value(Dice& dice, const Field<Owner>& field) {
  const auto number = [&] { return random_number(dice, field.low, field.high, field.low_open); };
  const auto whole = [&] {
    return static_cast<std::int64_t>(field.low) +
           dice.below(static_cast<std::int64_t>(std::min(field.high - field.low, 1e15)) + 1);
  };
  switch (field.type) {
    case FieldType::boolean:
      return dice.coin();
    case FieldType::integer:
      return whole();
    case FieldType::number:
      return number();
    case FieldType::text:
      return random_text(dice, field.high);
    case FieldType::vector:
    case FieldType::colour: {
      const double x = number(), y = number(), z = number();
      return Vec3(x, y, z);
    }
    case FieldType::rotation: {
      const double w = dice.unit() - 0.5, x = dice.unit() - 0.5, y = dice.unit() - 0.5, z = dice.unit() - 0.5;
      return Quat(w, x, y, z).normalized();
    }
    case FieldType::choice:
      return dice.below(static_cast<std::int64_t>(field.choices.size()));
    case FieldType::integers: {
      const int x = static_cast<int>(whole()), y = static_cast<int>(whole()), z = static_cast<int>(whole());
      return std::array<int, 3>{x, y, z};
    }
  }
  return false;
}

/// A value that differs from the present one.
template <class Owner>
FieldValue other_value(Dice& dice, const Field<Owner>& field, const Owner& owner) {
  const FieldValue present = field.get(owner);
  for (;;) {
    FieldValue value = random_value(dice, field);
    if (!operator_equal(value, present)) return value;
  }
}

template <class Owner>
void randomise(Dice& dice, std::span<const Field<Owner>> table, Owner& owner) {
  for (const Field<Owner>& field : table) field.set(owner, random_value(dice, field));
}

/// A truss as validate() wants it: random places and factors, springs in order, here and there a triangle and
/// a cell.
inline StrungTruss random_strung(Dice& dice) {
  StrungTruss truss;
  const auto factor = [&] { return dice.coin() ? 1.0 : random_number(dice, 0, 1e9, true); };
  const auto count = static_cast<std::uint32_t>(4 + dice.below(8));
  // The first four are the corners of a cell of positive volume.
  for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
    truss.nodes.push_back({corner * (0.1 + dice.unit()), factor(), dice.coin()});
  while (truss.nodes.size() < count)
    truss.nodes.push_back({Vec3(2 + dice.unit(), dice.unit(), dice.unit()), factor(), dice.coin()});
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b)
      if (dice.coin())
        truss.springs.push_back({a, b, factor(), dice.coin() ? 1.0 : random_number(dice, 0, 1e9, false), factor()});
  if (dice.coin()) truss.hull = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  if (dice.coin()) truss.tetrahedra = {{0, 1, 2, 3}};
  return truss;
}

/// Random entries in every list of an owner, short ones.
inline void randomise_analysis(Dice& dice, AnalysisModel& analysis) {
  for (int& n : analysis.divisions) n = 1 + n % 4;
  if (analysis.kind == AnalysisKind::strung || dice.below(4) == 0)
    analysis.strung = std::make_shared<const StrungTruss>(random_strung(dice));
  const std::vector<Vec3> rest = analysis_truss(analysis).nodes;
  if (rest.empty()) return;
  for (std::int64_t i = dice.coin() ? 0 : dice.below(3); i > 0; --i) {
    AnalysisPose pose;
    randomise(dice, pose_fields(), pose);
    const double wider = 0.25 * dice.unit();  // places as large as nodes may be
    const Vec3 away(dice.unit(), dice.unit(), dice.unit());
    for (const Vec3& x : rest) pose.nodes.push_back({wider * x + away});
    add_pose(analysis, std::move(pose));
  }
  for (std::uint32_t i = 0, n = static_cast<std::uint32_t>(dice.below(4)); i < n && 2 * i < rest.size(); ++i)
    analysis.pose_groups.push_back({i * 2, 1 + i});
}

inline void randomise_lists(Dice& dice, Object& o) {
  const auto count = [&] { return dice.coin() ? 0 : dice.below(5); };
  randomise_analysis(dice, o.analysis);
  for (std::int64_t i = count(); i > 0; --i) {
    MetaballPrimitive ball;
    randomise(dice, metaball_fields(), ball);
    ball.id = next_primitive_id(o.display.metaballs);
    o.display.metaballs.primitives.push_back(ball);
  }
  for (std::int64_t i = count(); i > 0; --i) {
    Bone bone;
    randomise(dice, bone_fields(), bone);
    bone.id = static_cast<std::uint32_t>(3 * i);
    bone.parent = o.mapping.bones.empty() || dice.coin() ? 0 : o.mapping.bones.back().id;
    if (bone.head == bone.tail) bone.tail = bone.head == Vec3::Zero() ? Vec3(1, 0, 0) : Vec3(0, 0, 0);
    o.mapping.bones.push_back(bone);
  }
  if (!o.mapping.bones.empty())
    for (std::int64_t i = 0, n = count(); i < n; ++i)
      o.mapping.painted.push_back({o.mapping.bones[0].id, static_cast<std::uint32_t>(i * 7),
                                   static_cast<float>(random_number(dice, 0, 1, false))});
  for (std::int64_t i = count(); i > 0; --i) {
    SolverParameter parameter;
    randomise(dice, solver_parameter_fields(), parameter);
    set_parameter(o.body.parameters, parameter);
  }
  for (std::int64_t i = count(); i > 0; --i) {
    StartNode node;
    for (std::size_t column = 0; column < RowFormat<StartNode>::columns.size(); ++column)
      RowFormat<StartNode>::set(node, column, random_number(dice, -10, 10, false));
    o.body.start.push_back(node);
  }
  for (std::int64_t i = 0, n = count(); i < n; ++i)
    o.body.start_springs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(3 * i + 1),
                                    random_number(dice, -1, 1, false), dice.coin()});
  for (std::int64_t i = 0, n = count(); i < n; ++i) {
    PartMaterial part;
    randomise(dice, part_material_fields(), part);
    part.part = "Part " + std::to_string(i);
    o.part_materials.push_back(part);
  }
  for (std::int64_t i = 0, n = count(); i < n; ++i) {
    AnalysisModel other;
    randomise(dice, analysis_fields(), other);
    other.name = o.analysis.name.substr(0, 1) + std::to_string(i);
    if (other.name == o.analysis.name) other.name += "x";
    if (other.kind == AnalysisKind::none) other.kind = AnalysisKind::octahedron;
    randomise_analysis(dice, other);
    o.other_analyses.push_back(other);
  }
}

/// Every field random, then what validate() demands of several fields together.
inline Object random_object(Dice& dice, Id id) {
  Object o;
  o.id = id;
  randomise(dice, object_fields(), o);
  for (int& n : o.display.primitive.divisions) n = 3 + n % 8;
  o.collection = o.parent = 0;  // random_scene() has things to refer to
  randomise_lists(dice, o);
  const bool filled = o.analysis.kind == AnalysisKind::strung && !o.analysis.strung->tetrahedra.empty();
  if (o.mapping.kind == MappingKind::embedding && !filled) o.mapping.kind = MappingKind::automatic;
  if (o.body.kind == BodyKind::flexible && o.analysis.kind == AnalysisKind::none)
    o.analysis.kind = AnalysisKind::box_grid;
  if (o.body.death < o.body.birth) std::swap(o.body.death, o.body.birth);
  return o;
}

/// Four, of objects, with up to five keys each.
inline Scene with_random_tracks(Scene scene, Dice& dice) {
  for (int i = 0; i < 4; ++i) {
    const auto& of =
        scene.objects[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(scene.objects.size())))];
    static constexpr std::string_view kFields[] = {"transform.position", "transform.rotation", "visible",
                                                   "material.surface.diffuse"};
    double time = -2 + dice.unit();
    for (std::int64_t k = dice.below(5) + 1; k > 0; --k, time += 1e-3 + dice.unit()) {
      const auto field = kFields[static_cast<std::size_t>(i)];
      const auto range = track_field(scene, of->id.value, field)->range;
      const Quat turn = exp_rotation(Vec3(dice.unit(), dice.unit(), dice.unit()));
      const auto value = range.type == FieldType::rotation
                             ? FieldValue(turn)
                             : value_of(range, {dice.unit(), dice.unit(), dice.unit(), dice.unit()});
      scene = with_key(std::move(scene), of->id.value, field, time, value);
    }
    auto& track = scene.tracks.back();
    track = track.edited([&](Track& t) {
      t.before = static_cast<Beyond>(dice.below(4));
      t.after = static_cast<Beyond>(dice.below(4));
      for (Key& key : t.keys) {
        key.shape = static_cast<KeyShape>(dice.below(3));
        key.tangent = static_cast<KeyTangent>(dice.below(4));
        for (std::size_t n = 0; n < 4; ++n) {
          key.in[n] = dice.unit() - 0.5;
          key.out[n] = dice.unit() - 0.5;
        }
        key.reach_in = dice.unit();
      }
    });
  }
  return scene;
}

inline Curve random_curve(Dice& dice, Id id) {
  Curve curve;
  curve.id = id;
  randomise(dice, curve_fields(), curve);
  curve.collection = 0;
  for (std::int64_t n = dice.below(5) + 1; n > 0; --n) {
    CurvePoint point;
    for (std::size_t column = 0; column < RowFormat<CurvePoint>::columns.size(); ++column)
      RowFormat<CurvePoint>::set(
          point, column, column == 3 ? static_cast<double>(dice.below(3)) : random_number(dice, -100, 100, false));
    curve.points.push_back(point);
  }
  return curve;
}

/// Up to five that hold something, gears among them where there are hinges.
inline Scene with_random_joints(Scene scene, Dice& dice) {
  const auto some = [&](const auto& things) {
    return things[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(things.size())))]->id.value;
  };
  for (int i = 0; i < 5 && !scene.objects.empty(); ++i) {
    Joint joint;
    joint.id = next_id(scene);
    randomise(dice, joint_fields(), joint);
    joint.collection = dice.coin() ? 0 : some(scene.collections);
    joint.a.object = dice.below(3) == 0 ? 0 : some(scene.objects);
    joint.b.object = dice.below(3) == 0 ? 0 : some(scene.objects);
    joint.curve = dice.coin() || scene.curves.empty() ? 0 : some(scene.curves);
    joint.first = joint.second = 0;
    if (!scene.joints.empty()) {
      joint.first = some(scene.joints);
      joint.second = some(scene.joints);
    }
    if (joint.most_turn < joint.least_turn) std::swap(joint.most_turn, joint.least_turn);
    if (joint.most_way < joint.least_way) std::swap(joint.most_way, joint.least_way);
    if (joint.length == 0) joint.length = 1;
    Scene next = scene;
    next.joints.push_back(Shared<Joint>(joint));
    if (joint_faults(next).empty() && jumping_leads(next).empty()) scene = std::move(next);
  }
  return scene;
}

/// On objects that move, by place or on a few nodes.
inline Scene with_random_forces(Scene scene, Dice& dice) {
  for (int i = 0; i < 3 && !scene.objects.empty(); ++i) {
    Force force;
    force.id = next_id(scene);
    randomise(dice, force_fields(), force);
    force.collection = 0;
    const auto at = static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(scene.objects.size())));
    force.object = scene.objects[at]->id.value;
    for (std::int64_t n = dice.below(3); n > 0; --n) force.nodes.push_back({static_cast<std::uint32_t>(dice.below(6))});
    Scene next = scene;
    next.forces.push_back(Shared<Force>(force));
    if (idle_forces(next).empty()) scene = std::move(next);
  }
  return scene;
}

/// For all and for a collection, round a curve too.
inline Scene with_random_fields(Scene scene, Dice& dice) {
  for (int i = 0; i < 3; ++i) {
    ForceField field;
    field.id = next_id(scene);
    randomise(dice, force_field_fields(), field);
    field.collection = 0;
    field.feels = dice.coin() || scene.collections.empty() ? 0 : scene.collections[0]->id.value;
    field.curve = scene.curves.empty() ? 0 : scene.curves[0]->id.value;
    scene.fields.push_back(Shared<ForceField>(field));
  }
  return scene;
}

/// Carried by an object, on a curve, meeting a collection, splitting into one another.
inline Scene with_random_sources(Scene scene, Dice& dice) {
  for (int i = 0; i < 3; ++i) {
    ParticleSource source;
    source.id = next_id(scene);
    randomise(dice, particle_source_fields(), source);
    source.collection = 0;
    source.meets = dice.coin() || scene.collections.empty() ? 0 : scene.collections[0]->id.value;
    source.carrier = dice.coin() || scene.objects.empty() ? 0 : scene.objects[0]->id.value;
    source.copies = scene.objects.empty() ? 0 : scene.objects[0]->id.value;
    source.object = source.copies;
    source.gives =
        SourceGives::particles;  // what is copied takes no part itself (tests/sim/particles/random_copies_test.cpp)
    source.curve = scene.curves.empty() ? 0 : scene.curves[0]->id.value;
    source.into = scene.particles.empty() ? 0 : scene.particles[0]->id.value;
    // Not what would be warned of: a surface of nothing, pieces and copies of nothing, more than may be at once.
    if (source.shape == SourceShape::surface && source.carrier == 0) source.shape = SourceShape::ring;
    if (source.shape == SourceShape::curve && source.curve == 0) source.shape = SourceShape::ball;
    if (source.hit == ParticleHit::split && source.into == 0) source.hit = ParticleHit::bounce;
    if (source.look == ParticleLook::mesh && source.copies == 0) source.look = ParticleLook::puff;
    source.rate = std::min(source.rate, 50.0);
    source.life = std::min(source.life, 10.0);
    source.most = std::max(source.most, 10'000);
    source.burst = std::min(source.burst, 20);
    source.pieces = std::min(source.pieces, 5);
    for (double age = 0.3 * dice.unit() + 0.001; age < 0.99; age += 0.3 * dice.unit() + 1e-6) {
      if (dice.coin()) source.size_keys.push_back({age, 5 * dice.unit()});
      if (dice.coin()) source.colour_keys.push_back({age, Vec3(dice.unit(), dice.unit(), dice.unit())});
      if (dice.coin()) source.opacity_keys.push_back({age, dice.unit()});
      if (dice.coin()) source.speed_keys.push_back({age, 2 * dice.unit()});
      if (dice.coin()) source.drag_keys.push_back({age, 3 * dice.unit()});
    }
    scene.particles.push_back(Shared<ParticleSource>(source));
  }
  return scene;
}

/// Boxes of motion graphs of objects, and wires among them; of kinds that nobody knows, too.
inline Scene with_random_motion(Scene scene, Dice& dice) {
  std::vector<MotionNode> nodes;
  std::uint64_t id = next_id(scene).value;
  for (int i = 0; i < 5 && !scene.objects.empty(); ++i) {
    MotionNode node;
    randomise(dice, motion_fields(), node);
    node.id = Id{id++};
    const auto some = [&] {
      return scene.objects[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(scene.objects.size())))]
          ->id.value;
    };
    node.object = some();
    node.other = dice.coin() ? 0 : some();
    for (std::int64_t n = dice.below(3); n > 0; --n) {
      MotionParameter parameter;
      randomise(dice, motion_parameter_fields(), parameter);
      set_parameter(node, std::move(parameter));
    }
    nodes.push_back(std::move(node));
  }
  // The first is an event that waits from the start, and leads to every procedure.
  if (!nodes.empty()) {
    nodes[0].role = MotionRole::event;
    nodes[0].visible = true;
  }
  for (MotionNode& node : nodes)
    for (const MotionNode& other : nodes) {
      const bool first = &node == &nodes[0], event = other.role == MotionRole::event;
      if (&other == &nodes[0] || (event ? dice.below(3) != 0 : !first)) continue;
      node.wires.push_back({other.id.value, event && !first && node.role == MotionRole::event && dice.coin()});
    }
  Scene next = scene;
  for (MotionNode& node : nodes) next.motion.push_back(Shared<MotionNode>(std::move(node)));
  return motion_faults(next).empty() ? next : scene;
}

inline Scene random_scene(std::uint64_t seed, int objects) {
  Dice dice(seed);
  Scene scene;
  scene.name = random_text(dice, 200);
  scene.description = random_text(dice, 200);
  scene.layout = random_text(dice, 200);
  randomise(dice, settings_fields(), scene.settings);
  if (scene.settings.last_frame < scene.settings.first_frame)
    std::swap(scene.settings.last_frame, scene.settings.first_frame);
  scene.settings.camera = 0;
  std::uint64_t id = 1;
  for (int i = 0; i < objects; ++i) scene.objects.push_back(random_object(dice, Id{id += 1 + dice.below(5)}));
  for (int i = 0; i < 3; ++i) {
    Light light;
    light.id = Id{id += 1};
    randomise(dice, light_fields(), light);
    light.collection = 0;
    if (light.position == light.target) light.target = light.position + Vec3(0.5, 0, 0);
    if (light.target.x() > 1e9) light.target.x() = 0;
    scene.lights.push_back(light);
  }
  for (int i = 0; i < 2; ++i) {
    Camera camera;
    camera.id = Id{id += 1};
    randomise(dice, camera_fields(), camera);
    camera.collection = 0;
    camera.picture.file = "/pictures/" + std::to_string(dice.below(9)) + ".png";
    camera.depth.far_plane = camera.depth.near_plane + 1;
    camera.target = camera.position + Vec3(1, 0, 0);
    if (camera.target.x() > 1e9) camera.target.x() = 0;
    scene.cameras.push_back(camera);
  }
  for (int i = 0; i < 2; ++i) scene.curves.push_back(random_curve(dice, Id{id += 1}));
  for (std::size_t i = 0; i < 2 && i + 1 < scene.objects.size(); ++i) {
    ContactPair pair;
    pair.id = Id{id += 1};
    randomise(dice, pair_fields(), pair);
    pair.a = scene.objects[i]->id.value;
    pair.b = scene.objects[i + 1]->id.value;
    scene.pairs.push_back(pair);
  }
  for (int i = 0; i < 3; ++i) {
    Collection collection;
    collection.id = Id{id += 1};
    randomise(dice, collection_fields(), collection);
    collection.name =
        std::to_string(i) + collection.name.substr(0, 100);  // one of a name in each place, as people have them
    collection.collection = i > 0 && dice.coin() ? scene.collections.back()->id.value : 0;
    scene.collections.push_back(collection);
  }
  scene = with_random_tracks(std::move(scene), dice);
  for (int i = 0; i < 2; ++i) {
    Marker marker;
    marker.id = next_id(scene);
    randomise(dice, marker_fields(), marker);
    scene.markers.push_back(marker);
    Sound sound;
    sound.id = next_id(scene);
    randomise(dice, sound_fields(), sound);
    sound.file = "/nonexistent/" + std::to_string(dice.below(9)) + ".wav";  // as the tests read them
    scene.sounds.push_back(sound);
    KeyingSet set;
    set.id = next_id(scene);
    randomise(dice, keying_set_fields(), set);
    scene.keying_sets.push_back(set);
  }
  const auto some_collection = [&] {
    return dice.coin() ? 0 : scene.collections[static_cast<std::size_t>(dice.below(3))]->id.value;
  };
  for (auto& light : scene.lights) light = light.edited([&](Light& l) { l.collection = some_collection(); });
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    scene.objects[i] = scene.objects[i].edited([&](Object& o) {
      o.collection = some_collection();
      if (i > 0 && o.body.kind == BodyKind::fixed && dice.coin())
        o.parent = scene.objects[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(i)))]->id.value;
    });
  scene = with_random_forces(with_random_joints(std::move(scene), dice), dice);
  return with_random_sources(with_random_fields(with_random_motion(std::move(scene), dice), dice), dice);
}

/// A small scene as people have them.
inline Scene plain_scene() {
  Scene scene;
  scene.name = "Plain";
  scene.objects = {make_object(1, "Floor", {PrimitiveShape::plane}, Vec3::Zero(), BodyKind::fixed),
                   make_object(2, "Ball", {PrimitiveShape::sphere}, Vec3::Zero(), BodyKind::flexible),
                   make_object(3, "Box", {}), make_object(4, "Dot", {}, Vec3::Zero(), BodyKind::point)};
  scene.lights = {make_light(5, "Sun")};
  return scene;
}

inline Scene with_new_camera(Scene scene, const Vec3& position = Vec3(4, 3, 6), const Vec3& target = Vec3(0, 0.5, 0)) {
  Camera camera;
  camera.id = next_id(scene);
  camera.name = unique_name(scene, camera.name);
  camera.position = position;
  camera.target = target;
  scene.cameras.push_back(camera);
  return scene;
}

}  // namespace hazumi::test
