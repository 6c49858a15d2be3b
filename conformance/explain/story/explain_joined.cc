#include "conformance/explain/story/explain_joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/explain/values/number_of.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

Scalar converted_scalar(const Scalar& value, ElementType type) {
  return converted(Literal::of(value), type).scalar();
}

/// Calls `add` with the parts of each term, in the type; whether all are
/// finite.
bool for_each_number(
    const Terms& terms, ElementType type,
    const std::function<void(const std::vector<double>&)>& add) {
  return std::ranges::all_of(terms.values, [&](const Scalar& value) {
    const std::vector<double> parts = parts_of(converted_scalar(value, type));
    if (!std::ranges::all_of(parts,
                             [](double x) { return std::isfinite(x); })) {
      return false;
    }
    add(parts);
    return true;
  });
}

/// Explains a sum of floats or complex numbers, part by part; whether it did.
bool explain_sum(Story& story, const Terms& terms, ElementType type) {
  const Scalar result = story.point().result();
  if (!is_float(result.type) && !is_complex(result.type)) return false;
  std::array<Fraction, 2> sums;
  const auto add = [&](const std::vector<double>& parts) {
    for (size_t part = 0; part < parts.size(); ++part) {
      sums.at(part) = sums.at(part) + Fraction(parts[part]);
    }
  };
  if (!for_each_number(terms, type, add)) return false;
  static constexpr std::array<std::string_view, 2> kParts = {
      "the exact sum, real part,", "the exact sum, imaginary part,"};
  const int count = is_complex(type) ? 2 : 1;
  for (int part = 0; part < count; ++part) {
    const auto k = static_cast<size_t>(part);
    story.round(count == 1 ? "the exact sum" : std::string(kParts.at(k)),
                RealValue::of(sums.at(k)), part, type);
  }
  return true;
}

bool explain_product(Story& story, const Terms& terms, ElementType type) {
  constexpr size_t kMost = 10'000;  // factors of an exact product
  if (!is_float(type) || !is_float(story.point().result().type) ||
      terms.values.size() > kMost) {
    return false;
  }
  Fraction product(1.0);
  const bool is_finite =
      for_each_number(terms, type, [&](const std::vector<double>& parts) {
        product = product * Fraction(parts[0]);
      });
  if (!is_finite) return false;
  // Beyond this nothing is a number of any format.
  constexpr size_t kBits = size_t{1} << 16;
  if (mpz_sizeinbase(mpq_numref(product.get()), 2) > kBits ||
      mpz_sizeinbase(mpq_denref(product.get()), 2) > kBits) {
    return false;
  }
  story.round("the exact product", RealValue::of(product), 0, type);
  return true;
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
  end_with(story, value);
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

void end_with(Story& story, const Scalar& value) {
  const Scalar result = story.point().result();
  story.note_steps(converted_scalar(value, result.type) == result);
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
  switch (reducer) {
    case Reducer::kMaximum:
      return explain_selected(story, terms, "the largest");
    case Reducer::kMinimum:
      return explain_selected(story, terms, "the smallest");
    case Reducer::kOther:
      return explain_in_order(story, region, terms);
    default:
      break;
  }
  const bool all_whole =
      is_whole(type) &&
      std::ranges::all_of(terms.values, is_whole, &Scalar::type);
  if (all_whole) return explain_exact(story, reducer, terms);
  if (reducer == Reducer::kAdd && explain_sum(story, terms, type)) return;
  if (reducer == Reducer::kMultiply && explain_product(story, terms, type)) {
    return;
  }
  explain_in_order(story, region, terms);
}

}  // namespace hlo::conformance
