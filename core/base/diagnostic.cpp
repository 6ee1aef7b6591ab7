#include "core/base/diagnostic.h"

#include <algorithm>

namespace hazumi {

std::string to_string(const Diagnostic& diagnostic) {
  static constexpr const char* kNames[] = {"info", "warning", "error"};
  std::string text = kNames[static_cast<int>(diagnostic.severity)];
  if (!diagnostic.path.empty()) text += ": " + diagnostic.path;
  text += ": " + diagnostic.message;
  if (!diagnostic.hint.empty()) text += " " + diagnostic.hint;
  return text;
}

bool has_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace hazumi
