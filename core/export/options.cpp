#include "core/export/options.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/export/format.h"
#include "core/export/text_sink.h"

namespace hazumi {

namespace {

Diagnostic refused(std::string message, std::string hint) {
  return {Severity::error, "", std::move(message), std::move(hint)};
}

/// What a person typed, short enough for a sentence.
std::string quoted(std::string_view text) { return "“" + std::string(text.substr(0, 40)) + "”"; }

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? std::string(" ") + last + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string number_text(double number) {
  std::string text;
  append_number(text, number);
  return text;
}

std::vector<std::string> words_of(std::span<const std::string_view> words) { return {words.begin(), words.end()}; }

std::optional<double> read_switch(std::string_view text) {
  for (const char* on : {"on", "yes", "true", "1"})
    if (text == on) return 1;
  for (const char* off : {"off", "no", "false", "0"})
    if (text == off) return 0;
  return std::nullopt;
}

std::optional<double> read_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string allowed(const ExportOption& option) {
  switch (option.type) {
    case OptionType::boolean:
      return "Write on or off.";
    case OptionType::choice:
      return "Write " + listed(words_of(option.choices), "or") + ".";
    case OptionType::whole:
    case OptionType::number:
      break;
  }
  return std::string(option.type == OptionType::whole ? "Write a whole number from " : "Write a number from ") +
         number_text(option.low) + " to " + number_text(option.high) + ".";
}

std::optional<double> read_value(const ExportOption& option, std::string_view text) {
  if (option.type == OptionType::boolean) return read_switch(text);
  if (option.type == OptionType::choice) {
    const auto word = std::find(option.choices.begin(), option.choices.end(), text);
    if (word == option.choices.end()) return std::nullopt;
    return static_cast<double>(word - option.choices.begin());
  }
  const auto number = read_number(text);
  if (!number || *number < option.low || *number > option.high) return std::nullopt;
  if (option.type == OptionType::whole && *number != std::floor(*number)) return std::nullopt;
  return number;
}

}  // namespace

const ExportOption* find_option(std::span<const ExportOption> options, std::string_view name) {
  const auto row =
      std::find_if(options.begin(), options.end(), [&](const ExportOption& option) { return option.name == name; });
  return row == options.end() ? nullptr : &*row;
}

double option_value(std::span<const ExportOption> options, const ExportValues& values, std::string_view name) {
  if (const auto given = values.find(name); given != values.end()) return given->second;
  const ExportOption* option = find_option(options, name);
  assert(option);
  return option->fallback;
}

bool same_option(const ExportOption& a, const ExportOption& b) {
  return a.name == b.name && a.label == b.label && a.tooltip == b.tooltip && a.type == b.type &&
         a.fallback == b.fallback && a.low == b.low && a.high == b.high && a.unit == b.unit &&
         std::equal(a.choices.begin(), a.choices.end(), b.choices.begin(), b.choices.end());
}

Status set_export_option(const ExportFormatInfo& format, std::string_view text, ExportValues& values) {
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const ExportOption* option = find_option(format.options, name);
  if (!option) {
    std::vector<std::string> names;
    for (const ExportOption& row : format.options) names.emplace_back(row.name);
    return refused(quoted(name) + " is not an option of " + std::string(format.label) + ".",
                   names.empty() ? "It has none." : "It has " + listed(names, "and") + ".");
  }
  const bool alone = equals == std::string_view::npos;
  if (alone && option->type != OptionType::boolean)
    return refused("No value is given for " + std::string(name) + ".", allowed(*option));
  const std::string_view word = alone ? "on" : text.substr(equals + 1);
  const auto value = read_value(*option, word);
  if (!value) return refused(quoted(word) + " cannot be the value of " + std::string(name) + ".", allowed(*option));
  values.insert_or_assign(std::string(name), *value);
  return Done{};
}

std::string describe_options(const ExportFormatInfo& format) {
  std::string text;
  for (const ExportOption& option : format.options) {
    std::string form = "    " + std::string(option.name) + "=", fallback;
    switch (option.type) {
      case OptionType::boolean:
        form += "on|off";
        fallback = option.fallback != 0 ? "on" : "off";
        break;
      case OptionType::choice:
        for (const auto& word : option.choices)
          form += std::string(word) + (&word == &option.choices.back() ? "" : "|");
        fallback = option.choices[static_cast<std::size_t>(option.fallback)];
        break;
      case OptionType::whole:
      case OptionType::number:
        form += number_text(option.low) + "…" + number_text(option.high);
        fallback = number_text(option.fallback);
        break;
    }
    if (!option.unit.empty()) form += " " + std::string(option.unit);
    text += form + " (" + fallback + ")\n        " + std::string(option.tooltip) + "\n";
  }
  return text;
}

}  // namespace hazumi
