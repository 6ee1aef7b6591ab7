#pragma once
// A sanitizer makes a case some ten times as slow. What goes round the same code again and again goes round it less often there: the
// other builds do all of it, and what a sanitizer can see is in the first rounds.

namespace hazumi::test {

#ifdef HAZUMI_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

constexpr int rounds(int all, int under_a_sanitizer) { return kSanitized ? under_a_sanitizer : all; }

}  // namespace hazumi::test
