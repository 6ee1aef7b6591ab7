#include "core/import/plain_text.h"

#include <algorithm>
#include <array>

namespace hazumi {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // of UTF-8
constexpr std::array<std::string_view, 7> kStlWords = {"solid", "facet", "normal", "outer", "loop", "vertex", "end"};

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool blank(char c) { return c == ' ' || c == '\t'; }
bool ends_line(char c) { return c == '\n' || c == '\r'; }

bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) { return a == small(b); });
}

bool is_plain(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark) || (!bytes.empty() && blank(bytes.front()))) return false;
  if (bytes.find('\r') != std::string_view::npos) return false;
  for (auto at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1))
    if (at + 1 < bytes.size() && blank(bytes[at + 1])) return false;
  return bytes.find(" .") == std::string_view::npos && bytes.find("\t.") == std::string_view::npos;
}

/// Without mark and indents, every line ended by '\n'. In lines of vertices ".5" becomes "0.5": Assimp does not count it as a number.
std::string plain_lines(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  std::string out;
  out.reserve(bytes.size());
  bool at_start = true, vertices = false;
  for (const char c : bytes) {
    if (at_start && blank(c)) continue;
    if (at_start) vertices = c == 'v';
    at_start = ends_line(c);
    if (vertices && c == '.' && blank(out.back())) out.push_back('0');
    out.push_back(c == '\r' ? '\n' : c);  // an empty line more, where both stand, is none to the reader
  }
  return out;
}

}  // namespace

bool is_stl_text(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || !begins_with(bytes.substr(start), "solid")) return false;
  // A binary file may begin with the word too: its first facet comes after 84 bytes that are no text.
  for (const std::string_view word : {"facet", "FACET", "Facet"})
    if (bytes.find(word) != std::string_view::npos) return true;
  return false;
}

std::string plain_obj(std::string bytes) { return is_plain(bytes) ? std::move(bytes) : plain_lines(bytes); }

std::string plain_stl(std::string bytes) {
  if (!is_stl_text(bytes) || bytes.find('\0') != std::string::npos) return bytes;
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  const auto capital = [&](const char* word) { return bytes.find(word) != std::string::npos; };
  if (bytes.compare(start, 5, "solid") == 0 && !capital("FACET") && !capital("Facet") && !capital("VERTEX") &&
      !capital("Vertex"))
    return bytes;
  std::string out = plain_lines(bytes);
  for (std::size_t line = 0; line < out.size();) {
    const std::size_t end = std::min(out.find('\n', line), out.size());
    bool words = true;  // after "solid" comes a name, which keeps its letters
    for (std::size_t at = line; words && at < end;) {
      std::size_t stop = at;
      while (stop < end && !blank(out[stop])) ++stop;
      const std::string_view word(out.data() + at, stop - at);
      words = std::any_of(kStlWords.begin(), kStlWords.end(), [&](auto known) { return begins_with(word, known); });
      const bool named = begins_with(word, "solid") || begins_with(word, "endsolid");
      if (words) std::transform(word.begin(), word.end(), out.begin() + static_cast<std::ptrdiff_t>(at), small);
      words = words && !named;
      at = stop;
      while (at < end && blank(out[at])) ++at;
    }
    line = end + 1;
  }
  return out;
}

}  // namespace hazumi
