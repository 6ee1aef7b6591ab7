// docs/scene.schema.json and docs/fields.md are what the field table says (HAZUMI_UPDATE=1 writes them anew),
// and the schema accepts what the program writes and refuses what it refuses.
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/scene/file/scene_io.h"
#include "core/scene/file/schema.h"
#include "tests/scene/random_scene.h"

namespace hazumi::schema_test {

namespace {

using Json = nlohmann::json;

void compare_with_file(const std::string& name, const std::string& text) {
  const std::string path = std::string(HAZUMI_SOURCE_DIR) + "/docs/" + name;
  if (std::getenv("HAZUMI_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream in(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(in), {}};
  INFO(path << " is out of date: run core_scene_tests with HAZUMI_UPDATE=1");
  CHECK(there == text);
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return value.is_number();
}

/// The keywords of JSON Schema that ours uses; any other keyword is an error of the test.
std::string problem(const Json& schema, const Json& value, const std::string& at) {
  for (const auto& [keyword, wanted] : schema.items()) {
    if (keyword == "type") {
      if (!has_type(value, wanted)) return at + ": not of type " + wanted.get<std::string>();
    } else if (keyword == "const") {
      if (value != wanted) return at + ": not " + wanted.dump();
    } else if (keyword == "enum") {
      if (std::find(wanted.begin(), wanted.end(), value) == wanted.end()) return at + ": not in the enum";
    } else if (keyword == "minimum") {
      if (value.get<double>() < wanted.get<double>()) return at + ": too small";
    } else if (keyword == "exclusiveMinimum") {
      if (value.get<double>() <= wanted.get<double>()) return at + ": too small";
    } else if (keyword == "maximum") {
      if (value.get<double>() > wanted.get<double>()) return at + ": too large";
    } else if (keyword == "minLength") {
      if (value.get<std::string>().size() < wanted.get<std::size_t>()) return at + ": too short";
    } else if (keyword == "maxLength") {
      if (value.get<std::string>().size() > wanted.get<std::size_t>()) return at + ": too long";
    } else if (keyword == "minItems") {
      if (value.size() < wanted.get<std::size_t>()) return at + ": too few";
    } else if (keyword == "maxItems") {
      if (value.size() > wanted.get<std::size_t>()) return at + ": too many";
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (auto p = problem(wanted, value[i], at + "[" + std::to_string(i) + "]"); !p.empty()) return p;
    } else if (keyword == "required") {
      for (const auto& key : wanted)
        if (!value.contains(key)) return at + ": lacks " + key.get<std::string>();
    } else if (keyword == "additionalProperties") {
      for (const auto& [key, item] : value.items())
        if (!schema["properties"].contains(key)) return at + ": unknown key " + key;
    } else if (keyword == "properties") {
      for (const auto& [key, item] : value.items())
        if (wanted.contains(key))
          if (auto p = problem(wanted[key], item, at + "." + key); !p.empty()) return p;
    } else if (keyword != "$schema" && keyword != "title" && keyword != "description" && keyword != "default") {
      return "the test does not know the keyword " + keyword;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("docs/ has the schema and the list of fields that the table gives", "[schema]") {
  compare_with_file("scene.schema.json", scene_schema());
  compare_with_file("fields.md", field_document());
}

TEST_CASE("The schema accepts what is written and refuses what is refused", "[schema]") {
  const Json schema = Json::parse(scene_schema());
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    CHECK(problem(schema, Json::parse(scene_to_text(test::random_scene(seed, 4))), "") == "");

  Json scene = Json::parse(scene_to_text(test::plain_scene()));
  const auto with = [&](const char* pointer, const Json& value) {
    Json changed = scene;
    changed[Json::json_pointer(pointer)] = value;
    return problem(schema, changed, "");
  };
  CHECK(with("/version", 7) == ".version: too large");
  CHECK(with("/objects/1/body/mass", 0) == ".objects[1].body.mass: too small");
  CHECK(with("/objects/1/body/kind", "soft") == ".objects[1].body.kind: not in the enum");
  CHECK(with("/objects/1/transform/position", {1, 2}) == ".objects[1].transform.position: too few");
  CHECK(with("/objects/1/weight", 2) == ".objects[1]: unknown key weight");
  CHECK(with("/settings/substeps", 2.5) == ".settings.substeps: not of type integer");
  // Each key of the schema is one that the program writes.
  Json written = Json::object();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Json many = Json::parse(scene_to_text(test::random_scene(seed, 30)));
    for (const auto& object : many["objects"]) written.update(object);
  }
  for (const auto& [key, item] : schema["properties"]["objects"]["items"]["properties"].items()) {
    INFO(key);
    CHECK(written.contains(key));
  }
}

}  // namespace hazumi::schema_test
