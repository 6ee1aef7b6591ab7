#include "core/math/expression_range.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

namespace hazumi {
namespace {

constexpr int kDeepest = 200;  // brackets in brackets

constexpr ValueRange kNo = {0, 0, false}, kYes = {1, 1, false}, kEither = {0, 1, false};

/// Outwards, by what the parser may round otherwise.
ValueRange rounded(double low, double high, bool odd, double size) {
  if (std::isnan(low) || std::isnan(high)) return ValueRange::anything();
  const double by = std::isfinite(size) ? 1e-12 * size : 0;
  return {low - by, high + by, odd};
}

double size_of(const ValueRange& a) { return std::max(std::abs(a.low), std::abs(a.high)); }
bool endless(const ValueRange& a) { return !std::isfinite(a.low) || !std::isfinite(a.high); }

ValueRange hull(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.odd || b.odd};
}

ValueRange sum(const ValueRange& a, const ValueRange& b) {
  const bool odd = a.odd || b.odd || (endless(a) && endless(b));
  return rounded(a.low + b.low, a.high + b.high, odd, size_of(a) + size_of(b));
}

ValueRange negative(const ValueRange& a) { return {-a.high, -a.low, a.odd}; }

ValueRange product(const ValueRange& a, const ValueRange& b) {
  if (endless(a) || endless(b)) return ValueRange::anything();
  const double all[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return rounded(*std::min_element(all, all + 4), *std::max_element(all, all + 4), a.odd || b.odd,
                 size_of(a) * size_of(b));
}

ValueRange quotient(const ValueRange& a, const ValueRange& b) {
  if (endless(a) || endless(b) || (b.low <= 0 && b.high >= 0)) return ValueRange::anything();
  const double all[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  const double least = std::min(std::abs(b.low), std::abs(b.high));
  return rounded(*std::min_element(all, all + 4), *std::max_element(all, all + 4), a.odd || b.odd, size_of(a) / least);
}

/// Of whole powers up to the fourth; what others come to is not said.
ValueRange power(const ValueRange& a, const ValueRange& b) {
  if (b.low != b.high || b.odd || endless(a)) return ValueRange::anything();
  const double p = b.low;
  if (p != 1 && p != 2 && p != 3 && p != 4) return ValueRange::anything();
  const double x = std::pow(a.low, p), y = std::pow(a.high, p), size = std::pow(size_of(a), p);
  const bool even = p == 2 || p == 4, across = a.low <= 0 && a.high >= 0;
  return rounded(even && across ? 0 : std::min(x, y), std::max(x, y), a.odd, size);
}

ValueRange answer(bool surely, bool surely_not, bool odd) {
  return odd ? kEither : surely ? kYes : surely_not ? kNo : kEither;
}

ValueRange less(const ValueRange& a, const ValueRange& b) {
  return answer(a.high < b.low, a.low >= b.high, a.odd || b.odd);
}
ValueRange less_equal(const ValueRange& a, const ValueRange& b) {
  return answer(a.high <= b.low, a.low > b.high, a.odd || b.odd);
}
/// The parser may see two numbers as equal that are within its own round-off: only what is clearly apart is not.
ValueRange equal(const ValueRange& a, const ValueRange& b) {
  const double near = 1e-9 * (1 + std::min(size_of(a), size_of(b)));
  return answer(false, a.high + near < b.low || b.high + near < a.low, a.odd || b.odd);
}
ValueRange opposite(const ValueRange& a) { return a.fails() ? kYes : a.low == 1 ? kNo : kEither; }

bool surely(const ValueRange& a) { return !a.odd && (a.low > 0 || a.high < 0); }

/// Of constants the parser takes the whole part for && and ||, of values it takes all.
bool whole(const ValueRange& a) { return !a.odd && (a.low >= 1 || a.high <= -1); }

ValueRange both(const ValueRange& a, const ValueRange& b) {
  return a.odd || b.odd ? kEither : answer(whole(a) && whole(b), a.fails() || b.fails(), false);
}
ValueRange either(const ValueRange& a, const ValueRange& b) {
  return a.odd || b.odd ? kEither : answer(whole(a) || whole(b), a.fails() && b.fails(), false);
}

ValueRange choose(const ValueRange& condition, const ValueRange& a, const ValueRange& b) {
  if (condition.odd) return hull(a, b);
  return surely(condition) ? a : condition.fails() ? b : hull(a, b);
}

ValueRange absolute(const ValueRange& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return negative(a);
  return {0, size_of(a), a.odd};
}
ValueRange root(const ValueRange& a) {
  const double low = std::sqrt(std::max(a.low, 0.0)), high = std::sqrt(std::max(a.high, 0.0));
  return rounded(low, high, a.odd || a.low < 0, high);
}
ValueRange sign(const ValueRange& a) {
  return a.odd ? ValueRange::anything()
               : ValueRange{a.low > 0    ? 1.0
                            : a.low == 0 ? 0.0
                                         : -1.0,
                            a.high < 0    ? -1.0
                            : a.high == 0 ? 0.0
                                          : 1.0,
                            false};
}

}  // namespace

/// Reads a text in the order of the parser's signs: ? :, ||, &&, comparisons, + -, * /, the sign, ^.
class RangeReader {
 public:
  using Code = ExpressionRange::Code;
  RangeReader(std::string_view text, std::span<const std::string_view> names) : text_(text), names_(names) {}

  std::vector<ExpressionRange::Step> read() {
    choice();
    skip();
    if (at_ != text_.size()) failed_ = true;
    return failed_ ? std::vector<ExpressionRange::Step>() : std::move(steps_);
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }
  void put(Code code, std::size_t count = 0, double number = 0) { steps_.push_back({code, count, number}); }

  void choice() {
    if (++deep_ > kDeepest) failed_ = true;
    if (failed_) return;
    alternatives();
    if (take("?")) {
      choice();
      if (!take(":")) failed_ = true;
      choice();
      put(Code::choose);
    }
    --deep_;
  }
  void alternatives() {
    conditions();
    while (!failed_ && take("||")) {
      conditions();
      put(Code::either);
    }
  }
  void conditions() {
    comparison();
    while (!failed_ && take("&&")) {
      comparison();
      put(Code::both);
    }
  }
  void comparison() {
    terms();
    while (!failed_) {
      const Code code = take("<=")   ? Code::less_equal
                        : take(">=") ? Code::greater_equal
                        : take("==") ? Code::equal
                        : take("!=") ? Code::unequal
                        : take("<")  ? Code::less
                        : take(">")  ? Code::greater
                                     : Code::unknown;
      if (code == Code::unknown) return;
      terms();
      put(code);
    }
  }
  void terms() {
    factors();
    while (!failed_) {
      const Code code = take("+") ? Code::add : take("-") ? Code::subtract : Code::unknown;
      if (code == Code::unknown) return;
      factors();
      put(code);
    }
  }
  void factors() {
    signed_power();
    while (!failed_) {
      const Code code = take("*") ? Code::multiply : take("/") ? Code::divide : Code::unknown;
      if (code == Code::unknown) return;
      signed_power();
      put(code);
    }
  }
  void signed_power() {
    if (++deep_ > kDeepest) failed_ = true;
    if (failed_) return;
    if (take("-")) {
      signed_power();
      put(Code::negate);
    } else if (!take("+")) {
      powers();
    } else {
      signed_power();
    }
    --deep_;
  }
  void powers() {
    value();
    if (failed_ || !take("^")) return;
    signed_power();  // from the right
    put(Code::power);
  }
  void value() {
    if (take("(")) {
      choice();
      if (!take(")")) failed_ = true;
      return;
    }
    skip();
    if (at_ == text_.size()) return void(failed_ = true);
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) || c == '.') return number();
    if (std::isalpha(c) || c == '_') return name();
    failed_ = true;
  }
  void number() {
    const std::string rest(text_.substr(at_, 64));
    if (rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'b' || rest[1] == 'X')) failed_ = true;
    char* end = nullptr;
    put(Code::number, 0, std::strtod(rest.c_str(), &end));
    const auto length = static_cast<std::size_t>(end - rest.c_str());
    if (length == 0 || length == rest.size()) failed_ = failed_ || at_ + length != text_.size();
    at_ += length;
  }
  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (take("(")) return call(word);
    if (word == "_pi") return put(Code::number, 0, std::numbers::pi);
    if (word == "_e") return put(Code::number, 0, std::numbers::e);
    const auto at = std::find(names_.begin(), names_.end(), word);
    if (at == names_.end()) return void(failed_ = true);
    put(Code::name, static_cast<std::size_t>(at - names_.begin()));
  }
  void call(std::string_view word) {
    std::size_t count = 0;
    do {
      choice();
      ++count;
    } while (!failed_ && take(","));
    if (!take(")")) failed_ = true;
    const auto one = [&](Code code) { put(count == 1 ? code : Code::unknown, count); };
    if (word == "abs") return one(Code::absolute);
    if (word == "sqrt") return one(Code::root);
    if (word == "sign") return one(Code::sign);
    if (word == "sin" || word == "cos") return one(Code::wave);
    if (word == "min") return put(Code::least, count);
    if (word == "max") return put(Code::most, count);
    put(Code::unknown, count);
  }

  std::string_view text_;
  std::span<const std::string_view> names_;
  std::size_t at_ = 0;
  int deep_ = 0;
  bool failed_ = false;
  std::vector<ExpressionRange::Step> steps_;
};

ExpressionRange ExpressionRange::parse(std::string_view text, std::span<const std::string_view> names) {
  ExpressionRange made;
  made.steps_ = RangeReader(text, names).read();
  return made;
}

namespace {

using TwoRanges = ValueRange (*)(const ValueRange& a, const ValueRange& b);
using OneRange = ValueRange (*)(const ValueRange& a);
using Code = ExpressionRange::Code;

/// Null: the step takes another number of values.
TwoRanges of_two(Code code) {
  switch (code) {
    case Code::add:
      return sum;
    case Code::subtract:
      return [](const ValueRange& a, const ValueRange& b) { return sum(a, negative(b)); };
    case Code::multiply:
      return product;
    case Code::divide:
      return quotient;
    case Code::power:
      return power;
    case Code::less:
      return less;
    case Code::less_equal:
      return less_equal;
    case Code::greater:
      return [](const ValueRange& a, const ValueRange& b) { return less(b, a); };
    case Code::greater_equal:
      return [](const ValueRange& a, const ValueRange& b) { return less_equal(b, a); };
    case Code::equal:
      return equal;
    case Code::unequal:
      return [](const ValueRange& a, const ValueRange& b) { return opposite(equal(a, b)); };
    case Code::both:
      return both;
    case Code::either:
      return either;
    default:
      return nullptr;
  }
}

OneRange of_one(Code code) {
  switch (code) {
    case Code::negate:
      return negative;
    case Code::absolute:
      return absolute;
    case Code::root:
      return root;
    case Code::sign:
      return sign;
    case Code::wave:
      return [](const ValueRange& a) { return ValueRange{-1, 1, a.odd || endless(a)}; };
    default:
      return nullptr;
  }
}

ValueRange of_many(Code code, std::span<const ValueRange> all) {
  if (code == Code::unknown || std::any_of(all.begin(), all.end(), [](const ValueRange& a) { return a.odd; }))
    return ValueRange::anything();
  ValueRange out = all[0];
  for (const ValueRange& one : all.subspan(1)) {
    out.low = code == Code::least ? std::min(out.low, one.low) : std::max(out.low, one.low);
    out.high = code == Code::least ? std::min(out.high, one.high) : std::max(out.high, one.high);
  }
  return out;
}

}  // namespace

ValueRange ExpressionRange::value(std::span<const ValueRange> values) const {
  std::vector<ValueRange> stack;
  const auto replace = [&](std::size_t count, const ValueRange& by) {
    stack.resize(stack.size() - count);
    stack.push_back(by);
  };
  for (const Step& step : steps_) {
    const std::span<const ValueRange> all(stack);
    const std::size_t n = all.size();
    if (step.code == Code::number) {
      stack.push_back(ValueRange::of(step.number));
    } else if (step.code == Code::name) {
      stack.push_back(values[step.count]);
    } else if (const TwoRanges two = of_two(step.code)) {
      replace(2, two(all[n - 2], all[n - 1]));
    } else if (const OneRange one = of_one(step.code)) {
      replace(1, one(all[n - 1]));
    } else if (step.code == Code::choose) {
      replace(3, choose(all[n - 3], all[n - 2], all[n - 1]));
    } else {
      replace(step.count, of_many(step.code, all.last(step.count)));
    }
  }
  return stack.size() == 1 ? stack.front() : ValueRange::anything();
}

}  // namespace hazumi
