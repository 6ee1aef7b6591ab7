// Where a function with one valley is least, by golden section.
#pragma once

#include <cmath>

namespace hazumi {

/// Between `low` and `high`, until that is known to `near` or after so many steps.
template <class Function>
double least_between(const Function& function, double low, double high, int steps = 60, double near = 1e-13) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = function(left), at_right = function(right);
  for (int step = 0; step < steps && high - low > near; ++step)
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      at_left = function(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = function(right = low + golden * (high - low));
    }
  return (low + high) / 2;
}

}  // namespace hazumi
