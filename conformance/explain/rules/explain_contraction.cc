#include "conformance/explain/rules/explain_contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/values/number_of.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// Elements of lhs and rhs that are multiplied.
struct Factors {
  int64_t left;
  int64_t right;
};

std::vector<Factors> factors_of(const Point& point,
                                const Contraction& contraction) {
  int64_t gmn[3] = {0, 0, 0};
  contraction.locate(point.position, gmn);
  std::vector<int64_t> left(static_cast<size_t>(contraction.depth));
  std::vector<int64_t> right(left.size());
  contraction.lhs(gmn[0], gmn[1], left.data());
  contraction.rhs(gmn[0], gmn[2], right.data());
  std::vector<Factors> factors;
  for (size_t k = 0; k < left.size(); ++k) {
    if (left[k] >= 0 && right[k] >= 0) factors.push_back({left[k], right[k]});
  }
  return factors;
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

void explain_integers(Story& story, const std::vector<Factors>& factors,
                      const Literal& lhs, const Literal& rhs) {
  const Scalar result = story.point().result();
  Fraction sum;
  for (const Factors& pair : factors) {
    sum = sum + *number_of(lhs.at(pair.left)) * *number_of(rhs.at(pair.right));
  }
  story.say("the sum of the products = " + to_text(sum));
  if (sum == *number_of(result)) return;
  story.say(fmt::format("beyond {}: its lowest bits remain, {}",
                        info(result.type).name, value_text(result)));
}

void explain_floats(Story& story, const std::vector<Factors>& factors,
                    const Literal& lhs, const Literal& rhs) {
  Sum sum;
  for (const Factors& pair : factors) {
    sum.add(parts_of(lhs.at(pair.left)), parts_of(rhs.at(pair.right)));
  }
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

}  // namespace

void explain_products(Story& story, const Contraction& contraction,
                      const Literal& lhs, const Literal& rhs) {
  const Point& point = story.point();
  const std::vector<Factors> factors = factors_of(point, contraction);
  story.say(fmt::format(
      "the sum of {} {}{}", factors.size(),
      factors.size() == 1 ? "product" : "products",
      std::ssize(factors) < contraction.depth
          ? fmt::format("; {} of {} have no factors (padding, or a group "
                        "without them)",
                        contraction.depth - std::ssize(factors),
                        contraction.depth)
          : ""));
  const std::array<const Literal*, 2> factors_in = {&lhs, &rhs};
  for (size_t k = 0; k < 2; ++k) {
    const ElementType own = point.run.operands[k].type();
    if (own == factors_in[k]->type()) continue;
    story.say(fmt::format("the elements of operand {} are made {} first", k,
                          info(factors_in[k]->type()).name));
  }
  std::vector<std::string> lines;
  const auto most = static_cast<size_t>(point.request.terms);
  for (const Factors& pair : factors) {
    if (lines.size() >= most) {
      lines.emplace_back();
      continue;
    }
    lines.push_back(story.operand(0, pair.left) + " times " +
                    story.operand(1, pair.right));
  }
  list_terms(story, lines);
  if (is_float(lhs.type()) || is_complex(lhs.type())) {
    explain_floats(story, factors, lhs, rhs);
  } else {
    explain_integers(story, factors, lhs, rhs);
  }
}

void explain_contraction(Story& story) {
  const Point& point = story.point();
  const Instruction& instruction = point.instruction();
  const Evaluator evaluator(kReference);
  const ElementType type = instruction.shape.element_type;
  explain_products(story, instruction.op->contraction(instruction),
                   converted(point.run.operands[0], type, evaluator.threads()),
                   converted(point.run.operands[1], type, evaluator.threads()));
}

}  // namespace hlo::conformance
