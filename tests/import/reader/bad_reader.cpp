// Stands in for hazumi-mesh-reader in the tests: does what a format library that met a damaged file may do. The first
// argument after the limits says what, and is a file's name when the program itself starts it.
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "core/import/apart.h"

int main(int count, char** arguments) {
  return hazumi::answer_apart(count, arguments, [](const std::vector<std::string>& asked) -> std::string {
    const char* set = std::getenv("HAZUMI_BAD_READER");
    const std::string what = set != nullptr ? set : asked.at(0);
    if (what == "answer") return std::string(3'000'000, 'x');
    if (what == "arguments") {
      std::string all;
      for (const std::string& argument : asked) all += argument + "\n";
      return all;
    }
    if (what == "nothing") return {};
    if (what == "abort") std::abort();
    if (what == "throw") throw std::runtime_error("as a library does");
    if (what == "exit") ::_exit(0);
    if (what == "memory") return std::string(std::size_t{1} << 30, 'x');
    if (what == "loop") {
      for (volatile bool for_ever = true; for_ever;) {
      }
    }
    if (what == "sleep")
      for (;;) ::pause();
    return "garbage";
  });
}
