// Every row of the field tables and every entry of every list is changed, one at a time, in scenes that use them. What the
// fill makes of it from the frames that it has equals a run from the start, bit for bit; and what is only looked at drops
// nothing. So a row or list that a run reads and that the table does not say to be read is found here.
// Length: one function for each list, and one tally of them all.
#include <catch2/catch.hpp>

#include "core/geometry/mesh/primitives.h"
#include "core/motion/compile.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/scene_lists.h"
#include "core/scene/values/words.h"
#include "core/sim/elastic/parameters.h"
#include "tests/support/edits.h"
#include "tests/support/fill_run.h"
#include "tests/support/small_scenes.h"

using namespace hazumi;
using namespace hazumi::test;

namespace every_row {

constexpr int kLast = 9;  // all of the stages touch the floor before
constexpr std::uint64_t kSeed = 20;

Scene on_floor(Object object) {
  Scene scene;
  scene.settings.substeps = 2;
  scene.settings.last_frame = kLast;
  object.body.velocity = Vec3(0.3, -3, 0.1);
  scene.objects = {floor_object(1), object};
  scene.lights = {make_light(7, "Sun")};
  return scene;
}

/// A box that something carries, or the floor, or nobody: what it goes with is one of its rows.
Scene with_family() {
  Scene scene = on_floor(box(2, "Carried box", Vec3(0, 1.2, 0)));
  scene.objects[1] = scene.objects[1].edited([](Object& o) {
    o.body.kind = BodyKind::fixed;
    o.parent = 3;
  });
  Object rigid = ball(3, "Ball", BodyKind::rigid, Vec3(0, 0.65, 0)),
         soft = ball(4, "Soft ball", BodyKind::flexible, Vec3(2, 0.65, 0));
  rigid.body.velocity = soft.body.velocity = Vec3(0.3, -3, 0.1);
  scene.objects.push_back(rigid);
  scene.objects.push_back(soft);
  return scene;
}

Scene with_pair(Scene scene) {
  ContactPair pair;
  pair.id = Id{8};
  pair.name = "Pair";
  pair.a = 1;
  pair.b = 2;
  pair.restitution = 0.3;
  scene.pairs = {pair};
  Collection collection;
  collection.id = Id{9};
  collection.name = "Collection";
  scene.collections = {collection};
  return scene;
}

/// A joint of a kind with all that it can have, of the box and the world, or a gear of two hinges of the box.
Scene with_joint_of(JointKind kind, Scene scene) {
  Joint joint;
  joint.id = Id{10};
  joint.name = "Joint";
  joint.kind = kind;
  joint.a.place = Vec3(0, 1.5, 0);
  joint.b.object = 2;
  if (kind == JointKind::pull) std::swap(joint.a, joint.b);
  joint.limited = joint.motor = true;
  joint.measured = false;
  if (kind == JointKind::gear) {
    for (const std::uint64_t id : {11, 12}) {
      Joint hinge = joint;
      hinge.id = Id{id};
      hinge.name = "Hinge";
      hinge.kind = JointKind::hinge;
      hinge.motor = false;
      (id == 11 ? joint.first : joint.second) = id;
      scene.joints.push_back(Shared<Joint>(hinge));
    }
  }
  scene.joints.insert(scene.joints.begin(), Shared<Joint>(joint));
  return scene;
}

/// The same with keys of a field, from frame 3 on.
Scene with_keyed_joint(Scene scene, const Field<Joint>& field) {
  const Joint joint = *scene.joints[0];
  const FieldValue own = field.get(joint);
  const auto later = [&]() -> FieldValue {
    if (std::holds_alternative<bool>(own)) return !std::get<bool>(own);
    if (std::holds_alternative<Vec3>(own)) return Vec3(std::get<Vec3>(own) + Vec3(0.05, -0.02, 0.03));
    if (std::holds_alternative<Quat>(own)) return std::get<Quat>(own) * Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX()));
    return std::get<double>(own) > 0.5 ? 0.5 * std::get<double>(own) : std::get<double>(own) + 0.3;
  };
  const double frame = 1 / scene.settings.frame_rate;
  scene = with_key(std::move(scene), joint.id.value, field.path, 3 * frame, own);
  return with_key(std::move(scene), joint.id.value, field.path, 6 * frame, later());
}

/// Of the box along a curve that begins where it is.
Scene with_ride(Scene scene) {
  Curve curve;
  curve.id = Id{9};
  curve.name = "Curve";
  curve.kind = CurveKind::line;
  curve.points.resize(3);
  curve.points[1].place = Vec3(0.2, 0.1, 0);
  curve.points[2].place = Vec3(0.4, 0.4, 0);
  curve.transform.position = scene.objects[1]->transform.position;
  scene.curves = {curve};
  Joint lead;
  lead.id = Id{10};
  lead.name = "Lead";
  lead.kind = JointKind::lead;
  lead.a.object = 2;
  lead.curve = 9;
  scene.joints = {lead};
  return scene;
}

/// A skin on the box that falls, and on the floor.
Scene with_skin() {
  Object skin = strung_cube(2, Vec3(0, 0.7, 0));
  skin.name = "Skin";
  skin.body.kind = BodyKind::fixed;
  skin.contact.enabled = false;
  skin.mapping.bones[0].carrier = 3;
  skin.mapping.bones[1].carrier = 1;
  Scene scene = on_floor(std::move(skin));
  scene.objects.push_back(Shared<Object>(box(3, "Box", Vec3(0.2, 0.8, 0.1))));
  return scene;
}

/// Bodies of each kind and objects that use what others do not: superquadrics, proportions, lists, mass and stiffness from
/// the material.
std::vector<Scene> stages() {
  const Vec3 above(0, 0.65, 0);
  std::vector<Scene> all;
  const auto stage = [&](Object object, const std::function<void(Object&)>& change = {}) {
    if (change) change(object);
    object.id = Id{2};
    all.push_back(on_floor(std::move(object)));
  };
  stage(ball(2, "Soft ball", BodyKind::flexible, above));
  stage(ball(2, "Soft ball of a material", BodyKind::flexible, above), [](Object& o) {
    o.body.stiffness_source = StiffnessSource::material;
    o.body.mass_source = MassSource::material;
    o.body.cross_section = 1e-4;
    o.material.substance.young = 4e6;
    o.material.substance.density = 10;
    o.mapping.kind = MappingKind::lattice;
    o.mapping.lattice = {2, 2, 2};
  });
  stage(strung_cube(2, above));
  stage(ball(2, "Bent ball", BodyKind::flexible, above), [](Object& o) {
    o.body.start.assign(12, {Vec3(0.02, -0.01, 0.03), Vec3(0.1, -0.2, 0.3)});
  });
  stage(ball(2, "Dented ball", BodyKind::flexible, above), [](Object& o) {
    o.body.start_springs = {{0, 1, 0.2, false}};
  });
  stage(ball(2, "Ball of examples", BodyKind::flexible, above), [](Object& o) {
    o.body.solver = "shape_matching";
    AnalysisPose pose;
    pose.name = "Squash";
    for (const Vec3& x : analysis_truss(o.analysis).nodes)
      pose.nodes.push_back({Vec3(0.1 * x.y(), -0.4 * x.y(), 0.2 * x.z())});
    add_pose(o.analysis, pose);
    pose.example = false;
    pose.nodes[3].shift.x() += 0.05;
    add_pose(o.analysis, pose);
    o.analysis.pose_groups = {{0, 1}, {4, 1}, {7, 2}};
  });
  stage(ball(2, "Ball that keeps its volume", BodyKind::flexible, above), [](Object& o) {
    o.body.volume.of = VolumeOf::surface;
    o.body.volume.size = 1.1;
    o.analysis.kind = AnalysisKind::box_grid;  // of few nodes: the search among all of their places takes long
    o.analysis.divisions = {1, 1, 1};
  });
  stage(metaball_body(2, above));
  stage(box(2, "Box", above));
  stage(box(2, "Heavy box", above), [](Object& o) { o.body.mass_source = MassSource::material; });
  stage(ball(2, "Superellipsoid", BodyKind::rigid, above), [](Object& o) {
    o.display.primitive.shape = PrimitiveShape::superellipsoid;
    o.display.primitive.divisions = {8, 6, 1};
    o.contact.shape = ContactShape::vertices;
  });
  stage(ball(2, "Tube", BodyKind::rigid, above), [](Object& o) {
    o.display.primitive.shape = PrimitiveShape::tube;
    o.display.primitive.divisions = {6, 2, 1};
    o.contact.shape = ContactShape::simplified;
    o.contact.triangles = 30;
  });
  stage(box(2, "Mesh of a file", above), [](Object& o) {
    o.display.mesh.mesh = std::make_shared<const DisplayMesh>(make_primitive(o.display.primitive));
    o.display.mesh.file = "box.obj";
    o.display.kind = DisplayKind::mesh;
  });
  stage(ball(2, "Point", BodyKind::point, Vec3(0, 0.2, 0)), [](Object& o) { o.display.kind = DisplayKind::none; });
  stage(box(2, "Ghost", above), [](Object& o) { o.contact.enabled = false; });
  stage(box(2, "Fixed box", Vec3(0, 0.4, 0)), [](Object& o) { o.body.kind = BodyKind::fixed; });
  all.push_back(with_family());
  all.push_back(with_skin());
  return all;
}

struct Tally {
  int tried = 0, compared = 0, kept_all = 0;
};

class Stage {
 public:
  Stage(const Scene& scene, Tally& tally) : before_(scene), run_(1), tally_(tally) {
    run_.fill.start(before_, 0, kLast);
    run_.settle();
    REQUIRE(run_.cache.size() == kLast + 1);
    generation_ = run_.cache.generation();
  }

  /// The run of the changed scene against one from the start, and back. `look`: said to drop nothing.
  void check(const Scene& after, const std::string& what, bool look) {
    INFO("seed " << kSeed << ", " << before_->objects[1]->name << ": " << what);
    if (has_error(validate(after))) return;
    MeshStore meshes;
    const auto surfaces = meshes.prepare(after, 1);
    if (!compile(after, meshes)) return;
    ++tally_.tried;
    const Shared<Scene> changed(after);
    run_.start(*before_, changed, kLast);
    if (look) {
      CHECK(run_.cache.size() == kLast + 1);
      CHECK(run_.cache.generation() == generation_);
      ++tally_.kept_all;
    }
    run_.settle();
    const auto fresh = fresh_run(after, kLast);
    CHECK(run_.cache.size() == static_cast<int>(fresh.size()));
    run_.check_equals_fresh(after, kLast);
    ++tally_.compared;
    // Back again from what was kept.
    run_.start(*changed, before_, kLast);
    run_.settle();
    REQUIRE(run_.cache.size() == kLast + 1);
    generation_ = run_.cache.generation();
  }

  const Scene& before() const { return *before_; }

 private:
  Shared<Scene> before_;
  FillRun run_;
  Tally& tally_;
  FrameCache::Generation generation_ = 0;  ///< of the frames of `before_`
};

/// check(entries, what, look) for every single change of a list's entries: each number, each row, each list of an
/// entry, one removed.
template <class Entry, class Check>
void each_change(const std::vector<Entry>& entries, bool read, EditDice& dice, const Check& check) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string number = "[" + std::to_string(i) + "] ";
    // Of long lists the first, the last and a few between.
    if (entries.size() > 6 && i != 0 && i + 1 != entries.size() && i % 7 != 3) continue;
    std::vector<Entry> changed = entries;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    check(std::move(changed), number + "removed", !read);
    if constexpr (kIsRow<Entry>) {
      for (std::size_t column = 0; column < RowFormat<Entry>::columns.size(); ++column) {
        changed = entries;
        if (change_column(changed[i], column, dice))
          check(std::move(changed), number + std::string(RowFormat<Entry>::columns[column].name), !read);
      }
    } else {
      for (const auto& field : entry_fields(std::type_identity<Entry>{})) {
        changed = entries;
        if (change_field(field, changed[i], dice))
          check(std::move(changed), number + std::string(field.path), !read || field.effect == Effect::look);
      }
      visit_lists(std::type_identity<Entry>{}, [&]<class Inner>(const List<Entry, Inner>& list) {
        each_change(list.get(entries[i]), read, dice,
                    [&](std::vector<Inner> inner, const std::string& what, bool look) {
                      std::vector<Entry> outer = entries;
                      list.set(outer[i], std::move(inner));
                      check(std::move(outer), number + std::string(list.path) + what, look);
                    });
      });
    }
  }
}

void change_everything_of(Stage& stage, const Object& object, EditDice& dice) {
  const auto after = [&](const std::function<void(Object&)>& change) {
    return with_object(stage.before(), object.id, change);
  };
  for (const Field<Object>& field : object_fields()) {
    if (names_file(field)) continue;
    Object changed = object;
    // Twice, since of a choice the first other one may be what is used in any case.
    // (and of a parent any may be one that cannot be)
    for (int again = 0; again < (field.type == FieldType::choice || field.path == "parent" ? 3 : 1); ++again)
      if (change_field(field, changed, dice))
        stage.check(after([&](Object& o) { o = changed; }), std::string(field.path), field.effect == Effect::look);
  }
  for (const Field<Object>& field : elastic_parameter_fields()) {
    if (!field.shown(object)) continue;
    Object changed = object;
    for (int again = 0; again < 3; ++again)
      if (change_field(field, changed, dice))
        stage.check(after([&](Object& o) { o = changed; }), std::string(field.path), field.effect == Effect::look);
  }
  visit_lists(std::type_identity<Object>{}, [&]<class Entry>(const List<Object, Entry>& list) {
    each_change(list.get(object), list.reads(object) != Effect::look, dice,
                [&](std::vector<Entry> entries, const std::string& what, bool look) {
                  stage.check(after([&](Object& o) { list.set(o, entries); }), std::string(list.path) + what, look);
                });
  });
}

/// Of the first joint of a scene: a track of each field, and all that can be said of it.
void change_keys_of_joint(const Scene& scene, Tally& tally, EditDice& dice) {
  const Shared<Joint> joint = scene.joints[0];
  for (const auto& field : joint_fields()) {
    if (!field.keyable || !field.shown(*joint)) continue;
    Stage keyed(with_keyed_joint(scene, field), tally);
    const std::string path(field.path);
    for (const auto& row : track_fields()) {
      Scene after = keyed.before();
      Track changed = *after.tracks[0];
      if (!change_field(row, changed, dice)) continue;
      after.tracks[0] = changed;
      keyed.check(after, "track of " + path + ": " + std::string(row.path), row.path == "name");
    }
    Scene after = keyed.before();
    after.tracks[0] = after.tracks[0].edited([](Track& t) { t.keys[1].time += 0.02; });
    keyed.check(after, "later key of " + path, false);
    after.tracks[0] = keyed.before().tracks[0].edited([](Track& t) { t.keys.pop_back(); });
    keyed.check(after, "one key of " + path, false);
    keyed.check(without(keyed.before(), after.tracks[0]->id), "no keys of " + path, false);
    after = keyed.before();
    Joint changed = *joint;
    if (change_field(field, changed, dice)) {
      after.joints[0] = changed;
      keyed.check(after, "value beside keys of " + path, false);
    }
  }
}

/// On a box, in its own axes too, and on nodes of a soft ball; with keys and without.
void change_everything_of_forces(Tally& tally, EditDice& dice) {
  for (const bool soft : {false, true}) {
    Scene scene =
        on_floor(soft ? ball(2, "Soft ball", BodyKind::flexible, Vec3(0, 0.65, 0)) : box(2, "Box", Vec3(0, 0.65, 0)));
    Force push;
    push.id = Id{10};
    push.object = 2;
    push.place = Vec3(0.1, 0.05, 0);
    push.own_axes = !soft;
    if (soft) push.nodes = {{0}, {2}};
    scene.forces = {push};
    const double frame = 1 / scene.settings.frame_rate;
    Scene keyed = with_key(scene, 10, "push", 3 * frame, push.push);
    keyed = with_key(std::move(keyed), 10, "push", 6 * frame, Vec3(-5, 2, 9));
    keyed = with_key(std::move(keyed), 10, "on", 0, true);
    keyed = with_key(std::move(keyed), 10, "on", 5 * frame, false);
    for (const Scene& at : {scene, keyed}) {
      Stage stage(at, tally);
      const auto after = [&](const Force& changed) { return with_force(at, Id{10}, [&](Force& f) { f = changed; }); };
      for (const auto& field : force_fields()) {
        Force changed = push;
        if (change_field(field, changed, dice))
          stage.check(after(changed), "forces " + std::string(field.path), field.effect == Effect::look);
      }
      visit_lists(std::type_identity<Force>{}, [&]<class Entry>(const List<Force, Entry>& list) {
        each_change(list.get(push), true, dice, [&](std::vector<Entry> entries, const std::string& what, bool look) {
          Force changed = push;
          list.set(changed, std::move(entries));
          stage.check(after(changed), std::string(list.path) + what, look);
        });
      });
      stage.check(without(at, Id{10}), "forces removed", false);
      for (std::size_t i = 0; i < at.tracks.size(); ++i) {
        Scene other = at;
        other.tracks[i] = other.tracks[i].edited([](Track& t) { t.keys[1].time += 0.02; });
        stage.check(other, "later key of " + at.tracks[i]->field, false);
        stage.check(without(at, at.tracks[i]->id), "no keys of " + at.tracks[i]->field, false);
      }
    }
  }
}

/// Of every kind, in every shape, with keys and without, on a box and a soft ball.
void change_everything_of_fields(Tally& tally, EditDice& dice) {
  for (std::size_t kind = 0; kind < words<FieldKind>().size(); ++kind) {
    Scene scene = with_ride(on_floor(box(2, "Box", Vec3(0, 0.65, 0))));
    scene.joints.clear();
    scene.objects.push_back(ball(3, "Soft ball", BodyKind::flexible, Vec3(1.5, 0.65, 0)));
    scene.collections = with_pair(scene).collections;
    scene.collections[0] = scene.collections[0].edited([](Collection& c) { c.id = Id{11}; });
    ForceField field;
    field.id = Id{10};
    field.kind = static_cast<FieldKind>(kind);
    field.shape = static_cast<FieldShape>(kind % 4);
    field.curve = 9;
    field.position = Vec3(0.1, 0.6, 0);
    field.size = Vec3(1, 1, 1);
    field.falloff = 2;
    field.gust = 1;
    scene.fields = {field};
    const double frame = 1 / scene.settings.frame_rate;
    Scene keyed = with_key(scene, 10, "position", 3 * frame, field.position);
    keyed = with_key(std::move(keyed), 10, "position", 6 * frame, Vec3(0.3, 0.2, 0.5));
    keyed = with_key(std::move(keyed), 10, "on", 0, true);
    keyed = with_key(std::move(keyed), 10, "on", 5 * frame, false);
    Stage stage(scene, tally), later(keyed, tally);
    const auto with = [](const Scene& at, const ForceField& changed) {
      return with_force_field(at, Id{10}, [&](ForceField& f) { f = changed; });
    };
    for (const auto& row : force_field_fields()) {
      if (row.effect == Effect::look && kind > 0) continue;  // of the first is enough
      ForceField changed = field;
      if (!change_field(row, changed, dice)) continue;
      const bool look = effect_now(row, field) == Effect::look && effect_now(row, changed) == Effect::look;
      if (look && kind % 3 != 0) continue;
      stage.check(with(scene, changed), "fields " + std::string(row.path), look);
      if (row.keyable) later.check(with(keyed, changed), "fields with keys, " + std::string(row.path), look);
    }
    ForceField of_none = field;
    of_none.feels = 11;
    stage.check(with(scene, of_none), "fields feels", false);
    later.check(without(keyed, Id{10}), "fields removed", false);
    if (field.shape == FieldShape::curve)
      stage.check(with_curve(scene, Id{9}, [](Curve& c) { c.points[1].place.y() += 0.4; }), "curve of a field", false);
    for (std::size_t i = 0; i < keyed.tracks.size(); ++i) {
      Scene other = keyed;
      other.tracks[i] = other.tracks[i].edited([](Track& t) { t.keys[1].time += 0.02; });
      later.check(other, "later key of " + keyed.tracks[i]->field, false);
      later.check(without(keyed, keyed.tracks[i]->id), "no keys of " + keyed.tracks[i]->field, false);
    }
  }
}

/// Born in every shape, on a soft ball and in the world, with keys and without, meeting box and floor, in a wind.
void change_everything_of_particles(Tally& tally, EditDice& dice) {
  for (std::size_t shape = 0; shape < words<SourceShape>().size(); ++shape) {
    Scene scene = with_ride(on_floor(box(2, "Box", Vec3(0, 0.65, 0))));
    scene.joints.clear();
    scene.objects.push_back(ball(3, "Soft ball", BodyKind::flexible, Vec3(1.5, 0.65, 0)));
    scene.collections = with_pair(scene).collections;
    scene.collections[0] = scene.collections[0].edited([](Collection& c) { c.id = Id{11}; });
    ForceField wind;
    wind.id = Id{13};
    scene.fields = {wind};
    ParticleSource pieces;
    pieces.id = Id{12};
    pieces.name = "Pieces";
    pieces.rate = 0;
    ParticleSource source;
    source.id = Id{10};
    source.shape = static_cast<SourceShape>(shape);
    source.hit = static_cast<ParticleHit>(shape % 4);
    source.look = static_cast<ParticleLook>(shape);
    source.carrier = shape % 2 == 0 ? 0 : 3;
    source.curve = 9;
    source.position = shape % 2 == 0 ? Vec3(0.1, 1.6, 0.1) : Vec3(0.05, 0.3, 0);
    source.cone = 2;
    source.burst = 30;
    source.burst_period = 0.1;
    source.duration = 1;
    source.collides = true;
    source.into = 12;
    scene.particles = {source, pieces};
    const double frame = 1 / scene.settings.frame_rate;
    Scene keyed = with_key(scene, 10, "position", 3 * frame, source.position);
    keyed = with_key(std::move(keyed), 10, "position", 6 * frame, Vec3(0.3, 1.2, 0.5));
    keyed = with_key(std::move(keyed), 10, "rate", 2 * frame, 100.0);
    keyed = with_key(std::move(keyed), 10, "rate", 5 * frame, 900.0);
    Stage stage(scene, tally), later(keyed, tally);
    const auto with = [](const Scene& at, const ParticleSource& changed) {
      return with_source(at, Id{10}, [&](ParticleSource& s) { s = changed; });
    };
    for (const auto& row : particle_source_fields()) {
      if (row.effect == Effect::look && shape > 0) continue;  // of the first is enough
      ParticleSource changed = source;
      if (!change_field(row, changed, dice)) continue;
      const bool look = effect_now(row, source) == Effect::look && effect_now(row, changed) == Effect::look;
      if (look && shape % 3 != 0) continue;
      stage.check(with(scene, changed), "particles " + std::string(row.path), look);
      if (row.keyable) later.check(with(keyed, changed), "particles with keys, " + std::string(row.path), look);
    }
    ParticleSource meets_none = source;
    meets_none.meets = 11;
    stage.check(with(scene, meets_none), "particles meet nothing", false);
    later.check(without(keyed, Id{10}), "particles removed", false);
    stage.check(without(scene, Id{3}), "carrier removed", false);
    stage.check(without(scene, Id{12}), "pieces removed", false);
    const auto untouched = [](Object& o) { o.contact.enabled = false; };
    stage.check(with_object(scene, Id{2}, untouched), "what is met collides no more", false);
    stage.check(with_object(scene, Id{3}, [](Object& o) { o.transform.scale *= 1.2; }), "carrier larger", false);
    if (source.shape == SourceShape::curve)
      stage.check(with_curve(scene, Id{9}, [](Curve& c) { c.points[1].place.y() += 0.4; }), "curve of a source", false);
    for (std::size_t i = 0; i < keyed.tracks.size(); ++i) {
      Scene other = keyed;
      other.tracks[i] = other.tracks[i].edited([](Track& t) { t.keys[1].time += 0.02; });
      later.check(other, "later key of " + keyed.tracks[i]->field, false);
      later.check(without(keyed, keyed.tracks[i]->id), "no keys of " + keyed.tracks[i]->field, false);
    }
  }
}

/// Copies of a box that fall on the floor.
void change_everything_of_copies(Tally& tally, EditDice& dice) {
  Scene scene = on_floor(box(2, "Copied box", Vec3(0, 0.65, 0)));
  ParticleSource source;
  source.id = Id{10};
  source.gives = SourceGives::copies;
  source.object = 2;
  source.position = Vec3(0, 0.8, 0);
  source.burst = 2;
  source.burst_period = 0.05;
  source.most_copies = 6;
  source.stays = false;
  source.life = 0.2;
  scene.particles = {source};
  Stage stage(scene, tally);
  for (const auto& row : particle_source_fields()) {
    ParticleSource changed = source;
    if (row.effect == Effect::look || !change_field(row, changed, dice)) continue;
    const bool look = effect_now(row, source) == Effect::look && effect_now(row, changed) == Effect::look;
    stage.check(with_source(scene, Id{10}, [&](ParticleSource& s) { s = changed; }), "copies " + std::string(row.path),
                look);
  }
  for (const auto& row : object_fields()) {
    Object changed = *scene.objects[1];
    if (row.effect == Effect::look || !change_field(row, changed, dice)) continue;
    stage.check(with_object(scene, Id{2}, [&](Object& o) { o = changed; }), "copied " + std::string(row.path), false);
  }
  Joint joint;
  joint.id = Id{11};
  joint.a.object = 2;
  Scene joined = scene;
  joined.joints = {joint};
  stage.check(joined, "what is copied is joined", false);
  stage.check(without(scene, Id{2}), "what is copied is gone", false);
}

/// A throw when the box has touched the floor, and what comes behind it.
void change_everything_of_motion(Tally& tally, EditDice& dice) {
  Scene scene = on_floor(box(2, "Box", Vec3(0, 0.65, 0)));
  const auto box_of = [&](std::uint64_t id, MotionRole role, const char* kind, std::vector<std::uint64_t> to) {
    MotionNode node;
    node.id = Id{id};
    node.role = role;
    node.kind = kind;
    node.object = 2;
    for (const std::uint64_t one : to) node.wires.push_back({one, false});
    scene.motion.push_back(Shared<MotionNode>(std::move(node)));
  };
  box_of(10, MotionRole::event, "contact", {11, 12});
  box_of(11, MotionRole::procedure, "throw", {});
  box_of(12, MotionRole::event, "speed", {13});
  box_of(13, MotionRole::procedure, "bounce", {});
  scene.motion[0] = scene.motion[0].edited([](MotionNode& n) { n.other = 1; });
  scene.motion[1] = scene.motion[1].edited([](MotionNode& n) { n.parameters = {{"y", "", 2}, {"x", "t", 0}}; });
  Stage stage(scene, tally);
  for (const auto& node : scene.motion) {
    const auto after = [&](const MotionNode& changed) {
      return with_motion(scene, node->id, [&](MotionNode& n) { n = changed; });
    };
    for (const auto& field : motion_fields()) {
      MotionNode changed = *node;
      if (change_field(field, changed, dice)) stage.check(after(changed), "motion " + std::string(field.path), false);
    }
    visit_lists(std::type_identity<MotionNode>{}, [&]<class Entry>(const List<MotionNode, Entry>& list) {
      each_change(list.get(*node), false, dice, [&](std::vector<Entry> entries, const std::string& what, bool) {
        MotionNode changed = *node;
        list.set(changed, std::move(entries));
        stage.check(after(changed), "motion " + std::string(list.path) + what, false);
      });
    });
    stage.check(without(scene, node->id), "motion box removed", false);
  }
}

void change_everything_of_joints(Tally& tally, EditDice& dice) {
  std::vector<Scene> with_joints;
  for (std::size_t kind = 0; kind < words<JointKind>().size(); ++kind)
    with_joints.push_back(with_joint_of(static_cast<JointKind>(kind), on_floor(box(2, "Box", Vec3(0, 0.65, 0)))));
  with_joints.push_back(with_ride(on_floor(box(2, "Box", Vec3(0, 0.65, 0)))));
  for (const Scene& scene : with_joints) {
    Stage joined(scene, tally);
    const Shared<Joint> joint = joined.before().joints[0];
    for (const auto& field : joint_fields()) {
      Scene after = joined.before();
      Joint changed = *joint;
      if (!change_field(field, changed, dice)) continue;
      after.joints[0] = changed;
      joined.check(after, "joints " + std::string(field.path),
                   effect_now(field, *joint) == Effect::look && effect_now(field, changed) == Effect::look);
    }
    joined.check(without(joined.before(), joint->id), "joints removed", false);
    change_keys_of_joint(scene, tally, dice);
    if (scene.curves.empty()) continue;
    for (const auto& field : curve_fields()) {
      Scene after = joined.before();
      Curve changed = *after.curves[0];
      if (!change_field(field, changed, dice)) continue;
      after.curves[0] = changed;
      joined.check(after, "curves " + std::string(field.path), false);
    }
    joined.check(without(joined.before(), Id{9}), "curve removed", false);
  }
}

}  // namespace every_row

using namespace every_row;

/// The box is led for half a second, and let go.
Scene keyed_box(Scene scene) {
  const std::uint64_t box = scene.objects[1]->id.value;
  scene = with_key(std::move(scene), box, "transform.position", 0, Vec3(0, 0.65, 0));
  scene = with_key(std::move(scene), box, "transform.position", 0.2, Vec3(0.3, 0.9, 0));
  scene = with_key(std::move(scene), box, "body.led", 0, true);
  return with_key(std::move(scene), box, "body.led", 0.15, false);
}

/// A thing of its default in every list of the scene that has none.
Scene with_one_of_each(Scene scene) {
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if (!(scene.*list.member).empty() || std::is_same_v<Thing, Track>) return;
    Thing thing;
    thing.id = next_id(scene);
    thing.name = "One";
    (scene.*list.member).push_back(Shared<Thing>(thing));
  });
  return scene;
}

TEST_CASE("every row and every entry, changed one at a time: the frames are those of a run from the start", "[slow]") {
  Tally tally;
  EditDice dice(kSeed);
  for (const Scene& scene : stages()) {
    Stage stage(scene, tally);
    change_everything_of(stage, *scene.objects[1], dice);
  }
  // The floor, and what is not of objects, once.
  Stage stage(on_floor(box(2, "Box", Vec3(0, 0.65, 0))), tally);
  change_everything_of(stage, *stage.before().objects[0], dice);
  for (const auto& field : settings_fields()) {
    Scene after = stage.before();
    if (change_field(field, after.settings, dice) && field.path != "last_frame")
      stage.check(after, "settings." + std::string(field.path), field.effect == Effect::look);
  }
  Stage with_all(with_one_of_each(with_pair(stage.before())), tally), with_track(keyed_box(stage.before()), tally);
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if (list.read) return;  // objects above, joints, forces and fields below
    constexpr bool kRules = std::is_same_v<Thing, ContactPair>, kKeys = std::is_same_v<Thing, Track>;
    Stage& at = kKeys ? with_track : with_all;
    const Shared<Thing> thing = (at.before().*list.member).at(0);
    for (const auto& field : list.fields()) {
      // What keys say together, and not their rows, is read by a run.
      const bool look = field.effect == Effect::look && !(kKeys && field.path != "name");
      if constexpr (!kRules && !kKeys) CHECK(look);
      if constexpr (std::is_same_v<Thing, MotionNode>) continue;  // below
      Scene after = at.before();
      Thing changed = *thing;
      if (!change_field(field, changed, dice)) continue;
      (after.*list.member)[0] = changed;
      at.check(after, std::string(list.path) + " " + std::string(field.path), look);
    }
    at.check(without(at.before(), thing->id), std::string(list.path) + " removed", !kRules && !kKeys);
  });
  change_everything_of_joints(tally, dice);
  change_everything_of_forces(tally, dice);
  change_everything_of_fields(tally, dice);
  change_everything_of_particles(tally, dice);
  change_everything_of_copies(tally, dice);
  change_everything_of_motion(tally, dice);
  INFO(tally.tried << " changes, " << tally.compared << " compared, " << tally.kept_all << " said to be looked at");
  CHECK(tally.compared >= 700);
  CHECK(tally.kept_all >= 150);
}

TEST_CASE("a signature beside an object is that of the object, also after an edit") {
  EditDice dice(kSeed);
  Scene scene = listed_scene();
  for (int i = 0; i < 300; ++i) {
    const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(scene.objects.size())));
    std::string what;
    Scene next = scene;
    next.objects[at] = next.objects[at].edited([&](Object& o) { change_some_field(object_fields(), o, dice, what); });
    // The same values in new memory, about which nothing is known yet.
    Scene anew = next;
    for (auto& object : anew.objects) object = object.edited([](Object&) {});
    INFO("seed " << kSeed << ", " << what);
    CHECK(simulation_signature(next) == simulation_signature(anew));
    scene = std::move(next);
  }
}
