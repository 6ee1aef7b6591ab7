#include "app/cli/parser.h"

#include <CLI/CLI.hpp>

#include "app/cli/command.h"

namespace hazumi::cli {

void Words::place(const char* name, std::string& value, const std::string& help, const char* shown) {
  app_.add_option(name, value, help)->required()->type_name(shown);
}

void Words::places(const char* name, std::vector<std::string>& values, const std::string& help, const char* shown) {
  app_.add_option(name, values, help)->required()->type_name(shown);
}

void Words::text(const char* name, std::string& value, const std::string& help, const char* shown, Need need) {
  app_.add_option(name, value, help)->required(need == required)->type_name(shown);
}

void Words::texts(const char* name, std::vector<std::string>& values, const std::string& help, const char* shown) {
  app_.add_option(name, values, help)->allow_extra_args(false)->type_name(shown);
}

void Words::number(const char* name, int& value, int low, int high, const std::string& help) {
  app_.add_option(name, value, help)->check(CLI::Range(low, high))->type_name("N");
}

void Words::flag(const char* name, bool& value, const std::string& help) { app_.add_flag(name, value, help); }

void Words::below_help(const std::string& text) { app_.footer(text); }

int run_command(int argc, char** argv, std::span<const CommandInfo> commands) {
  CLI::App app("Hazumi on the command line: scenes checked, simulated, rendered and exported without a display.",
               "hazumi-cli");
  app.set_version_flag("--version", "hazumi-cli " HAZUMI_VERSION);
  app.require_subcommand(1);
  std::vector<Run> actions;
  for (const CommandInfo& command : commands) {
    Words words(*app.add_subcommand(command.name, command.about));
    actions.push_back(command.add(words));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string message = error.what();
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    for (char& c : message)
      if (c == '\n') c = ' ';
    return usage(message + ".", "See hazumi-cli --help.");
  }
  catch_interrupts();
  int code = bad_usage;
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (app.got_subcommand(commands[i].name)) code = actions[i]();
  return code;
}

}  // namespace hazumi::cli
