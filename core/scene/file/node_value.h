// Values of fields from pieces of a file. Private to reading.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/scene/file/json_tree.h"
#include "core/scene/values/fields.h"

namespace hazumi::json {

bool is_number(const Node& node);
/// Whole numbers may be written 4 or 4.0.
std::optional<std::int64_t> whole(const Node& node);
/// "3 numbers, [x, y, z]": what a field of this type takes, for sentences.
std::string expected(FieldType type, std::span<const std::string_view> choices);
/// The value that a field of this type takes from the node; nothing when the node is of another kind.
std::optional<FieldValue> convert(FieldType type, std::span<const std::string_view> choices, const Node& node);

}  // namespace hazumi::json
