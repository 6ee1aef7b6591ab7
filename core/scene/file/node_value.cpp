#include "core/scene/file/node_value.h"

#include <cmath>

namespace hazumi::json {

bool is_number(const Node& node) { return node.kind == Kind::integer || node.kind == Kind::number; }

std::optional<std::int64_t> whole(const Node& node) {
  if (node.kind == Kind::integer) return node.integer;
  if (node.kind == Kind::number && std::abs(node.number) < 0x1p53 && node.number == std::floor(node.number))
    return static_cast<std::int64_t>(node.number);
  return std::nullopt;
}

namespace {

bool numbers(const Node& node, std::size_t count) {
  if (node.kind != Kind::list || node.items().size() != count) return false;
  for (const Node& item : node.items())
    if (!is_number(item)) return false;
  return true;
}

}  // namespace

std::string expected(FieldType type, std::span<const std::string_view> choices) {
  switch (type) {
    case FieldType::boolean:
      return "true or false";
    case FieldType::integer:
      return "a whole number";
    case FieldType::number:
      return "a number";
    case FieldType::text:
      return "text";
    case FieldType::vector:
      return "3 numbers, [x, y, z]";
    case FieldType::colour:
      return "3 numbers, [red, green, blue]";
    case FieldType::rotation:
      return "4 numbers, the quaternion [w, x, y, z]";
    case FieldType::choice:
      return choices.size() == 1 ? choice_list(choices) : "one of " + choice_list(choices);
    case FieldType::integers:
      return "3 whole numbers";
  }
  return {};
}

std::optional<FieldValue> convert(FieldType type, std::span<const std::string_view> choices, const Node& node) {
  switch (type) {
    case FieldType::boolean:
      if (node.kind == Kind::boolean) return node.boolean;
      break;
    case FieldType::integer:
      if (const auto number = whole(node)) return *number;
      break;
    case FieldType::number:
      if (is_number(node)) return node.number;
      break;
    case FieldType::text:
      if (node.kind == Kind::text) return node.text();
      break;
    case FieldType::vector:
    case FieldType::colour:
      if (numbers(node, 3)) return Vec3(node.items()[0].number, node.items()[1].number, node.items()[2].number);
      break;
    case FieldType::rotation:
      if (numbers(node, 4)) {
        const Quat q(node.items()[0].number, node.items()[1].number, node.items()[2].number, node.items()[3].number);
        // A file typed by hand has few digits. One written by the program is left alone, to the bit.
        const double length = q.coeffs().stableNorm();
        return length > 0.999 && length < 1.001 && std::abs(length - 1) > 1e-12 ? q.normalized() : q;
      }
      break;
    case FieldType::choice:
      for (std::size_t i = 0; node.kind == Kind::text && i < choices.size(); ++i)
        if (choices[i] == node.text()) return static_cast<std::int64_t>(i);
      break;
    case FieldType::integers:
      if (node.kind == Kind::list && node.items().size() == 3) {
        std::array<int, 3> values{};
        for (std::size_t i = 0; i < 3; ++i) {
          const auto number = whole(node.items()[i]);
          if (!number || std::abs(*number) > 1'000'000'000) return std::nullopt;
          values[i] = static_cast<int>(*number);
        }
        return values;
      }
      break;
  }
  return std::nullopt;
}

}  // namespace hazumi::json
