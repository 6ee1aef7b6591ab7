#include "ui/tools/number_entry.h"

namespace hazumi {

namespace {
constexpr int kMostDigits = 12;  // characters: beyond, doubles do not tell the difference in metres
}

bool NumberEntry::key(int key) {
  if (key >= Qt::Key_0 && key <= Qt::Key_9) {
    if (digits_.size() < kMostDigits) digits_ += QChar('0' + (key - Qt::Key_0));
    return true;
  }
  if (key == Qt::Key_Period || key == Qt::Key_Comma) {
    if (!digits_.contains(QLatin1Char('.')) && digits_.size() < kMostDigits) digits_ += QLatin1Char('.');
    return true;
  }
  if (key == Qt::Key_Minus) {
    negative_ = !negative_;
    return true;
  }
  if (key == Qt::Key_Backspace) {
    if (!digits_.isEmpty())
      digits_.chop(1);
    else
      negative_ = false;
    return true;
  }
  return false;
}

void NumberEntry::clear() {
  digits_.clear();
  negative_ = false;
}

std::optional<double> NumberEntry::value() const {
  bool ok = false;
  const double value = digits_.toDouble(&ok);  // the C locale: a point whatever the desktop's language
  if (!ok) return std::nullopt;
  return negative_ ? -value : value;
}

}  // namespace hazumi
