// What an expression may give, against the expression itself.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>

#include "core/math/expression.h"
#include "core/math/expression_range.h"
#include "tests/support/sanitized.h"

namespace expression_range_test {

using namespace hazumi;

namespace {

constexpr std::string_view kNames[] = {"x", "y", "t"};

struct Writer {
  std::mt19937_64 dice;
  int below(int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); }
  double between(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(dice() >> 11); }

  std::string text(int deep) {
    if (deep == 0 || below(5) == 0) {
      if (below(2)) return std::string(kNames[static_cast<std::size_t>(below(3))]);
      const char* numbers[] = {"0", "1", "2.5", "1e3", "0.1", "3", ".5"};
      return numbers[below(7)];
    }
    const auto one = [&] { return text(deep - 1); };
    const auto in = [&] { return below(2) ? "(" + one() + ")" : one(); };
    const char* signs[] = {"+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "^"};
    switch (below(9)) {
      case 0:
        return "-" + in();
      case 1:
        return "(" + one() + " ? " + one() + " : " + one() + ")";
      case 2: {
        const char* functions[] = {"abs", "sqrt", "sign", "sin", "cos", "exp"};
        return functions[below(6)] + ("(" + one() + ")");
      }
      case 3:
        return (below(2) ? "min(" : "max(") + one() + ", " + one() + ")";
      default:
        return in() + " " + signs[below(13)] + " " + in();
    }
  }
};

}  // namespace

TEST_CASE("What an expression gives is within what it may give, in random ones over random boxes", "[expression]") {
  int told = 0, all = 0, known = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(3000, 300)); ++seed) {
    Writer writer{std::mt19937_64(seed)};
    const std::string text = writer.text(1 + writer.below(4));
    ExpressionFault fault;
    const Expression expression = Expression::parse(text, kNames, fault);
    INFO("seed " << seed << ": " << text);
    if (expression.empty()) continue;  // two signs in a row are refused
    const ExpressionRange range = ExpressionRange::parse(text, kNames);
    ValueRange box[3];
    for (ValueRange& one : box) {
      const double size = std::pow(10, writer.between(-3, 2));
      one = ValueRange::around(writer.between(-4, 4), writer.below(4) == 0 ? 0 : size);
    }
    const ValueRange may = range.value(box);
    ++all;
    known += std::isfinite(may.low) && std::isfinite(may.high);
    told += may.holds() || may.fails();
    for (int k = 0; k < 30; ++k) {
      double values[3];
      for (std::size_t i = 0; i < 3; ++i)
        values[i] = k < 8 ? ((k >> i) & 1 ? box[i].high : box[i].low) : writer.between(box[i].low, box[i].high);
      const double value = expression.value(values);
      INFO(values[0] << ", " << values[1] << ", " << values[2] << " give " << value << ", not " << may.low << " to "
                     << may.high);
      const bool holds = std::isfinite(value) && value != 0;
      if (may.holds()) REQUIRE(holds);
      if (may.fails()) REQUIRE_FALSE(holds);
      if (std::isnan(value))
        REQUIRE(may.odd);
      else
        REQUIRE((value >= may.low && value <= may.high));
    }
  }
  CHECK(2 * known > all);
  CHECK(5 * told > all);
}

TEST_CASE("Conditions that people write are decided while their values stay", "[expression]") {
  const auto may = [](std::string_view text, double x, double by, double t, double later) {
    const ValueRange box[] = {ValueRange::around(x, by), ValueRange::of(0), {t, t + later, false}};
    return ExpressionRange::parse(text, kNames).value(box);
  };
  CHECK(may("x < -10", 1, 10.9, 0, 0).fails());
  CHECK_FALSE(may("x < -10", 1, 11.1, 0, 0).fails());
  CHECK(may("t > 1e5 && x > 0", 1, 0.5, 3, 60).fails());
  CHECK(may("t > 1e5 || x > 0", 1, 0.5, 3, 60).holds());
  CHECK(may("-x^2 + 3 > 0", 1, 0.5, 0, 0).holds());
  CHECK_FALSE(may("1/x > 0", 1, 2, 0, 0).holds());
  CHECK_FALSE(may("rint(x) > 0", 5, 0.1, 0, 0).holds());  // not known here
  CHECK_FALSE(may("x + nobody", 5, 0.1, 0, 0).holds());
  CHECK(ExpressionRange::parse(std::string(300, '(') + "x" + std::string(300, ')'), kNames)
            .value(std::vector<ValueRange>(3))
            .odd);
}

}  // namespace expression_range_test
