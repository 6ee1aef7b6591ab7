// Scene → text. The keys come in the order of the field table, numbers in the shortest form that reads back
// to the same bits, vectors on one line, so that two versions of a scene differ in the lines that a person
// changed. What the program does not know stands where it stood. Lists are compact: a metaball or a bone is one line of what is not as by default, numbers of
// springs and the like fill lines. Lists that are empty and rows that are sparse are left out.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/scene/derived/takes.h"
#include "core/scene/file/kept_keys.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/fields.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {

namespace {

/// Length of the valid UTF-8 character at the start, 0 when there is none (RFC 3629: no surrogates, no
/// overlong forms).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) || (first == 0xf0 && byte(1) < 0x90) ||
      (first == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
}

constexpr std::size_t kLineLength = 110;

/// A row of the field table, a list or a key that is kept, by its number, in the order of the file: blocks are whole.
/// The path of a kept key is its block's alone: its own name may have points.
struct Item {
  enum class Kind { field, list, kept };
  std::string_view path;
  std::size_t number;
  Kind kind = Kind::field;
};

/// Behind the last item of the smallest block of `path` that is there already.
std::vector<Item>::iterator end_of_block_of(std::string_view path, std::vector<Item>& items) {
  std::string_view block = path;
  auto at = items.end();
  do {
    const std::size_t dot = block.rfind('.', block.size() - 2);
    block = dot == std::string_view::npos ? std::string_view{} : block.substr(0, dot + 1);
    at = items.end();
    while (at != items.begin() && !(at - 1)->path.starts_with(block)) --at;
  } while (at == items.begin() && !block.empty());
  return at;
}

template <class Owner>
std::vector<Item> file_order(std::span<const Field<Owner>> table) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < table.size(); ++i) items.push_back({table[i].path, i, Item::Kind::field});
  std::size_t number = 0;
  visit_lists(std::type_identity<Owner>{}, [&](const auto& list) {
    items.insert(end_of_block_of(list.path, items), {list.path, number++, Item::Kind::list});
  });
  return items;
}

/// Puts each kept key behind the key that it stood behind, and behind those that are kept at the same place already.
void place_kept(const std::vector<KeptKey>& kept, std::vector<Item>& items) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string& block = kept[i].block;
    const std::string anchor = block + kept[i].after;
    const auto of_anchor = [&](const Item& item) {
      return item.path == anchor || (item.path.starts_with(anchor) && item.path[anchor.size()] == '.');
    };
    auto at = items.end();
    if (kept[i].after.empty()) {  // first in its block
      at = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.path.starts_with(block); });
    } else if (const auto last = std::find_if(items.rbegin(), items.rend(), of_anchor); last != items.rend()) {
      at = last.base();
    }
    if (at == items.end()) at = end_of_block_of(block + "?", items);
    const auto same_place = [&](const Item& item) {
      return item.kind == Item::Kind::kept && kept[item.number].block == block &&
             kept[item.number].after == kept[i].after;
    };
    while (at != items.end() && same_place(*at)) ++at;
    items.insert(at, {block, i, Item::Kind::kept});
  }
}

class Writer {
 public:
  std::string take() { return std::move(text_); }

  void open(char bracket) {
    text_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_ && !flat_) line();
    text_ += bracket;
    first_ = false;
  }
  /// Starts an entry of the present block.
  void next() {
    if (!first_) text_ += ',';
    if (!flat_)
      line();
    else
      space();
    first_ = false;
  }
  void key(std::string_view name) {
    next();
    string(name);
    text_ += ": ";
  }
  void number(double value) {
    // Negative zero without a point would be read back as the integer 0.
    if (value == 0 && std::signbit(value)) {
      text_ += "-0.0";
      return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, end.ptr);
  }
  /// The fewest digits that are read back as this.
  void number(float value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    double read = 0;
    std::from_chars(digits, end.ptr, read);
    if (static_cast<float>(read) == value && value != 0)
      text_.append(digits, end.ptr);
    else
      number(static_cast<double>(value));
  }
  void integer(std::int64_t value) { text_ += std::to_string(value); }
  void integer(std::uint64_t value) { text_ += std::to_string(value); }

  void string(std::string_view value) {
    static constexpr char kHex[] = "0123456789abcdef";
    text_ += '"';
    while (!value.empty()) {
      const std::size_t length = character_length(value);
      const char c = value.front();
      if (length == 0)
        text_ += "\xef\xbf\xbd";  // not UTF-8: the replacement character, so that the file stays readable
      else if (c == '"' || c == '\\')
        (text_ += '\\') += c;
      else if (c == '\n')
        text_ += "\\n";
      else if (c == '\t')
        text_ += "\\t";
      else if (static_cast<unsigned char>(c) < 0x20)
        ((text_ += "\\u00") += kHex[c >> 4]) += kHex[c & 15];
      else
        text_.append(value.substr(0, length));
      value.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
  }

  template <class List>
  void list(const List& values) {
    text_ += '[';
    bool first = true;
    for (const auto& value : values) {
      if (!first) text_ += ", ";
      first = false;
      if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(value)>>)
        integer(std::int64_t{value});
      else
        number(value);
    }
    text_ += ']';
  }

  template <class Owner>
  void value(const Field<Owner>& field, const FieldValue& value) {
    if (field.type == FieldType::choice)
      return string(field.choices[static_cast<std::size_t>(std::get<std::int64_t>(value))]);
    std::visit(
        [this](const auto& x) {
          using T = std::remove_cvref_t<decltype(x)>;
          if constexpr (std::is_same_v<T, bool>)
            text_ += x ? "true" : "false";
          else if constexpr (std::is_same_v<T, std::int64_t>)
            integer(x);
          else if constexpr (std::is_same_v<T, double>)
            number(x);
          else if constexpr (std::is_same_v<T, std::string>)
            string(x);
          else if constexpr (std::is_same_v<T, Quat>)
            list(std::array<double, 4>{x.w(), x.x(), x.y(), x.z()});
          else
            list(x);
        },
        value);
  }

  /// The fields and lists of one owner; "body.mass" goes into a block "body".
  template <class Owner>
  void members(std::span<const Field<Owner>> table, const Owner& owner) {
    static const std::vector<Item> known = file_order(table);
    const std::vector<KeptKey> kept = kept_keys(owner);
    if (kept.empty()) return items(known, table, owner, kept);
    std::vector<Item> all = known;
    place_kept(kept, all);
    items(all, table, owner, kept);
  }

  /// What the program does not know, as it was written.
  void raw(std::string_view name, std::string_view json) {
    key(name);
    text_ += json;
  }

  template <class Thing>
  void things(std::string_view name, const std::vector<Shared<Thing>>& list, std::span<const Field<Thing>> table) {
    key(name);
    open('[');
    for (const auto& thing : list) {
      next();
      whole(*thing, table);
    }
    close(']');
  }

  /// Of a take that waits, what is not as in the scene.
  void takes(const Scene& scene, const SceneList<Take>& list) {
    key(list.path);
    open('[');
    for (const auto& take : scene.takes) {
      next();
      open('{');
      key("id");
      integer(take->id.value);
      members(list.fields(), *take);
      if (!take->current && take->motion) own_of_take(scene, in_take(scene, take->id));
      close('}');
    }
    close(']');
  }

 private:
  template <class Thing>
  void whole(const Thing& thing, std::span<const Field<Thing>> table) {
    open('{');
    key("id");
    integer(thing.id.value);
    members(table, thing);
    close('}');
  }

  void own_of_take(const Scene& scene, const Scene& own) {
    if (!same_in_take(settings_fields(), scene.settings, own.settings)) {
      key("settings");
      open('{');
      own_members(settings_fields(), own.settings, scene.settings);
      close('}');
    }
    visit_scene_lists_of_file([&]<class Thing>(const SceneList<Thing>& list) {
      if constexpr (kHasTakes<Thing>)
        own_things(list, scene.*list.member, own.*list.member);
      else if constexpr (std::is_same_v<Thing, Track> || std::is_same_v<Thing, MotionNode>)
        own_list(list, scene.*list.member, own.*list.member);
    });
  }

  /// Both have the same ids in the same places.
  template <class Thing>
  void own_things(const SceneList<Thing>& list, const std::vector<Shared<Thing>>& shared,
                  const std::vector<Shared<Thing>>& own) {
    bool any = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].same_as(shared[i]) ||
          (same_in_take(list.fields(), *shared[i], *own[i]) && own_kept(*own[i], *shared[i]).empty()))
        continue;
      if (!std::exchange(any, true)) {
        key(list.path);
        open('[');
      }
      next();
      open('{');
      key("id");
      integer(own[i]->id.value);
      own_members(list.fields(), *own[i], *shared[i]);
      close('}');
    }
    if (any) close(']');
  }

  /// Keys or boxes; those that are as in the scene by their numbers.
  template <class Thing>
  void own_list(const SceneList<Thing>& list, const std::vector<Shared<Thing>>& shared,
                const std::vector<Shared<Thing>>& own) {
    const auto same = [&](const Shared<Thing>& a, const Shared<Thing>& b) {
      return a.same_as(b) || (a->id == b->id && same_fields(list.fields(), *a, *b) && same_lists(*a, *b) &&
                              kept_keys(*a) == kept_keys(*b));
    };
    if (std::equal(shared.begin(), shared.end(), own.begin(), own.end(), same)) return;
    key(list.path);
    open('[');
    for (const auto& thing : own) {
      next();
      const auto as_thing = [&](const Shared<Thing>& one) { return same(one, thing); };
      if (std::any_of(shared.begin(), shared.end(), as_thing))
        integer(thing->id.value);
      else
        whole(*thing, list.fields());
    }
    close(']');
  }

  template <class Owner>
  static std::vector<KeptKey> own_kept(const Owner& own, const Owner& shared) {
    const std::vector<KeptKey> there = shared.kept.keys();
    std::vector<KeptKey> all = own.kept.keys();
    std::erase_if(all, [&](const KeptKey& one) { return std::find(there.begin(), there.end(), one) != there.end(); });
    return all;
  }

  template <class Owner>
  void own_members(std::span<const Field<Owner>> table, const Owner& own, const Owner& shared) {
    std::vector<Item> all = file_order(table);
    const std::vector<KeptKey> kept = own_kept(own, shared);
    place_kept(kept, all);
    items(all, table, own, kept, &shared);
  }

  void line() {
    text_ += '\n';
    line_start_ = text_.size();
    text_.append(2 * depth_, ' ');
  }
  /// Before the next thing on the same line, or on another when this one is full.
  void space() {
    if (text_.size() - line_start_ > kLineLength)
      line();
    else if (!first_)
      text_ += ' ';
  }

  template <class Owner>
  void items(const std::vector<Item>& all, std::span<const Field<Owner>> table, const Owner& owner,
             const std::vector<KeptKey>& kept, const Owner* shared = nullptr) {
    static const Owner fresh;
    const auto left_out = [&](const Item& item) {
      if (shared && item.kind != Item::Kind::kept) return !is_own(table, item, owner, *shared);
      if (item.kind == Item::Kind::list) return list_size(owner, item.number) == 0;
      return item.kind == Item::Kind::field && table[item.number].sparse &&
             operator_equal(table[item.number].get(owner), table[item.number].get(fresh));
    };
    std::vector<std::string_view> blocks;
    for (const Item& item : all) {
      if (left_out(item)) continue;
      std::vector<std::string_view> parts;
      for (std::string_view rest = item.path;;) {
        const std::size_t dot = rest.find('.');
        parts.push_back(rest.substr(0, dot));
        if (dot == std::string_view::npos) break;
        rest.remove_prefix(dot + 1);
      }
      std::size_t common = 0;
      while (common < blocks.size() && common + 1 < parts.size() && blocks[common] == parts[common]) ++common;
      for (; blocks.size() > common; blocks.pop_back()) close('}');
      for (; blocks.size() + 1 < parts.size(); blocks.push_back(parts[blocks.size()])) {
        key(parts[blocks.size()]);
        open('{');
      }
      if (item.kind == Item::Kind::kept) {
        raw(kept[item.number].key, kept[item.number].text);
        continue;
      }
      key(parts.back());
      if (item.kind == Item::Kind::list)
        list_of(owner, item.number);
      else
        value(table[item.number], table[item.number].get(owner));
    }
    for (; !blocks.empty(); blocks.pop_back()) close('}');
  }

  /// A take has it otherwise.
  template <class Owner>
  static bool is_own(std::span<const Field<Owner>> table, const Item& item, const Owner& own, const Owner& shared) {
    if (item.kind == Item::Kind::field) {
      const Field<Owner>& field = table[item.number];
      return belongs_to_take(field) && !operator_equal(field.get(own), field.get(shared));
    }
    std::size_t number = 0;
    bool differs = false;
    visit_lists(std::type_identity<Owner>{}, [&]<class Entry>(const List<Owner, Entry>& list) {
      if (number++ != item.number || !belongs_to_take(list)) return;
      const std::vector<Entry>&a = list.get(own), &b = list.get(shared);
      differs = !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                            [](const Entry& x, const Entry& y) { return same_entry(x, y); });
    });
    return differs;
  }

  template <class Owner>
  static std::size_t list_size(const Owner& owner, std::size_t wanted) {
    std::size_t number = 0, size = 0;
    visit_lists(std::type_identity<Owner>{}, [&](const auto& list) {
      if (number++ == wanted) size = list.get(owner).size();
    });
    return size;
  }

  template <class Owner>
  void list_of(const Owner& owner, std::size_t wanted) {
    std::size_t number = 0;
    visit_lists(std::type_identity<Owner>{}, [&](const auto& list) {
      if (number++ == wanted) entries(list.get(owner));
    });
  }

  template <class Entry>
  void entries(const std::vector<Entry>& all) {
    open('[');
    bool first = true;
    for (const Entry& entry : all) {
      if constexpr (kIsRow<Entry> && !std::is_same_v<Entry, StrungNode>) {
        // Short and many: as many on a line as it holds.
        if (!first) text_ += ',';
        first_ = first;
        if (first)
          line();
        else
          space();
        row(entry);
        first_ = false;
      } else if constexpr (kIsRow<Entry>) {
        next();
        row(entry);
      } else {
        next();
        const bool flat = flat_;
        flat_ = flat_ || kOneLine<Entry>;
        open('{');
        if constexpr (kHasNumber<Entry>) {
          key("id");
          integer(std::uint64_t{entry.id});
        }
        members(entry_fields(std::type_identity<Entry>{}), entry);
        close('}');
        flat_ = flat;
      }
      first = false;
    }
    close(']');
  }

  /// Numbers at the end that are as by default are left out.
  template <class Entry>
  void row(const Entry& entry) {
    using Format = RowFormat<Entry>;
    std::size_t count = Format::columns.size();
    const auto as_left_out = [&](std::size_t i) {
      return std::bit_cast<std::uint64_t>(Format::columns[i].fallback) ==
             std::bit_cast<std::uint64_t>(Format::get(entry, i));  // −0 is not 0
    };
    while (count > 0 && as_left_out(count - 1)) --count;
    text_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text_ += ", ";
      const double value = Format::get(entry, i);
      if (Format::columns[i].whole)
        integer(static_cast<std::int64_t>(value));
      else if constexpr (std::is_same_v<Entry, PaintedWeight>)
        number(static_cast<float>(value));
      else
        number(value);
    }
    text_ += ']';
  }

  std::string text_;
  std::size_t line_start_ = 0;
  bool flat_ = false;  // the present block stands on one line
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing in the present block yet
};

}  // namespace

std::string scene_to_text(const Scene& scene) {
  Writer writer;
  // The keys that are kept behind a known one.
  const auto kept_behind = [&](const auto& is_anchor) {
    for (const KeptKey& kept : scene.kept.keys())
      if (is_anchor(kept.after)) writer.raw(kept.key, kept.text);
  };
  const auto done = [&](std::string_view key) { kept_behind([&](std::string_view after) { return after == key; }); };
  const auto text = [&](std::string_view key, const std::string& value) {
    writer.key(key);
    writer.string(value);
    done(key);
  };
  const auto block = [&](std::string_view key, auto table, const auto& owner) {
    writer.key(key);
    writer.open('{');
    writer.members(table, owner);
    writer.close('}');
    done(key);
  };
  writer.open('{');
  writer.key("format");
  writer.string("hazumi scene");
  writer.key("version");
  writer.integer(std::int64_t{kSceneVersion});
  if (const int minor = std::max(kSceneMinor, scene.newer_minor); minor > 0) {
    writer.key("minor");
    writer.integer(std::int64_t{minor});
  }
  kept_behind([](std::string_view after) {
    return after.empty() || after == "format" || after == "version" || after == "minor";
  });
  text("name", scene.name);
  text("description", scene.description);
  block("settings", settings_fields(), scene.settings);
  visit_scene_lists_of_file([&]<class Thing>(const SceneList<Thing>& list) {
    if (list.sparse && (scene.*list.member).empty()) return done(list.path);
    if constexpr (std::is_same_v<Thing, Take>)
      writer.takes(scene, list);
    else
      writer.things(list.path, scene.*list.member, list.fields());
    done(list.path);
  });
  text("layout", scene.layout);
  writer.close('}');
  return writer.take() + "\n";
}

}  // namespace hazumi
