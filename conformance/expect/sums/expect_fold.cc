#include "conformance/expect/sums/expect_fold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/open_results.h"
#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

double decode_at(const Literal& literal, int64_t i) {
  return numeric::decode(literal.at(i).bits[0],
                         numeric::format(literal.type()));
}

/// The terms of each element of a result, which a region joins in any order.
struct Terms {
  using Visit = std::function<void(const Literal&, int64_t)>;
  /// Calls visit with each term of the result's element at a position.
  std::function<void(int64_t, const Visit&)> each;
  std::vector<const Literal*> sources;  // the terms lie in these
};

/// A term as the region takes it. Where its type holds the number, up to a
/// rounding, it may stay as it is.
double as_taken(double term, const FloatFormat& format) {
  const double taken = numeric::decode(numeric::encode(term, format), format);
  const double most = numeric::decode(format.max_finite(), format);
  const bool is_near = std::isfinite(taken) && std::fabs(term) <= most;
  return is_near ? term : taken;
}

/// The exact sums of terms that are added.
class Sums {
 public:
  Sums(const Terms& terms, ElementType result, const Profile& profile)
      : terms_(terms),
        profile_(profile),
        result_(result),
        errors_(sum_errors(profile, component_type(result))),
        format_(numeric::format(component_type(result))) {
    for (const Literal* source : terms.sources) {
      of_terms_ = std::max(of_terms_, conversion_error(source->type(), result));
      quantum_ = std::min(quantum_, quantum(*source));
    }
  }

  ComponentRange range(int64_t i, int part) const {
    ExactSum sum;
    bool as_they_are = true;  // which quantum_ is of
    terms_.each(i, [&](const Literal& source, int64_t position) {
      const double term =
          numeric::decode(source.at(position).bits[static_cast<size_t>(part)],
                          numeric::format(component_type(source.type())));
      const double taken =
          source.type() == result_ ? term : as_taken(term, format_);
      as_they_are = as_they_are && (taken == term || std::isnan(term));
      sum.add(taken);
    });
    SumErrors errors = errors_;
    errors.exact = of_terms_ == 0 && as_they_are &&
                   is_exact_class(sum, quantum_, format_) &&
                   may_be_exact(profile_, quantum_, format_);
    errors.of_terms = of_terms_;
    return sum_range(sum, format_, errors);
  }

 private:
  const Terms& terms_;
  const Profile& profile_;
  ElementType result_;
  SumErrors errors_;
  const FloatFormat& format_;
  double of_terms_ = 0;
  int quantum_ = std::numeric_limits<int>::max();
};

/// What is needed of the factors of a float product (spec/conformance.md,
/// Sums). The product of the numbers is (high + low) 2^exponent, to 100 bits.
struct Product {
  double high = 0.5;
  double low = 0;
  int exponent = 1;
  double special = 1;   // the product, where one of them is no number
  double greatest = 1;  // product of max(|x|, 1)
  double least = 1;     // product of min(|x|, 1), zeros left out
  double factors = -1;  // one rounding less than factors

  void multiply(double x) {
    ++factors;
    special *= std::isfinite(x) && x != 0 ? std::copysign(1, x) : x;
    if (!std::isfinite(x)) return;
    int shift = 0;
    const double share = std::frexp(x, &shift);
    const double head = high * share;
    const double tail = std::fma(high, share, -head) + low * share;
    exponent += shift;
    const double sum = std::frexp(head + tail, &shift);
    low = std::ldexp(tail - (head + tail - head), -shift);
    high = sum;
    exponent += shift;
    const double magnitude = std::fabs(x);
    greatest *= std::max(magnitude, 1.0);
    if (magnitude != 0) least *= std::min(magnitude, 1.0);
  }

  ExactSum exact() const {
    ExactSum sum;
    const int half = exponent / 2;
    for (const double share : {high, low}) {
      sum.add_product(std::ldexp(share, exponent - half),
                      std::ldexp(1.0, half));
    }
    return sum;
  }
};

/// The range without what no rounding makes of a product in the normal range:
/// zero, numbers of the other sign, and NaN, which stands for what overflows.
ComponentRange of_one_sign(ComponentRange range, bool negative,
                           const FloatFormat& format) {
  range.nan = false;
  if (format.sign_mask() == 0) return range;
  if (negative && numeric::ordinal(range.high, format) >= 0) {
    range.high = format.sign_mask() | 1;
  }
  if (!negative && numeric::ordinal(range.low, format) <= 0) range.low = 1;
  return range;
}

/// Everything where an order may overflow or underflow and another not, but a
/// NaN, which every order has.
ComponentRange product_range(const Product& product, uint64_t value,
                             const FloatFormat& format) {
  const ComponentRange same{.value = value, .low = value, .high = value};
  const double unit = std::ldexp(1.0, -format.precision());
  const double growth = 1 + 2 * (product.factors + 1) * unit;
  const double limit = numeric::decode(format.max_finite(), format);
  const double normal = std::ldexp(1.0, format.min_exponent());
  if (std::isnan(product.special)) return same;
  if (!(product.greatest * growth <= limit) ||
      !(product.least >= normal * growth)) {
    return whole_range(value, format);
  }
  const bool is_number = std::isfinite(product.special) && product.special != 0;
  if (!is_number || product.factors <= 0) return same;
  const double share = 2 * std::expm1(product.factors * std::log1p(unit)) +
                       product.factors * 0x1p-53;
  return of_one_sign(
      range_around(product.exact(),
                   std::fabs(product.high) * share * (1 + 0x1p-40), format,
                   product.exponent),
      product.high < 0, format);
}

Expectation expect_product(const Terms& terms, const Literal& reference,
                           const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  const FloatFormat& format = numeric::format(reference.type());
  for_each_difference(reference, observed, [&](int64_t i) {
    Product product;
    terms.each(i, [&](const Literal& source, int64_t position) {
      product.multiply(decode_at(source, position));
    });
    put(set, i, 0, product_range(product, reference.at(i).bits[0], format));
  });
  return set;
}

Expectation expect_added(const Terms& terms, const Literal& reference,
                         const Literal* observed, const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  const Sums sums(terms, reference.type(), profile);
  for_each_difference(reference, observed, [&](int64_t i) {
    for (int part = 0; part < components(reference.type()); ++part) {
      put(set, i, part, sums.range(i, part));
    }
  });
  return set;
}

bool is_selection(Reducer reducer) {
  return reducer != Reducer::kOther && reducer != Reducer::kAdd &&
         reducer != Reducer::kMultiply;
}

/// The set of terms that a known reducer joins, but for what axes add; nothing
/// for any other.
std::optional<Expectation> expect_terms(Reducer reducer, const Terms& terms,
                                        const Literal& reference,
                                        const Literal* observed,
                                        const Profile& profile) {
  const ElementType type = reference.type();
  const bool exact_type = !is_float(type) && !is_complex(type);
  if (reducer == Reducer::kOther) return std::nullopt;
  if (exact_type || is_selection(reducer)) {
    return ArraySet::computed(reference);
  }
  if (find_level(profile.level).sums_rounded_once ||
      is_same(reference, observed)) {
    return ArraySet::computed(reference);
  }
  if (reducer == Reducer::kAdd) {
    return expect_added(terms, reference, observed, profile);
  }
  if (is_complex(type)) return std::nullopt;
  return expect_product(terms, reference, observed);
}

std::optional<Expectation> expect_joined(Reducer reducer, const Terms& terms,
                                         const Literal& reference,
                                         const Literal* observed,
                                         const Profile& profile) {
  auto set = expect_terms(reducer, terms, reference, observed, profile);
  if (set) apply_axes(*set, observed, profile);
  return set;
}

UnspecifiedSet any_order() {
  return {
      "the order in which the region is applied is free, and what its results "
      "can be is not known"};
}

bool has_several(const Sources& sources) {
  return std::ranges::any_of(
      sources, [](const auto& entry) { return entry.second.size() > 1; });
}

/// What updates and initial elements give that a region joins in any order.
Expectation expect_several_updates(const Updating& updating,
                                   const Sources& sources, Operands operands,
                                   const Literal& reference,
                                   const Literal* observed,
                                   const Profile& profile) {
  if (updating.initial.size() != 1) return any_order();
  const Literal& initial = updating.initial[0];
  const Literal& added = operands[static_cast<size_t>(updating.first_source)];
  Terms terms;
  terms.sources = {&initial, &added};
  terms.each = [&](int64_t i, const Terms::Visit& visit) {
    visit(initial, i);
    const auto found = sources.find(i);
    if (found == sources.end()) return;
    for (const int64_t source : found->second) visit(added, source);
  };
  auto set = expect_joined(recognize(*updating.region), terms, reference,
                           observed, profile);
  return set ? *std::move(set) : any_order();
}

}  // namespace

Sources group(const std::vector<Update>& updates) {
  Sources sources;
  for (const Update& update : updates) {
    sources[update.target].push_back(update.source);
  }
  return sources;
}

Expectation expect_fold(const Instruction& fold, Operands operands,
                        const Literal& reference, const Literal* observed,
                        const Profile& profile) {
  if (operands.size() != 2) return any_order();
  Terms terms;
  for (const Literal& operand : operands) terms.sources.push_back(&operand);
  terms.each = [&](int64_t i, const Terms::Visit& visit) {
    visit(operands[1], 0);
    const Index index = delinearize(i, reference.shape().dims);
    fold.op->cells(fold, index, [&](const Index& cell) {
      visit(operands[0], linearize(cell, operands[0].shape().dims));
    });
  };
  auto set = expect_joined(recognize(*fold.get<Computation*>("to_apply")),
                           terms, reference, observed, profile);
  return set ? *std::move(set) : any_order();
}

Expectation expect_members(const Computation& combiner,
                           const std::vector<Literal>& arrays,
                           const Literal& reference, const Literal* observed,
                           const Profile& profile) {
  if (arrays.size() == 1) return ArraySet::computed(reference);
  Terms terms;
  for (const Literal& array : arrays) terms.sources.push_back(&array);
  terms.each = [&](int64_t i, const Terms::Visit& visit) {
    for (const Literal& array : arrays) visit(array, i);
  };
  auto set =
      expect_joined(recognize(combiner), terms, reference, observed, profile);
  return set ? *std::move(set) : any_order();
}

Expectation expect_updates(const Updating& updating, Operands operands,
                           bool region_is_exact, const Literal& reference,
                           const Literal* observed, const Profile& profile) {
  const Sources sources = group(updating.updates);
  Expectation set = region_is_exact && !has_several(sources)
                        ? ArraySet::computed(reference)
                        : expect_several_updates(updating, sources, operands,
                                                 reference, observed, profile);
  apply_axes(set, observed, profile);
  const bool converts =
      std::ranges::any_of(updating.initial, [&](const Literal& initial) {
        return initial.type() != reference.type();
      });
  auto* const array = std::get_if<ArraySet>(&set);
  if (array == nullptr || converts) return set;
  for_each_difference(reference, observed, [&](int64_t i) {
    if (!sources.contains(i)) array->put(i, ElementSet::of(reference.at(i)));
  });
  return set;
}

}  // namespace hlo::conformance
