// hazumi-cli: everything that needs no window (docs/command-line.md). Links core and render, no widgets: it is the proof
// that they stand alone. Exceptions end here with a sentence.
#include <iostream>
#include <new>

#include "app/cli/command.h"

namespace {

using namespace hazumi;

constexpr cli::CommandInfo kCommands[] = {
    {"info", "What is in a scene", cli::add_info},
    {"validate", "Check scene files", cli::add_validate},
    {"simulate", "Run a scene: hashes and observables per frame", cli::add_simulate},
    {"render", "Pictures of frames through the scene's cameras", cli::add_render},
    {"export", "Pictures, display and analysis models of frames as files", cli::add_export},
    {"formats", "What frames can be exported as, with all options", cli::add_formats},
};

int run(int argc, char** argv) {
  const int code = cli::run_command(argc, argv, kCommands);
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
