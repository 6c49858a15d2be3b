#include "conformance/explain/story/explain_joined.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The parts of all terms as fractions; nothing where one is no finite number.
std::optional<std::vector<std::vector<Fraction>>> parts_of_terms(
    const std::vector<Term>& terms, ElementType type) {
  std::vector<std::vector<Fraction>> all;
  for (const Term& term : terms) {
    std::vector<Fraction> parts;
    for (const double part : parts_of(converted_scalar(term.value, type))) {
      if (!std::isfinite(part)) return std::nullopt;
      parts.emplace_back(part);
    }
    all.push_back(std::move(parts));
  }
  return all;
}

/// Explains a sum of floats or complex numbers, part by part; whether it did.
bool explain_sum(Story& story, const std::vector<Term>& terms,
                 ElementType type) {
  const auto parts = parts_of_terms(terms, type);
  const Scalar result = story.point().result();
  if (!parts || (!is_float(result.type) && !is_complex(result.type))) {
    return false;
  }
  const size_t count = is_complex(type) ? 2 : 1;
  for (size_t part = 0; part < count; ++part) {
    Fraction sum;
    for (const auto& term : *parts) sum = sum + term[part];
    const std::string_view which = count == 1 ? "the exact sum"
                                   : part == 0
                                       ? "the exact sum, real part,"
                                       : "the exact sum, imaginary part,";
    story.round(std::string(which), RealValue::of(sum), static_cast<int>(part),
                type);
  }
  return true;
}

bool explain_product(Story& story, const std::vector<Term>& terms,
                     ElementType type) {
  constexpr size_t kMost = 10'000;  // factors of an exact product
  const auto parts = parts_of_terms(terms, type);
  if (!parts || !is_float(type) || !is_float(story.point().result().type) ||
      terms.size() > kMost) {
    return false;
  }
  Fraction product(1.0);
  for (const auto& term : *parts) product = product * term[0];
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
void explain_selected(Story& story, const std::vector<Term>& terms,
                      std::string_view which) {
  const Scalar result = story.point().result();
  const auto found = std::ranges::find(terms, result, &Term::value);
  if (found == terms.end()) {
    story.say(fmt::format("{} of the terms: {}", which, value_text(result)));
    return;
  }
  story.say(fmt::format("{} of the terms", which));
  story.copy_of(found->value, found->text);
}

void explain_in_order(Story& story, const Computation& region,
                      const std::vector<Term>& terms) {
  Scalar value = converted_scalar(terms[0].value,
                                  region.parameters[0]->shape.element_type);
  story.say(fmt::format("%{} joins the terms in their order, from {}",
                        region.name, value_text(value)));
  std::vector<std::string> lines;
  for (size_t k = 1; k < terms.size(); ++k) {
    const Scalar next = converted_scalar(
        terms[k].value, region.parameters[1]->shape.element_type);
    const Scalar joined = apply_region(region, {value, next}).at(0);
    lines.push_back(fmt::format("%{}({}, {}) = {}", region.name,
                                text::print(value), text::print(next),
                                value_text(joined)));
    value = joined;
  }
  list_terms(story, lines);
  const Scalar result = story.point().result();
  if (value != result) {
    story.say("in the type of the result: " + value_text(result));
  }
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
void explain_exact(Story& story, Reducer reducer,
                   const std::vector<Term>& terms) {
  if (reducer == Reducer::kAdd || reducer == Reducer::kMultiply) {
    Fraction value = Fraction::of(int64_t{reducer == Reducer::kAdd ? 0 : 1});
    for (const Term& term : terms) {
      const Fraction next = *number_of(term.value);
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

void list_terms(Story& story, const std::vector<std::string>& terms) {
  const auto most = static_cast<size_t>(story.point().request.terms);
  for (size_t k = 0; k < std::min(most, terms.size()); ++k) {
    story.say("  " + terms[k]);
  }
  if (terms.size() > most) {
    story.say(fmt::format("  and {} more", terms.size() - most));
  }
}

std::vector<Scalar> apply_region(const Computation& region,
                                 const std::vector<Scalar>& arguments) {
  Evaluator evaluator(kReference);
  const Region applied(region, evaluator);
  Region::Scratch scratch(applied, 1);
  return applied.apply(scratch, arguments);
}

void explain_joined(Story& story, const Computation& region,
                    const std::vector<Term>& terms) {
  const Reducer reducer = recognize(region);
  const ElementType type = region.root->shape.element_type;
  if (terms.size() == 1) {
    story.say("there is nothing to join it with");
    return story.copy_of(terms[0].value, terms[0].text);
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
      is_whole(type) && std::ranges::all_of(terms, [](const Term& term) {
        return is_whole(term.value.type);
      });
  if (all_whole) return explain_exact(story, reducer, terms);
  if (reducer == Reducer::kAdd && explain_sum(story, terms, type)) return;
  if (reducer == Reducer::kMultiply && explain_product(story, terms, type)) {
    return;
  }
  explain_in_order(story, region, terms);
}

}  // namespace hlo::conformance
