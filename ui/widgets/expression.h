// Arithmetic for number fields (core/math/expression.h): "2*3", "-1.5e3/4", "(1+2)^2", "sqrt(2)". A decimal comma is read as a point.
#pragma once

#include <optional>

#include <QString>

namespace hazumi {

/// Nothing when `text` is not an expression or its value is not finite. `unit` at the end ("3 m") is ignored.
std::optional<double> evaluate_expression(QString text, const QString& unit = {});

/// Shortest text that shows a number in a narrow field: 6 significant digits, "1e10" rather than "1e+10".
QString number_text(double value, int digits = 6);

}  // namespace hazumi
