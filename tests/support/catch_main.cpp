#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/checked_accounts.h"

// Asked by LeakSanitizer alone: libvorbis keeps a few kilobytes of an OGG file whose headers are damaged.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libvorbis\n"; }

int main(int argc, char** argv) {
  hazumi::test::check_accounts();
  return Catch::Session().run(argc, argv);
}
