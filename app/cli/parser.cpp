#include "app/cli/parser.h"

#include <algorithm>
#include <numeric>
#include <optional>

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

namespace {

/// Letters to put in, take out, change or swap with their neighbour until one word is the other.
std::size_t letters_apart(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last = now;
  }
  return last[b.size()];
}

/// The name that was probably meant; empty when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  const auto nearer = [&](const auto& a, const auto& b) { return letters_apart(word, a) < letters_apart(word, b); };
  const auto best = std::min_element(names.begin(), names.end(), nearer);
  return best != names.end() && letters_apart(word, *best) <= 1 + word.size() / 4 ? *best : std::string();
}

int unknown(const std::string& word, const std::string& what, const std::vector<std::string>& names,
            const std::string& help) {
  const std::string meant = nearest(word.substr(0, 40), names);
  return usage("“" + word.substr(0, 40) + "” is " + what + ".", meant.empty() ? help : "Did you mean " + meant + "?");
}

/// A word of a command that it does not know, an option first; nothing when all are known.
std::optional<int> unknown_word(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  if (words.empty()) return std::nullopt;
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w.starts_with("-"); });
  const std::string help = "See hazumi-cli " + command.get_name() + " --help.";
  if (option == words.end())
    return usage("“" + words.front().substr(0, 40) + "” is one word too many for " + command.get_name() + ".", help);
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  return unknown(option->substr(0, option->find('=')), "not an option of " + command.get_name(), names, help);
}

}  // namespace

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
  std::vector<std::string> names;
  std::string list;
  for (const CommandInfo& command : commands) {
    names.push_back(command.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string first = argc > 1 ? argv[1] : "";
  const bool named = !first.empty() && !first.starts_with("-");
  if (argc == 1) return usage("No command is given.", "Commands are " + list + "; see hazumi-cli --help.");
  if (named && std::find(names.begin(), names.end(), first) == names.end())
    return unknown(first, "not a command", names, "Commands are " + list + ".");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    for (const CLI::App* command : app.get_subcommands())
      if (const auto code = unknown_word(*command)) return *code;
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
