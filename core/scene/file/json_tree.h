// A bounded reader of JSON for scene files. nlohmann's parser is driven through its event interface, so that
// nothing is built from a hostile file before it was counted: the top-level object is handed over value by
// value, entries of the lists named by the caller one by one, and each such piece is a small tree that is
// freed before the next is read. Damage (syntax, duplicate keys, depth, size) ends the reading with one
// diagnostic that names line and column.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace hazumi::json {

enum class Kind { null, boolean, integer, number, text, list, object };

/// A value. Numbers are what there is most of, so what only texts, lists and objects have is kept apart.
class Node {
 public:
  Kind kind = Kind::null;
  bool boolean = false;
  std::uint32_t offset = 0;  ///< bytes from the start of the text to just behind where the value starts
  std::int64_t integer = 0;
  double number = 0;  ///< of integers too

  const std::string& text() const { return rest().text; }
  const std::vector<std::string>& keys() const { return rest().keys; }  ///< of an object, one per item
  const std::vector<Node>& items() const { return rest().items; }
  const Node* find(std::string_view key) const;

  struct Rest {
    std::string text;
    std::vector<std::string> keys;
    std::vector<Node> items;
  };
  const Rest& rest() const;
  Rest& make_rest();

 private:
  std::unique_ptr<Rest> rest_;
};

/// "a number", "a list of 4 entries", "the text "abc"": for sentences.
std::string describe(const Node& node);
/// The value as it stands in the text that was read.
std::string_view raw(std::string_view text, const Node& node);
/// In quotation marks, control characters and what is beyond 40 bytes left out.
std::string quote(std::string_view text);
/// 1-based line of an offset.
std::size_t line_of(std::string_view text, std::size_t offset);

struct Limits {
  std::size_t depth = 64;
  std::size_t values_per_piece = 2'000'000;
  std::size_t entries_per_list = 100'000;  ///< of the lists that are handed over entry by entry
  std::size_t keys_per_object = 1'000;
  std::size_t text_bytes = std::size_t{1} << 20;
};

struct Visitor {
  /// One value of the top-level object. False stops the reading (the visitor has said why).
  std::function<bool(const std::string& key, Node value)> value;
  /// One entry of a top-level list that `is_list` names.
  std::function<bool(const std::string& key, std::size_t index, Node entry)> entry;
  std::function<bool(const std::string& key)> is_list;
};

/// True when the whole text was read. Else `problem` says why, or is empty when the visitor stopped it.
bool read(std::string_view text, const Limits& limits, const Visitor& visitor, Diagnostics& problem);

/// A text in quotation marks, as JSON writes it; bytes that are no UTF-8 become U+FFFD.
std::string quoted(const std::string& text);

}  // namespace hazumi::json
