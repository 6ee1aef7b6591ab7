#include "core/scene/file/schema.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "core/scene/derived/takes.h"
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

/// Not by nlohmann's nested braces: clang++ 14 leaks what they hold.
Json object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json out = Json::object();
  for (const auto& [key, value] : members) out[key] = value;
  return out;
}

Json words(std::initializer_list<const char*> texts) {
  Json out = Json::array();
  for (const char* text : texts) out.push_back(text);
  return out;
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

/// What a row says, whoever owns it: nothing below is compiled once for each owner.
struct Row {
  std::string_view path, label, group, unit, tooltip;
  FieldType type;
  Effect effect;
  double low, high;
  bool low_open;
  std::span<const std::string_view> choices;
  FieldValue preset;
};

template <class Owner>
std::vector<Row> rows(std::span<const Field<Owner>> table) {
  std::vector<Row> out;
  const Owner fresh{};
  for (const Field<Owner>& f : table)
    out.push_back({f.path, f.label, f.group, f.unit, f.tooltip, f.type, f.effect, f.low, f.high, f.low_open, f.choices,
                   f.get(fresh)});
  return out;
}

Json preset(const Row& row) {
  if (row.type == FieldType::choice) return row.choices[static_cast<std::size_t>(std::get<std::int64_t>(row.preset))];
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
      row.preset);
}

Json numbers(const Row& row, const char* type) {
  Json json = object({{"type", type}});
  json[row.low_open ? "exclusiveMinimum" : "minimum"] = as_json(row.low);
  json["maximum"] = as_json(row.high);
  return json;
}

Json several(const Row& row, const char* type, int count) {
  return object({{"type", "array"}, {"items", numbers(row, type)}, {"minItems", count}, {"maxItems", count}});
}

/// In files angles are radians, whatever the screen shows.
std::string file_unit(std::string_view shown) {
  if (shown == "°") return "rad";
  if (shown == "°/s") return "rad/s";
  return std::string(shown);
}

Json property(const Row& row) {
  Json json;
  switch (row.type) {
    case FieldType::boolean:
      json = object({{"type", "boolean"}});
      break;
    case FieldType::integer:
      json = numbers(row, "integer");
      break;
    case FieldType::number:
      json = numbers(row, "number");
      break;
    case FieldType::text:
      json = object({{"type", "string"}, {"minLength", as_json(row.low)}, {"maxLength", as_json(row.high)}});
      break;
    case FieldType::vector:
    case FieldType::colour:
      json = several(row, "number", 3);
      break;
    case FieldType::rotation:
      json = several(row, "number", 4);
      break;
    case FieldType::integers:
      json = several(row, "integer", 3);
      break;
    case FieldType::choice:
      json = object({{"enum", Json::array()}});
      for (std::string_view choice : row.choices) json["enum"].push_back(choice);
      break;
  }
  std::string description(row.tooltip);
  if (row.type == FieldType::rotation)
    description += " Unit quaternion [w, x, y, z].";
  else if (const std::string unit = file_unit(row.unit); !unit.empty())
    description += " In " + unit + ".";
  json["description"] = description;
  json["default"] = preset(row);
  return json;
}

Json block() { return object({{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}}); }

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
Json numbers_of(std::span<const Column> columns) {
  double low = 0, high = 0;
  int least = 0;
  for (const Column& column : columns) {
    low = std::min(low, column.low);
    high = std::max(high, column.high);
    least += std::isnan(column.fallback);
  }
  return object({{"type", "array"},
                 {"items", object({{"type", "number"}, {"minimum", as_json(low)}, {"maximum", as_json(high)}})},
                 {"minItems", least},
                 {"maxItems", columns.size()}});
}

Json with_number(Json items) {
  items["properties"]["id"]["maximum"] = as_json(kLargestIndex);
  items["properties"]["id"]["description"] = "Unique within the list; never changes.";
  items["required"] = words({"id"});
  return items;
}

Json fields(const std::vector<Row>& table, bool with_id) {
  Json root = block();
  if (with_id) {
    root["properties"]["id"] = object(
        {{"type", "integer"}, {"minimum", 1}, {"description", "Unique over all lists of the scene; never changes."}});
    root["required"] = words({"id", "name"});
  }
  for (const Row& row : table) at_path(root, row.path) = property(row);
  return root;
}

Json list_of(Json items, std::size_t most, std::string_view tooltip) {
  return object({{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}, {"description", tooltip}});
}

template <class Owner>
Json fields(std::span<const Field<Owner>> table, bool with_id);

/// Once for all lists of such entries.
template <class Entry>
[[gnu::noinline]] Json entries_of() {
  if constexpr (kIsRow<Entry>) {
    return numbers_of(RowFormat<Entry>::columns);
  } else {
    Json items = fields(entry_fields(std::type_identity<Entry>{}), kHasNumber<Entry>);
    if constexpr (kHasNumber<Entry>) items = with_number(std::move(items));
    return items;
  }
}

template <class Owner>
Json fields(std::span<const Field<Owner>> table, bool with_id) {
  Json root = fields(rows(table), with_id);
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    at_path(root, list.path) = list_of(entries_of<Entry>(), list.most, list.tooltip);
  });
  return root;
}

/// What a take that waits has otherwise than the scene.
void add_own_of_takes(Json& take) {
  const Json number = object({{"type", "integer"}, {"minimum", 1}});
  take["properties"]["settings"] =
      object({{"type", "object"}, {"description", "Settings that are not as in the scene, as there."}});
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    Json& place = take["properties"][std::string(list.path)];
    if constexpr (kHasTakes<Thing>)
      place =
          list_of(object({{"type", "object"}, {"properties", object({{"id", number}})}, {"required", words({"id"})}}),
                  list.most, "Of things of the scene, by id, what is not as there; shape and looks are of all takes.");
    else if constexpr (std::is_same_v<Thing, Track> || std::is_same_v<Thing, MotionNode>)
      place = list_of(object({{"oneOf", Json::array({number, fields(list.fields(), true)})}}), list.most,
                      "All that the take has, those that are as in the scene by id; left out: all as in the scene.");
    else
      take["properties"].erase(std::string(list.path));
  });
}

std::string range_text(double low, double high, bool low_open) {
  return (low_open ? "above " : "") + shortest(low) + " … " + shortest(high);
}

std::string range_text(const Row& row) {
  switch (row.type) {
    case FieldType::boolean:
      return "true, false";
    case FieldType::text:
      return "up to " + shortest(row.high) + " bytes";
    case FieldType::rotation:
      return "unit quaternion";
    case FieldType::choice: {
      std::string text;
      for (std::string_view choice : row.choices) text += (text.empty() ? "" : ", ") + std::string(choice);
      return text;
    }
    default:
      return range_text(row.low, row.high, row.low_open);
  }
}

std::string table_of(std::string_view title, const std::vector<Row>& table) {
  static constexpr const char* kEffects[] = {"nothing", "from the first contact on", "everything", "everything"};
  std::string text = "## " + std::string(title) + "\n\n";
  text += "| Key | On screen | Unit in files | Allowed | Default | An edit recomputes | Meaning |\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const Row& row : table) {
    text += "| `" + std::string(row.path) + "` | " + std::string(row.group) + ": " + std::string(row.label) + " | " +
            (row.type == FieldType::rotation ? "" : file_unit(row.unit)) + " | " + range_text(row) + " | `" +
            preset(row).dump() + "` | " + kEffects[static_cast<int>(row.effect)] + " | " + std::string(row.tooltip) +
            " |\n";
  }
  return text;
}

std::string list_line(std::string_view path, std::string_view entries, std::size_t most, std::string_view tooltip) {
  return "| `" + std::string(path) + "` | " + std::string(entries) + " | " + std::to_string(most) + " | " +
         std::string(tooltip) + " |\n";
}

std::string words_of(std::span<const Column> columns) {
  std::string words;
  for (const Column& column : columns) {
    words += (words.empty() ? "[" : ", ") + std::string(column.name);
    if (!std::isnan(column.fallback)) words += " = " + shortest(column.fallback);
  }
  return words + "]";
}

template <class Owner>
std::string section(std::string_view title, std::span<const Field<Owner>> table) {
  std::string text = table_of(title, rows(table));
  std::string lists;
  visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
    std::string entries = "blocks, see below";
    if constexpr (kIsRow<Entry>) entries = words_of(RowFormat<Entry>::columns);
    lists += list_line(list.path, entries, list.most, list.tooltip);
  });
  if (!lists.empty()) text += "\n| List | Entries | At most | Meaning |\n|---|---|---|---|\n" + lists;
  return text + "\n";
}

}  // namespace

std::string scene_schema() {
  Json schema =
      object({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Hazumi scene"},
              {"description", "Made from the field table by core/scene/file/schema.cpp; see docs/file-format.md."}});
  schema.update(block());
  Json& properties = schema["properties"];
  properties["format"] = object({{"const", "hazumi scene"}});
  properties["version"] = object({{"type", "integer"}, {"minimum", 1}, {"maximum", kSceneVersion}});
  properties["minor"] = {
      {"type", "integer"},
      {"minimum", 0},
      {"description", "What the program that wrote the file knew beyond this version; left out: 0."}};
  properties["name"] = object({{"type", "string"}, {"description", "Title of the scene."}});
  properties["description"] = object({{"type", "string"}, {"description", "Shown in the gallery."}});
  properties["settings"] = fields(settings_fields(), false);
  visit_scene_lists_of_file([&]<class Thing>(const SceneList<Thing>& list) {
    Json items = fields(list.fields(), true);
    if constexpr (std::is_same_v<Thing, Take>) add_own_of_takes(items);
    properties[std::string(list.path)] = list_of(std::move(items), list.most, list.tooltip);
  });
  properties["layout"] = object({{"type", "string"}, {"description", "Where the program's windows are; opaque."}});
  schema["required"] = words({"format", "version"});
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
  text += section("Poses", pose_fields());
  text += section("Materials of parts", part_material_fields());
  text += section("Solver parameters", solver_parameter_fields());
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (!std::is_same_v<Thing, Object>) text += section(list.heading, list.fields());
  });
  text += section("Settings", settings_fields());
  text.pop_back();
  return text;
}

}  // namespace hazumi
