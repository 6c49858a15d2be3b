#include "conformance/explain/story/explain_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conformance/explain/values/number_of.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kMostFactors = 10'000;  // of an exact product
constexpr int64_t kMostExponent = 1 << 16;

Scalar converted_scalar(const Scalar& value, ElementType type) {
  return converted(Literal::of(value), type).scalar();
}

/// What was joined in any type, as a result: by way of the type of the terms,
/// unless both are floats, which are rounded no more often than they must be
/// (spec/ops/all_reduce.md, Special values).
Scalar converted_back(const Scalar& value, ElementType terms,
                      ElementType result) {
  const bool by_way_of = !same_up_to_precision(value.type, terms);
  return converted_scalar(by_way_of ? converted_scalar(value, terms) : value,
                          result);
}

/// One part of each term, in the type that they are joined in.
std::vector<double> parts_of_terms(const Terms& terms, ElementType type,
                                   size_t part) {
  std::vector<double> numbers;
  for (const Scalar& value : terms.values) {
    numbers.push_back(parts_of(converted_scalar(value, type)).at(part));
  }
  return numbers;
}

Fraction exact_sum(const std::vector<double>& numbers) {
  Fraction value(0.0);
  for (const double x : numbers) value = value + Fraction(x);
  return value;
}

/// fraction * 2^exponent, so that no number has millions of bits.
struct Scaled {
  Fraction fraction;
  int64_t exponent = 0;
};

/// The product of at most kMostFactors numbers; its fraction is 0, or at least
/// 2^-kMostFactors in size.
Scaled exact_product(const std::vector<double>& numbers) {
  Scaled product{Fraction(1.0)};
  for (const double x : numbers) {
    int exponent = 0;
    product.fraction = product.fraction * Fraction(std::frexp(x, &exponent));
    product.exponent += exponent;
  }
  return product;
}

/// The sum or product of numbers that are not all finite: of the others only
/// zeros and signs count, and those only in a product.
double infinite_value(Reducer reducer, const std::vector<double>& numbers) {
  const bool is_sum = reducer == Reducer::kAdd;
  double value = is_sum ? 0 : 1;
  for (const double x : numbers) {
    const double sign = x == 0 ? x : std::copysign(1.0, x);
    const double counted = !std::isfinite(x) ? x : is_sum ? 0 : sign;
    value = is_sum ? value + counted : value * counted;
  }
  // A processor gives its NaN any sign.
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Explains a part of an exact sum or product of floats, which is rounded once
/// to the type.
void explain_part(Story& story, Reducer reducer, const Terms& terms,
                  ElementType type, size_t part, const std::string& name) {
  const std::vector<double> numbers = parts_of_terms(terms, type, part);
  const ElementType own = component_type(type);
  const numeric::FloatFormat& format = numeric::format(own);
  const Scalar result = story.point().result();
  const bool is_finite =
      std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  if (!is_finite) {
    const uint64_t code =
        numeric::encode(infinite_value(reducer, numbers), format);
    const Scalar stated =
        converted_back({own, {code, 0}}, component_type(terms.type()),
                       component_type(result.type));
    story.say(fmt::format("{} has terms that are not finite: {}", name,
                          value_text(stated)));
    return story.note_steps(stated.bits[0] == result.bits.at(part));
  }
  Scaled exact;
  if (reducer == Reducer::kAdd) {
    exact.fraction = exact_sum(numbers);
  } else {
    exact = exact_product(numbers);
  }
  const auto end = [&](const RealValue& value) {
    end_with(story, {own, {rounded_code(value, format), 0}}, terms.type());
  };
  if (exact.fraction.sign() != 0 && std::abs(exact.exponent) > kMostExponent) {
    // Nothing as small or large is a number of any format, nor near one.
    const int64_t last = exact.exponent < 0 ? -kMostExponent : kMostExponent;
    story.say(fmt::format("{} is {} 2^{} in size", name,
                          last < 0 ? "below" : "beyond",
                          last < 0 ? last : last - kMostFactors));
    return end(RealValue::of(Fraction::of(int64_t{exact.fraction.sign()}) *
                             Fraction::power_of_two(last)));
  }
  const RealValue value =
      RealValue::of(exact.fraction * Fraction::power_of_two(exact.exponent));
  if (is_float(result.type) || is_complex(result.type)) {
    return story.round(name, value, static_cast<int>(part), type);
  }
  story.say(name + " = " + to_text(value));
  story.say(describe_rounding(value, format));
  end(value);
}

void explain_sum(Story& story, const Terms& terms, ElementType type) {
  if (!is_complex(type)) {
    return explain_part(story, Reducer::kAdd, terms, type, 0, "the exact sum");
  }
  explain_part(story, Reducer::kAdd, terms, type, 0,
               "the exact sum, real part,");
  explain_part(story, Reducer::kAdd, terms, type, 1,
               "the exact sum, imaginary part,");
}

/// The first term that has the result's bits.
void explain_selected(Story& story, const Terms& terms,
                      std::string_view which) {
  const Scalar result = story.point().result();
  const auto found = std::ranges::find(terms.values, result);
  if (found == terms.values.end()) {
    story.say(fmt::format("{} of the terms: {}", which, value_text(result)));
    return;
  }
  story.say(fmt::format("{} of the terms", which));
  story.copy_of(*found,
                terms.text(static_cast<size_t>(found - terms.values.begin())));
}

void explain_in_order(Story& story, const Computation& region,
                      const Terms& terms) {
  Scalar value = converted_scalar(terms.values[0],
                                  region.parameters[0]->shape.element_type);
  story.say(fmt::format("%{} joins the terms in their order, from {}",
                        region.name, value_text(value)));
  const auto most = static_cast<size_t>(story.point().request.terms);
  const auto count = terms.values.size() - 1;
  for (size_t k = 1; k <= count; ++k) {
    const std::vector<Scalar> pair =
        as_parameters(region, {value, terms.values[k]});
    const Scalar joined = apply_region(region, pair).at(0);
    if (k <= most) {
      story.say(fmt::format("  %{}({}, {}) = {}", region.name,
                            text::print(pair[0]), text::print(pair[1]),
                            value_text(joined)));
    }
    value = joined;
  }
  say_rest(story, count);
  end_with(story, value, terms.type());
}

void explain_product(Story& story, const Computation& region,
                     const Terms& terms) {
  constexpr size_t kMost = 10'000;  // factors of an exact product
  if (terms.values.size() > kMost)
    return explain_in_order(story, region, terms);
  explain_part(story, Reducer::kMultiply, terms,
               region.root->shape.element_type, 0, "the exact product");
}

std::string_view word(Reducer reducer) {
  switch (reducer) {
    case Reducer::kAdd:
      return "the sum";
    case Reducer::kMultiply:
      return "the product";
    case Reducer::kAnd:
      return "the bitwise and";
    case Reducer::kOr:
      return "the bitwise or";
    default:
      return "the bitwise exclusive or";
  }
}

/// Explains a join of integers or truth values, which wrap.
void explain_exact(Story& story, Reducer reducer, const Terms& terms) {
  if (reducer == Reducer::kAdd || reducer == Reducer::kMultiply) {
    Fraction value = Fraction::of(int64_t{reducer == Reducer::kAdd ? 0 : 1});
    for (const Scalar& term : terms.values) {
      const Fraction next = *number_of(term);
      value = reducer == Reducer::kAdd ? value + next : value * next;
    }
    story.say(fmt::format("{} = {}", word(reducer), to_text(value)));
    const Scalar result = story.point().result();
    if (value == *number_of(result)) return;
    story.say(fmt::format("beyond {}: its lowest bits remain, {}",
                          info(result.type).name, value_text(result)));
    return;
  }
  story.say(fmt::format("{} of the terms: {}", word(reducer),
                        value_text(story.point().result())));
}

bool is_whole(ElementType type) {
  return is_integer(type) || type == ElementType::kPred;
}

}  // namespace

void say_rest(Story& story, size_t count) {
  const auto most = static_cast<size_t>(story.point().request.terms);
  if (count > most) story.say(fmt::format("  and {} more", count - most));
}

void list_terms(Story& story, const Terms& terms) {
  const auto most = static_cast<size_t>(story.point().request.terms);
  for (size_t k = 0; k < std::min(most, terms.values.size()); ++k) {
    story.say("  " + terms.text(k));
  }
  say_rest(story, terms.values.size());
}

void list_terms(Story& story, const std::vector<std::string>& terms) {
  const auto most = static_cast<size_t>(story.point().request.terms);
  for (size_t k = 0; k < std::min(most, terms.size()); ++k) {
    story.say("  " + terms[k]);
  }
  say_rest(story, terms.size());
}

std::vector<Scalar> as_parameters(const Computation& region,
                                  std::vector<Scalar> scalars) {
  for (size_t k = 0; k < scalars.size(); ++k) {
    const Shape& shape = region.parameters.at(k)->shape;
    scalars[k] = converted_scalar(scalars[k], shape.element_type);
  }
  return scalars;
}

void end_with(Story& story, const Scalar& value, ElementType terms) {
  const Scalar result = story.point().result();
  story.note_steps(converted_back(value, terms, result.type) == result);
  if (value != result) {
    story.say("in the type of the result: " + value_text(result));
  }
}

bool is_result(const Story& story, const std::vector<Scalar>& results) {
  const Point& point = story.point();
  const Ints& list = point.tuple_index;
  const auto k = static_cast<size_t>(list.empty() ? 0 : list[0]);
  const Scalar result = point.result();
  return converted_scalar(results.at(k), result.type) == result;
}

std::vector<Scalar> apply_region(const Computation& region,
                                 const std::vector<Scalar>& arguments) {
  Evaluator evaluator(kReference);
  const Region applied(region, evaluator);
  Region::Scratch scratch(applied, 1);
  return applied.apply(scratch, arguments);
}

void explain_joined(Story& story, const Computation& region,
                    const Terms& terms) {
  const Reducer reducer = recognize(region);
  const ElementType type = region.root->shape.element_type;
  if (terms.values.size() == 1) {
    story.say("there is nothing to join it with");
    return story.copy_of(terms.values[0], terms.text(0));
  }
  const bool is_exact_sum =
      reducer == Reducer::kAdd && (is_float(type) || is_complex(type));
  if (is_exact_sum) return explain_sum(story, terms, type);
  if (reducer == Reducer::kMultiply && is_float(type)) {
    return explain_product(story, region, terms);
  }
  if (!same_up_to_precision(terms.type(), type)) {
    return explain_in_order(story, region, terms);
  }
  switch (reducer) {
    case Reducer::kMaximum:
      return explain_selected(story, terms, "the largest");
    case Reducer::kMinimum:
      return explain_selected(story, terms, "the smallest");
    case Reducer::kOther:
      return explain_in_order(story, region, terms);
    default:
      return is_whole(type) ? explain_exact(story, reducer, terms)
                            : explain_in_order(story, region, terms);
  }
}

}  // namespace hlo::conformance
