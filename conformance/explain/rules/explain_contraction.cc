#include "conformance/explain/rules/explain_contraction.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/values/number_of.h"
#include "interpreter/counted.h"
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

/// Calls the visitor with each product of a sum.
using VisitTerms = std::function<void(const VisitTerm&)>;

/// The product of some elements: where they lie, and two numbers whose product
/// it is.
struct Product {
  std::vector<std::string> elements;
  Scalar lhs;
  Scalar rhs;
};

/// Scales are multiplied in f64, where that is exact.
Scalar scaled(const Scalar& x, const Scalar& scale) {
  const auto& format = numeric::format(ElementType::kF64);
  const double product = parts_of(x)[0] * parts_of(scale)[0];
  return {ElementType::kF64, {numeric::encode(product, format), 0}};
}

Product product_of(Story& story, const hlo::Term& term, bool is_listed) {
  const Point& point = story.point();
  const Operands operands = point.run.operands;
  Product product;
  const auto element = [&](size_t k, const Index& index) {
    const int64_t i = linearize(index, operands[k].shape().dims);
    if (is_listed) product.elements.push_back(story.operand(k, i));
    return operands[k].at(i);
  };
  product.lhs = element(0, term.lhs);
  product.rhs = element(1, term.rhs);
  for (const auto& [operand, index] : term.scales) {
    Scalar& x = operand == 2 ? product.lhs : product.rhs;
    x = scaled(x, element(static_cast<size_t>(operand), index));
  }
  if (!term.scales.empty()) return product;
  const ElementType type = point.instruction().shape.element_type;
  product.lhs = definition::convert(product.lhs, type);
  product.rhs = definition::convert(product.rhs, type);
  return product;
}

/// Real and imaginary part of a sum of products.
struct Sum {
  Fraction re;
  Fraction im;
  bool is_finite = true;

  void add(const std::vector<double>& a, const std::vector<double>& b) {
    for (const double x : a) is_finite = is_finite && std::isfinite(x);
    for (const double x : b) is_finite = is_finite && std::isfinite(x);
    if (!is_finite) return;
    re = re + Fraction(a[0]) * Fraction(b[0]);
    if (a.size() < 2) return;
    re = re - Fraction(a[1]) * Fraction(b[1]);
    im = im + Fraction(a[0]) * Fraction(b[1]) + Fraction(a[1]) * Fraction(b[0]);
  }
};

void explain_integers(Story& story, const Fraction& sum) {
  const Scalar result = story.point().result();
  if (result.type == ElementType::kPred) {
    return story.say(std::string(result.bits[0] != 0 ? "one" : "none") +
                     " of the products is true: " + value_text(result));
  }
  story.say("the sum of the products = " + to_text(sum));
  if (sum == *number_of(result)) return;
  story.say(fmt::format("beyond {}: its lowest bits remain, {}",
                        info(result.type).name, value_text(result)));
}

void explain_floats(Story& story, const Sum& sum) {
  const Scalar result = story.point().result();
  if (!sum.is_finite) {
    story.say("an infinite element or NaN makes the sum " + value_text(result));
  } else if (is_complex(result.type)) {
    story.round("the exact sum, real part,", RealValue::of(sum.re));
    story.round("the exact sum, imaginary part,", RealValue::of(sum.im), 1);
  } else {
    story.round("the exact sum", RealValue::of(sum.re));
  }
}

/// Elements of other types than the result's are converted, unless they have
/// scales.
void say_conversions(Story& story, ElementType type) {
  for (size_t k = 0; k < 2; ++k) {
    if (story.point().run.operands[k].type() == type) continue;
    story.say(fmt::format("the elements of operand {} are made {} first", k,
                          info(type).name));
  }
}

/// Says the first products; calls `add` with each.
void list_products(Story& story, const VisitTerms& terms,
                   const std::function<void(const Product&)>& add) {
  const auto most = static_cast<size_t>(story.point().request.terms);
  size_t count = 0;
  terms([&](const hlo::Term& term) {
    const bool is_listed = count++ < most;
    const Product product = product_of(story, term, is_listed);
    if (is_listed) {
      story.say(fmt::format("  {}", fmt::join(product.elements, " times ")));
    }
    add(product);
  });
  say_rest(story, count);
}

}  // namespace

void explain_contraction(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const ElementType type = instruction.shape.element_type;
  const VisitTerms terms = [&](const VisitTerm& visit) {
    instruction.op->terms(instruction, point.run.operands,
                          delinearize(point.position, instruction.shape.dims),
                          visit);
  };
  int64_t count = 0;
  bool is_scaled = false;
  terms([&](const hlo::Term& term) {
    ++count;
    is_scaled = is_scaled || !term.scales.empty();
  });
  story.say("the sum of " + counted(count, "product", "products"));
  if (!is_scaled) say_conversions(story, type);
  if (is_float(type) || is_complex(type)) {
    Sum sum;
    list_products(story, terms, [&](const Product& product) {
      sum.add(parts_of(product.lhs), parts_of(product.rhs));
    });
    return explain_floats(story, sum);
  }
  Fraction sum;
  list_products(story, terms, [&](const Product& product) {
    sum = sum + *number_of(product.lhs) * *number_of(product.rhs);
  });
  explain_integers(story, sum);
}

}  // namespace hlo::conformance
