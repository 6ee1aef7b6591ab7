// Scenes with motion graphs drawn at random, to make motions of: boxes of every kind, about objects, collections, curves, cameras, sounds, markers,
// sources and joints, some of which are not there.
#pragma once

#include "core/motion/catalogue.h"
#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/tracks.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/graph.h"

namespace hazumi::test {

struct RandomMotionScene {
  World world;
  Graph graph{world};
  std::vector<Id> movers, boxes;
  reference::Dice& dice;

  int below(int n) { return std::min(static_cast<int>(dice.uniform(0, n)), n - 1); }
  template <class List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  explicit RandomMotionScene(reference::Dice& of) : dice(of) {
    Scene& scene = world.scene;
    const Id floor = world.floor();
    Collection group;
    group.id = next_id(scene);
    group.name = "Group";
    scene.collections.push_back(Shared<Collection>(group));
    for (int k = 0; k < 3; ++k) {
      Object o =
          k == 1 ? World::jelly(0.2, Vec3(1, 0.5, 0), 500) : World::sphere(dice.uniform(0.05, 1), Vec3(2.0 * k, 1, 0));
      o.name = k == 0 ? "Thing" : k == 1 ? "Soft" : "Other";
      if (k > 0) o.collection = group.id.value;
      movers.push_back(world.add(o));
    }
    movers.push_back(group.id);
    Curve way;
    way.id = next_id(scene);
    way.points = {{Vec3(0, 0.5, 0)}, {Vec3(1, 1, 0.5)}, {Vec3(0, 0.8, 1)}};
    scene.curves.push_back(Shared<Curve>(way));
    for (int k = 0; k < 2; ++k) {
      Camera camera;
      camera.id = next_id(scene);
      camera.name = k == 0 ? "Near" : "Far";
      camera.looks_at = k == 0 ? movers[0].value : 0;
      scene.cameras.push_back(Shared<Camera>(camera));
      Marker marker;
      marker.id = next_id(scene);
      marker.name = "Mark";
      marker.time = 0.2 + k;
      scene.markers.push_back(Shared<Marker>(marker));
    }
    Sound sound;
    sound.id = next_id(scene);
    sound.name = "Bang";
    sound.file = "/nowhere/bang.wav";
    scene.sounds.push_back(Shared<Sound>(sound));
    ParticleSource source;
    source.id = next_id(scene);
    scene.particles.push_back(Shared<ParticleSource>(source));
    Joint joint;
    joint.id = next_id(scene);
    joint.a.object = movers[0].value;
    scene.joints.push_back(Shared<Joint>(joint));
    for (int k = 3 + below(10); k > 0; --k) add_box(floor);
    for (int k = below(16); k > 0; --k) {
      const Id from = pick(boxes), to = pick(boxes);
      graph.wire(from, to, below(6) == 0);
    }
  }

  Id about(OtherUse use, Id floor) {
    const Scene& scene = world.scene;
    if (below(8) == 0) return {};
    switch (use) {
      case OtherUse::none:
        return {};
      case OtherUse::curve:
        return scene.curves[0]->id;
      case OtherUse::camera:
        return pick(scene.cameras)->id;
      case OtherUse::sound:
        return scene.sounds[0]->id;
      case OtherUse::marker:
        return pick(scene.markers)->id;
      case OtherUse::source:
        return scene.particles[0]->id;
      case OtherUse::number:
        return below(2) ? scene.joints[0]->id : scene.particles[0]->id;
      default:
        return below(3) == 0 ? floor : pick(movers);
    }
  }
  void add_box(Id floor) {
    const bool event = below(2) == 0;
    const EventKind* when = event ? pick(event_kinds()) : nullptr;
    const ProcedureKind* what = event ? nullptr : pick(procedure_kinds());
    const MotionKind& kind = event ? static_cast<const MotionKind&>(*when) : *what;
    Numbers numbers;
    for (const ParameterRow& row : kind.parameters) {
      if (below(2)) continue;
      double number = std::clamp(dice.uniform(-2, 4), row.low, row.high);
      if (row.type == FieldType::choice) number = below(static_cast<int>(row.choices.size()));
      if (row.type == FieldType::integer || row.type == FieldType::boolean)
        number = std::clamp(std::floor(number), row.low, row.high);
      if (row.low_open && number <= row.low) number = row.low + 0.1;
      numbers.emplace_back(std::string(row.name), number);
    }
    const Id box = graph.add(event ? MotionRole::event : MotionRole::procedure, std::string(kind.name), pick(movers),
                             numbers, about(kind.other, floor));
    boxes.push_back(box);
    if (event && below(3) == 0) graph.loop(box);
    if (event && below(3) == 0) graph.only_if(box, below(2) ? "y > 0.2 && speed < 3" : "since > 0.1");
    const std::vector<Field<MotionNode>> rows = keyable_rows(*find_motion(world.scene, box));
    if (rows.empty() || below(3) > 0) return;
    const Field<MotionNode>& row = pick(rows);
    const FieldValue value = row.get(*find_motion(world.scene, box));
    for (const double time : {0.1, 0.5})
      world.scene = with_key(std::move(world.scene), box.value, row.path, time, value);
  }
  /// Some of the boxes as a motion.
  Scene motion(const BodyOf& body, std::set<Id>& chosen) {
    for (const Id box : boxes)
      if (below(4) > 0) chosen.insert(box);
    return motion_of(world.scene, chosen, "Drawn", "Drawn at random.", body);
  }
};

/// Something else that it is put on: rigid, soft, a point, what stands, or a collection of two.
inline Id add_random_thing(World& world, reference::Dice& dice) {
  const double size = std::pow(10, dice.uniform(-1.5, 1));
  const int kind = static_cast<int>(dice.uniform(0, 5));
  Object o = World::sphere(0.5 * size, Vec3(dice.uniform(-3, 3), size + 0.1, 0), std::pow(10, dice.uniform(-2, 2)));
  if (kind == 1) o = World::jelly(0.5 * size, Vec3(1, size, 2), 800);
  if (kind == 2) o.body.kind = BodyKind::point;
  if (kind == 3) o.body.kind = BodyKind::fixed;
  o.name = dice.uniform() < 0.5 ? "Thing" : "New";
  if (kind != 4) return world.add(o);
  Collection both;
  both.id = next_id(world.scene);
  both.name = "Two";
  world.scene.collections.push_back(Shared<Collection>(both));
  o.collection = both.id.value;
  world.add(o);
  o.transform.position.x() += 2 * size;
  world.add(o);
  return both.id;
}

}  // namespace hazumi::test
