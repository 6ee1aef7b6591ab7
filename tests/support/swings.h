// Periods of what swings.
#pragma once

#include <cmath>

namespace hazumi::test {

/// Complete elliptic integral by the arithmetic-geometric mean: period of a pendulum let go at `angle` (rad), over its
/// small one.
inline double amplitude_factor(double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 30; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 1 / a;
}

/// When a value that is looked at every `step` seconds goes through zero upwards.
class Crossings {
 public:
  Crossings(double step, double start) : step_(step), before_(start) {}
  void add(double now) {
    if (before_ < 0 && now >= 0) {
      const double t = step_ * (steps_ + before_ / (before_ - now));
      if (first_ < 0)
        first_ = t;
      else
        ++periods_;
      last_ = t;
    }
    before_ = now;
    ++steps_;
  }
  int periods() const { return periods_; }
  /// s; of one that was seen from its start to its end.
  double period() const { return (last_ - first_) / periods_; }

 private:
  double step_, before_, first_ = -1, last_ = -1;
  int steps_ = 0, periods_ = 0;
};

}  // namespace hazumi::test
