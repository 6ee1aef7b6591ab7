#pragma once
#include <cstdlib>

namespace hazumi::test {

/// Every run in this program, and in those that it starts, ends it where an account of contacts is overdrawn (playback/simulator.cpp).
inline void check_accounts() { ::setenv("HAZUMI_CHECK_ACCOUNTS", "1", 1); }

}  // namespace hazumi::test
