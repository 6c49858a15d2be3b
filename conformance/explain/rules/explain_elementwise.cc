#include "conformance/explain/rules/explain_elementwise.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "conformance/explain/values/complex_value.h"
#include "conformance/explain/values/number_of.h"
#include "conformance/sets/lanes.h"
#include "interpreter/counted.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using Numbers = std::vector<Fraction>;
using Exactly = std::optional<Fraction> (*)(const Numbers&);

/// An operation: its formula, and its exact result of finite numbers where that
/// is rational.
struct Row {
  std::string_view name;
  std::string_view formula;
  Exactly exactly = nullptr;
};

Fraction magnitude(const Fraction& x) {
  return x.sign() < 0 ? Fraction() - x : x;
}

/// The integer that floor(x + 1/2) is.
Fraction floor_of(const Fraction& x) {
  const Fraction whole = x.truncated();
  return x < whole ? whole - Fraction(1.0) : whole;
}

Fraction nearest_even(const Fraction& x) {
  Fraction below = floor_of(x);
  const Fraction rest = x - below;
  const Fraction half(0.5);
  if (rest < half) return below;
  const bool even = (below * half).is_integer();
  if (rest == half && even) return below;
  return below + Fraction(1.0);
}

Fraction nearest_away(const Fraction& x) {
  const Fraction rounded = floor_of(magnitude(x) + Fraction(0.5));
  return x.sign() < 0 ? Fraction() - rounded : rounded;
}

const Fraction& larger(const Fraction& a, const Fraction& b) {
  return a < b ? b : a;
}

const Fraction& smaller(const Fraction& a, const Fraction& b) {
  return a < b ? a : b;
}

std::optional<Fraction> quotient(const Numbers& x) {
  if (x[1].sign() == 0) return std::nullopt;
  return x[0] / x[1];
}

std::optional<Fraction> rest_of(const Numbers& x) {
  if (x[1].sign() == 0) return std::nullopt;
  return x[0] - (x[0] / x[1]).truncated() * x[1];
}

using Maybe = std::optional<Fraction>;

constexpr auto kRows = std::to_array<Row>({
    {"abs", "|{0}|", [](const Numbers& x) -> Maybe { return magnitude(x[0]); }},
    {"add", "{0} + {1}", [](const Numbers& x) -> Maybe { return x[0] + x[1]; }},
    {"and", "{0} and {1}, bit by bit"},
    {"cbrt", "the cube root of {0}"},
    {"ceil", "the least integer that is at least {0}",
     [](const Numbers& x) -> Maybe {
       return Fraction() - floor_of(Fraction() - x[0]);
     }},
    {"clamp", "min({2}, max({0}, {1}))",
     [](const Numbers& x) -> Maybe {
       return smaller(x[2], larger(x[0], x[1]));
     }},
    {"compare", "whether {0} and {1} stand in the relation"},
    {"complex", "{0} + {1} i"},
    {"convert", "{0}", [](const Numbers& x) -> Maybe { return x[0]; }},
    {"cosine", "cos({0})"},
    {"count-leading-zeros", "how many bits of {0} are 0 before its first 1"},
    {"divide", "{0} / {1}", quotient},
    {"exponential", "e^{0}"},
    {"exponential-minus-one", "e^{0} - 1"},
    {"floor", "the largest integer that is at most {0}",
     [](const Numbers& x) -> Maybe { return floor_of(x[0]); }},
    {"imag", "the imaginary part of {0}"},
    {"is-finite", "whether {0} is neither infinite nor NaN"},
    {"log", "log {0}"},
    {"log-plus-one", "log (1 + {0})"},
    {"logistic", "1 / (1 + e^-{0})"},
    {"maximum", "the larger of {0} and {1}",
     [](const Numbers& x) -> Maybe { return larger(x[0], x[1]); }},
    {"minimum", "the smaller of {0} and {1}",
     [](const Numbers& x) -> Maybe { return smaller(x[0], x[1]); }},
    {"mulhi", "the upper half of the bits of {0} * {1}"},
    {"multiply", "{0} * {1}",
     [](const Numbers& x) -> Maybe { return x[0] * x[1]; }},
    {"negate", "-{0}",
     [](const Numbers& x) -> Maybe { return Fraction() - x[0]; }},
    {"not", "not {0}, bit by bit"},
    {"or", "{0} or {1}, bit by bit"},
    {"popcnt", "how many bits of {0} are 1"},
    {"power", "{0}^{1}"},
    {"real", "the real part of {0}"},
    {"reduce-precision", "{0} with fewer bits"},
    {"remainder", "what {0} / {1}, truncated toward zero, leaves", rest_of},
    {"round-nearest-afz", "the integer nearest to {0}, ties away from zero",
     [](const Numbers& x) -> Maybe { return nearest_away(x[0]); }},
    {"round-nearest-even", "the integer nearest to {0}, ties to even",
     [](const Numbers& x) -> Maybe { return nearest_even(x[0]); }},
    {"rsqrt", "1 / sqrt {0}"},
    {"select", "{1} where {0} is true, else {2}"},
    {"shift-left", "the bits of {0} moved up by {1}, zeros behind them"},
    {"shift-right-arithmetic",
     "the bits of {0} moved down by {1}, copies of the sign before them"},
    {"shift-right-logical",
     "the bits of {0} moved down by {1}, zeros before them"},
    {"sign", "-1, 0 or 1, as {0} is negative, zero or positive",
     [](const Numbers& x) -> Maybe {
       return Fraction(static_cast<double>(x[0].sign()));
     }},
    {"sine", "sin({0})"},
    {"sqrt", "sqrt {0}"},
    {"stochastic-convert", "{0}, up or down by chance, as {1} says"},
    {"subtract", "{0} - {1}",
     [](const Numbers& x) -> Maybe { return x[0] - x[1]; }},
    {"xor", "{0} xor {1}, bit by bit"},
});

const Row* row_of(const Op& op) {
  const auto* const found = std::ranges::find(kRows, op.name, &Row::name);
  return found == kRows.end() ? nullptr : found;
}

/// The formula with the operands' values: "1.5 + 2".
std::string formula_of(const Op& op, std::span<const Scalar> operands) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  std::vector<std::string> texts;
  for (const Scalar& operand : operands) {
    std::string text = text::print(operand);
    const bool bare =
        text.find_first_not_of("0123456789.") == std::string::npos;
    texts.push_back(bare                    ? text
                    : text.starts_with('(') ? text
                                            : "(" + text + ")");
  }
  for (const std::string& text : texts) arguments.push_back(text);
  if (const Row* row = row_of(op)) {
    return fmt::vformat(std::string(row->formula), arguments);
  }
  return fmt::format("{}({})", op.name, fmt::join(texts, ", "));
}

/// The elements of the operands that the result's element is made of.
std::vector<Scalar> operands_of(Story& story) {
  const Point& point = story.point();
  std::vector<Scalar> operands;
  for (size_t k = 0; k < point.run.operands.size(); ++k) {
    const Literal& operand = point.run.operands[k];
    const bool one = !same_dims(operand.shape(), point.array.shape());
    const int64_t position = one ? 0 : point.position;
    story.say(story.operand(k, position) +
              (one ? ", the same for all elements" : ""));
    operands.push_back(operand.at(position));
  }
  return operands;
}

Accuracy function_of(const Op& op) {
  Accuracy accuracy = op.accuracy;
  if (op.name == "sqrt") accuracy.function = numeric::Function::kSqrt;
  return accuracy;
}

std::optional<Numbers> numbers(std::span<const Scalar> operands) {
  Numbers result;
  for (const Scalar& operand : operands) {
    auto number = number_of(operand);
    if (!number) return std::nullopt;
    result.push_back(*std::move(number));
  }
  return result;
}

/// The exact result for a result of floats; nothing where there is none.
std::optional<RealValue> real_result(const Op& op,
                                     std::span<const Scalar> operands) {
  const auto x = numbers(operands);
  if (!x) return std::nullopt;
  const Row* row = row_of(op);
  if (row != nullptr && row->exactly != nullptr) {
    const auto value = row->exactly(*x);
    return value ? std::optional(RealValue::of(*value)) : std::nullopt;
  }
  std::vector<double> values;
  for (const Scalar& operand : operands) {
    if (!is_float(operand.type)) return std::nullopt;
    values.push_back(parts_of(operand)[0]);
  }
  return function_value(function_of(op), values);
}

/// Says the exact number of an operation on integers, and that it wraps where
/// it does.
void explain_integer(Story& story, const std::string& formula,
                     std::span<const Scalar> operands) {
  const Op& op = *story.point().instruction().op;
  const Scalar result = story.point().result();
  const Row* row = row_of(op);
  static constexpr std::string_view kWrapping[] = {
      "abs", "add", "convert", "multiply", "negate", "subtract"};
  const bool wraps =
      std::ranges::find(kWrapping, op.name) != std::end(kWrapping) &&
      is_integer(operands[0].type);
  const auto x = numbers(operands);
  if (!wraps || !x || !is_integer(result.type)) {
    story.say(formula + " gives " + value_text(result));
    return;
  }
  const Fraction exact = *row->exactly(*x);
  story.say(formula + " = " + to_text(exact));
  if (exact == *number_of(result)) return;
  story.say(
      fmt::format("beyond {}: its lowest {}, {}", info(result.type).name,
                  counted(bits(result.type), "bit remains", "bits remain"),
                  value_text(result)));
}

bool is_special(const Scalar& scalar) {
  if (!is_float(scalar.type) && !is_complex(scalar.type)) return false;
  return std::ranges::any_of(parts_of(scalar),
                             [](double x) { return !std::isfinite(x); });
}

/// Floats whose exact result is no number, or that only move bits.
void explain_special(Story& story, const std::string& formula,
                     std::span<const Scalar> operands) {
  const Scalar result = story.point().result();
  const std::string_view name = story.point().instruction().op->name;
  if (std::ranges::any_of(operands, is_special) || is_special(result)) {
    story.say(
        fmt::format("{} is {} by the special values of the operation "
                    "(assay spec {})",
                    formula, value_text(result), name));
  } else {
    story.say(formula + " gives " + value_text(result));
  }
}

void explain_complex(Story& story, const std::string& formula,
                     std::span<const Scalar> operands) {
  const auto values = complex_value(*story.point().instruction().op, operands);
  if (!values) return explain_special(story, formula, operands);
  static constexpr std::array<std::string_view, 2> kParts = {
      "the real part of ", "the imaginary part of "};
  const bool pair = is_complex(story.point().result().type);
  for (size_t part = 0; part < (pair ? 2 : 1); ++part) {
    story.round(pair ? std::string(kParts[part]) + formula : formula,
                (*values)[part], static_cast<int>(part));
  }
}

void explain_select(Story& story, std::span<const Scalar> operands) {
  const bool first = operands[0].bits[0] != 0;
  const size_t k = first ? 1 : 2;
  story.say(first ? "the condition is true: operand 1"
                  : "the condition is false: operand 2");
  story.copy(k, story.point().position);
}

void explain_conversion(Story& story, const Scalar& operand) {
  const Scalar result = story.point().result();
  if (result.type == ElementType::kPred) {
    story.say("whether it is not 0: " + value_text(result));
  } else if (is_integer(result.type) && is_float(operand.type)) {
    story.say("truncated toward zero and limited to the range of " +
              std::string(info(result.type).name) +
              ", NaN being 0: " + value_text(result));
  } else {
    explain_special(story, text::print(operand), {&operand, 1});
  }
}

void explain_reduced(Story& story) {
  const Instruction& reduce = story.point().instruction();
  story.say(fmt::format(
      "rounded to {} behind the point, ties to even, and limited to "
      "exponents of {}: {}",
      counted(reduce.get<int64_t>("mantissa_bits"), "bit"),
      counted(reduce.get<int64_t>("exponent_bits"), "bit"),
      value_text(story.point().result())));
}

void explain_drawn(Story& story, std::span<const Scalar> operands) {
  const Scalar result = story.point().result();
  if (const auto x = number_of(operands[0]); x && is_float(result.type)) {
    story.say(
        describe_rounding(RealValue::of(*x), numeric::format(result.type)));
  }
  story.say(fmt::format(
      "the number {} of {} bits decides: up where {} / 2^{} is less than the "
      "part of the way: {}",
      text::print(operands[1]), bits(operands[1].type),
      text::print(operands[1]), bits(operands[1].type), value_text(result)));
}

/// What one element of the kernel gives, beside all others.
void check_alone(Story& story, std::span<const Scalar> operands) {
  Lanes lanes(story.point().instruction());
  const Scalar alone = lanes.apply(operands);
  if (alone == story.point().result()) return;
  story.say("the same elements alone give " + value_text(alone));
}

}  // namespace

void explain_elementwise(Story& story) {
  const Point& point = story.point();
  const Op& op = *point.instruction().op;
  const std::vector<Scalar> operands = operands_of(story);
  const Scalar result = point.result();
  check_alone(story, operands);
  if (op.name == "select") return explain_select(story, operands);
  if (op.name == "reduce-precision") return explain_reduced(story);
  if (op.name == "stochastic-convert") return explain_drawn(story, operands);
  const std::string formula = formula_of(op, operands);
  const bool complex = std::ranges::any_of(
      operands, [](const Scalar& operand) { return is_complex(operand.type); });
  if (complex || is_complex(result.type)) {
    return explain_complex(story, formula, operands);
  }
  if (is_float(result.type)) {
    const auto value = real_result(op, operands);
    if (value) return story.round(formula, *value);
    return explain_special(story, formula, operands);
  }
  const bool converts_floats =
      op.name == "convert" && !is_integer(operands[0].type);
  if (converts_floats || (op.name == "convert" && !is_integer(result.type))) {
    return explain_conversion(story, operands[0]);
  }
  explain_integer(story, formula, operands);
}

}  // namespace hlo::conformance
