#include "core/motion/classes.h"

#include <algorithm>

namespace hazumi {
namespace {

const ParameterRow* find_row(std::span<const ParameterRow> rows, std::string_view name) {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const ParameterRow& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

std::vector<ParameterRow> inherited_rows(const ProcedureKind& parent, std::span<const ParameterRow> own,
                                         std::initializer_list<RowChange> changes) {
  std::vector<ParameterRow> rows(own.begin(), own.end());
  for (const ParameterRow& row : parent.parameters) {
    if (find_row(own, row.name)) continue;
    rows.push_back(row);
    for (const RowChange& change : changes) {
      if (change.name != row.name) continue;
      if (change.fallback) rows.back().fallback = *change.fallback;
      if (!change.tooltip.empty()) rows.back().tooltip = change.tooltip;
    }
  }
  std::stable_partition(rows.begin(), rows.end(), [](const ParameterRow& row) { return row.name != "processing"; });
  return rows;
}

std::size_t processing_of(std::span<const ParameterRow> rows) {
  const ParameterRow* row = find_row(rows, "processing");
  return row ? static_cast<std::size_t>(row - rows.data()) : rows.size();
}

bool is_geometric(const ProcedureKind& kind, std::span<const double> values) {
  const std::size_t at = processing_of(kind.parameters);
  return at < kind.parameters.size() ? values[at] != 0 : kind.processing == Processing::geometric;
}

const ProcedureKind& owner_of(const ProcedureKind& kind, std::string_view row) {
  const ProcedureKind* owner = &kind;
  while (owner->parent && !find_row(owner->own_rows, row)) owner = owner->parent;
  return *owner;
}

std::string class_text(const ProcedureKind& kind) {
  std::string text;
  for (const ProcedureKind* parent = kind.parent; parent; parent = parent->parent)
    text += (text.empty() ? "" : ", ") + std::string(parent->noun);
  return text;
}

std::string processing_text(const ProcedureKind& kind) {
  if (processing_of(kind.parameters) < kind.parameters.size()) return "dynamically or geometrically";
  switch (kind.processing) {
    case Processing::dynamic:
      return "dynamically";
    case Processing::geometric:
      return "geometrically";
    case Processing::none:
      break;
  }
  return "";
}

}  // namespace hazumi
