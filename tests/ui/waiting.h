// Waiting for the event loop.
#pragma once

#include <functional>

#include <QElapsedTimer>
#include <QtTest/QTest>

namespace hazumi::test {

/// Runs the event loop until the condition holds. The limit is for a hung test only, no test measures time.
inline bool wait_for(const std::function<bool()>& condition, int limit = 30000) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > limit) return false;
    QTest::qWait(5);
  }
  return true;
}

}  // namespace hazumi::test
