#include "core/math/expression.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <muParser.h>

namespace hazumi {

struct Expression::Data {
  std::vector<std::string> names;
  std::vector<std::size_t> reads;
  // Computing changes the parser's own memory, and the values are read from here.
  mutable std::mutex mutex;
  mutable std::vector<double> values;
  mutable mu::Parser parser;
};

namespace {

std::string sentence(const mu::Parser::exception_type& error) {
  const std::string token = error.GetToken();
  const std::string quoted = token.empty() ? std::string("it") : "\"" + token + "\"";
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
    case mu::ecUNEXPECTED_STR:
      return "There is no " + quoted + " here.";
    case mu::ecUNEXPECTED_EOF:
      return "The expression ends too early.";
    case mu::ecMISSING_PARENS:
      return "A bracket is not closed.";
    case mu::ecUNEXPECTED_PARENS:
      return "A bracket is closed or opened where none can be.";
    case mu::ecUNEXPECTED_OPERATOR:
      return "The sign " + quoted + " needs something to work on before and behind it.";
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
      return "Between what is before " + quoted + " and itself a sign is missing.";
    case mu::ecUNEXPECTED_ARG:
    case mu::ecUNEXPECTED_ARG_SEP:
      return "There is a comma where none can be.";
    case mu::ecTOO_MANY_PARAMS:
      return "The function " + quoted + " is given too many values.";
    case mu::ecTOO_FEW_PARAMS:
      return "The function " + quoted + " is given too few values.";
    case mu::ecEMPTY_EXPRESSION:
      return "There is no expression.";
    case mu::ecUNEXPECTED_CONDITIONAL:
    case mu::ecMISSING_ELSE_CLAUSE:
    case mu::ecMISPLACED_COLON:
      return "A choice is written as: condition ? value : other value.";
    default:
      return "The expression cannot be read at " + quoted + ".";
  }
}

}  // namespace

Expression Expression::parse(std::string_view text, std::span<const std::string_view> names, ExpressionFault& fault) {
  Expression made;
  if (text.size() > kLongest) {
    fault = {"An expression has at most " + std::to_string(kLongest) + " characters.", kLongest};
    return made;
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const auto c = static_cast<unsigned char>(text[i]); (c < 32 && c != '\t') || c >= 127 || c == '"' || c == '=') {
      // Assignments would change what it reads; of == and its like they are the only use of '='.
      const bool compares = c == '=' && ((i + 1 < text.size() && text[i + 1] == '=') ||
                                         (i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos));
      if (compares) continue;
      fault = {c == '=' ? "To compare, write ==." : "There is a character that no expression has.", i};
      return made;
    }
  auto data = std::make_shared<Data>();
  data->names.assign(names.begin(), names.end());
  data->values.assign(names.size(), 1.0);
  try {
    for (std::size_t i = 0; i < names.size(); ++i) data->parser.DefineVar(data->names[i], &data->values[i]);
    data->parser.SetExpr(std::string(text));
    for (const auto& [name, place] : data->parser.GetUsedVar()) {
      const auto at = std::find(data->names.begin(), data->names.end(), name);
      if (at != data->names.end()) data->reads.push_back(static_cast<std::size_t>(at - data->names.begin()));
    }
    data->parser.Eval();
    int results = 0;
    data->parser.Eval(results);
    if (results != 1) {
      fault = {"An expression has one value; this one has " + std::to_string(results) + ".", text.find(',')};
      return made;
    }
  } catch (const mu::Parser::exception_type& error) {
    fault = {sentence(error), std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size())};
    return made;
  }
  std::sort(data->reads.begin(), data->reads.end());
  made.data_ = std::move(data);
  return made;
}

const std::vector<std::size_t>& Expression::reads() const {
  static const std::vector<std::size_t> none;
  return data_ ? data_->reads : none;
}

double Expression::value(std::span<const double> values) const {
  if (!data_) return std::nan("");
  const std::lock_guard lock(data_->mutex);
  std::copy_n(values.begin(), std::min(values.size(), data_->values.size()), data_->values.begin());
  try {
    return data_->parser.Eval();
  } catch (const mu::Parser::exception_type&) {
    return std::nan("");
  }
}

std::string with_caret(std::string_view text, const ExpressionFault& fault) {
  return std::string(text) + "\n" + std::string(std::min(fault.place, text.size()), ' ') + "^ " + fault.message;
}

}  // namespace hazumi
