#include "core/import/vertex_list.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/import/plain_text.h"

namespace hazumi {

namespace {

using MaybeVertices = std::optional<std::vector<Vec3>>;

constexpr std::uintmax_t kMostListBytes = 256u << 20;

Diagnostic list_error(const std::filesystem::path& file, std::string message) {
  return {Severity::error, file.filename().string(), std::move(message), "Write the mesh anew, as OBJ."};
}

/// The line at the front, without its end; the rest stays.
std::string_view list_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

/// The word at the front; "": there is none.
std::string_view list_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

/// A number is all of a word, whatever the locale.
bool list_number(std::string_view& line, double& number) {
  std::string_view word = list_word(line);
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  return fault == std::errc() && end == word.data() + word.size();
}

Result<MaybeVertices> list_of_obj(const std::filesystem::path& file, std::string bytes) {
  const std::string plain = plain_obj(std::move(bytes));
  std::string_view text = plain;
  std::vector<Vec3> out;
  while (!text.empty()) {
    std::string_view line = list_line(text);
    if (list_word(line) != "v") continue;
    Vec3 x;
    if (!list_number(line, x.x()) || !list_number(line, x.y()) || !list_number(line, x.z()))
      return list_error(file, "Vertex " + std::to_string(out.size()) + " has no three numbers.");
    out.push_back(x);
  }
  return MaybeVertices(std::move(out));
}

Result<MaybeVertices> list_of_ply(const std::filesystem::path& file, std::string_view text) {
  std::size_t count = 0, properties = 0, places[3] = {99, 99, 99};
  bool first = true, of_vertices = false;
  for (std::string_view line = list_line(text); line != "end_header"; line = list_line(text)) {
    if (text.empty()) return list_error(file, "The header has no end.");
    const std::string_view word = list_word(line);
    if (word == "format" && list_word(line) != "ascii") return MaybeVertices();
    if (word == "element") {
      of_vertices = list_word(line) == "vertex";
      double number = 0;
      if (of_vertices && (!first || !list_number(line, number) || number < 0 || number > 1e9))
        return list_error(file, "The vertices do not come first.");
      if (of_vertices) count = static_cast<std::size_t>(number);
      first = false;
    }
    if (word != "property" || !of_vertices) continue;
    list_word(line);
    const std::string_view name = list_word(line);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (name == std::string_view("xyz").substr(axis, 1)) places[axis] = properties;
    ++properties;
  }
  if (std::max({places[0], places[1], places[2]}) >= properties)
    return list_error(file, "The vertices have no places.");
  std::vector<Vec3> out;
  while (out.size() < count) {
    if (text.empty()) return list_error(file, "The file ends within its vertices.");
    std::string_view line = list_line(text);
    Vec3 x = Vec3::Zero();
    for (std::size_t k = 0; k < properties; ++k) {
      double number = 0;
      if (!list_number(line, number))
        return list_error(file, "Vertex " + std::to_string(out.size()) + " has not all of its numbers.");
      for (int axis = 0; axis < 3; ++axis)
        if (places[axis] == k) x[axis] = number;
    }
    out.push_back(x);
  }
  return MaybeVertices(std::move(out));
}

}  // namespace

Result<std::optional<std::vector<Vec3>>> read_vertex_list(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending != ".obj" && ending != ".ply") return MaybeVertices();
  std::error_code fault;
  const auto size = std::filesystem::file_size(file, fault);
  std::ifstream in(file, std::ios::binary);
  if (fault || !in) return list_error(file, "The file cannot be opened.");
  if (size > kMostListBytes) return list_error(file, "The file is larger than 256 MiB.");
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (ending == ".obj") return list_of_obj(file, std::move(bytes));
  if (!bytes.starts_with("ply")) return list_error(file, "The file is no PLY file.");
  return list_of_ply(file, bytes);
}

}  // namespace hazumi
