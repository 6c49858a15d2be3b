#include "conformance/certify/sums.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/expect_sum.h"
#include "conformance/interval.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sum_range.h"
#include "interpreter/numeric/float_format.h"

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

std::vector<Term> terms_of(const SetArray& array) {
  const ElementType type = array.nominal.type();
  const FloatFormat& format = numeric::format(type);
  std::vector<Term> terms;
  terms.reserve(static_cast<size_t>(array.nominal.element_count()));
  for (int64_t i = 0; i < array.nominal.element_count(); ++i) {
    const ValueSet set = array.at(i);
    Term term{.nan = set.has_nan()};
    if (set.has_numbers()) {
      term.low = numeric::decode(code_at(set.low(), type), format);
      term.high = numeric::decode(code_at(set.high(), type), format);
    }
    terms.push_back(term);
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

/// A sum of terms that are known to lie in intervals.
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
    add_product(low_, p.low);
    add_product(high_, p.high);
    const bool low_is_larger =
        std::fabs(p.low[0] * p.low[1]) > std::fabs(p.high[0] * p.high[1]);
    const std::array<double, 2>& larger = low_is_larger ? p.low : p.high;
    add_product(magnitudes_, {std::fabs(larger[0]), std::fabs(larger[1])});
  }

  /// Nothing is known of sums of terms that may be infinite.
  ValueSet range(const FloatFormat& format, const SumErrors& errors) const {
    if (infinite_) return ValueSet::everything(format.type);
    const ComponentRange found =
        sum_range(low_, high_, magnitudes_, format, errors);
    ValueSet set = places(found, format);
    if (nan_ || found.nan) set.add_quiet_nan();
    return set;
  }

 private:
  static void add_product(ExactSum& sum, const std::array<double, 2>& x) {
    if (x[0] != 0 && x[1] != 0) sum.add_product(x[0], x[1]);
  }

  /// An end that is NaN stands for all numbers on its side, and NaN.
  static ValueSet places(const ComponentRange& found,
                         const FloatFormat& format) {
    const bool no_low = numeric::is_nan(found.low, format);
    const bool no_high = numeric::is_nan(found.high, format);
    ValueSet set = ValueSet::range(
        no_low ? least_place(format.type) : place_of(found.low, format.type),
        no_high ? greatest_place(format.type)
                : place_of(found.high, format.type));
    if (no_low || no_high) set.add_quiet_nan();
    return set;
  }

  ExactSum low_;
  ExactSum high_;
  ExactSum magnitudes_;
  bool nan_ = false;
  bool infinite_ = false;  // a term may be
};

SetArray array_of(const Literal& nominal, std::vector<ValueSet> sets,
                  const Profile& profile) {
  const ElementType type = nominal.type();
  for (ValueSet& set : sets) {
    if (set.has_nan() && profile.nan == NanRule::kFree) {
      set = ValueSet::everything(type);
    }
    add_axes(set, profile, type);
    const bool excess = profile.excess_precision == ExcessPrecision::kAllowed;
    if (!excess || !set.has_numbers()) continue;
    set.add(Places{std::max(set.low() - 1, least_place(type)),
                   std::min(set.high() + 1, greatest_place(type))});
  }
  SetArray array;
  array.nominal = nominal;
  array.sets = std::move(sets);
  return simplified(std::move(array));
}

double largest_finite(const std::vector<Term>& terms) {
  double largest = 0;
  for (const Term& term : terms) {
    for (const double end : {term.low, term.high}) {
      if (std::isfinite(end)) largest = std::max(largest, std::fabs(end));
    }
  }
  return largest;
}

}  // namespace

SetArray certify_sum(const Fold& fold, const SetArray& input,
                     const SetArray& init, const Literal& nominal,
                     const Profile& profile) {
  const FloatFormat& format = numeric::format(nominal.type());
  const std::vector<Term> terms = terms_of(input);
  const std::vector<Term> first = terms_of(init);
  SumErrors errors = sum_errors(profile, input.nominal.type());
  errors.of_terms = conversion_error(input.nominal.type(), nominal.type());
  std::vector<ValueSet> sets;
  for (int64_t i = 0; i < nominal.element_count(); ++i) {
    IntervalSum sum;
    sum.add(first[0]);
    for_each_cell(fold, i, [&](int64_t cell) {
      sum.add(terms[static_cast<size_t>(cell)]);
    });
    sets.push_back(sum.range(format, errors));
  }
  return array_of(nominal, std::move(sets), profile);
}

SetArray certify_extreme(const Fold& fold, const SetArray& input,
                         const SetArray& init, const Literal& nominal,
                         bool maximum, const Profile& profile) {
  const auto pick = [&](Place a, Place b) {
    return maximum ? std::max(a, b) : std::min(a, b);
  };
  std::vector<ValueSet> sets;
  for (int64_t i = 0; i < nominal.element_count(); ++i) {
    ValueSet all = init.at(0);
    const auto join = [&](const ValueSet& term) {
      ValueSet joined = all.numbers();
      if (all.has_numbers() && term.has_numbers()) {
        joined = ValueSet::range(pick(all.low(), term.low()),
                                 pick(all.high(), term.high()));
      } else {
        joined = ValueSet();  // one of them is NaN for certain
      }
      if (all.has_nan() || term.has_nan()) joined.add_quiet_nan();
      all = joined;
    };
    for_each_cell(fold, i, [&](int64_t cell) { join(input.at(cell)); });
    if (is_float(nominal.type()) && profile.subnormals != Subnormals::kIeee) {
      add_zeros_of_subnormals(all, nominal.type());
    }
    sets.push_back(all);
  }
  return array_of(nominal, std::move(sets), profile);
}

SetArray certify_contraction(const Contraction& contraction,
                             const SetArray& lhs, const SetArray& rhs,
                             const Literal& nominal, const Profile& profile) {
  const FloatFormat& format = numeric::format(nominal.type());
  const std::vector<Term> left = terms_of(lhs);
  const std::vector<Term> right = terms_of(rhs);
  SumErrors errors = sum_errors(profile, lhs.nominal.type());
  errors.products = true;
  errors.of_terms = conversion_error(lhs.nominal.type(), nominal.type()) +
                    conversion_error(rhs.nominal.type(), nominal.type());
  if (errors.flushes) {
    const int left_least = numeric::format(lhs.nominal.type()).min_exponent();
    const int right_least = numeric::format(rhs.nominal.type()).min_exponent();
    errors.of_flushed_factors = 2 * static_cast<double>(contraction.depth) *
                                (std::ldexp(largest_finite(right), left_least) +
                                 std::ldexp(largest_finite(left), right_least));
  }
  const auto depth = static_cast<size_t>(contraction.depth);
  std::vector<int64_t> rows(depth);
  std::vector<int64_t> columns(depth);
  std::vector<ValueSet> sets;
  for (int64_t i = 0; i < nominal.element_count(); ++i) {
    int64_t gmn[3] = {0, 0, 0};
    contraction.locate(i, gmn);
    contraction.lhs(gmn[0], gmn[1], rows.data());
    contraction.rhs(gmn[0], gmn[2], columns.data());
    IntervalSum sum;
    for (size_t k = 0; k < depth; ++k) {
      if (rows[k] < 0 || columns[k] < 0) continue;  // padding
      sum.add(product(left[static_cast<size_t>(rows[k])],
                      right[static_cast<size_t>(columns[k])]));
    }
    sets.push_back(sum.range(format, errors));
  }
  return array_of(nominal, std::move(sets), profile);
}

}  // namespace hlo::conformance
