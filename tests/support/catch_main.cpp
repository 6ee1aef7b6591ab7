#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/checked_accounts.h"

int main(int argc, char** argv) {
  hazumi::test::check_accounts();
  return Catch::Session().run(argc, argv);
}
