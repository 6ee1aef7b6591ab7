// The field table against the structs: every member has a row, rows do not alias, what is set is what is got.
#include <catch2/catch.hpp>

#include <set>

#include "core/scene/values/scene_lists.h"
#include "core/scene/values/words.h"
#include "tests/scene/random_scene.h"

namespace hazumi::fields_test {

namespace {

/// Converts to anything: T{AnyMember, AnyMember, …} compiles for as many as T has members.
struct AnyMember {
  template <class T>
  operator T() const;
};

template <class T, class... Members>
constexpr int member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; })
    return member_count<T, Members..., AnyMember>();
  else
    return static_cast<int>(sizeof...(Members));
}

static_assert(member_count<Light>() == 11, "counting members works on this compiler");

/// Without `kept`, which is for what no row knows.
template <class T>
constexpr int members() {
  return member_count<T>() - (requires(T t) { t.kept; } ? 1 : 0);
}

/// Entries directly below a prefix: rows, and blocks of rows.
template <class Owner>
int entries_below(std::span<const Field<Owner>> table, std::string_view prefix) {
  std::set<std::string_view> names;
  for (const Field<Owner>& field : table) {
    if (!field.path.starts_with(prefix)) continue;
    const std::string_view rest = field.path.substr(prefix.size());
    names.insert(rest.substr(0, rest.find('.')));
  }
  return static_cast<int>(names.size());
}

template <class Owner>
void check_rows(std::span<const Field<Owner>> table, Owner owner, std::uint64_t seed) {
  test::Dice dice(seed);
  for (const Field<Owner>& field : table) {
    INFO(field.path);
    std::vector<FieldValue> before;
    for (const auto& other : table) before.push_back(other.get(owner));
    const FieldValue value = test::other_value(dice, field, owner);
    CHECK(field_problem(field, value).empty());
    field.set(owner, value);
    CHECK(operator_equal(field.get(owner), value));
    for (std::size_t i = 0; i < table.size(); ++i)
      if (&table[i] != &field) {
        INFO("also changed: " << table[i].path);
        CHECK(operator_equal(table[i].get(owner), before[i]));
      }
  }
}

/// Sentences and pages say it in degrees.
bool is_tidy_angle(double angle) {
  const double hundredths = 100 * degrees(angle);
  return std::abs(hundredths - std::round(hundredths)) <= 1e-12 * std::max(1.0, std::abs(hundredths));
}

template <class Owner>
void check_words(std::span<const Field<Owner>> table) {
  std::set<std::string_view> paths;
  for (const Field<Owner>& field : table) {
    INFO(field.path);
    CHECK(paths.insert(field.path).second);
    CHECK_FALSE(field.label.empty());
    CHECK_FALSE(field.group.empty());
    CHECK(field.tooltip.ends_with('.'));
    CHECK(field.low <= field.high);
    if (field.unit.starts_with("°") && field.type == FieldType::number)
      for (const double bound : {field.low, field.high}) CHECK(is_tidy_angle(bound));
    CHECK((field.type == FieldType::choice) == !field.choices.empty());
    CHECK(find_field(table, field.path) == &field);
    // The default is allowed, except that names are given by whoever makes the thing.
    if (field.path != "name" && field.path != "part") CHECK(field_problem(field, field.get(Owner{})).empty());
  }
}

const Field<Object>& row(std::string_view path) {
  const auto* field = find_field(object_fields(), path);
  REQUIRE(field != nullptr);
  return *field;
}

}  // namespace

TEST_CASE("Every member of the scene's structs has a row in the field table", "[fields]") {
  const auto objects = object_fields();
  // Members that are deliberately no fields: ids, lists (scene/values/lists.h); of a mesh reference the mesh, its
  // hash, where it was read from and its companions.
  CHECK(entries_below(objects, "") == members<Object>() - 3);
  CHECK(entries_below(objects, "transform.") == members<Transform>());
  CHECK(entries_below(objects, "display.") == members<DisplayModel>());
  CHECK(entries_below(objects, "display.primitive.") == members<Primitive>());
  CHECK(entries_below(objects, "display.mesh.") == members<MeshReference>() - 4);
  CHECK(entries_below(objects, "display.mesh.settings.") == members<MeshSettings>());
  CHECK(entries_below(objects, "display.metaballs.") == members<MetaballGroup>() - 1);
  CHECK(entries_below(objects, "analysis.") == members<AnalysisModel>() - 3);
  CHECK(entries_below(objects, "mapping.") == members<MappingSettings>() - 2);
  CHECK(entries_below(objects, "body.") == members<BodySettings>() - 3);
  CHECK(entries_below(objects, "contact.") == members<ContactSettings>());
  CHECK(entries_below(objects, "material.") == members<Material>());
  CHECK(entries_below(objects, "material.surface.") == members<Surface>());
  CHECK(entries_below(objects, "material.substance.") == members<Substance>());
  CHECK(entries_below(analysis_fields(), "") == members<AnalysisModel>() - 3);
  CHECK(entries_below(pose_fields(), "") == members<AnalysisPose>() - 2);  // id, nodes
  CHECK(entries_below(material_fields(), "") == members<Material>());
  CHECK(entries_below(part_material_fields(), "") == members<PartMaterial>());
  CHECK(entries_below(metaball_fields(), "") == members<MetaballPrimitive>() - 1);
  CHECK(entries_below(metaball_fields(), "surface.") == members<Surface>());
  CHECK(entries_below(bone_fields(), "") == members<Bone>() - 1);
  CHECK(entries_below(solver_parameter_fields(), "") == members<SolverParameter>());
  CHECK(entries_below(light_fields(), "") == members<Light>() - 1);
  CHECK(entries_below(pair_fields(), "") == members<ContactPair>() - 1);
  CHECK(entries_below(collection_fields(), "") == members<Collection>() - 1);
  CHECK(entries_below(track_fields(), "") == members<Track>() - 2);  // id, keys
  CHECK(entries_below(marker_fields(), "") == members<Marker>() - 1);
  CHECK(entries_below(sound_fields(), "") == members<Sound>() - 1);
  CHECK(entries_below(keying_set_fields(), "") == members<KeyingSet>() - 1);
  CHECK(entries_below(camera_fields(), "") == members<Camera>() - 1);
  CHECK(entries_below(camera_fields(), "follow.") == members<Follow>());
  CHECK(entries_below(objects, "follow.") == 7);
  CHECK(entries_below(curve_fields(), "") == members<Curve>() - 3 + 2);  // id, way, the shape; two members of the shape
  CHECK(entries_below(joint_fields(), "") == members<Joint>() - 1);
  CHECK(entries_below(force_fields(), "") == members<Force>() - 2);  // id, nodes
  CHECK(entries_below(force_field_fields(), "") == members<ForceField>() - 1);
  CHECK(entries_below(particle_source_fields(), "") == members<ParticleSource>() - 6);  // id, keys over the life
  CHECK(entries_below(motion_fields(), "") == members<MotionNode>() - 3);               // id, parameters, wires
  CHECK(entries_below(motion_parameter_fields(), "") == members<MotionParameter>());
  CHECK(entries_below(joint_fields(), "a.") == members<JointEnd>());
  CHECK(entries_below(joint_fields(), "b.") == members<JointEnd>());
  CHECK(entries_below(camera_fields(), "depth.") == members<CameraDepth>());
  CHECK(entries_below(camera_fields(), "picture.") == members<ReferencePicture>());
  CHECK(entries_below(settings_fields(), "") == members<SceneSettings>());
  // name, description, settings, layout, newer_minor: scene_write.cpp. The others are lists.
  CHECK(members<Scene>() == 5 + static_cast<int>(std::tuple_size_v<decltype(kSceneLists)>));
}

TEST_CASE("Every other member of the scene's structs is a list", "[fields]") {
  const auto paths = []<class Owner>(std::type_identity<Owner> type) {
    std::vector<std::string> all;
    visit_lists(type, [&](const auto& list) {
      all.emplace_back(list.path);
      CHECK(list.tooltip.ends_with('.'));
      CHECK(list.get(Owner{}).empty());
    });
    return all;
  };
  CHECK(paths(std::type_identity<AnalysisModel>{}) ==
        std::vector<std::string>{"strung.nodes", "strung.springs", "strung.hull", "strung.tetrahedra", "strung.cells",
                                 "strung.sheet", "poses", "pose_groups"});
  CHECK(paths(std::type_identity<AnalysisPose>{}) == std::vector<std::string>{"nodes"});
  CHECK(paths(std::type_identity<Object>{}) ==
        std::vector<std::string>{"display.metaballs.primitives", "analysis.strung.nodes", "analysis.strung.springs",
                                 "analysis.strung.hull", "analysis.strung.tetrahedra", "analysis.strung.cells",
                                 "analysis.strung.sheet", "analysis.poses", "analysis.pose_groups", "mapping.bones",
                                 "mapping.painted", "body.parameters", "body.start", "body.start_springs",
                                 "part_materials", "other_analyses"});
  CHECK(paths(std::type_identity<Track>{}) == std::vector<std::string>{"keys"});
  CHECK(paths(std::type_identity<Force>{}) == std::vector<std::string>{"nodes"});
  CHECK(paths(std::type_identity<MotionNode>{}) == std::vector<std::string>{"parameters", "wires"});
  CHECK(paths(std::type_identity<ParticleSource>{}) ==
        std::vector<std::string>{"size_keys", "colour_keys", "opacity_keys", "speed_keys", "drag_keys"});
  CHECK(members<LifeSize>() == 2);
  CHECK(members<LifeColour>() == 2);  // one of them with three numbers
  CHECK(members<LifeOpacity>() == 2);
  CHECK(members<LifeSpeed>() == 2);
  CHECK(members<LifeDrag>() == 2);
  CHECK(members<MotionWire>() == static_cast<int>(RowFormat<MotionWire>::columns.size()));
  CHECK(members<Key>() == 8);  // three of them with four numbers
  CHECK(RowFormat<Key>::columns.size() == 8 - 3 + 3 * 4);
  CHECK(paths(std::type_identity<MetaballPrimitive>{}).empty());
  CHECK(members<StrungTruss>() == 6);
  CHECK(members<StrungNode>() == 3);  // position, mass, pinned
  CHECK(RowFormat<StrungNode>::columns.size() == 5);
  CHECK(members<StrungSpring>() == static_cast<int>(RowFormat<StrungSpring>::columns.size()));
  CHECK(members<StartNode>() == 2);  // shift, velocity
  CHECK(RowFormat<StartNode>::columns.size() == 6);
  CHECK(members<StartSpring>() == static_cast<int>(RowFormat<StartSpring>::columns.size()));
  CHECK(members<PoseNode>() == 1);  // shift
  CHECK(RowFormat<PoseNode>::columns.size() == 3);
  CHECK(members<PoseGroupNode>() == static_cast<int>(RowFormat<PoseGroupNode>::columns.size()));
  CHECK(members<PaintedWeight>() == static_cast<int>(RowFormat<PaintedWeight>::columns.size()));
}

TEST_CASE("A column sets its own number and no other", "[fields]") {
  const auto check = []<class Entry>(Entry entry) {
    const auto& columns = RowFormat<Entry>::columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<double> before;
      for (std::size_t k = 0; k < columns.size(); ++k) before.push_back(RowFormat<Entry>::get(entry, k));
      const double value = before[i] == 1 ? 0 : 1;
      RowFormat<Entry>::set(entry, i, value);
      for (std::size_t k = 0; k < columns.size(); ++k)
        CHECK(RowFormat<Entry>::get(entry, k) == (k == i ? value : before[k]));
      CHECK(same_entry(entry, entry));
    }
  };
  check(StrungNode{});
  check(StrungSpring{});
  check(PaintedWeight{});
  check(StartNode{});
  check(StartSpring{});
  check(PoseNode{});
  check(PoseGroupNode{});
  check(Key{});
  check(MotionWire{});
  check(LifeSize{});
  check(LifeColour{});
  check(LifeOpacity{});
  check(LifeSpeed{});
  check(LifeDrag{});
  check(std::array<std::uint32_t, 3>{5, 6, 7});
  check(std::array<std::uint32_t, 4>{5, 6, 7, 8});
  CHECK(column_problem(RowFormat<StrungNode>::columns[3], 0) == "Mass must be above 0.");
  CHECK(column_problem(RowFormat<StrungNode>::columns[4], 0.5) == "Pinned must be a whole number.");
  CHECK(column_problem(RowFormat<StrungSpring>::columns[3], -1) == "Damping must be at least 0.");
  CHECK(column_problem(RowFormat<StrungSpring>::columns[0], 5e9) == "Node a must be at most 4294967295.");
  CHECK(column_problem(RowFormat<StrungNode>::columns[0], std::nan("")) == "X must be a finite number.");
}

TEST_CASE("A row sets its own member and no other", "[fields]") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    check_rows(object_fields(), Object{}, seed);
    check_rows(metaball_fields(), MetaballPrimitive{}, seed);
    check_rows(bone_fields(), Bone{}, seed);
    check_rows(analysis_fields(), AnalysisModel{}, seed);
    check_rows(pose_fields(), AnalysisPose{}, seed);
    check_rows(material_fields(), Material{}, seed);
    check_rows(part_material_fields(), PartMaterial{}, seed);
    check_rows(solver_parameter_fields(), SolverParameter{}, seed);
    check_rows(light_fields(), Light{}, seed);
    check_rows(pair_fields(), ContactPair{}, seed);
    check_rows(track_fields(), Track{}, seed);
    check_rows(marker_fields(), Marker{}, seed);
    check_rows(sound_fields(), Sound{}, seed);
    check_rows(keying_set_fields(), KeyingSet{}, seed);
    check_rows(camera_fields(), Camera{}, seed);
    check_rows(joint_fields(), Joint{}, seed);
    check_rows(force_fields(), Force{}, seed);
    check_rows(force_field_fields(), ForceField{}, seed);
    check_rows(particle_source_fields(), ParticleSource{}, seed);
    check_rows(motion_fields(), MotionNode{}, seed);
    check_rows(motion_parameter_fields(), MotionParameter{}, seed);
    check_rows(settings_fields(), SceneSettings{}, seed);
  }
}

TEST_CASE("Rows have words, ranges and allowed defaults", "[fields]") {
  check_words(object_fields());
  check_words(metaball_fields());
  check_words(bone_fields());
  check_words(analysis_fields());
  check_words(pose_fields());
  check_words(material_fields());
  check_words(part_material_fields());
  check_words(light_fields());
  check_words(pair_fields());
  check_words(camera_fields());
  check_words(joint_fields());
  check_words(force_fields());
  check_words(force_field_fields());
  check_words(particle_source_fields());
  check_words(curve_fields());
  check_words(motion_fields());
  check_words(settings_fields());
}

TEST_CASE("Words of an enumeration stand at the number of their value", "[fields]") {
  CHECK(word(PrimitiveShape::plane) == "plane");
  CHECK(word(BodyKind::flexible) == "flexible");
  CHECK(word(ContactShape::plane) == "plane");
  CHECK(word(AnalysisKind::icosahedron) == "icosahedron");
  CHECK(word(DisplayKind::metaballs) == "metaballs");
  CHECK(word(AnalysisKind::strung) == "strung");
  CHECK(word(MappingKind::skeleton) == "skeleton");
  CHECK(word(MetaballShape::torus) == "torus");
  CHECK(word(UpAxis::x) == "x");
}

TEST_CASE("A field says in one sentence why a value cannot be entered", "[fields]") {
  CHECK(field_problem(row("body.mass"), 0.0) == "Mass must be above 0 kg.");
  CHECK(field_problem(row("body.mass"), 2e9) == "Mass must be at most 1000000000 kg.");
  CHECK(field_problem(row("body.stiffness"), -1.0) == "Stiffness must be above 0 N/m.");
  CHECK(field_problem(row("display.primitive.size"), Vec3(1, 0, 1)) == "Size must be at least 1e-06 m.");
  CHECK(field_problem(row("body.damping"), std::nan("")) == "Damping must be a finite number.");
  CHECK(field_problem(row("transform.position"), Vec3(0, HUGE_VAL, 0)) == "Position must be a finite number.");
  CHECK(field_problem(row("name"), std::string()) == "Name must not be empty.");
  CHECK(field_problem(row("body.kind"), static_cast<std::int64_t>(kBodyKinds.size())) ==
        "Moves as must be " + choice_list(words<BodyKind>()) + ".");
  CHECK(choice_list(std::array<std::string_view, 3>{"a", "b", "c"}) == "\"a\", \"b\" or \"c\"");
  CHECK(field_problem(row("body.mass"), std::int64_t{1}) == "Mass was given a value of another type.");
  CHECK(field_problem(row("transform.rotation"), Quat(2, 0, 0, 0)) == "Rotation must be a unit quaternion.");
  const auto* roll = find_field(camera_fields(), "roll");
  CHECK(field_problem(*roll, 2000.0) == "Roll must be at most 60000 °.");
}

TEST_CASE("Fields are shown when the object reads them", "[fields]") {
  Object o;
  o.body.kind = BodyKind::rigid;
  CHECK_FALSE(row("body.stiffness").shown(o));
  CHECK_FALSE(row("body.birth").shown(o));
  CHECK(row("body.spin").shown(o));
  o.body.kind = BodyKind::flexible;
  CHECK(row("body.stiffness").shown(o));
  o.body.stiffness_source = StiffnessSource::material;
  CHECK_FALSE(row("body.stiffness").shown(o));
}

TEST_CASE("Editing a field draws its consequences", "[fields]") {
  Object o;
  const auto gold = row("material.preset");
  const auto names = gold.choices;
  std::int64_t number = 0;
  while (names[static_cast<std::size_t>(number)] != "gold") ++number;
  edit_field(o, gold, number);
  CHECK(o.material.surface.diffuse == find_material("gold")->surface.diffuse);
  CHECK(o.material.substance.density == 19300);

  edit_field(o, row("material.substance_follows"), false);
  edit_field(o, row("material.substance.density"), 5.0);
  edit_field(o, row("material.surface.diffuse"), Vec3(0, 0, 1));
  CHECK(o.material.substance.density == 5.0);
  edit_field(o, row("material.substance_follows"), true);
  CHECK(o.material.substance.density == 19300);
  CHECK(o.material.surface.diffuse == Vec3(0, 0, 1));

  const auto mesh = std::make_shared<DisplayMesh>();
  o.display.mesh.mesh = mesh;
  edit_field(o, row("display.mesh.settings.scale"), 1.0);  // as it was
  edit_field(o, row("display.mesh.settings.textures"), false);
  CHECK(o.display.mesh.mesh == mesh);
  edit_field(o, row("display.mesh.settings.scale"), 0.01);
  CHECK(o.display.mesh.mesh == nullptr);
  o.display.mesh.mesh = mesh;
  edit_field(o, row("display.mesh.file"), std::string("other.obj"));
  CHECK(o.display.mesh.mesh == nullptr);
  CHECK(o.display.mesh.settings.scale == 0.01);
}

TEST_CASE("Picking a kind that needs something makes it", "[fields]") {
  Object o;
  o.id = Id{1};
  o.name = "Thing";
  o.analysis.kind = AnalysisKind::octahedron;
  o.analysis.size = Vec3(2, 3, 4);
  edit_field(o, row("analysis.kind"), static_cast<std::int64_t>(AnalysisKind::strung));
  REQUIRE(o.analysis.strung != nullptr);
  const Truss octahedron = make_truss({TrussShape::octahedron, o.analysis.divisions, o.analysis.size, Vec3::Zero()});
  CHECK(to_truss(*o.analysis.strung).nodes == octahedron.nodes);
  CHECK(o.analysis.strung->springs.size() == octahedron.springs.size());
  const auto strung = o.analysis.strung;
  edit_field(o, row("analysis.kind"), static_cast<std::int64_t>(AnalysisKind::box_grid));
  edit_field(o, row("analysis.kind"), static_cast<std::int64_t>(AnalysisKind::strung));
  CHECK(o.analysis.strung == strung);  // kept while it was another

  edit_field(o, row("display.kind"), static_cast<std::int64_t>(DisplayKind::metaballs));
  CHECK(o.display.metaballs.primitives.size() == 1);
  edit_field(o, row("display.kind"), static_cast<std::int64_t>(DisplayKind::metaballs));
  CHECK(o.display.metaballs.primitives.size() == 1);
  Scene scene;
  scene.objects = {o};
  CHECK(validate(scene).empty());

  MetaballPrimitive ball;
  const auto* preset = find_field(metaball_fields(), "preset");
  for (std::size_t i = 0; i < preset->choices.size(); ++i) {
    edit_field(ball, *preset, static_cast<std::int64_t>(i));
    CHECK(ball.surface == find_material(preset->choices[i])->surface);
  }
}

}  // namespace hazumi::fields_test
