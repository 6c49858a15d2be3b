#include "conformance/explain/rules/explain_elementwise.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "conformance/explain/values/complex_value.h"
#include "conformance/explain/values/number_of.h"
#include "conformance/sets/lanes.h"
#include "interpreter/counted.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

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
  if (op.facts.formula.empty()) {
    return fmt::format("{}({})", op.name, fmt::join(texts, ", "));
  }
  return fmt::vformat(std::string(op.facts.formula), arguments);
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

/// The real function that the operation is for floats, if any.
std::optional<RealValue> function_result(const Op& op,
                                         std::span<const Scalar> operands) {
  Accuracy accuracy = op.accuracy;
  if (op.facts.arithmetic == Arithmetic::kRoot) {
    accuracy.function = numeric::Function::kSqrt;
  }
  std::vector<double> values;
  for (const Scalar& operand : operands) {
    if (!is_float(operand.type)) return std::nullopt;
    values.push_back(parts_of(operand)[0]);
    if (!std::isfinite(values.back())) return std::nullopt;
  }
  return function_value(accuracy, values);
}

/// The exact result for a result of floats; nothing where there is none.
std::optional<RealValue> real_result(const Op& op,
                                     std::span<const Scalar> operands) {
  if (auto value = function_result(op, operands)) return value;
  const auto exact = exact_part(op, operands, 0);
  return exact ? std::optional(RealValue::of(*exact)) : std::nullopt;
}

/// Says the exact number of arithmetic on integers, and that it wraps where it
/// does. What other operations give is a choice of theirs: 7 / 0.
void explain_integer(Story& story, const std::string& formula,
                     std::span<const Scalar> operands) {
  const Op& op = *story.point().instruction().op;
  const Scalar result = story.point().result();
  const Arithmetic arithmetic = op.facts.arithmetic;
  const bool wraps = arithmetic != Arithmetic::kNone &&
                     arithmetic != Arithmetic::kQuotient &&
                     is_integer(result.type);
  const auto exact = wraps ? exact_part(op, operands, 0) : std::nullopt;
  if (!exact) return story.say(formula + " gives " + value_text(result));
  story.say(formula + " = " + to_text(*exact));
  if (*exact == *number_of(result)) return;
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
  const auto values = complex_value(*story.point().instruction().op, operands,
                                    story.point().result().type);
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
  const Scalar result = story.point().result();
  if (operands[k].type != result.type) {
    return story.say("rounded to " + std::string(info(result.type).name) +
                     ": " + value_text(result));
  }
  story.copy(k, story.point().position);
}

/// A number in a type that has only some of them.
void explain_conversion(Story& story, const std::string& formula) {
  const Scalar result = story.point().result();
  if (result.type == ElementType::kPred) {
    return story.say("whether " + formula + " is not 0: " + value_text(result));
  }
  story.say(formula + " truncated toward zero and limited to the range of " +
            std::string(info(result.type).name) +
            ", NaN being 0: " + value_text(result));
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
  if (op.facts.behaviour.kind == Behaviour::Kind::kSelect) {
    return explain_select(story, operands);
  }
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
  const bool is_narrowed =
      result.type == ElementType::kPred || is_float(operands[0].type);
  if (op.facts.arithmetic == Arithmetic::kCopy && is_narrowed) {
    return explain_conversion(story, formula);
  }
  explain_integer(story, formula, operands);
}

}  // namespace hlo::conformance
