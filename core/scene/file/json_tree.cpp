#include "core/scene/file/json_tree.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <nlohmann/json.hpp>

namespace hazumi::json {

namespace {

/// Walks the text and leaves behind how far the parser has come, which its events do not tell.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackedIterator operator++(int) {
    TrackedIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

std::string line_and_column(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? offset : offset - start - 1;
  return "line " + std::to_string(line_of(text, offset)) + ", column " + std::to_string(column + 1);
}

class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(std::string_view text, const Limits& limits, const Visitor& visitor, Diagnostics& problem)
      : text_(text), limits_(limits), visitor_(visitor), problem_(problem), reached_(text.data()) {}

  const char** reached() { return &reached_; }

  bool null() override { return leaf(Node{}); }
  bool boolean(bool value) override {
    Node node;
    node.kind = Kind::boolean;
    node.boolean = value;
    return leaf(std::move(node));
  }
  bool number_integer(number_integer_t value) override {
    Node node;
    node.kind = Kind::integer;
    node.integer = value;
    node.number = static_cast<double>(value);
    return leaf(std::move(node));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), {});
  }
  bool number_float(number_float_t value, const string_t&) override {
    Node node;
    node.kind = Kind::number;
    node.number = value;
    return leaf(std::move(node));
  }
  bool string(string_t& value) override {
    if (value.size() > limits_.text_bytes) return fail(path(), "This text is too long for a scene.");
    Node node;
    node.kind = Kind::text;
    node.make_rest().text = std::move(value);
    return leaf(std::move(node));
  }
  bool binary(binary_t&) override { return false; }  // does not occur in JSON text

  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    std::vector<std::string>& keys = open_.back().make_rest().keys;
    if (std::find(keys.begin(), keys.end(), name) != keys.end())
      return fail(path(), "The key " + quote(name) + " appears twice in the same block.");
    if (keys.size() >= limits_.keys_per_object) return fail(path(), "This block has too many keys.");
    keys.push_back(std::move(name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    const std::size_t at = position > 0 ? position - 1 : 0;
    const std::string where = line_and_column(text_, at);
    static constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow)
      return fail(where, "The number " + quote(token) + " is too large.", "Numbers must be finite.");
    // The parser counts the end of the text as one more character: it wanted more than there was.
    if (position > text_.size())
      return fail(where, "The file ends in the middle: it was cut off.", "Open an older copy of the scene.");
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("NaN") || rest.starts_with("nan") || rest.starts_with("Inf") || rest.starts_with("inf"))
      return fail(where, "NaN and Infinity are not numbers that a scene can hold.", "Write a finite number.");
    if (const std::size_t begin = text_.find_first_not_of(" \t\r\n\xef\xbb\xbf"); begin == at && text_[at] != '{')
      return fail(where, "It is not a scene: a scene is a text that begins with {.",
                  "Open a scene (.json), or import a mesh with File > Import.");
    return fail(where, "The file is not valid JSON here: unexpected " + quote(unexpected(at)) + ".",
                "Repair the file at this place or open an older copy of the scene.");
  }

 private:
  /// What the parser stumbled over: the text that ends at `at`, else what stands there up to the end of the
  /// line.
  std::string_view unexpected(std::size_t at) const {
    if (text_[at] == '"' && at > 0) {
      const std::size_t start = text_.rfind('"', at - 1);
      if (start != std::string_view::npos && text_.substr(start, at - start).find('\n') == std::string_view::npos)
        return text_.substr(start + 1, at - start - 1);
    }
    const std::string_view rest = text_.substr(at, 20);
    return rest.substr(0, rest.find_first_of("\r\n"));
  }

  std::size_t depth() const { return open_.size(); }
  bool streamed(std::size_t level) const {
    return level == 1 && open_.size() > 1 && open_[0].kind == Kind::object && open_[1].kind == Kind::list &&
           visitor_.is_list(open_[0].keys().back());
  }

  /// "objects[3].body": of the value that comes next.
  std::string path() const {
    std::string text;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].kind == Kind::object) {
        if (open_[i].keys().empty()) continue;
        if (!text.empty()) text += '.';
        text += open_[i].keys().back();
      } else {
        text += '[' + std::to_string(streamed(i) ? entries_ : open_[i].items().size()) + ']';
      }
      if (text.size() > 200) return text.substr(0, 200) + "…";
    }
    return text;
  }

  bool fail(std::string where, std::string message, std::string hint = {}) {
    const std::string line = "line " + std::to_string(line_of(text_, offset()));
    if (where.empty()) where = line;
    if (!where.starts_with("line ")) where += " (" + line + ")";
    problem_.push_back({Severity::error, std::move(where), std::move(message), std::move(hint)});
    return false;
  }

  std::size_t offset() const { return static_cast<std::size_t>(reached_ - text_.data()); }

  /// Counts a value before it is kept.
  bool admit() {
    const std::size_t level = depth();
    if (level == 0) return true;
    if (streamed(level - 1)) {
      values_ = 0;
      if (entries_ >= limits_.entries_per_list)
        return fail(open_[0].keys().back(), "This list has more than " + std::to_string(limits_.entries_per_list) +
                                                " entries, which is more than a scene can hold.");
    } else if (level == 1) {
      values_ = 0;
    }
    if (++values_ > limits_.values_per_piece) {
      open_.back().make_rest().items.clear();  // so that the path names the list, not its last entry
      return fail(path(), "There are more than " + std::to_string(limits_.values_per_piece) +
                              " values here, which is more than a scene can hold.");
    }
    return true;
  }

  bool leaf(Node node) {
    if (!admit()) return false;
    node.offset = static_cast<std::uint32_t>(offset());
    return place(std::move(node));
  }

  bool open(Kind kind) {
    if (depth() >= limits_.depth)
      return fail("line " + std::to_string(line_of(text_, offset())),
                  "Blocks are nested more than " + std::to_string(limits_.depth) + " deep.");
    if (depth() == 0 && kind != Kind::object)
      return fail("line 1", "This is not a Hazumi scene: the file must hold one JSON object.");
    if (!admit()) return false;
    Node node;
    node.kind = kind;
    node.offset = static_cast<std::uint32_t>(offset());
    open_.push_back(std::move(node));
    if (depth() == 2) entries_ = 0;
    return true;
  }

  bool close() {
    Node node = std::move(open_.back());
    if (streamed(depth() - 1)) {  // its entries are already handed over
      open_.pop_back();
      return true;
    }
    open_.pop_back();
    if (open_.empty()) {
      if (node.kind == Kind::object) return true;
      return fail("line 1", "This is not a Hazumi scene: the file must hold one JSON object.");
    }
    return place(std::move(node));
  }

  /// A finished value goes into the block around it, or to the visitor.
  bool place(Node node) {
    if (open_.empty()) return fail("line 1", "This is not a Hazumi scene: the file must hold one JSON object.");
    if (streamed(depth() - 1)) return visitor_.entry(open_[0].keys().back(), entries_++, std::move(node));
    if (depth() == 1 && open_[0].kind == Kind::object) return visitor_.value(open_[0].keys().back(), std::move(node));
    open_.back().make_rest().items.push_back(std::move(node));
    return true;
  }

  std::string_view text_;
  const Limits& limits_;
  const Visitor& visitor_;
  Diagnostics& problem_;
  const char* reached_;
  std::vector<Node> open_;   // blocks that are not finished, outermost first
  std::size_t values_ = 0;   // in the present piece
  std::size_t entries_ = 0;  // handed over of the present list
};

}  // namespace

const Node::Rest& Node::rest() const {
  static const Rest none;
  return rest_ == nullptr ? none : *rest_;
}

Node::Rest& Node::make_rest() {
  if (rest_ == nullptr) rest_ = std::make_unique<Rest>();
  return *rest_;
}

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys().size(); ++i)
    if (keys()[i] == key) return &items()[i];
  return nullptr;
}

namespace {

bool of_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

/// Behind the bracket that closes the one at `start`.
std::size_t end_of_block(std::string_view text, std::size_t start) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

// `offset` is where the parser was when it told of the value: behind the bracket that opens a block, behind the last
// character of anything else, and of numbers one further, since only that one tells that they have ended.
std::string_view raw(std::string_view text, const Node& node) {
  const std::size_t offset = std::min<std::size_t>(node.offset, text.size());
  std::size_t start = offset, end = offset;
  switch (node.kind) {
    case Kind::list:
    case Kind::object:
      start = offset - 1;
      end = end_of_block(text, start);
      break;
    case Kind::text:
      // Quotation marks inside are behind an odd number of backslashes, the one at the start is behind none.
      for (start = offset - 2; text[start] != '"' || text[start - 1] == '\\'; --start) {
        if (text[start] != '"') continue;
        std::size_t backslashes = 1;
        while (text[start - 1 - backslashes] == '\\') ++backslashes;
        if (backslashes % 2 == 0) break;
      }
      break;
    case Kind::integer:
    case Kind::number:
      while (!of_number(text[end - 1])) --end;
      for (start = end; of_number(text[start - 1]); --start) {
      }
      break;
    case Kind::null:
      start = offset - 4;
      break;
    case Kind::boolean:
      start = offset - (node.boolean ? 4 : 5);
      break;
  }
  return text.substr(start, end - start);
}

std::size_t line_of(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

std::string quote(std::string_view text) {
  std::string shown = "\"";
  for (char c : text.substr(0, 40))
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) shown += c;
  // Not in the middle of a character: bytes 10xxxxxx and the lead byte before them go when the cut was there.
  if (text.size() > 40) {
    while (shown.size() > 1 && (static_cast<unsigned char>(shown.back()) & 0xc0) == 0x80) shown.pop_back();
    if (shown.size() > 1 && (static_cast<unsigned char>(shown.back()) & 0xc0) == 0xc0) shown.pop_back();
    shown += "…";
  }
  return shown + "\"";
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return node.boolean ? "true" : "false";
    case Kind::integer:
      return "the number " + std::to_string(node.integer);
    case Kind::number:
      if (std::abs(node.number) >= 0x1p53) return "a number that is far too large";
      return "a number with a fraction";
    case Kind::text:
      return "the text " + quote(node.text());
    case Kind::list:
      return "a list of " + std::to_string(node.items().size()) + " entries";
    case Kind::object:
      return "a block";
  }
  return {};
}

bool read(std::string_view text, const Limits& limits, const Visitor& visitor, Diagnostics& problem) {
  Handler handler(text, limits, visitor, problem);
  const TrackedIterator first(text.data(), handler.reached());
  const TrackedIterator last(text.data() + text.size(), handler.reached());
  return nlohmann::json::sax_parse(first, last, &handler);
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace hazumi::json
