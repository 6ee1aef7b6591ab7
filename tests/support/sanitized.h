#pragma once
// A sanitizer makes a case some ten times as slow. What goes round the same code again and again goes round it less often there: the
// other builds do all of it, and what a sanitizer can see is in the first rounds. Asked while running: a test's object may be linked
// with a core under a sanitizer without being compiled for it (tests/tests.cmake).

extern "C" void __asan_init() __attribute__((weak));
extern "C" void __tsan_init() __attribute__((weak));

namespace hazumi::test {

inline bool sanitized() { return __asan_init != nullptr || __tsan_init != nullptr; }

inline int rounds(int all, int under_a_sanitizer) { return sanitized() ? under_a_sanitizer : all; }

}  // namespace hazumi::test
