#include "conformance/certify/rules/certify_contraction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/certify/rules/integer_sum.h"
#include "conformance/expect/sums/factor_finder.h"
#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

/// What one term may be.
struct Term {
  double low = 0;
  double high = 0;
  bool nan = false;
};

Term term_of(const ValueSet& set, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  Term term{.nan = set.has_nan()};
  if (set.has_numbers()) {
    term.low = numeric::decode(code_at(set.low(), type), format);
    term.high = numeric::decode(code_at(set.high(), type), format);
  }
  return term;
}

std::vector<Term> terms_of(const SetTree& array) {
  std::vector<Term> terms;
  terms.reserve(static_cast<size_t>(array.value.element_count()));
  for (int64_t i = 0; i < array.value.element_count(); ++i) {
    terms.push_back(term_of(array.at(i), array.value.type()));
  }
  return terms;
}

/// The product of two of them. Its ends are products of ends; which, their
/// rounded values tell, and sum_range() makes up for what that may miss.
struct Product {
  std::array<double, 2> low{};
  std::array<double, 2> high{};
  bool nan = false;
  bool infinite = false;
};

bool holds_zero(const Term& x) { return x.low <= 0 && 0 <= x.high; }

bool holds_infinity(const Term& x) {
  return std::isinf(x.low) || std::isinf(x.high);
}

/// Whether 0 times infinity may come out.
bool may_be_nan(const Term& x, const Term& y) {
  return x.nan || y.nan || (holds_zero(x) && holds_infinity(y)) ||
         (holds_infinity(x) && holds_zero(y));
}

Product product(const Term& x, const Term& y) {
  Product p{.nan = may_be_nan(x, y),
            .infinite = holds_infinity(x) || holds_infinity(y)};
  double least = HUGE_VAL;
  double greatest = -HUGE_VAL;
  for (int corner = 0; corner < 4; ++corner) {
    const double a = (corner & 2) == 0 ? x.low : x.high;
    const double b = (corner & 1) == 0 ? y.low : y.high;
    const double value = a == 0 || b == 0 ? 0 : a * b;
    if (value <= least) {
      least = value;
      p.low = {a, b};
    }
    if (value >= greatest) {
      greatest = value;
      p.high = {a, b};
    }
  }
  return p;
}

/// Products of doubles, gathered so that they are summed fast; those that are
/// zero are left out.
class Products {
 public:
  void add(double a, double b) {
    if (a == 0 || b == 0) return;
    left_.push_back(a);
    right_.push_back(b);
  }

  /// Adds the number itself, zeros too.
  void add(double term) {
    left_.push_back(term);
    right_.push_back(1);
  }

  /// Their exact sum; none are left.
  ExactSum sum() {
    ExactSum sum;
    sum.add_products(left_.data(), right_.data(), std::ssize(left_));
    left_.clear();
    right_.clear();
    return sum;
  }

 private:
  std::vector<double> left_;
  std::vector<double> right_;
};

/// What sums of terms that are known to lie in intervals may be.
class IntervalSum {
 public:
  void add(const Term& term) {
    nan_ = nan_ || term.nan;
    infinite_ = infinite_ || holds_infinity(term);
    if (infinite_) return;
    low_.add(term.low);
    high_.add(term.high);
    magnitudes_.add(std::max(std::fabs(term.low), std::fabs(term.high)));
  }

  void add(const Product& p) {
    nan_ = nan_ || p.nan;
    infinite_ = infinite_ || p.infinite;
    if (infinite_) return;
    low_.add(p.low[0], p.low[1]);
    high_.add(p.high[0], p.high[1]);
    const bool low_is_larger =
        std::fabs(p.low[0] * p.low[1]) > std::fabs(p.high[0] * p.high[1]);
    const std::array<double, 2>& larger = low_is_larger ? p.low : p.high;
    magnitudes_.add(std::fabs(larger[0]), std::fabs(larger[1]));
  }

  /// The set of the sum of the terms so far, of which none are left. Nothing is
  /// known of sums of terms that may be infinite.
  ValueSet take_range(const FloatFormat& format, const SumErrors& errors) {
    const bool nan = std::exchange(nan_, false);
    const ExactSum low = low_.sum();
    const ExactSum high = high_.sum();
    const ExactSum magnitudes = magnitudes_.sum();
    if (std::exchange(infinite_, false)) {
      return ValueSet::everything(format.type);
    }
    const ComponentRange found =
        sum_range(low, high, magnitudes, format, errors);
    ValueSet set = set_of(found, format.type);
    if (nan) set.add_quiet_nan();
    return set;
  }

 private:
  Products low_;
  Products high_;
  Products magnitudes_;
  bool nan_ = false;
  bool infinite_ = false;  // a term may be
};

double largest_finite(const std::vector<Term>& terms) {
  double largest = 0;
  for (const Term& term : terms) {
    for (const double end : {term.low, term.high}) {
      if (std::isfinite(end)) largest = std::max(largest, std::fabs(end));
    }
  }
  return largest;
}

/// Rounded operands, and what each term loses where its factors are flushed.
SumErrors errors_of(const SetTree& lhs, const SetTree& rhs, ElementType result,
                    const Profile& profile) {
  const ElementType left = lhs.value.type();
  const ElementType right = rhs.value.type();
  SumErrors errors = sum_errors(profile, left);
  errors.products = true;
  errors.of_terms = product_error(left, right, result);
  if (!errors.flushes) return errors;
  const auto least = [](ElementType type, const SetTree& other) {
    return std::ldexp(largest_finite(terms_of(other)),
                      numeric::format(type).min_exponent());
  };
  errors.of_flushed_factors = 2 * (least(left, rhs) + least(right, lhs));
  return errors;
}

/// The plan of the contraction, if it has one.
std::optional<Contraction> plan_of(const Instruction& instruction) {
  const Plan* plan = find_plan(*instruction.op).plan;
  if (plan == nullptr || plan->contraction == nullptr) return std::nullopt;
  return plan->contraction(instruction);
}

SetTree float_contraction(const Application& a) {
  const SetTree& lhs = *a.operands[0];
  const SetTree& rhs = *a.operands[1];
  const std::vector<Term> left = terms_of(lhs);
  const std::vector<Term> right = terms_of(rhs);
  const ElementType type = a.nominal.type();
  const SumErrors each = errors_of(lhs, rhs, type, a.profile);
  SetTree result = SetTree::known(a.nominal);
  const std::optional<Contraction> plan = plan_of(a.instruction);
  FactorFinder factors(plan ? &*plan : nullptr, a.instruction, a.nominals);
  IntervalSum sum;
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    int64_t terms = 0;
    factors.for_each_term(i, [&](size_t row, size_t column) {
      sum.add(product(left[row], right[column]));
      ++terms;
    });
    SumErrors errors = each;
    errors.of_flushed_factors *= static_cast<double>(terms);
    result.sets.push_back(sum.take_range(numeric::format(type), errors));
  }
  return widened(std::move(result), a.profile);
}

SetTree integer_contraction(const Application& a) {
  SetTree result = SetTree::known(a.nominal);
  std::vector<std::pair<ValueSet, ValueSet>> products;
  const std::optional<Contraction> plan = plan_of(a.instruction);
  FactorFinder factors(plan ? &*plan : nullptr, a.instruction, a.nominals);
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    products.clear();
    factors.for_each_term(i, [&](size_t row, size_t column) {
      products.emplace_back(a.operands[0]->at(static_cast<int64_t>(row)),
                            a.operands[1]->at(static_cast<int64_t>(column)));
    });
    result.sets.push_back(
        integer_dot(products, a.nominals[0].type(), a.nominal.type()));
  }
  return simplified(std::move(result));
}

}  // namespace

ValueSet float_sum(std::span<const ValueSet> terms, ElementType operand,
                   ElementType type, const Profile& profile) {
  SumErrors errors = sum_errors(profile, operand);
  errors.of_terms = conversion_error(operand, type);
  IntervalSum sum;
  for (const ValueSet& term : terms) sum.add(term_of(term, operand));
  return sum.take_range(numeric::format(type), errors);
}

SetTree certify_contraction(const Application& a) {
  const auto all_are = [&](bool (*is)(ElementType)) {
    return is(a.nominal.type()) &&
           std::ranges::all_of(a.nominals,
                               [&](const Literal& x) { return is(x.type()); });
  };
  if (a.operands.size() != 2) return unruled(a);
  if (all_are(is_float)) return float_contraction(a);
  // Operands are converted to the type of the result first.
  const bool converts = std::ranges::any_of(a.nominals, [&](const Literal& x) {
    return is_signed(x.type()) && !is_signed(a.nominal.type());
  });
  const bool one_type = a.nominals[0].type() == a.nominals[1].type();
  if (!all_are(is_integer) || converts || !one_type) return unruled(a);
  return integer_contraction(a);
}

}  // namespace hlo::conformance
