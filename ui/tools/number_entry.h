// A number typed during a transform: digits, one decimal point, a sign that toggles, backspace.
#pragma once

#include <optional>

#include <QString>

namespace hazumi {

class NumberEntry {
 public:
  /// True when the key belongs to a number (also when it changes nothing, like a second point).
  bool key(int key);
  bool empty() const { return digits_.isEmpty() && !negative_; }
  void clear();
  /// None while there is no digit yet.
  std::optional<double> value() const;
  QString text() const { return (negative_ ? QStringLiteral("−") : QString()) + digits_; }

 private:
  QString digits_;
  bool negative_ = false;
};

}  // namespace hazumi
