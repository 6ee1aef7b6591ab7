#include "core/scene/file/schema.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "core/scene/file/scene_io.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

using Json = nlohmann::ordered_json;

std::string shortest(double number) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Whole numbers without a point, so that 1 stays 1.
Json as_json(double number) {
  if (number == std::floor(number) && std::abs(number) < 0x1p53) return static_cast<std::int64_t>(number);
  return number;
}

Json list(std::initializer_list<double> numbers) {
  Json values = Json::array();
  for (double x : numbers) values.push_back(as_json(x));
  return values;
}

template <class Owner>
Json as_json(const Field<Owner>& field, const FieldValue& value) {
  if (field.type == FieldType::choice) return field.choices[static_cast<std::size_t>(std::get<std::int64_t>(value))];
  return std::visit(
      [](const auto& x) -> Json {
        using T = std::remove_cvref_t<decltype(x)>;
        if constexpr (std::is_same_v<T, double>)
          return as_json(x);
        else if constexpr (std::is_same_v<T, Vec3>)
          return list({x.x(), x.y(), x.z()});
        else if constexpr (std::is_same_v<T, Quat>)
          return list({x.w(), x.x(), x.y(), x.z()});
        else
          return x;
      },
      value);
}

template <class Owner>
Json numbers(const Field<Owner>& field, const char* type) {
  Json json = {{"type", type}};
  json[field.low_open ? "exclusiveMinimum" : "minimum"] = as_json(field.low);
  json["maximum"] = as_json(field.high);
  return json;
}

template <class Owner>
Json several(const Field<Owner>& field, const char* type, int count) {
  return {{"type", "array"}, {"items", numbers(field, type)}, {"minItems", count}, {"maxItems", count}};
}

/// In files angles are radians, whatever the screen shows.
std::string file_unit(std::string_view shown) {
  if (shown == "°") return "rad";
  if (shown == "°/s") return "rad/s";
  return std::string(shown);
}

template <class Owner>
Json property(const Field<Owner>& field) {
  Json json;
  switch (field.type) {
    case FieldType::boolean:
      json = {{"type", "boolean"}};
      break;
    case FieldType::integer:
      json = numbers(field, "integer");
      break;
    case FieldType::number:
      json = numbers(field, "number");
      break;
    case FieldType::text:
      json = {{"type", "string"}, {"minLength", as_json(field.low)}, {"maxLength", as_json(field.high)}};
      break;
    case FieldType::vector:
    case FieldType::colour:
      json = several(field, "number", 3);
      break;
    case FieldType::rotation:
      json = several(field, "number", 4);
      break;
    case FieldType::integers:
      json = several(field, "integer", 3);
      break;
    case FieldType::choice:
      json = {{"enum", Json::array()}};
      for (std::string_view choice : field.choices) json["enum"].push_back(choice);
      break;
  }
  std::string description(field.tooltip);
  if (field.type == FieldType::rotation)
    description += " Unit quaternion [w, x, y, z].";
  else if (const std::string unit = file_unit(field.unit); !unit.empty())
    description += " In " + unit + ".";
  json["description"] = description;
  json["default"] = as_json(field, field.get(Owner{}));
  return json;
}

Json block() { return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}}; }

template <class Owner>
Json fields(std::span<const Field<Owner>> table, bool with_id);

/// The place of a path in a block, with the blocks in between.
Json& at_path(Json& root, std::string_view path) {
  Json* at = &root;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    Json& child = (*at)["properties"][std::string(path.substr(0, dot))];
    if (child.is_null()) child = block();
    at = &child;
    path.remove_prefix(dot + 1);
  }
  return (*at)["properties"][std::string(path)];
}

/// JSON Schema has no word for one range per number of a row: it gets the widest.
template <class Entry>
Json row() {
  double low = 0, high = 0;
  int least = 0;
  for (const Column& column : RowFormat<Entry>::columns) {
    low = std::min(low, column.low);
    high = std::max(high, column.high);
    least += std::isnan(column.fallback);
  }
  return {{"type", "array"},
          {"items", {{"type", "number"}, {"minimum", as_json(low)}, {"maximum", as_json(high)}}},
          {"minItems", least},
          {"maxItems", RowFormat<Entry>::columns.size()}};
}

template <class Entry>
Json list_items() {
  if constexpr (kIsRow<Entry>) {
    return row<Entry>();
  } else {
    Json items = fields(entry_fields(std::type_identity<Entry>{}), kHasNumber<Entry>);
    if constexpr (kHasNumber<Entry>) {
      items["properties"]["id"]["maximum"] = as_json(kLargestIndex);
      items["properties"]["id"]["description"] = "Unique within the list; never changes.";
      items["required"] = {"id"};
    }
    return items;
  }
}

template <class Owner>
Json fields(std::span<const Field<Owner>> table, bool with_id) {
  Json root = block();
  if (with_id) {
    root["properties"]["id"] = {
        {"type", "integer"}, {"minimum", 1}, {"description", "Unique over all lists of the scene; never changes."}};
    root["required"] = {"id", "name"};
  }
  for (const Field<Owner>& field : table) at_path(root, field.path) = property(field);
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    at_path(root, list.path) = {
        {"type", "array"}, {"items", list_items<Entry>()}, {"maxItems", list.most}, {"description", list.tooltip}};
  });
  return root;
}

std::string range_text(double low, double high, bool low_open) {
  return (low_open ? "above " : "") + shortest(low) + " … " + shortest(high);
}

template <class Owner>
std::string range_text(const Field<Owner>& field) {
  switch (field.type) {
    case FieldType::boolean:
      return "true, false";
    case FieldType::text:
      return "up to " + shortest(field.high) + " bytes";
    case FieldType::rotation:
      return "unit quaternion";
    case FieldType::choice: {
      std::string text;
      for (std::string_view choice : field.choices) text += (text.empty() ? "" : ", ") + std::string(choice);
      return text;
    }
    default:
      return range_text(field.low, field.high, field.low_open);
  }
}

template <class Owner>
std::string section(std::string_view title, std::span<const Field<Owner>> table) {
  static constexpr const char* kEffects[] = {"nothing", "from the first contact on", "everything", "everything"};
  std::string text = "## " + std::string(title) + "\n\n";
  text += "| Key | On screen | Unit in files | Allowed | Default | An edit recomputes | Meaning |\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const Field<Owner>& field : table) {
    text += "| `" + std::string(field.path) + "` | " + std::string(field.group) + ": " + std::string(field.label) +
            " | " + (field.type == FieldType::rotation ? "" : file_unit(field.unit)) + " | " + range_text(field) +
            " | `" + as_json(field, field.get(Owner{})).dump() + "` | " + kEffects[static_cast<int>(field.effect)] +
            " | " + std::string(field.tooltip) + " |\n";
  }
  std::string lists;
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    std::string entries = "blocks, see below";
    if constexpr (kIsRow<Entry>) {
      entries.clear();
      for (const Column& column : RowFormat<Entry>::columns) {
        entries += (entries.empty() ? "[" : ", ") + std::string(column.name);
        if (!std::isnan(column.fallback)) entries += " = " + shortest(column.fallback);
      }
      entries += "]";
    }
    lists += "| `" + std::string(list.path) + "` | " + entries + " | " + std::to_string(list.most) + " | " +
             std::string(list.tooltip) + " |\n";
  });
  if (!lists.empty()) text += "\n| List | Entries | At most | Meaning |\n|---|---|---|---|\n" + lists;
  return text + "\n";
}

}  // namespace

std::string scene_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Hazumi scene"},
                 {"description", "Made from the field table by core/scene/file/schema.cpp; see docs/file-format.md."}};
  schema.update(block());
  Json& properties = schema["properties"];
  properties["format"] = {{"const", "hazumi scene"}};
  properties["version"] = {{"type", "integer"}, {"minimum", 1}, {"maximum", kSceneVersion}};
  properties["minor"] = {
      {"type", "integer"},
      {"minimum", 0},
      {"description", "What the program that wrote the file knew beyond this version; left out: 0."}};
  properties["name"] = {{"type", "string"}, {"description", "Title of the scene."}};
  properties["description"] = {{"type", "string"}, {"description", "Shown in the gallery."}};
  properties["settings"] = fields(settings_fields(), false);
  properties["camera"] = fields(camera_fields(), false);
  visit_scene_lists_of_file([&](const auto& list) {
    properties[std::string(list.path)] = {{"type", "array"},
                                          {"items", fields(list.fields(), true)},
                                          {"maxItems", list.most},
                                          {"description", list.tooltip}};
  });
  properties["layout"] = {{"type", "string"}, {"description", "Where the program's windows are; opaque."}};
  schema["required"] = {"format", "version"};
  return schema.dump(2) + "\n";
}

std::string field_document() {
  std::string text =
      "# Fields of a scene\n\n"
      "Made from the field table (`core/scene/values/fields_object.cpp`, `core/scene/values/fields.cpp`) by\n"
      "`core/scene/file/schema.cpp`; do not edit by hand. Keys are paths in the scene file: `body.mass` is the "
      "key `mass`\n"
      "in the block `body`. *An edit recomputes* says which frames an edit can make out of date at most; "
      "members that\n"
      "the object's present kind does not read recompute nothing. Empty lists, and fields of metaballs, "
      "bones, mapping,\n"
      "mesh settings and metaball groups that are as by default, are not written. Numbers at the end of a "
      "row of a list\n"
      "that are as given behind the = sign may be left out.\n\n";
  text += section("Objects", object_fields());  // with the sections of its parts behind it
  text += section("Metaballs", metaball_fields());
  text += section("Bones", bone_fields());
  text += section("Other analysis models", analysis_fields());
  text += section("Materials of parts", part_material_fields());
  text += section("Solver parameters", solver_parameter_fields());
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, Object>) text += section(list.heading, list.fields());
  });
  text += section("Camera", camera_fields());
  text += section("Settings", settings_fields());
  text.pop_back();
  return text;
}

}  // namespace hazumi
