// hazumi-cli: everything that needs no window (docs/command-line.md). Links core and render, no widgets: it is the proof
// that they stand alone. Exceptions end here with a sentence.
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <new>

#include "app/cli/command.h"

namespace {

using namespace hazumi;

int run(int argc, char** argv) {
  CLI::App app("Hazumi on the command line: scenes checked, simulated, rendered and exported without a display.",
               "hazumi-cli");
  app.set_version_flag("--version", "hazumi-cli " HAZUMI_VERSION);
  app.require_subcommand(1);
  std::vector<std::pair<std::string, cli::Run>> commands = {{"info", cli::add_info(app)},
                                                            {"validate", cli::add_validate(app)},
                                                            {"simulate", cli::add_simulate(app)},
                                                            {"render", cli::add_render(app)},
                                                            {"export", cli::add_export(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string message = error.what();
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    for (char& c : message)
      if (c == '\n') c = ' ';
    return cli::usage(message + ".", "See hazumi-cli --help.");
  }
  cli::catch_interrupts();
  int code = cli::bad_usage;
  for (const auto& [name, action] : commands)
    if (app.got_subcommand(name)) code = action();
  std::cout.flush();
  if (!std::cout) {
    cli::say({Severity::error, "", "Cannot write to standard output.", "Make room where it goes to."});
    return code == cli::done ? cli::stopped : code;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    cli::say({Severity::error, "", "There is not enough memory for this.", ""});
  } catch (const std::exception& error) {
    cli::say({Severity::error, "", std::string("Something went wrong: ") + error.what() + ".", ""});
  }
  return cli::stopped;
}
