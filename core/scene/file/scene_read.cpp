// Decodes the pieces that json_tree hands over against the field tables. Keys that are left out keep their
// default, keys that nobody knows give a warning and are kept as they are, values of a wrong type or out of range give
// an error with JSON path and line.
#include "core/scene/file/scene_read.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/scene/derived/following.h"
#include "core/scene/derived/takes.h"
#include "core/scene/file/json_tree.h"
#include "core/scene/file/kept_keys.h"
#include "core/scene/file/node_value.h"
#include "core/scene/file/retired_keys.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/fields.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

using json::convert;
using json::expected;
using json::is_number;
using json::Kind;
using json::Node;
using json::whole;

constexpr std::size_t kMaxErrors = 20, kMaxWarnings = 20;
constexpr std::string_view kFormat = "hazumi scene";

/// What a key of an owner is: a row of its table, a list, or a block of them.
template <class Owner>
struct Known {
  const Field<Owner>* field = nullptr;
  int list = -1;  ///< its number among the owner's lists
};

template <class Owner>
class Decoder {
 public:
  explicit Decoder(std::span<const Field<Owner>> table) {
    const auto add = [this](std::string_view path, Known<Owner> known) {
      known_.emplace(path, known);
      for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
        known_.emplace(path.substr(0, dot), Known<Owner>{});
    };
    for (const Field<Owner>& field : table) add(field.path, {&field, -1});
    int number = 0;
    visit_lists(std::type_identity<Owner>{}, [&](const auto& list) { add(list.path, {nullptr, number++}); });
  }
  const Known<Owner>* find(const std::string& path) const {
    const auto at = known_.find(path);
    return at == known_.end() ? nullptr : &at->second;
  }

 private:
  std::unordered_map<std::string_view, Known<Owner>> known_;
};

template <class Owner>
const Decoder<Owner>& decoder_of(std::span<const Field<Owner>> table) {
  static const Decoder<Owner> decoder(table);
  return decoder;
}

/// "2 to 5 numbers, [a, b, stiffness, damping, cross-section]".
template <class Entry>
std::string row_shape() {
  std::string names;
  std::size_t least = 0;
  for (const Column& column : RowFormat<Entry>::columns) {
    names += (names.empty() ? "[" : ", ") + std::string(column.name);
    least += std::isnan(column.fallback);
  }
  const std::size_t most = RowFormat<Entry>::columns.size();
  return (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) + " numbers, " + names + "]";
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Scene> run() {
    const json::Visitor visitor{
        [this](const std::string& key, Node node) { return section(key, std::move(node)); },
        [this](const std::string& key, std::size_t index, Node node) { return entry(key, index, std::move(node)); },
        [this](const std::string& key) {
          if (!is_scene_list(key)) return false;
          last_known_ = key;
          return true;
        }};
    Diagnostics damage;
    json::read(text_, json::Limits{}, visitor, damage);
    // What makes everything else pointless comes first and alone.
    if (refusal_) return *refusal_;
    if (!damage.empty()) return damage;
    if (!format_seen_) return not_a_scene();
    if (!version_seen_)
      return Diagnostic{Severity::error, "version", "The version of the scene file is missing.",
                        "Add \"version\": " + std::to_string(kSceneVersion) + "."};
    if (!errors_.empty()) return errors_;
    if (scene_.cameras.empty() && (retired_camera_ || has_retired_camera_keys(scene_)))
      read_retired_camera(retired_camera_.value_or(RetiredCamera{}), scene_);
    if (Diagnostics problems = validate(scene_); has_error(problems)) {
      if (problems.size() > kMaxErrors) problems.resize(kMaxErrors);
      return problems;
    }
    scene_ = placed_on_curves(std::move(scene_));  // of a file by another hand
    if (!takes()) return errors_;
    if (scene_.newer_minor == 0)
      warnings_.insert(warnings_.end(), unknown_.begin(), unknown_.end());
    else
      warnings_.push_back({Severity::warning, "minor",
                           "This scene was made by a newer Hazumi (format " + std::to_string(kSceneVersion) + "." +
                               std::to_string(scene_.newer_minor) + "; this program knows " +
                               std::to_string(kSceneVersion) + "." + std::to_string(kSceneMinor) +
                               "). What it adds is kept and saved again, but it is neither shown nor simulated.",
                           "Update Hazumi to see all of the scene."});
    return {std::move(scene_), std::move(warnings_)};
  }

 private:
  static Diagnostic not_a_scene() {
    return {Severity::error, "format", "This is not a Hazumi scene: \"format\": \"hazumi scene\" is missing.",
            "Pick a file that was saved by Hazumi."};
  }

  std::string at(std::string path, const Node& node) const {
    return path + " (line " + std::to_string(json::line_of(text_, node.offset)) + ")";
  }

  void error(std::string path, std::string message, std::string hint = {}) {
    if (errors_.size() < kMaxErrors)
      errors_.push_back({Severity::error, std::move(path), std::move(message), std::move(hint)});
  }

  /// Keeps a value that nobody knows: `block` of the owner, behind the known key `after`.
  template <class Owner>
  void keep(Owner& owner, std::string block, const std::string& key, std::string after, const Node& node,
            std::string path) {
    Kept& kept = kept_of(owner, block);
    kept.add({std::move(block), key, std::move(after), std::string(json::raw(text_, node))});
    if (unknown_.size() < kMaxWarnings)
      unknown_.push_back({Severity::warning, std::move(path),
                          "This key is not known; it is kept and saved again, and changes nothing.",
                          "Check its spelling."});
  }

  static bool is_scene_list(std::string_view key) {
    bool found = false;
    visit_scene_lists([&](const auto& list) { found = found || list.path == key; });
    return found;
  }

  bool refuse(Diagnostic reason) {
    refusal_ = std::move(reason);
    return false;
  }

  bool version(const Node& node) {
    const auto number = whole(node);
    if (!number || *number < 1)
      return refuse({Severity::error, at("version", node),
                     "The version must be a whole number from 1 on, not " + json::describe(node) + ".", ""});
    if (*number > kSceneVersion)
      return refuse({Severity::error, at("version", node),
                     "This scene was written by a newer Hazumi (format " + std::to_string(*number) +
                         "; this program reads up to " + std::to_string(kSceneVersion) + ").",
                     "Update Hazumi to open it."});
    version_seen_ = true;
    return true;
  }

  bool minor(const Node& node) {
    const auto number = whole(node);
    if (!number || *number < 0 || *number > 1'000'000'000)
      return refuse({Severity::error, at("minor", node),
                     "The minor version must be a whole number from 0 on, not " + json::describe(node) + ".", ""});
    scene_.newer_minor = *number > kSceneMinor ? static_cast<int>(*number) : 0;
    return true;
  }

  bool section(const std::string& key, Node node) {
    const std::string after = std::exchange(last_known_, key);
    if (key == "format") {
      if (node.kind != Kind::text || node.text() != kFormat) return refuse(not_a_scene());
      format_seen_ = true;
    } else if (key == "version") {
      return version(node);
    } else if (key == "minor") {
      return minor(node);
    } else if (key == "name") {
      text(key, node, scene_.name);
    } else if (key == "description") {
      text(key, node, scene_.description);
    } else if (key == "layout") {
      text(key, node, scene_.layout);
    } else if (key == "settings") {
      block(settings_, node, "settings", scene_.settings);
    } else if (key == "camera") {
      block(decoder_of(retired_camera_fields()), node, "camera", retired_camera_.emplace());
      last_known_ = after;
    } else if (is_scene_list(key)) {
      wrong(at(key, node), "a list of blocks, [{…}, {…}]", node);
    } else {
      keep(scene_, "", key, after, node, at(key, node));
      last_known_ = after;
    }
    return true;
  }

  bool entry(const std::string& key, std::size_t index, Node node) {
    const std::string place = key + "[" + std::to_string(index) + "]";
    visit_scene_lists([&](const auto& list) {
      if (list.path == key) thing(decoder_of(list.fields()), node, place, scene_.*list.member);
    });
    if (key == "takes") takes_.push_back(std::move(node));
    return true;  // on to the end: the version may still come, and it comes first in what is told
  }

  void text(const std::string& key, const Node& node, std::string& target) {
    if (node.kind == Kind::text)
      target = node.text();
    else
      wrong(at(key, node), "text", node);
  }

  void wrong(std::string path, const std::string& wanted, const Node& node) {
    error(std::move(path), "Expected " + wanted + ", found " + json::describe(node) + ".");
  }

  template <class Thing>
  void thing(const Decoder<Thing>& decoder, const Node& node, std::string place, std::vector<Shared<Thing>>& list) {
    if (node.kind != Kind::object) return wrong(at(place, node), "a block", node);
    if (const Node* name = node.find("name"); name != nullptr && name->kind == Kind::text && !name->text().empty())
      place += " " + json::quote(name->text());
    Thing made;
    const Node* id = node.find("id");
    if (id == nullptr) {
      error(at(place + " id", node), "The id is missing.",
            "Give it a whole number that no other " + things_of_scene("or") + " has.");
    } else if (const auto number = whole(*id); number && *number > 0) {
      made.id = Id{static_cast<std::uint64_t>(*number)};
    } else {
      wrong(at(place + " id", *id), "a whole number above 0", *id);
    }
    members(decoder, node, place + " ", "", made);
    if constexpr (std::is_same_v<Thing, ParticleSource>) read_retired_middle(std::exchange(retired_middle_, {}), made);
    list.push_back(Shared<Thing>(std::move(made)));
  }

  template <class Owner>
  void block(const Decoder<Owner>& decoder, const Node& node, const std::string& place, Owner& owner) {
    if (node.kind != Kind::object) return wrong(at(place, node), "a block", node);
    members(decoder, node, place + ".", "", owner);
  }

  template <class Owner>
  void members(const Decoder<Owner>& decoder, const Node& node, const std::string& place, const std::string& prefix,
               Owner& owner) {
    std::string after;
    for (std::size_t i = 0; i < node.items().size(); ++i) {
      const Node& item = node.items()[i];
      const std::string path = prefix + node.keys()[i];
      if (kHasId<Owner> && path == "id") continue;
      const Known<Owner>* known = decoder.find(path);
      if (known == nullptr && retired(path, item, place, owner)) continue;
      if (known == nullptr) {
        keep(owner, prefix, node.keys()[i], after, item, at(place + path, item));
        continue;
      }
      after = node.keys()[i];
      if (known->field != nullptr)
        value(*known->field, item, place, owner);
      else if (known->list >= 0)
        list(known->list, item, place, owner);
      else if (item.kind == Kind::object)
        members(decoder, item, place, path + ".", owner);
      else
        wrong(at(place + path, item), "a block", item);
    }
  }

  /// A key of an earlier version.
  template <class Owner>
  bool retired(const std::string& path, const Node& node, const std::string& place, Owner& owner) {
    if constexpr (std::is_same_v<Owner, Object>) {
      const RetiredChoice* key = find_retired_choice(path);
      if (key == nullptr) return false;
      if (node.kind == Kind::text && node.text().size() <= 200)
        read_retired_choice(*key, node.text(), owner);
      else
        wrong(at(place + path, node), "text", node);
      return true;
    } else if constexpr (std::is_same_v<Owner, ParticleSource>) {
      const Field<RetiredMiddle>* row = find_field(retired_middle_fields(), path);
      if (row != nullptr) value(*row, node, place, retired_middle_);
      return row != nullptr;
    } else if constexpr (std::is_same_v<Owner, Take>) {
      return is_of_take(path);  // read when the scene is there
    } else {
      return false;
    }
  }

  static bool is_of_take(std::string_view key) {
    bool found = key == "settings";
    visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
      if constexpr (kHasTakes<Thing> || std::is_same_v<Thing, Track> || std::is_same_v<Thing, MotionNode>)
        found = found || list.path == key;
    });
    return found;
  }

  /// What takes that wait have otherwise than the scene.
  bool takes() {
    for (std::size_t i = 0; i < takes_.size() && i < scene_.takes.size() && errors_.size() < kMaxErrors; ++i) {
      const Take& take = *scene_.takes[i];
      if (take.current) continue;
      Scene own = scene_;
      own.takes.clear();
      const std::string place = "takes[" + std::to_string(i) + "] " + json::quote(take.name) + " ";
      for (std::size_t k = 0; k < takes_[i].items().size(); ++k) {
        const std::string& key = takes_[i].keys()[k];
        const Node& node = takes_[i].items()[k];
        if (key == "settings") own_block(settings_, node, place + "settings.", own.settings);
        visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
          if (list.path != key) return;
          if constexpr (kHasTakes<Thing>)
            own_things(list, node, place + key, own);
          else if constexpr (std::is_same_v<Thing, Track> || std::is_same_v<Thing, MotionNode>)
            own_list(list, node, place + key, own);
        });
      }
      if (errors_.empty())
        for (Diagnostic& problem : validate(own))
          if (problem.severity == Severity::error)
            error(place + problem.path, std::move(problem.message), std::move(problem.hint));
      scene_.takes[i] = scene_.takes[i].edited([&](Take& t) { t.motion = motion_of(own); });
    }
    return errors_.empty();
  }

  template <class Owner>
  void own_block(const Decoder<Owner>& decoder, const Node& node, const std::string& place, Owner& owner) {
    const Owner before = owner;
    if (node.kind != Kind::object) return wrong(at(place, node), "a block", node);
    members(decoder, node, place, "", owner);
    std::span<const Field<Owner>> table;
    if constexpr (std::is_same_v<Owner, SceneSettings>)
      table = settings_fields();
    else
      visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
        if constexpr (std::is_same_v<Thing, Owner>) table = list.fields();
      });
    for (const Field<Owner>& field : table)
      if (!belongs_to_take(field) && !operator_equal(field.get(before), field.get(owner)))
        error(at(place + std::string(field.path), node),
              json::quote(std::string(field.path)) + " is of all takes, and no take has its own.",
              "Take it out here, or change it in the scene.");
  }

  template <class Thing>
  void own_things(const SceneList<Thing>& list, const Node& node, const std::string& place, Scene& own) {
    if (node.kind != Kind::list) return wrong(at(place, node), "a list of blocks, [{…}, {…}]", node);
    for (std::size_t i = 0; i < node.items().size(); ++i) {
      const Node& item = node.items()[i];
      const std::string where = place + "[" + std::to_string(i) + "] ";
      const Node* number = item.kind == Kind::object ? item.find("id") : nullptr;
      const auto id = number ? whole(*number) : std::nullopt;
      if (!id) {
        wrong(at(where, item), "a block with an id", item);
        continue;
      }
      std::vector<Shared<Thing>>& things = own.*list.member;
      const auto found = std::find_if(things.begin(), things.end(), [&](const auto& thing) {
        return thing->id.value == static_cast<std::uint64_t>(*id);
      });
      if (found == things.end())
        error(at(where + "id", *number),
              "The scene has no " + std::string(list.singular) + " with the id " + std::to_string(*id) + ".",
              "Give the id of one that it has, or take the block out.");
      else
        *found = found->edited([&](Thing& t) { own_block(decoder_of(list.fields()), item, where, t); });
    }
  }

  template <class Thing>
  void own_list(const SceneList<Thing>& list, const Node& node, const std::string& place, Scene& own) {
    if (node.kind != Kind::list) return wrong(at(place, node), "a list of numbers and blocks", node);
    std::vector<Shared<Thing>> made;
    for (std::size_t i = 0; i < node.items().size(); ++i) {
      const Node& item = node.items()[i];
      const std::string where = place + "[" + std::to_string(i) + "]";
      if (item.kind == Kind::object) {
        thing(decoder_of(list.fields()), item, where, made);
        continue;
      }
      const auto id = whole(item);
      if (!id) {
        wrong(at(where, item), "the id of one of the scene's, or a block", item);
        continue;
      }
      const auto same = [&](const auto& thing) { return thing->id.value == static_cast<std::uint64_t>(*id); };
      const auto& all = scene_.*list.member;
      if (const auto found = std::find_if(all.begin(), all.end(), same); found != all.end())
        made.push_back(*found);
      else
        error(at(where, item),
              "The scene has no " + std::string(list.singular) + " with the id " + std::to_string(*id) + ".",
              "Take it out, or write the whole block.");
    }
    own.*list.member = std::move(made);
  }

  template <class Owner>
  void value(const Field<Owner>& field, const Node& node, const std::string& place, Owner& owner) {
    const auto converted = convert(field.type, field.choices, node);
    if (!converted) return wrong(at(place + std::string(field.path), node), expected(field.type, field.choices), node);
    if (std::string problem = field_problem(field, *converted); !problem.empty())
      return error(at(place + std::string(field.path), node), std::move(problem));
    field.set(owner, *converted);
  }

  template <class Owner>
  void list(int wanted, const Node& node, const std::string& place, Owner& owner) {
    int number = 0;
    visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
      if (number++ == wanted) entries(list, node, place, owner);
    });
  }

  template <class Owner, class Entry>
  void entries(const List<Owner, Entry>& list, const Node& node, const std::string& place, Owner& owner) {
    if (auto made = entries_of<Entry>(node, place + std::string(list.path), list.entries, list.most))
      list.set(owner, std::move(*made));
  }

  /// Once for all lists of such entries.
  template <class Entry>
  [[gnu::noinline]] std::optional<std::vector<Entry>> entries_of(const Node& node, const std::string& where,
                                                                 std::string_view entries, std::size_t most) {
    if (node.kind != Kind::list) {
      wrong(at(where, node), kIsRow<Entry> ? "a list of rows, [[…], […]]" : "a list of blocks, [{…}, {…}]", node);
      return {};
    }
    if (node.items().size() > most) {
      error(at(where, node), "There are " + std::to_string(node.items().size()) + " " + std::string(entries) +
                                 "; at most " + std::to_string(most) + " are possible.");
      return {};
    }
    std::vector<Entry> made(node.items().size());
    for (std::size_t i = 0; i < made.size(); ++i)
      if (!entry_of(node.items()[i], where + "[" + std::to_string(i) + "]", made[i])) return {};
    return made;
  }

  /// False when this and what follows is better left alone: a list with one wrong row often has thousands.
  template <class Entry>
  bool entry_of(const Node& node, std::string where, Entry& entry) {
    if constexpr (kIsRow<Entry>) {
      return row(node, where, entry);
    } else {
      if (node.kind != Kind::object) return wrong(at(where, node), "a block", node), false;
      const Node* name = node.find("name");
      if (name != nullptr && name->kind == Kind::text && !name->text().empty())
        where += " " + json::quote(name->text());
      if constexpr (kHasNumber<Entry>) {
        const Node* id = node.find("id");
        const auto number = id == nullptr ? std::nullopt : whole(*id);
        if (id == nullptr)
          error(at(where + " id", node), "The id is missing.", "Give it a whole number that no other of the list has.");
        else if (number && *number > 0 && *number <= static_cast<std::int64_t>(kLargestIndex))
          entry.id = static_cast<std::uint32_t>(*number);
        else
          wrong(at(where + " id", *id), "a whole number above 0", *id);
      }
      members(decoder_of(entry_fields(std::type_identity<Entry>{})), node, where + " ", "", entry);
      return true;
    }
  }

  template <class Entry>
  bool row(const Node& node, const std::string& where, Entry& entry) {
    constexpr auto& columns = RowFormat<Entry>::columns;
    const std::vector<Node>& numbers = node.items();
    const bool fits = node.kind == Kind::list && numbers.size() <= columns.size() &&
                      (numbers.size() == columns.size() || !std::isnan(columns[numbers.size()].fallback)) &&
                      std::all_of(numbers.begin(), numbers.end(), is_number);
    if (!fits) return wrong(at(where, node), row_shape<Entry>(), node), false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = i < numbers.size() ? numbers[i].number : columns[i].fallback;
      if (std::string problem = column_problem(columns[i], value); !problem.empty())
        return error(at(where, node), std::move(problem)), false;
      RowFormat<Entry>::set(entry, i, value);
    }
    return true;
  }

  template <class Owner>
  static constexpr bool kHasId = requires(Owner o) {
    o.id;
  };

  std::string_view text_;
  Scene scene_;
  Diagnostics errors_, warnings_, unknown_;
  std::string last_known_;  ///< key of the scene
  std::optional<Diagnostic> refusal_;
  bool format_seen_ = false, version_seen_ = false;
  std::vector<Node> takes_;
  std::optional<RetiredCamera> retired_camera_;
  RetiredMiddle retired_middle_;  // of the source that is read
  const Decoder<SceneSettings>& settings_ = decoder_of(settings_fields());
};

}  // namespace

Result<Scene> read_scene(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Diagnostic{Severity::error, "line 1", "The file is empty.", "Open an older copy of the scene."};
  return Reader(text).run();
}

}  // namespace hazumi
