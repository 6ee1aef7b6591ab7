// What a command says about its words. CLI11 stands behind it and is included in parser.cpp alone: its header takes longer to
// compile than all commands together.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hazumi::cli {

/// The words of one command. References are written when the command line is read; they must live until the command has run.
class Words {
 public:
  explicit Words(CLI::App& app) : app_(app) {}
  enum Need { optional, required };

  /// One that stands alone: SCENE. It is required.
  void place(const char* name, std::string& value, const std::string& help, const char* shown);
  void places(const char* name, std::vector<std::string>& values, const std::string& help, const char* shown);
  /// "--out PATH"
  void text(const char* name, std::string& value, const std::string& help, const char* shown, Need need = optional);
  /// "--option A --option B": may be said again.
  void texts(const char* name, std::vector<std::string>& values, const std::string& help, const char* shown);
  /// "--threads N", from low to high.
  void number(const char* name, int& value, int low, int high, const std::string& help);
  void flag(const char* name, bool& value, const std::string& help);
  /// Text below the list of options in --help.
  void below_help(const std::string& text);

 private:
  CLI::App& app_;
};

using Run = std::function<int()>;

struct CommandInfo {
  const char* name;
  const char* about;
  Run (*add)(Words& words);  ///< says its words, gives back what to do
};

/// Reads the command line and runs the command it names; the exit code.
int run_command(int argc, char** argv, std::span<const CommandInfo> commands);

}  // namespace hazumi::cli
