// Metaballs, strung trusses, skeletons, analysis models to switch to, materials of parts: as text, checked,
// compared.
#include <catch2/catch.hpp>

#include <algorithm>

#include "core/base/hash.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "tests/scene/random_scene.h"
#include "tests/support/sanitized.h"

namespace hazumi::lists_test {

namespace {

constexpr Id kBall{2};

/// A ball of everything that lists hold.
Scene full_scene() {
  return with_object(test::plain_scene(), kBall, [](Object& o) {
    o.display.kind = DisplayKind::metaballs;
    MetaballPrimitive head, body;
    head.id = 1;
    head.name = "Head";
    head.centre = Vec3(0, 1, 0);
    body.id = 2;
    body.radii = Vec3(0.75, 0.5, 0.5);
    o.display.metaballs.primitives = {head, body};
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.name = "Fine";
    StrungTruss truss;
    truss.nodes = {{Vec3(0, 0, 0), 1, true}, {Vec3(1, 0, 0), 2, false}, {Vec3(0, 1, 0)}, {Vec3(0, 0, 1)}};
    truss.springs = {{0, 1}, {0, 2}, {0, 3, 2, 1, 1}, {1, 2}, {1, 3}, {2, 3, 1, 1, 0.25}};
    truss.hull = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    truss.tetrahedra = {{0, 1, 2, 3}};
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    AnalysisPose lean;
    lean.id = 3;
    lean.name = "Lean";
    lean.nodes = {{Vec3(0, 0, 0)}, {Vec3(0.25, 0, 0)}, {Vec3(0, 0.5, 0)}, {Vec3(0.5, 0, -0.25)}};
    AnalysisPose other = lean;
    other.id = 4;
    other.name = "Other";
    other.example = false;
    o.analysis.poses = {lean, other};
    o.analysis.pose_groups = {{1, 2}, {3, 1}};
    AnalysisModel coarse;
    coarse.name = "Coarse";
    coarse.kind = AnalysisKind::octahedron;
    o.other_analyses = {coarse};
    Bone spine, neck;
    spine.id = 1;
    spine.name = "Spine";
    neck.id = 2;
    neck.name = "Neck";
    neck.parent = 1;
    neck.head = Vec3(0, 0.5, 0);
    neck.tail = Vec3(0, 1, 0);
    o.mapping.bones = {spine, neck};
    o.mapping.painted = {{1, 4, 0.1f}, {2, 4, 0.9f}, {1, 7, 1.0f}};
    o.body.start = {{Vec3(0.125, 0, 0), Vec3(0, 2, 0)}, {Vec3(0, 0.25, 0), Vec3::Zero()}};
    o.body.start_springs = {{0, 1, 0.0625, false}, {0, 3, 0, true}};
    PartMaterial eyes;
    eyes.part = "Eyes";
    o.part_materials = {eyes};
  });
}

const Object& ball_of(const Scene& scene) { return *find_object(scene, kBall); }

std::string only(const Diagnostics& diagnostics) {
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message.ends_with('.'));
  CHECK((diagnostics[0].hint.empty() || diagnostics[0].hint.ends_with(".")));
  return diagnostics[0].path + ": " + diagnostics[0].message;
}

/// What validate says of an edit of the ball, without the place of the ball; validate_change must say the
/// same.
std::string refused(const std::function<void(Object&)>& change) {
  const Scene before = full_scene(), after = with_object(before, kBall, change);
  REQUIRE(validate(before).empty());
  const std::string said = only(validate(after)), place = "objects[1] \"Ball\" ";
  CHECK(only(validate_change(before, after)) == said);
  REQUIRE(said.starts_with(place));
  return said.substr(place.size());
}

void change_truss(Object& o, const std::function<void(StrungTruss&)>& change) {
  StrungTruss truss = *o.analysis.strung;
  change(truss);
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
}

std::string refused_truss(const std::function<void(StrungTruss&)>& change) {
  return refused([&](Object& o) { change_truss(o, change); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The message for a scene file with one thing replaced.
std::string told(const std::string& from, const std::string& to) {
  const Result<Scene> read = scene_from_text(replaced(scene_to_text(full_scene()), from, to), "");
  REQUIRE_FALSE(read.ok());
  REQUIRE(read.diagnostics().size() == 1);
  CHECK(read.error().message.ends_with('.'));
  std::string path = read.error().path;
  if (const std::size_t line = path.find(" (line "); line != std::string::npos) path.resize(line);
  return path + ": " + read.error().message;
}

ChangeSet diff_after(const std::function<void(Object&)>& change) {
  const Scene before = full_scene();
  return diff(before, with_object(before, kBall, change), [](const Cause&) { return 37; });
}

bool keeps_frames(const std::function<void(Object&)>& change) {
  const ChangeSet set = diff_after(change);
  CHECK(set.objects == std::vector<Id>{kBall});
  CHECK(set.look == (set.first_frame == kNoFrame));
  return set.look;
}

}  // namespace

TEST_CASE("Lists are written readably and compactly", "[lists]") {
  const std::string text = scene_to_text(full_scene());
  const auto has = [&](const std::string& piece) {
    INFO(text);
    CHECK(text.find(piece) != std::string::npos);
  };
  has("\"metaballs\": {\n          \"primitives\": [\n"
      "            {\"id\": 1, \"name\": \"Head\", \"centre\": [0, 1, 0]},\n"
      "            {\"id\": 2, \"radii\": [0.75, 0.5, 0.5]}\n          ]\n        }");
  has("\"name\": \"Fine\",\n        \"kind\": \"strung\",");
  has("\"nodes\": [\n            [0, 0, 0, 1, 1],\n            [1, 0, 0, 2],\n            [0, 1, 0],\n");
  has("\"springs\": [\n            [0, 1], [0, 2], [0, 3, 2], [1, 2], [1, 3], [2, 3, 1, 1, 0.25]\n          "
      "]");
  has("\"tetrahedra\": [\n            [0, 1, 2, 3]\n          ]");
  has("\"poses\": [\n          {\n            \"id\": 3,\n            \"name\": \"Lean\",\n            \"nodes\": "
      "[\n              [0], [0.25], [0, 0.5], [0.5, 0, -0.25]\n            ]\n          }");
  has("\"pose_groups\": [\n          [1, 2], [3, 1]\n        ]");
  has("{\"id\": 2, \"name\": \"Neck\", \"parent\": 1, \"head\": [0, 0.5, 0], \"tail\": [0, 1, 0]}");
  has("[4, 1, 0.1], [4, 2, 0.9], [7, 1, 1]");
  has("\"start\": [\n          [0.125, 0, 0, 0, 2], [0, 0.25, 0]\n        ]");
  has("\"other_analyses\": [\n        {\n          \"name\": \"Coarse\",\n          \"kind\": "
      "\"octahedron\",");
  // Nothing of what is as by default.
  const std::string plain = scene_to_text(test::plain_scene());
  for (const char* key : {"metaballs", "strung", "poses", "pose_groups", "mapping", "other_analyses", "part_materials",
                          "start", "mesh.settings", "\"settings\": {\n          \"up\""})
    CHECK(plain.find("\"" + std::string(key)) == std::string::npos);
  // Many numbers fill lines that are not too long.
  const Scene many = with_object(full_scene(), kBall, [](Object& o) {
    for (std::uint32_t i = 100; i < 1100; ++i) o.mapping.painted.push_back({1, i, 0.25f});
  });
  const std::string longer = scene_to_text(many);
  CHECK(std::count(longer.begin(), longer.end(), '\n') - std::count(text.begin(), text.end(), '\n') < 200);
  std::size_t start = 0;
  for (std::size_t end = 0; (end = longer.find('\n', start)) != std::string::npos; start = end + 1)
    CHECK(end - start < 160);
}

TEST_CASE("A scene full of lists comes back to the bit", "[lists]") {
  const Scene scene = full_scene();
  const Result<Scene> read = scene_from_text(scene_to_text(scene), "");
  REQUIRE(read.ok());
  CHECK(read.diagnostics().empty());
  const Object& o = ball_of(*read);
  CHECK(same_lists(o, ball_of(scene)));
  CHECK(*o.analysis.strung == *ball_of(scene).analysis.strung);
  CHECK(o.mapping == ball_of(scene).mapping);
  CHECK(o.display.metaballs == ball_of(scene).display.metaballs);
  CHECK(o.other_analyses[0].name == "Coarse");
  CHECK(simulation_signature(*read) == simulation_signature(scene));
  CHECK(diff(scene, *read, {}).empty());
}

TEST_CASE("Weights of single precision come back to the bit", "[lists]") {
  test::Dice dice(8);
  const Scene scene = with_object(full_scene(), kBall, [&](Object& o) {
    o.mapping.painted.clear();
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      float weight = static_cast<float>(dice.unit());
      if (i % 3 == 0) weight = std::bit_cast<float>(static_cast<std::uint32_t>(mix64(i) % 0x3f800000u));
      o.mapping.painted.push_back({1, i, weight});
    }
    o.mapping.painted[7].weight = -0.0f;
    o.mapping.painted[8].weight = 1.0f;
  });
  REQUIRE(validate(scene).empty());
  const Result<Scene> read = scene_from_text(scene_to_text(scene), "");
  REQUIRE(read.ok());
  CHECK(same_lists(ball_of(*read), ball_of(scene)));
}

TEST_CASE("Lists as large as people make them load", "[lists]") {
  const Scene scene = with_object(full_scene(), kBall, [&](Object& o) {
    StrungTruss truss;
    test::Dice dice(3);
    for (std::uint32_t i = 0; i < 3'000; ++i) {
      const double x = i;
      for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
        truss.nodes.push_back({corner * (0.1 + dice.unit()) + Vec3(2 * x, 0, 0), 0.5 + dice.unit(), i % 100 == 0});
      for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = a + 1; b < 4; ++b) truss.springs.push_back({4 * i + a, 4 * i + b, dice.unit() + 0.1});
      truss.tetrahedra.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
      truss.hull.push_back({4 * i, 4 * i + 2, 4 * i + 1});
    }
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    for (std::uint32_t i = 10; i < 100'000; ++i) o.mapping.painted.push_back({1 + i % 2, i, 0.3f});
  });
  const std::string text = scene_to_text(scene);
  CHECK(text.size() < 5'000'000);
  const Result<Scene> read = scene_from_text(text, "");
  if (!read.ok()) FAIL(to_string(read.error()));
  CHECK(same_lists(ball_of(*read), ball_of(scene)));
}

TEST_CASE("Wrong lists in a file name the place", "[lists][bad_input]") {
  const std::string ball = "objects[1] \"Ball\" ", strung = ball + "analysis.strung.";
  CHECK(told("[0, 3, 2], [1, 2]", "[0], [1, 2]") ==
        strung +
            "springs[2]: Expected 2 to 5 numbers, [a, b, stiffness, damping, cross-section], found a list of 1 "
            "entries.");
  CHECK(told("[0, 3, 2], [1, 2]", "7, [1, 2]").starts_with(strung + "springs[2]: Expected 2 to 5 numbers"));
  CHECK(told("[0, 3, 2], [1, 2]", "[0, \"a\"], [1, 2]").starts_with(strung + "springs[2]: Expected 2 to 5 numbers"));
  CHECK(told("[0, 3, 2], [1, 2]", "[0, 3, 1, 1, 1, 1], [1, 2]").starts_with(strung + "springs[2]: Expected"));
  CHECK(told("[0, 3, 2], [1, 2]", "[0, 3, -2], [1, 2]") == strung + "springs[2]: Stiffness must be above 0.");
  CHECK(told("[0, 3, 2], [1, 2]", "[0, 3.5], [1, 2]") == strung + "springs[2]: Node b must be a whole number.");
  CHECK(told("[0, 3, 2], [1, 2]", "[0, 3e20], [1, 2]") == strung + "springs[2]: Node b must be at most 4294967295.");
  CHECK(told("[0, 3, 2], [1, 2]", "[-1, 3], [1, 2]") == strung + "springs[2]: Node a must be at least 0.");
  CHECK(told("[0, 3, 2], [1, 2]", "[0, 9], [1, 2]") ==
        strung + "springs[2]: The spring joins nodes 0 and 9, but there are only 4 nodes.");
  CHECK(told("[0, 1, 0],\n", "[0, 1, 1e300],\n") == strung + "nodes[2]: Z must be at most 1000000000.");
  CHECK(told("[0, 1, 0],\n", "[0, 1, 0, 1, 2],\n") == strung + "nodes[2]: Pinned must be at most 1.");
  CHECK(told("[0, 1, 2, 3]\n", "[0, 1, 2]\n").starts_with(strung + "tetrahedra[0]: Expected 4 numbers, [a, b, c, d]"));
  CHECK(told("[0.125, 0, 0, 0, 2]", "[0.125, 0]").starts_with(ball + "body.start[0]: Expected 3 to 6 numbers"));
  CHECK(told("[0.125, 0, 0, 0, 2]", "[0.125, 0, 0, 0, 2e5]") == ball + "body.start[0]: Vy must be at most 100000.");
  CHECK(told("[0, 1, 0.0625]", "[0]").starts_with(ball + "body.start_springs[0]: Expected 2 to 4 numbers"));
  CHECK(told("[0, 1, 0.0625]", "[0, 1, 2000]") == ball + "body.start_springs[0]: Longer must be at most 1000.");
  CHECK(told("[0, 3, 0, 1]", "[0, 3, 0, 0.5]") == ball + "body.start_springs[1]: Broken must be a whole number.");
  CHECK(told("[4, 1, 0.1]", "[4, 1, 1.5]") == ball + "mapping.painted[0]: Weight must be at most 1.");
  CHECK(told("{\"id\": 1, \"name\": \"Head\"", "{\"id\": 0, \"name\": \"Head\"") ==
        ball +
            "display.metaballs.primitives[0] \"Head\" id: Expected a whole number above 0, found the number "
            "0.");
  CHECK(told("{\"id\": 1, \"name\": \"Head\"", "{\"id\": 1e10, \"name\": \"Head\"")
            .starts_with(ball + "display.metaballs.primitives[0] \"Head\" id: Expected"));
  CHECK(told("{\"id\": 1, \"name\": \"Head\"", "{\"name\": \"Head\"") ==
        ball + "display.metaballs.primitives[0] \"Head\" id: The id is missing.");
  CHECK(told("\"radii\": [0.75, 0.5, 0.5]", "\"radii\": [0.75, 0, 0.5]") ==
        ball + "display.metaballs.primitives[1] radii: Radii must be at least 1e-06 m.");
  CHECK(told("\"radii\": [0.75, 0.5, 0.5]", "\"radii\": 3")
            .starts_with(ball + "display.metaballs.primitives[1] radii: Expected 3 numbers"));
  CHECK(told("\"name\": \"Coarse\",", "\"name\": \"Fine\",") ==
        ball + "other_analyses[0] \"Fine\" name: Two analysis models of this object are called \"Fine\".");
  CHECK(told("\"name\": \"Coarse\",", "\"name\": \"Coarse\", \"strung\": {\"nodes\": [[1]]},") ==
        ball +
            "other_analyses[0] \"Coarse\" strung.nodes[0]: Expected 3 to 5 numbers, [x, y, z, mass, pinned], "
            "found a "
            "list of 1 entries.");
  CHECK(told("\"nodes\": [", "\"nodes\": 5, \"rest\": [").starts_with(strung + "nodes: Expected a list of rows"));
  CHECK(told("\"primitives\": [", "\"primitives\": {}, \"rest\": [")
            .starts_with(ball + "display.metaballs.primitives: Expected a list of blocks"));
}

TEST_CASE("Lists that are too long are refused, however many entries they claim", "[lists][bad_input]") {
  const auto many = [](const std::string& entry, int count) {
    std::string text;
    text.reserve(entry.size() * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) text += entry;
    return text;
  };
  const std::string ball = "objects[1] \"Ball\" ";
  CHECK(told("\"nodes\": [", "\"nodes\": [" + many("[0, 0, 0], ", 20'000)) ==
        ball + "analysis.strung.nodes: There are 20004 nodes; at most 20000 are possible.");
  CHECK(told("\"hull\": [", "\"hull\": [" + many("[0, 0, 0],", 100'000)).find("at most 100000 are possible") !=
        std::string::npos);
  CHECK(told("[4, 1, 0.1]", many("[0,0,0],", 400'000) + "[4, 1, 0.1]").find("at most 400000 are possible") !=
        std::string::npos);
  CHECK(told("[4, 1, 0.1]", many("[0,0,0],", test::rounds(3'000'000, 700'000)) + "[4, 1, 0.1]")
            .find("more than 2000000 values") != std::string::npos);
  CHECK(told("[4, 1, 0.1]", many("[[]],", test::rounds(3'000'000, 2'000'100)) + "[4, 1, 0.1]")
            .find("more than 2000000 values") != std::string::npos);
  CHECK(told("{\"id\": 1, \"name\": \"Head\"", many("{\"id\": 9}, ", 4'096) + "{\"id\": 1, \"name\": \"Head\"") ==
        ball + "display.metaballs.primitives: There are 4098 metaballs; at most 4096 are possible.");
}

TEST_CASE("Trusses that cannot be", "[lists][validate]") {
  CHECK(refused([](Object& o) { o.analysis.strung = nullptr; }) ==
        "analysis.strung: A truss strung by hand needs nodes and springs.");
  CHECK(refused([](Object& o) { o.analysis.strung = std::make_shared<const StrungTruss>(); }) ==
        "analysis.strung.nodes: A truss strung by hand needs at least 2 nodes.");
  const std::string springs = "analysis.strung.springs";
  CHECK(refused_truss([](StrungTruss& t) {
          t.springs[2] = {3, 0};
        }) == springs + "[2]: The spring joins nodes 3 and 0: the first must be the lower one.");
  CHECK(refused_truss([](StrungTruss& t) {
          t.springs[2] = {2, 2};
        }).find("the first must be the lower one") != std::string::npos);
  CHECK(refused_truss([](StrungTruss& t) { t.springs[1] = t.springs[0]; }) ==
        springs + "[1]: Two springs join nodes 0 and 1.");
  CHECK(refused_truss([](StrungTruss& t) { std::swap(t.springs[0], t.springs[1]); }) ==
        springs + "[1]: The springs must be in ascending order of their nodes.");
  CHECK(refused_truss([](StrungTruss& t) { t.springs.back().b = 4; }) ==
        springs + "[5]: The spring joins nodes 2 and 4, but there are only 4 nodes.");
  CHECK(refused_truss([](StrungTruss& t) { t.springs[0].stiffness = 0; }) ==
        springs + "[0]: Stiffness must be above 0.");
  CHECK(refused_truss([](StrungTruss& t) { t.springs[0].damping = -1; }) ==
        springs + "[0]: Damping must be at least 0.");
  CHECK(refused_truss([](StrungTruss& t) { t.springs[0].cross_section = HUGE_VAL; }) ==
        springs + "[0]: Cross-section must be a finite number.");
  CHECK(refused_truss([](StrungTruss& t) { t.nodes[1].mass = 0; }) ==
        "analysis.strung.nodes[1]: Mass must be above 0.");
  CHECK(refused_truss([](StrungTruss& t) { t.nodes[1].position.y() = std::nan(""); }) ==
        "analysis.strung.nodes[1]: Y must be a finite number.");
  CHECK(refused_truss([](StrungTruss& t) {
          t.tetrahedra.clear();
          t.nodes[1].position = t.nodes[0].position;
        }) == springs + "[0]: The spring has no length: nodes 0 and 1 are at the same place.");
  CHECK(refused_truss([](StrungTruss& t) { t.hull[3][2] = 4; }) ==
        "analysis.strung.hull[3]: The triangle has node 4, but there are only 4 nodes.");
  CHECK(refused_truss([](StrungTruss& t) {
          t.hull[3] = {1, 2, 1};
        }) == "analysis.strung.hull[3]: The triangle has node 1 twice.");
  CHECK(refused_truss([](StrungTruss& t) {
          t.tetrahedra[0] = {0, 2, 1, 3};
        }) == "analysis.strung.tetrahedra[0]: The tetrahedron has no positive volume.");
  CHECK(refused_truss([](StrungTruss& t) { t.tetrahedra[0][1] = 77; }) ==
        "analysis.strung.tetrahedra[0]: The tetrahedron has node 77, but there are only 4 nodes.");
  const std::string cells = "analysis.strung.cells";
  CHECK(refused_truss([](StrungTruss& t) {
          t.cells = {{0, 0}, {0, 1}, {0, 2}, {0, 4}};
        }) == cells + "[3]: The cell has node 4, but there are only 4 nodes.");
  CHECK(refused_truss([](StrungTruss& t) {
          t.cells = {{0, 0}, {0, 1}, {0, 2}};
        }) == cells + "[2]: The cell has fewer than four nodes.");
  const std::string order = "Cells and their nodes must be in ascending order, cells counted from 0 on.";
  CHECK(refused_truss([](StrungTruss& t) { t.cells = {{1, 0}, {1, 1}, {1, 2}, {1, 3}}; }) == cells + "[0]: " + order);
  CHECK(refused_truss([](StrungTruss& t) {
          t.cells = {{0, 0}, {0, 1}, {0, 1}, {0, 2}, {0, 3}};
        }) == cells + "[2]: " + order);
  CHECK(refused_truss([](StrungTruss& t) {
          t.cells = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {2, 0}};
        }) == cells + "[4]: " + order);
  CHECK(refused_truss([](StrungTruss& t) { t.nodes.resize(20'001, {Vec3(5, 5, 5)}); }) ==
        "analysis.strung.nodes: There are 20001 nodes; at most 20000 are possible.");
}

TEST_CASE("Skeletons, groups, materials and analysis models that cannot be", "[lists][validate]") {
  CHECK(refused([](Object& o) { o.display.metaballs.primitives[1].id = 1; }) ==
        "display.metaballs.primitives[1] id: The id 1 is already that of entry 0.");
  CHECK(refused([](Object& o) { o.display.metaballs.primitives[1].id = 0; }) ==
        "display.metaballs.primitives[1] id: The id must not be 0.");
  CHECK(refused([](Object& o) { o.mapping.bones[1].id = 1; }) ==
        "mapping.bones[1] id: The id 1 is already that of entry 0.");
  CHECK(refused([](Object& o) { o.mapping.bones[1].parent = 9; }) ==
        "mapping.bones[1] parent: The bone hangs on bone 9, which is not there.");
  CHECK(refused([](Object& o) { o.mapping.bones[0].parent = 2; }) ==
        "mapping.bones[0] parent: The bone hangs on itself.");
  CHECK(refused([](Object& o) { o.mapping.bones[0].parent = 1; }) ==
        "mapping.bones[0] parent: The bone hangs on itself.");
  CHECK(refused([](Object& o) { o.mapping.bones[1].tail = o.mapping.bones[1].head; }) ==
        "mapping.bones[1] tail: The bone has no length.");
  CHECK(refused([](Object& o) { o.mapping.painted[1].bone = 5; }) ==
        "mapping.painted[1]: The weight is of bone 5, which is not there.");
  CHECK(refused([](Object& o) {
          std::swap(o.mapping.painted[0], o.mapping.painted[1]);
        }).starts_with("mapping.painted[1]: The weights must be in ascending order"));
  CHECK(refused([](Object& o) { o.part_materials.push_back(o.part_materials[0]); }) ==
        "part_materials[1] part: The part \"Eyes\" has two materials.");
  CHECK(refused([](Object& o) { o.other_analyses[0].name = "Fine"; }) ==
        "other_analyses[0] \"Fine\" name: Two analysis models of this object are called \"Fine\".");
  CHECK(refused([](Object& o) { o.other_analyses[0].kind = AnalysisKind::none; }).find("needs a shape") !=
        std::string::npos);
  CHECK(refused([](Object& o) { o.other_analyses[0].kind = AnalysisKind::strung; }) ==
        "other_analyses[0] \"Coarse\" strung: A truss strung by hand needs nodes and springs.");
  CHECK(refused([](Object& o) {
          o.mapping.kind = MappingKind::embedding;
          change_truss(o, [](StrungTruss& t) { t.tetrahedra.clear(); });
        }) == "mapping.kind: A mapping by embedding needs an analysis model of tetrahedra.");
  // A long chain of bones is no loop.
  const Scene chain = with_object(full_scene(), kBall, [](Object& o) {
    for (std::uint32_t id = 3; id <= 900; ++id) {
      Bone bone;
      bone.id = id;
      bone.parent = id - 1;
      o.mapping.bones.insert(o.mapping.bones.begin(), bone);
    }
  });
  CHECK(validate(chain).empty());
}

TEST_CASE("Every range of the tables of entries is enforced", "[lists][validate]") {
  const auto check = []<class Entry>(std::span<const Field<Entry>> table, const std::string& list,
                                     Entry& (*entry)(Object&)) {
    for (const Field<Entry>& field : table) {
      INFO(list << " " << field.path);
      std::vector<FieldValue> bad;
      if (field.type == FieldType::number) bad = {std::nextafter(field.high, HUGE_VAL), std::nan("")};
      if (field.type == FieldType::vector || field.type == FieldType::colour) bad = {Vec3(1, 1, std::nan(""))};
      if (field.type == FieldType::text) bad = {std::string(300, 'x')};
      if (field.type == FieldType::text && field.low > 0) bad.emplace_back(std::string());
      if (field.type == FieldType::rotation) bad = {Quat(0, 0, 0, 0)};
      for (const FieldValue& value : bad) {
        const std::string said = refused([&](Object& o) { field.set(entry(o), value); });
        CHECK(said.starts_with(list));
        CHECK(said.find(std::string(field.path) + ": " + std::string(field.label) + " must") != std::string::npos);
      }
    }
  };
  check(
      metaball_fields(), "display.metaballs.primitives[1]",
      +[](Object& o) -> MetaballPrimitive& { return o.display.metaballs.primitives[1]; });
  check(
      bone_fields(), "mapping.bones[1]", +[](Object& o) -> Bone& { return o.mapping.bones[1]; });
  check(
      part_material_fields(), "part_materials[0]", +[](Object& o) -> PartMaterial& { return o.part_materials[0]; });
  check(
      analysis_fields(), "other_analyses[0]", +[](Object& o) -> AnalysisModel& { return o.other_analyses[0]; });
}

TEST_CASE("What of the lists drops frames", "[lists][diff]") {
  // The skeleton is not what maps here, nor are the other analysis models what moves.
  CHECK(keeps_frames([](Object& o) { o.mapping.bones.pop_back(), o.mapping.painted.clear(); }));
  CHECK(keeps_frames([](Object& o) { o.other_analyses.clear(); }));
  CHECK(keeps_frames([](Object& o) { o.other_analyses[0].size = Vec3(3, 3, 3); }));
  CHECK(keeps_frames([](Object& o) { o.analysis.name = "Other"; }));
  CHECK(keeps_frames([](Object& o) { o.analysis.divisions = {3, 3, 3}; }));  // it is strung
  CHECK(keeps_frames([](Object& o) { o.part_materials[0].material.surface.diffuse = Vec3(1, 0, 0); }));
  CHECK(keeps_frames([](Object& o) { o.part_materials.clear(); }));
  CHECK(keeps_frames([](Object& o) { o.display.metaballs.preview_tolerance = 0.05; }));
  CHECK(keeps_frames([](Object& o) { o.display.metaballs.own_colours = true; }));
  CHECK(keeps_frames([](Object& o) { o.display.metaballs.primitives[0].surface.diffuse = Vec3(1, 0, 0); }));
  CHECK(keeps_frames([](Object& o) { o.display.metaballs.primitives[0].name = "Skull"; }));
  CHECK(keeps_frames([](Object& o) { o.mapping.kind = MappingKind::embedding; }));  // as automatic does with cells

  const auto drops = [](const std::function<void(Object&)>& change) { return !keeps_frames(change); };
  CHECK(drops([](Object& o) { o.display.metaballs.final_tolerance = 0.05; }));
  CHECK(drops([](Object& o) { o.display.metaballs.primitives[0].weight = 2; }));
  CHECK(drops([](Object& o) { o.display.metaballs.primitives.pop_back(); }));
  CHECK(drops([](Object& o) { o.mapping.kind = MappingKind::linear; }));
  CHECK(drops([](Object& o) { change_truss(o, [](StrungTruss& t) { t.nodes[2].pinned = true; }); }));
  CHECK(drops([](Object& o) { change_truss(o, [](StrungTruss& t) { t.springs[2].damping = 3; }); }));
  CHECK(drops([](Object& o) { change_truss(o, [](StrungTruss& t) { t.hull.clear(); }); }));
  // Poses are read of what bends, examples alone.
  CHECK(keeps_frames([](Object& o) { o.analysis.poses[0].name = "Sway"; }));
  CHECK(keeps_frames([](Object& o) { o.analysis.poses[1].nodes[1].shift.y() = 0.5; }));
  CHECK(keeps_frames([](Object& o) { o.analysis.poses.pop_back(); }));
  const bool bends = body_kind(ball_of(full_scene()).body.kind).deforms;
  CHECK(drops([](Object& o) { o.analysis.poses[0].nodes[1].shift.y() = 0.5; }) == bends);
  CHECK(drops([](Object& o) { o.analysis.poses[0].example = false; }) == bends);
  CHECK(drops([](Object& o) { o.analysis.poses[1].example = true; }) == bends);
  CHECK(drops([](Object& o) { o.analysis.pose_groups.pop_back(); }) == bends);
  CHECK(drops([](Object& o) { o.body.start.clear(); }) == body_kind(ball_of(full_scene()).body.kind).deforms);
  CHECK(drops([](Object& o) { o.body.start_springs.clear(); }) == bends);

  // With a skeleton that maps, its bones and weights count, their names do not.
  const Scene skinned = with_object(full_scene(), kBall, [](Object& o) { o.mapping.kind = MappingKind::skeleton; });
  const auto first = [&](const std::function<void(Object&)>& change) {
    return diff(skinned, with_object(skinned, kBall, change), [](const Cause&) { return 37; }).first_frame;
  };
  CHECK(first([](Object& o) { o.mapping.bones[0].radius = 2; }) == 0);
  CHECK(first([](Object& o) { o.mapping.painted[0].weight = 0.25f; }) == 0);
  CHECK(first([](Object& o) { o.mapping.bones[0].name = "Back"; }) == kNoFrame);
  CHECK(first([](Object& o) { o.mapping.lattice = {2, 2, 2}; }) == kNoFrame);
  // Equal trusses at another place of memory are no change.
  CHECK(diff_after([](Object& o) { change_truss(o, [](StrungTruss&) {}); }).empty());
}

TEST_CASE("Every row of an entry is seen by diff, and acts as the table says", "[lists][diff]") {
  const auto check = []<class Entry>(std::span<const Field<Entry>> table, Entry& (*entry)(Object&)) {
    test::Dice dice(4);
    INFO("seed 4");
    const Scene before = with_object(full_scene(), kBall, [](Object& o) { o.mapping.kind = MappingKind::skeleton; });
    for (const Field<Entry>& field : table) {
      INFO(field.path);
      const Scene after =
          with_object(before, kBall, [&](Object& o) { field.set(entry(o), test::other_value(dice, field, entry(o))); });
      const ChangeSet change = diff(before, after, [](const Cause&) { return 37; });
      CHECK(change.objects == std::vector<Id>{kBall});
      CHECK(change.simulation == (simulation_signature(before) != simulation_signature(after)));
      if (field.effect == Effect::look) CHECK_FALSE(change.simulation);
    }
  };
  check(
      metaball_fields(), +[](Object& o) -> MetaballPrimitive& { return o.display.metaballs.primitives[1]; });
  check(
      bone_fields(), +[](Object& o) -> Bone& { return o.mapping.bones[1]; });
  check(
      part_material_fields(), +[](Object& o) -> PartMaterial& { return o.part_materials[0]; });
  check(
      analysis_fields(), +[](Object& o) -> AnalysisModel& { return o.other_analyses[0]; });
}

TEST_CASE("Parameters of a solver: kept under its name, read by its bodies only", "[lists][parameters]") {
  const Scene plain = with_object(full_scene(), kBall, [](Object& o) {
    o.body.kind = BodyKind::flexible;
    o.body.solver = "lagrange";
    o.body.parameters.clear();
  });
  const auto with = [&](std::vector<SolverParameter> parameters) {
    return with_object(plain, kBall, [&](Object& o) {
      for (SolverParameter& p : parameters) set_parameter(o.body.parameters, std::move(p));
    });
  };
  const auto first = [](const Scene& before, const Scene& after) {
    return diff(before, after, [](const Cause&) { return 37; }).first_frame;
  };
  CHECK(first(plain, with({{"lagrange", "beta", "1/6"}})) == 0);
  CHECK(first(with({{"lagrange", "a", "", 1}}), with({{"lagrange", "a", "", 2}})) == 0);
  CHECK(first(plain, with({{"other", "count", "", 3}})) == kNoFrame);
  CHECK_FALSE(diff(plain, with({{"other", "count", "", 3}}), {}).empty());

  // Whatever solver and names there are, in order, on one line each, back to the bit.
  const Scene scene =
      with({{"other", "count", "", 0.1}, {"lagrange", "beta", "1/6"}, {"lagrange", "of the future", "", -0.0}});
  const std::string text = scene_to_text(scene);
  CHECK(text.find("{\"solver\": \"lagrange\", \"name\": \"beta\", \"word\": \"1/6\"}") != std::string::npos);
  CHECK(text.find("{\"solver\": \"other\", \"name\": \"count\", \"number\": 0.1}") != std::string::npos);
  const auto read = scene_from_text(text, ".");
  REQUIRE(read.ok());
  CHECK(find_object(*read, kBall)->body.parameters == find_object(scene, kBall)->body.parameters);
  CHECK(scene_to_text(*read) == text);

  const std::string twice = refused([](Object& o) { o.body.parameters = {{"a", "b"}, {"a", "b"}}; });
  CHECK(twice.find("body.parameters[1] name") != std::string::npos);
  CHECK(twice.find("twice") != std::string::npos);
  CHECK(refused([](Object& o) { o.body.parameters = {{"b", "a"}, {"a", "b"}}; }).find("order") != std::string::npos);
  CHECK(refused([](Object& o) { o.body.parameters = {{"", "b"}}; }).find("Solver must") != std::string::npos);
  CHECK(refused([](Object& o) {
          o.body.parameters = {{"a", "b", "", HUGE_VAL}};
        }).find("Number must") != std::string::npos);
}

TEST_CASE("Scenes from before solvers had parameters of their own still mean the same", "[scene_io][parameters]") {
  const auto read = [](const std::string& body) {
    return scene_from_text(
        "{\"format\": \"hazumi scene\", \"version\": 1, \"objects\": [{\"id\": 1, \"name\": \"Ball\", "
        "\"body\": {" +
            body + "}}]}",
        ".");
  };
  const auto defaults = read("\"method\": \"factored\", \"beta\": \"1/4\"");
  REQUIRE(defaults.ok());
  CHECK(defaults.diagnostics().empty());
  CHECK(defaults->objects[0]->body.parameters.empty());
  const auto other = read("\"method\": \"fixed point\", \"beta\": \"1/6\"");
  REQUIRE(other.ok());
  CHECK(other.diagnostics().empty());
  CHECK(other->objects[0]->body.parameters ==
        SolverParameters{{"lagrange", "beta", "1/6"}, {"lagrange", "method", "fixed point"}});
  const std::string saved = scene_to_text(*other);
  CHECK(saved.find("\"method\":") == std::string::npos);
  CHECK(scene_from_text(saved, ".")->objects[0]->body.parameters == other->objects[0]->body.parameters);
  CHECK_FALSE(read("\"method\": 4").ok());
}

TEST_CASE("Random edits of lists: what diff says is what the signature says", "[lists][diff]") {
  test::Dice dice(23);
  INFO("seed 23");
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Object a = test::random_object(dice, kBall);
    Object b = a;
    // Another object's lists, one at a time.
    const Object other = test::random_object(dice, kBall);
    visit_lists(std::type_identity<Object>{}, [&]<class Entry>(const List<Object, Entry>& list) {
      if (dice.below(4) == 0) list.set(b, list.get(other));
    });
    Scene before, after;
    before.objects = {a};
    after.objects = {b};
    const ChangeSet there = diff(before, after, {}), back = diff(after, before, {});
    CHECK(there.empty() == same_lists(a, b));
    CHECK(there.objects == back.objects);
    CHECK(there.simulation == (simulation_signature(before) != simulation_signature(after)));
    if (there.empty()) CHECK_FALSE(there.simulation);
  }
}

}  // namespace hazumi::lists_test
