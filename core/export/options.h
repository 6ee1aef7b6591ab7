// Options of an export format: one row per option. The rows make the widgets of the dialog, the words of the command line and
// its help. Every value is one number: on is 1, a choice is its place among the choices.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace hazumi {

enum class OptionType { boolean, whole, number, choice };

struct ExportOption {
  std::string_view name;   ///< in `--option name=value`, and where it is remembered
  std::string_view label;  ///< on screen
  std::string_view tooltip;
  OptionType type;
  double fallback;             ///< when nothing is said
  double low = 0, high = 1;    ///< of numbers, both allowed
  std::string_view unit = "";  ///< "px"; of numbers
  std::span<const std::string_view> choices = {};
};

/// What was said, by name; what is missing has its fallback.
using ExportValues = std::map<std::string, double, std::less<>>;

double option_value(std::span<const ExportOption> options, const ExportValues& values, std::string_view name);
const ExportOption* find_option(std::span<const ExportOption> options, std::string_view name);
/// Whether a dialog may show them as one row when the format changes.
bool same_option(const ExportOption& a, const ExportOption& b);

}  // namespace hazumi
