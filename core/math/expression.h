// Expressions that a person writes: conditions and values of motion graphs, and numbers in fields. muParser reads and computes them:
// + - * / ^ ( ), comparisons, && || !, a ? b : c, sin cos tan asin acos atan atan2 exp ln log10 log2 sqrt abs sign min max
// sum avg rint, _pi and _e. Angles are in rad. 0 is false, all else true.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hazumi {

/// Where and why an expression cannot be read.
struct ExpressionFault {
  std::string message;    ///< one sentence
  std::size_t place = 0;  ///< of the character where it went wrong; up to the length
};

/// A constant; copies share it, and threads may.
class Expression {
 public:
  static constexpr std::size_t kLongest = 4000;  ///< characters

  /// `names`: those of variables, in the order of the values. On a fault the expression is empty.
  static Expression parse(std::string_view text, std::span<const std::string_view> names, ExpressionFault& fault);
  bool empty() const { return !data_; }
  /// Which of the names it reads, ascending.
  const std::vector<std::size_t>& reads() const;
  /// Of as many values as there were names; may be infinite or no number, as 1/0 is.
  double value(std::span<const double> values) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// "speed > \n        ^ …": the text up to the line's end and a caret below, for one that is shown in a fixed font.
std::string with_caret(std::string_view text, const ExpressionFault& fault);

}  // namespace hazumi
