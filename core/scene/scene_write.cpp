// Scene → text. The keys come in the order of the field table, numbers in the shortest form that reads back
// to the same bits, vectors on one line, so that two versions of a scene differ in the lines that a person
// changed.
#include <charconv>
#include <cmath>

#include "core/scene/fields.h"
#include "core/scene/scene_io.h"

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
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))
    return 0;
  return length;
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
    if (!first_) line();
    text_ += bracket;
    first_ = false;
  }
  /// Starts an entry of the present block.
  void next() {
    if (!first_) text_ += ',';
    first_ = false;
    line();
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

  /// The fields of one owner; "body.mass" goes into a block "body". Rows of one block are neighbours in the
  /// table.
  template <class Owner>
  void fields(std::span<const Field<Owner>> table, const Owner& owner) {
    std::vector<std::string_view> blocks;
    for (const Field<Owner>& field : table) {
      std::vector<std::string_view> parts;
      for (std::string_view rest = field.path;;) {
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
      key(parts.back());
      value(field, field.get(owner));
    }
    for (; !blocks.empty(); blocks.pop_back()) close('}');
  }

  template <class Thing>
  void things(std::string_view name, const std::vector<Shared<Thing>>& list,
              std::span<const Field<Thing>> table) {
    key(name);
    open('[');
    for (const auto& thing : list) {
      next();
      open('{');
      key("id");
      integer(thing->id.value);
      fields(table, *thing);
      close('}');
    }
    close(']');
  }

 private:
  void line() {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing in the present block yet
};

}  // namespace

std::string scene_to_text(const Scene& scene) {
  Writer writer;
  writer.open('{');
  writer.key("format");
  writer.string("hazumi scene");
  writer.key("version");
  writer.integer(std::int64_t{kSceneVersion});
  writer.key("name");
  writer.string(scene.name);
  writer.key("description");
  writer.string(scene.description);
  writer.key("settings");
  writer.open('{');
  writer.fields(settings_fields(), scene.settings);
  writer.close('}');
  writer.key("camera");
  writer.open('{');
  writer.fields(camera_fields(), scene.camera);
  writer.close('}');
  writer.things("lights", scene.lights, light_fields());
  writer.things("objects", scene.objects, object_fields());
  writer.key("layout");
  writer.string(scene.layout);
  writer.close('}');
  return writer.take() + "\n";
}

}  // namespace hazumi
