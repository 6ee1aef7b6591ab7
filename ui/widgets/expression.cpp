#include "ui/widgets/expression.h"

#include <cmath>

#include <QLocale>
#include <QRegularExpression>

namespace hazumi {

namespace {

/// Recursive descent: sum = product {(+|-) product}; product = sign {(*|/) sign}; sign = [+|-] power; power = atom [^ sign].
/// The depth is bounded because text comes from a keyboard or a clipboard.
class Reader {
 public:
  explicit Reader(const QString& text) : text_(text) {}

  std::optional<double> read() {
    const double value = sum();
    skip();
    if (failed_ || at_ != text_.size() || !std::isfinite(value)) return std::nullopt;
    return value;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_].isSpace()) ++at_;
  }
  bool take(QChar c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double fail() {
    failed_ = true;
    return 0;
  }
  double sum() {
    double value = product();
    while (!failed_) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        break;
    }
    return value;
  }
  double product() {
    double value = sign();
    while (!failed_) {
      if (take('*'))
        value *= sign();
      else if (take('/'))
        value /= sign();
      else
        break;
    }
    return value;
  }
  double sign() {
    if (++depth_ > 50) return fail();
    double value = 0;
    if (take('-'))
      value = -sign();
    else if (take('+'))
      value = sign();
    else
      value = power();
    --depth_;
    return value;
  }
  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, sign()) : base;
  }
  double atom() {
    if (take('(')) {
      const double value = sum();
      return take(')') ? value : fail();
    }
    skip();
    static const QRegularExpression number(R"((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)");
    const auto match =
        number.match(text_, at_, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
    if (!match.hasMatch()) return fail();
    at_ += match.capturedLength();
    return match.captured().toDouble();
  }

  const QString& text_;
  qsizetype at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<double> evaluate_expression(QString text, const QString& unit) {
  text = text.trimmed();
  if (text.size() > 200) return std::nullopt;
  if (!unit.isEmpty() && text.endsWith(unit)) text.chop(unit.size());
  if (!text.contains('.')) text.replace(',', '.');
  text.replace(QChar(0x2212), '-').replace(QChar(0x00d7), '*');
  return Reader(text).read();
}

QString number_text(double value, int digits) {
  if (value == 0) return QStringLiteral("0");  // also for -0
  QString text = QString::number(value, 'g', digits);
  const double size = std::abs(value);
  // 'g' turns to powers of ten at 1e6 and 1e-5; a person reads 2500000 and 0.00005 more easily than that.
  if (text.contains('e') && size >= 1e-5 && size <= 1e7) text = QString::number(value, 'f', size >= 1 ? 0 : digits + 3);
  if (text.contains('.') && !text.contains('e')) {
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith('.')) text.chop(1);
  }
  text.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-");
  return text;
}

}  // namespace hazumi
