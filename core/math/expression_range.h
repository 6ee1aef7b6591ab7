// What an expression (expression.h) may give while the values that it reads stay within ranges: interval arithmetic over the same text.
// Sums and products are rounded outwards by 1e-12 of what goes into them, so that Expression::value() of values within the ranges is
// within the result, in whatever order its parser adds up. What is not known here - a function, a sign - may be anything.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace hazumi {

/// low ≤ value ≤ high, or, where it may be odd, no number.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool odd = false;

  static ValueRange of(double value) { return {value, value, value != value}; }
  static ValueRange around(double value, double by) { return {value - by, value + by, false}; }
  static ValueRange anything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), true};
  }
  /// As a condition it holds, or does not, whatever it is of these: what is no number, or infinite, does not hold.
  bool holds() const {
    return !odd && (low > 0 || high < 0) && low > -std::numeric_limits<double>::infinity() &&
           high < std::numeric_limits<double>::infinity();
  }
  bool fails() const { return low == 0 && high == 0; }
};

/// A constant.
class ExpressionRange {
 public:
  enum class Code : std::uint8_t {
    number,
    name,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    unequal,
    both,
    either,
    choose,
    absolute,
    least,
    most,
    root,
    sign,
    wave,
    unknown
  };

  /// Of a text that Expression::parse() takes. One that is not understood here may be anything.
  static ExpressionRange parse(std::string_view text, std::span<const std::string_view> names);
  ValueRange value(std::span<const ValueRange> values) const;

 private:
  struct Step {
    Code code;
    std::size_t count = 0;  ///< name: which; least, most, unknown: how many values it takes
    double number = 0;
  };
  friend class RangeReader;
  std::vector<Step> steps_;  ///< values before what is made of them; empty: not understood
};

}  // namespace hazumi
