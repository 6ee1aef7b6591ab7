#include "ui/widgets/expression.h"

#include <cmath>

#include <QLocale>
#include <QRegularExpression>

#include "core/math/expression.h"

namespace hazumi {

std::optional<double> evaluate_expression(QString text, const QString& unit) {
  text = text.trimmed();
  if (text.size() > 200) return std::nullopt;
  if (!unit.isEmpty() && text.endsWith(unit)) text.chop(unit.size());
  // A comma is one of decimals where it separates no values of a function.
  static const QRegularExpression function(QStringLiteral("[A-Za-z_][A-Za-z_0-9]*\\s*\\("));
  if (!text.contains('.') && !text.contains(function)) text.replace(',', '.');
  text.replace(QChar(0x2212), '-').replace(QChar(0x00d7), '*');
  ExpressionFault fault;
  const Expression read = Expression::parse(text.toStdString(), {}, fault);
  const double value = read.empty() ? NAN : read.value({});
  if (!std::isfinite(value)) return std::nullopt;
  return value;
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
