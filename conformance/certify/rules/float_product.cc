#include "conformance/certify/rules/float_product.h"

#include <algorithm>
#include <cmath>

#include "conformance/sets/exact_value.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// What is known of the magnitude and the sign of a product; magnitudes are
/// rounded, by a factor of less than 1 + 2^-52 for each product.
struct Magnitudes {
  double least = 1;
  double greatest = 1;
  double largest = 1;   // product of those above 1: no partial one exceeds it
  double smallest = 1;  // of those below 1
  double factors = 0;
  bool may_be_positive = true;
  bool may_be_negative = false;
  bool nan = false;

  void multiply(double low, double high) {
    const bool negative = std::signbit(low);
    const bool positive = !std::signbit(high);
    const double a = std::fabs(low);
    const double b = std::fabs(high);
    const double below = negative && positive ? 0 : std::min(a, b);
    const double above = std::max(a, b);
    least *= below;
    greatest *= above;
    largest *= std::max(above, 1.0);
    smallest *= std::min(below, 1.0);
    const bool was_positive = may_be_positive;
    may_be_positive =
        (was_positive && positive) || (may_be_negative && negative);
    may_be_negative =
        (was_positive && negative) || (may_be_negative && positive);
    ++factors;
  }
};

Magnitudes magnitudes(std::span<const ValueSet> factors, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  Magnitudes all;
  for (const ValueSet& factor : factors) {
    all.nan = all.nan || factor.has_nan();
    if (!factor.has_numbers()) continue;
    all.multiply(numeric::decode(code_at(factor.low(), type), format),
                 numeric::decode(code_at(factor.high(), type), format));
  }
  return all;
}

/// The place of the least code that is not below a magnitude (direction 1), or
/// of the greatest that is not above it (-1).
Place place_beyond(double magnitude, int direction, const FloatFormat& format) {
  const uint64_t code = numeric::encode(magnitude, format);
  if (!is_finite(code, format)) return greatest_place(format.type);
  const double rounded = numeric::decode(code, format);
  const Place place = place_of(code, format.type);
  const bool short_of_it = direction * (magnitude - rounded) > 0;
  return std::max<Place>(short_of_it ? place + direction : place, 0);
}

/// Numbers of magnitudes from low to high, of the signs that there may be.
ValueSet signed_range(const Magnitudes& m, Place low, Place high,
                      ElementType type) {
  ValueSet set;
  if (m.may_be_positive) set.add(Places{low, high});
  if (!m.may_be_negative) return set;
  set.add(Places{negated(high, type), negated(low, type)});
  return set;
}

}  // namespace

/// What conforms where the factors are known (folded_product()), and a rounding
/// more.
ValueSet float_product(std::span<const ValueSet> factors, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const Magnitudes m = magnitudes(factors, type);
  const double unit = std::ldexp(1.0, -format.precision());
  const double margin = 1 + 2 * (m.factors + 1) * unit + m.factors * 0x1p-50;
  const double last = numeric::decode(format.max_finite(), format);
  const double normal = std::ldexp(1.0, format.min_exponent());
  if (!(m.largest * margin < last) || !(m.smallest > normal * margin)) {
    return ValueSet::everything(type);
  }
  const double share =
      2 * std::expm1(m.factors * std::log1p(unit)) + m.factors * 0x1p-50;
  const double low = m.least * std::max(1 - share, 0.0);
  const double high = m.greatest * (1 + share);
  ValueSet set = signed_range(m, place_beyond(low, -1, format),
                              place_beyond(high, 1, format), type);
  if (m.nan) set.add_quiet_nan();
  return set;
}

}  // namespace hlo::conformance
