#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/bits.h"
#include "conformance/differences.h"
#include "conformance/expect_sum.h"
#include "conformance/interval.h"
#include "conformance/sum_range.h"
#include "interpreter/numeric/exact_sum.h"
#include "interpreter/numeric/float_format.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

double decode_at(const Literal& literal, int64_t i) {
  return numeric::decode(literal.at(i).bits[0],
                         numeric::format(literal.type()));
}

/// The exact sums of a fold that adds.
class AddingFold {
 public:
  AddingFold(const Fold& fold, Operands operands, ElementType result)
      : fold_(fold),
        values_(operands[0]),
        init_(operands[1]),
        format_(numeric::format(component_type(result))),
        of_terms_(conversion_error(operands[0].type(), result)),
        quantum_(std::min(quantum(values_), quantum(init_))) {}

  ComponentRange range(int64_t i, int part) const {
    const auto index = static_cast<size_t>(part);
    const FloatFormat& format = numeric::format(component_type(values_.type()));
    ExactSum sum;
    sum.add(numeric::decode(init_.at(int64_t{0}).bits[index],
                            numeric::format(component_type(init_.type()))));
    for_each_cell(fold_, i, [&](int64_t cell) {
      sum.add(numeric::decode(values_.at(cell).bits[index], format));
    });
    const bool exact = of_terms_ == 0 && is_exact_class(sum, quantum_, format_);
    return sum_range(
        sum, format_,
        {.exact = exact, .products = false, .of_terms = of_terms_});
  }

 private:
  const Fold& fold_;
  const Literal& values_;
  const Literal& init_;
  const FloatFormat& format_;
  double of_terms_;
  int quantum_;
};

/// What is needed of the factors of a float product (spec/conformance.md,
/// Sums).
struct Product {
  double value = 1;
  double greatest = 1;  // product of max(|x|, 1)
  double least = 1;     // product of min(|x|, 1), zeros left out
  double factors = -1;  // one rounding less than factors
  bool special = false;

  void multiply(double x) {
    ++factors;
    value *= x;
    special = special || !std::isfinite(x);
    const double magnitude = std::fabs(x);
    greatest *= std::max(magnitude, 1.0);
    if (magnitude != 0) least *= std::min(magnitude, 1.0);
  }
};

/// Everything: where an order may overflow or underflow and another not.
ComponentRange anything(uint64_t value, const FloatFormat& format) {
  const double infinity = std::numeric_limits<double>::infinity();
  ComponentRange range{.value = value,
                       .low = numeric::encode(-infinity, format),
                       .high = numeric::encode(infinity, format),
                       .nan = format.has_nan()};
  if (!format.has_infinity() && format.has_nan()) {
    range.low = format.max_finite() | format.sign_mask();
  }
  return range;
}

ComponentRange product_range(const Product& product, uint64_t value,
                             const FloatFormat& format) {
  const ComponentRange same{
      .value = value, .low = value, .high = value, .nan = false};
  const double growth =
      1 + 2 * (product.factors + 1) * std::ldexp(1.0, -format.precision());
  const double limit = numeric::decode(format.max_finite(), format);
  const double normal = std::ldexp(1.0, format.min_exponent());
  if (product.special) return anything(value, format);
  if (!(product.greatest * growth <= limit) ||
      !(product.least >= normal * growth)) {
    return anything(value, format);
  }
  if (product.value == 0 || product.factors <= 0) return same;
  // The double product has errors of its own, and so has the reference.
  const double unit = std::ldexp(1.0, -format.precision()) + 0x1p-53;
  const double error = std::fabs(product.value) * product.factors * unit *
                       (1 + product.factors * unit) * 2;
  ExactSum center;
  center.add(numeric::decode(value, format));
  ComponentRange range = range_around(center, error, format);
  range.value = value;
  return range;
}

Expectation expect_product(const Fold& fold, Operands operands,
                           const Literal& reference, const Literal* observed) {
  IntervalSet set = single_values(reference);
  if (is_same(reference, observed)) return set;
  const FloatFormat& format = numeric::format(reference.type());
  for_each_difference(reference, observed, [&](int64_t i) {
    Product product;
    product.multiply(decode_at(operands[1], 0));
    for_each_cell(fold, i, [&](int64_t cell) {
      product.multiply(decode_at(operands[0], cell));
    });
    put(set, i, 0, product_range(product, reference.at(i).bits[0], format));
  });
  return set;
}

Expectation expect_added(const Fold& fold, Operands operands,
                         const Literal& reference, const Literal* observed) {
  IntervalSet set = single_values(reference);
  if (is_same(reference, observed)) return set;
  const AddingFold sums(fold, operands, reference.type());
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

}  // namespace

Expectation expect_fold(const Fold& fold, const Instruction&, Operands operands,
                        const Literal& reference, const Literal* observed) {
  const Reducer reducer = recognize(*fold.reducer);
  const ElementType type = reference.type();
  const bool exact_type = !is_float(type) && !is_complex(type);
  if (fold.inputs == 1 && reducer != Reducer::kOther &&
      (exact_type || is_selection(reducer))) {
    return BitsSet{.value = reference, .any_nan = true};
  }
  if (fold.inputs == 1 && reducer == Reducer::kAdd) {
    return expect_added(fold, operands, reference, observed);
  }
  if (fold.inputs == 1 && reducer == Reducer::kMultiply && is_float(type)) {
    return expect_product(fold, operands, reference, observed);
  }
  return UnspecifiedSet{
      "the order in which the reducer is applied is free, and what its "
      "results can be is not known"};
}

}  // namespace hlo::conformance
