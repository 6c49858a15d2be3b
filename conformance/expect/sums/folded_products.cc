#include "conformance/expect/sums/folded_products.h"

#include <algorithm>
#include <cmath>

#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

/// What is needed of the factors of a float product (spec/conformance.md,
/// Sums). The product of the numbers is (high + low) 2^exponent, to 100 bits.
struct Product {
  double high = 0.5;
  double low = 0;
  int exponent = 1;
  double special = 1;   // the product, where one of them is no number
  double greatest = 1;  // product of max(|x|, 1)
  double least = 1;     // product of min(|x|, 1), zeros left out
  double factors = -1;  // one rounding less than factors, but for conversions
  bool is_far = false;  // conversion made more of a factor than a rounding

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
/// NaN, which every order has. Partial products have that type; `unit` bounds
/// the errors of all types that they may have.
ComponentRange product_range(const Product& product, double unit,
                             const FloatFormat& kept) {
  const uint64_t value = numeric::encode(product.special, kept);
  const double growth = 1 + 2 * (product.factors + 1) * unit;
  const double limit = numeric::decode(kept.max_finite(), kept);
  const double normal = std::ldexp(1.0, kept.min_exponent());
  if (std::isnan(product.special)) {
    return {.value = value, .low = value, .high = value};
  }
  if (product.is_far || !(product.greatest * growth <= limit) ||
      !(product.least >= normal * growth)) {
    return whole_range(value, kept);
  }
  const bool is_number = std::isfinite(product.special) && product.special != 0;
  if (!is_number) return {.value = value, .low = value, .high = value};
  const double share = 2 * std::expm1(product.factors * std::log1p(unit)) +
                       product.factors * 0x1p-53;
  return of_one_sign(
      range_around(product.exact(),
                   std::fabs(product.high) * share * (1 + 0x1p-40), kept,
                   product.exponent),
      product.high < 0, kept);
}

/// The product of an element's terms, which may be converted to either type.
Product product_of(const FoldedTerms& terms, int64_t i, ElementType kept) {
  const FloatFormat* const formats[] = {&numeric::format(kept),
                                        &numeric::format(terms.region)};
  Product product;
  terms.each(i, [&](size_t source, int64_t position) {
    const double factor = terms.number(source, position, 0);
    product.multiply(factor);
    bool is_rounded = false;
    for (const FloatFormat* format : formats) {
      const double taken =
          numeric::decode(numeric::encode(factor, *format), *format);
      is_rounded = is_rounded || (taken != factor && !std::isnan(factor));
      product.is_far = product.is_far || is_far(factor, taken, *format);
    }
    if (is_rounded) ++product.factors;
  });
  return product;
}

}  // namespace

BoundedSet folded_product(const FoldedTerms& terms, int64_t i,
                          ElementType result) {
  const auto unit = [](ElementType type) {
    return std::ldexp(1.0, -numeric::format(type).precision());
  };
  BoundedSet all;
  for (const ElementType kept : {terms.region, result}) {
    const Product product = product_of(terms, i, kept);
    all.add(product_range(product, std::max(unit(kept), unit(terms.region)),
                          numeric::format(kept)),
            kept, result);
    if (terms.region == result) break;
  }
  return all;
}

}  // namespace hlo::conformance
