// What is told to a person when something at the boundary (file, edit, command line, solver) is wrong:
// one clear sentence, the place, and what to do about it.
#pragma once

#include <string>
#include <vector>

namespace hazumi {

enum class Severity { info, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string path;     ///< place in the scene or file: "objects[3].body.mass", "line 12, column 4", "Ball"
  std::string message;  ///< one sentence, ends with a full stop
  std::string hint;     ///< what to do, one sentence; may be empty
};

using Diagnostics = std::vector<Diagnostic>;

/// "error: objects[3].body.mass: Mass must be above zero. (Enter …)" on one line.
std::string to_string(const Diagnostic& diagnostic);
bool has_error(const Diagnostics& diagnostics);

}  // namespace hazumi
