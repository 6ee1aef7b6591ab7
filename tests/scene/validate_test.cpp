// What a scene may not be, and that an edit is judged as the whole scene would be.
#include <catch2/catch.hpp>

#include "tests/scene/random_scene.h"

namespace hazumi::validate_test {

namespace {

Diagnostics after(Id id, const std::function<void(Object&)>& change) {
  return validate(with_object(test::plain_scene(), id, change));
}

std::string only(const Diagnostics& diagnostics) {
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].severity == Severity::error);
  return diagnostics[0].path + ": " + diagnostics[0].message;
}

bool same(const Diagnostics& a, const Diagnostics& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Diagnostic& x, const Diagnostic& y) {
    return x.path == y.path && x.message == y.message && x.severity == y.severity;
  });
}

}  // namespace

TEST_CASE("Good scenes have no diagnostics", "[validate]") {
  CHECK(validate(Scene{}).empty());
  CHECK(validate(test::plain_scene()).empty());
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Diagnostics found = validate(test::random_scene(seed, 10));
    INFO((found.empty() ? "" : to_string(found[0])));
    CHECK(found.empty());
  }
}

TEST_CASE("The place of a diagnostic names list, number, name and field", "[validate]") {
  CHECK(only(after(Id{2}, [](Object& o) { o.body.mass = 0; })) ==
        "objects[1] \"Ball\" body.mass: Mass must be above 0 kg.");
  CHECK(only(after(Id{3}, [](Object& o) { o.name.clear(); })) == "objects[2] name: Name must not be empty.");
}

TEST_CASE("Every range of the table is enforced", "[validate]") {
  test::Dice dice(1);
  for (const Field<Object>& field : object_fields()) {
    std::vector<FieldValue> bad;
    const double above = std::nextafter(field.high, HUGE_VAL);
    const double below = field.low_open ? field.low : std::nextafter(field.low, -HUGE_VAL);
    const double nan = std::nan("");
    switch (field.type) {
      case FieldType::number:
        bad = {above, below, nan, HUGE_VAL};
        break;
      case FieldType::vector:
      case FieldType::colour:
        bad = {Vec3(above, 1, 1), Vec3(1, below, 1), Vec3(1, 1, nan)};
        break;
      case FieldType::rotation:
        bad = {Quat(0, 0, 0, 0), Quat(1, 1, 0, 0), Quat(nan, 0, 0, 0)};
        break;
      case FieldType::integers:
        bad = {std::array<int, 3>{0, 3, 3}, std::array<int, 3>{3, 3, 201}};
        break;
      case FieldType::text:
        bad = {std::string(2000, 'x')};
        break;
      default:
        break;  // booleans and choices cannot be set to anything else
    }
    for (const FieldValue& value : bad) {
      INFO(field.path);
      const Diagnostics found = after(Id{2}, [&](Object& o) { field.set(o, value); });
      REQUIRE(found.size() == 1);
      CHECK(found[0].path == "objects[1] " +
                                 (field.path == "name" ? "\"" + std::string(2000, 'x') + "\" " : "\"Ball\" ") +
                                 std::string(field.path));
    }
  }
}

TEST_CASE("Rules about several fields", "[validate]") {
  CHECK(only(after(Id{2}, [](Object& o) { o.analysis.kind = AnalysisKind::none; })) ==
        "objects[1] \"Ball\" analysis.kind: A flexible body needs an analysis model.");
  CHECK(only(after(Id{2}, [](Object& o) {
          o.display.primitive.divisions = {2, 8, 8};
        })) == "objects[1] \"Ball\" display.primitive.divisions: A round shape needs at least 3 divisions around.");
  CHECK(after(Id{3}, [](Object& o) { o.display.primitive.divisions = {1, 1, 1}; }).empty());  // a box
  CHECK(only(after(Id{3}, [](Object& o) {
          o.display.primitive.shape = PrimitiveShape::torus;
          o.display.primitive.divisions = {8, 2, 1};
        })) == "objects[2] \"Box\" display.primitive.divisions: A torus needs at least 3 divisions around its tube.");
  CHECK(only(after(Id{4}, [](Object& o) { o.body.birth = 2, o.body.death = 1; })) ==
        "objects[3] \"Dot\" body.death: Death must not come before birth.");
  CHECK(only(after(Id{3}, [](Object& o) { o.material.preset = "cheese"; })).find("Preset must be \"emerald\"") !=
        std::string::npos);
  CHECK(only(after(Id{2}, [](Object& o) {
          o.analysis.kind = AnalysisKind::box_grid;
          o.analysis.divisions = {100, 100, 100};
        })).find("1030301 nodes; at most 20000") != std::string::npos);

  Scene scene = test::plain_scene();
  scene.settings.first_frame = 10;
  scene.settings.last_frame = 9;
  CHECK(only(validate(scene)) == "settings.last_frame: The last frame must not come before the first frame.");
  scene = test::plain_scene();
  const auto shot = [](const auto& change) {
    const Scene plain = test::with_new_camera(test::plain_scene());
    return with_camera(plain, plain.cameras.at(0)->id, change);
  };
  scene = shot([](Camera& c) { c.depth = {false, 3, 3}; });
  CHECK(only(validate(scene)) == "cameras[0] \"Camera\" depth.far_plane: The far plane must be beyond the near plane.");
  CHECK(validate(shot([](Camera& c) { c.depth = {true, 3, 3}; })).empty());
  scene = shot([](Camera& c) { c.target = c.position; });
  CHECK(only(validate(scene)) == "cameras[0] \"Camera\" target: The camera must not be at its own target.");
}

TEST_CASE("Ids are unique over objects and lights, and not 0", "[validate]") {
  CHECK(only(after(Id{3}, [](Object& o) { o.id = Id{2}; })) ==
        "objects[2] \"Box\" id: The id 2 is already that of objects[1] \"Ball\".");
  CHECK(only(after(Id{3}, [](Object& o) { o.id = Id{5}; })) ==
        "lights[0] \"Sun\" id: The id 5 is already that of objects[2] \"Box\".");
  CHECK(only(after(Id{3}, [](Object& o) { o.id = Id{}; })) == "objects[2] \"Box\" id: The id must not be 0.");
}

TEST_CASE("All models together stay within the limits", "[validate]") {
  Object grid;
  grid.analysis.kind = AnalysisKind::box_grid;
  grid.analysis.divisions = {26, 26, 26};  // 19,683 nodes
  grid.name = "Grid";
  Scene scene;
  for (std::uint64_t i = 1; i <= 10; ++i) {
    grid.id = Id{i};
    scene.objects.push_back(grid);
  }
  CHECK(validate(scene).empty());
  Scene more = scene;
  grid.id = Id{11};
  more.objects.push_back(grid);
  CHECK(only(validate(more)).find("216513 nodes") != std::string::npos);
  CHECK(same(validate_change(scene, more), validate(more)));

  Object dense;
  dense.display.primitive.divisions = {200, 200, 200};
  dense.name = "Dense";
  Scene heavy;
  for (std::uint64_t i = 1; i <= 21; ++i) {
    dense.id = Id{i};
    heavy.objects.push_back(dense);
  }
  CHECK(only(validate(heavy)).find("vertices; at most 5000000") != std::string::npos);
}

TEST_CASE("An edit is judged as the whole scene would be", "[validate]") {
  test::Dice dice(5);
  const Scene before = test::random_scene(9, 8);
  REQUIRE(validate(before).empty());
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    Scene changed = before;
    const auto index = static_cast<std::size_t>(dice.below(8));
    switch (dice.below(8)) {
      case 0:
        changed.objects.erase(changed.objects.begin() + static_cast<std::ptrdiff_t>(index));
        break;
      case 1:
        changed.objects.push_back(changed.objects[index]);
        break;  // the same id twice
      case 2:
        std::swap(changed.objects[index], changed.objects[0]);
        break;
      case 3:
        changed.settings.last_frame = static_cast<int>(dice.below(50)) - 5;
        break;
      case 4:
        changed.lights[0] = changed.lights[0].edited([&](Light& l) { l.intensity = dice.unit() * 2000; });
        break;
      case 5:
        changed.objects[index] =
            changed.objects[index].edited([&](Object& o) { o.id = Id{static_cast<std::uint64_t>(dice.below(9))}; });
        break;
      default:
        changed.objects[index] = changed.objects[index].edited([&](Object& o) {
          o.body.mass = dice.unit() - 0.5;
          o.analysis.kind = static_cast<AnalysisKind>(dice.below(5));
          o.body.kind = static_cast<BodyKind>(dice.below(4));
        });
    }
    const Diagnostics whole = validate(changed);
    CHECK(same(validate_change(before, changed), whole));
    refused += has_error(whole);
  }
  CHECK(refused > 100);
  CHECK(refused < 500);
}

}  // namespace hazumi::validate_test
