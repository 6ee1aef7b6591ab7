// Keys that the program does not know survive loading, editing and saving: where they stood, as they were written.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/variants.h"
#include "tests/scene/random_scene.h"
#include "tests/support/sanitized.h"

namespace hazumi::kept_keys_test {

namespace {

using Json = nlohmann::ordered_json;

/// JSON as other programs write it: numbers that no double holds, escapes, blocks in blocks, odd white space.
std::string random_json(test::Dice& dice, int depth = 0) {
  static const std::vector<std::string> kLeaves = {"null",
                                                   "true",
                                                   "false",
                                                   "0.10",
                                                   "-0",
                                                   "1e3",
                                                   "1.50E-7",
                                                   "12345678901234567890",
                                                   "-42",
                                                   "\"\"",
                                                   "\"a\\\"b\\\\\"",
                                                   "\"\\\\\\\\\"",
                                                   "\"\\u00e9 {[\"",
                                                   "\"日本\"",
                                                   "[]",
                                                   "{}"};
  const auto kind = depth < 3 ? dice.below(4) : 0;
  if (kind < 2) return kLeaves[static_cast<std::size_t>(dice.below(std::ssize(kLeaves)))];
  std::string text = kind == 2 ? "[" : "{";
  for (std::int64_t i = 0, n = dice.below(4); i < n; ++i) {
    if (i > 0) text += dice.coin() ? "," : " ,\n ";
    if (kind == 3) text += "\"k" + std::to_string(i) + (dice.coin() ? "\": " : "\" :");
    text += random_json(dice, depth + 1);
  }
  return text + (kind == 2 ? "]" : dice.coin() ? "}" : " }");
}

std::string placeholder(std::size_t number) { return "@" + std::to_string(number) + "@"; }

/// Puts keys at random places of every block of known things. Their values are placeholders.
void sprinkle(Json& node, test::Dice& dice, std::size_t& count) {
  if (node.is_array())
    for (Json& item : node) sprinkle(item, dice, count);
  if (!node.is_object()) return;
  Json changed = Json::object();
  const auto add = [&] {
    if (dice.below(6) != 0) return;
    changed["what.ever " + std::to_string(count)] = placeholder(count);
    ++count;
  };
  for (auto& [key, item] : node.items()) {
    sprinkle(item, dice, count);
    if (key != "format" && key != "version" && key != "id") add();  // these come first, whatever there is
    changed[key] = item;
  }
  add();
  node = changed;
}

std::string with_values(std::string text, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string wanted = "\"" + placeholder(i) + "\"";
    text.replace(text.find(wanted), wanted.size(), values[i]);
  }
  return text;
}

Scene read(const std::string& text) {
  Result<Scene> scene = scene_from_text(text, "/nonexistent");
  REQUIRE(scene.ok());
  return std::move(scene).value();
}

constexpr const char* kHead = "{\"format\": \"hazumi scene\", \"version\": 1";

}  // namespace

TEST_CASE("Random unknown keys survive load, edit and save, in place and as they were written", "[kept]") {
  std::size_t all = 0;
  const auto most = static_cast<std::uint64_t>(test::rounds(60, 15));
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    INFO("seed " << seed);
    test::Dice dice(seed);
    Json file = Json::parse(scene_to_text(test::random_scene(seed, 3)));
    std::size_t count = 0;
    sprinkle(file, dice, count);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(random_json(dice));
    const std::string text = with_values(file.dump(dice.coin() ? 1 : -1), values);

    const Scene loaded = read(text);
    const std::string saved = scene_to_text(loaded);
    CHECK(Json::parse(saved).dump() == Json::parse(text).dump());
    for (std::size_t i = 0; i < count; ++i)
      CHECK(saved.find("\"what.ever " + std::to_string(i) + "\": " + values[i]) != std::string::npos);
    CHECK(scene_to_text(read(saved)) == saved);

    // An edit changes what it changes and nothing else.
    const Id id = loaded.objects[1]->id;
    Scene edited = with_object(loaded, id, [](Object& o) { o.name = "Edited", o.body.damping = 0.125; });
    edited.settings.substeps = edited.settings.substeps == 5 ? 6 : 5;
    Json expected = Json::parse(text);
    expected["objects"][1]["name"] = "Edited";
    expected["objects"][1]["body"]["damping"] = 0.125;
    expected["settings"]["substeps"] = edited.settings.substeps;
    CHECK(Json::parse(scene_to_text(edited)).dump() == expected.dump());
    all += count;
  }
  CHECK(all > 33 * most);
}

TEST_CASE("What is kept is no part of a run, and goes with copies", "[kept]") {
  const std::string text =
      std::string(kHead) + ", \"objects\": [{\"id\": 1, \"name\": \"A\", \"new\": [1, 2], \"body\": {\"aim\": 3}}]}";
  const Scene scene = read(text);
  const Scene bare = read(std::string(kHead) + ", \"objects\": [{\"id\": 1, \"name\": \"A\"}]}");
  CHECK(simulation_signature(scene) == simulation_signature(bare));
  CHECK_FALSE(diff(bare, scene, {}).simulation);
  Scene twice = scene;
  Object copy = *scene.objects[0];
  copy.id = Id{2};
  copy.name = "B";
  twice.objects.push_back(copy);
  const Json saved = Json::parse(scene_to_text(twice));
  CHECK(saved["objects"][1]["new"].dump() == "[1,2]");
  CHECK(saved["objects"][1]["body"]["aim"] == 3);
}

TEST_CASE("What is kept of an analysis model goes with it when the object is switched", "[kept]") {
  const Scene scene = read(std::string(kHead) + R"(, "objects": [{"id": 1, "name": "A",
    "analysis": {"name": "Fine", "kind": "octahedron", "grain": 1.50},
    "other_analyses": [{"name": "Coarse", "kind": "icosahedron", "grain": 7}]}]})");
  const Scene coarse = with_object(scene, Id{1}, [](Object& o) { CHECK(use_variant(o, "Coarse")); });
  const std::string text = scene_to_text(coarse);
  const Json object = Json::parse(text)["objects"][0];
  CHECK(object["analysis"]["name"] == "Coarse");
  CHECK(object["analysis"]["grain"] == 7);
  CHECK(object["other_analyses"][0]["grain"] == 1.5);
  CHECK(text.find("\"grain\": 1.50") != std::string::npos);
  CHECK(scene_to_text(with_object(coarse, Id{1}, [](Object& o) { use_variant(o, "Fine"); })) == scene_to_text(scene));
}

TEST_CASE("A newer minor version is read, told once and written back", "[kept]") {
  const std::string text =
      std::string(kHead) +
      ", \"minor\": 3, \"wishes\": [{\"id\": 9}], \"objects\": [{\"id\": 1, \"name\": \"A\", \"x\": {}}]}";
  const Result<Scene> scene = scene_from_text(text, "");
  REQUIRE(scene.ok());
  REQUIRE(scene.diagnostics().size() == 1);
  CHECK(scene.diagnostics()[0].severity == Severity::warning);
  CHECK(scene.diagnostics()[0].path == "minor");
  CHECK(scene.diagnostics()[0].message ==
        "This scene was made by a newer Hazumi (format 1.3; this program knows 1." + std::to_string(kSceneMinor) +
            "). What it adds is kept and saved again, but it is neither shown nor simulated.");
  const std::string saved = scene_to_text(*scene);
  CHECK(saved.starts_with(
      "{\n  \"format\": \"hazumi scene\",\n  \"version\": 1,\n  \"minor\": 3,\n  \"wishes\": [{\"id\": 9}],\n"));
  CHECK(scene_to_text(read(saved)) == saved);
  // What this program knows, in a file of its own minor version, is not written.
  CHECK(scene_to_text(test::plain_scene()).find("\"minor\"") == std::string::npos);
  for (const char* minor : {"-1", "1.5", "\"3\"", "1e300"})
    CHECK_FALSE(scene_from_text(std::string(kHead) + ", \"minor\": " + minor + "}", "").ok());
}

}  // namespace hazumi::kept_keys_test
