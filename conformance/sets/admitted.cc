#include "conformance/sets/admitted.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;
using numeric::Rounded;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An end of the codes that lie on one side of a real number.
struct End {
  Place place = 0;
  bool beyond = false;  // the number is beyond the largest finite code
};

Place largest(int direction, ElementType type, const FloatFormat& format) {
  const Place place = place_of(format.max_finite(), type);
  return direction > 0 ? place : negated(place, type);
}

/// The end at a number that rounds to r, which is finite.
End end_beside(const Rounded& r, int direction, bool open,
               const FloatFormat& format) {
  Place place = place_of(r.bits, format.type);
  const bool short_of_it = r.side == direction || (open && r.side == 0);
  // The two zeros are one number: both count, or neither.
  const bool is_zero = place == 0 || place == -1;
  if (is_zero && format.has_negative_zero()) {
    place = (direction > 0) == short_of_it ? 0 : -1;
  }
  return {short_of_it ? place + direction : place, false};
}

/// The least code that is not below the number (direction 1), or the greatest
/// that is not above it (-1). `open`: the number itself does not count.
End inner_end(const ExactSum& number, int direction, bool open,
              const FloatFormat& format) {
  const ElementType type = format.type;
  const int s = sign(number);
  // Without zero and sign no code stands for what is not positive.
  if (format.sign_mask() == 0 && s <= 0) return {direction > 0 ? 0 : -1, false};
  const int order = compare_with_infinity(number, format);
  if (order > 0 || (order == 0 && !open)) {
    return {largest(s, type, format), true};
  }
  const Rounded r = number.round(format);
  const bool overflowed =
      numeric::is_nan(r.bits, format) || numeric::is_infinity(r.bits, format);
  // Between the largest finite number and the next binade, or no more than zero
  // where there is none.
  if (overflowed) {
    const Place place = largest(s, type, format);
    const bool inward = s * direction <= 0;
    return {place, !inward};
  }
  return end_beside(r, direction, open, format);
}

/// What it is of a number next to the double r, which `is_nearer` to zero:
/// below a power of two it is in the binade below.
double ulp(double r, bool is_nearer, const FloatFormat& format) {
  int exponent = r == 0 ? format.min_exponent() : std::ilogb(r);
  const bool is_power = std::ldexp(1.0, exponent) == std::fabs(r);
  if (is_nearer && is_power) --exponent;
  exponent = std::clamp(exponent, format.min_exponent(), format.max_exponent());
  return std::ldexp(1.0, exponent - format.mantissa_bits);
}

/// By which errors of small numbers are magnified: among the least doubles they
/// would be rounded.
double scale_of(double r) { return std::fabs(r) < 0x1p-800 ? 0x1p+100 : 1; }

double product_upward(double a, double b) {
  const double product = a * b;
  return std::fma(a, b, -product) > 0 ? std::nextafter(product, kInfinity)
                                      : product;
}

/// The largest error times scale_of(r), rounded upward, of a number next to the
/// double r, which `is_nearer` to zero.
double error_of(const Allowance& a, double r, bool is_nearer,
                const FloatFormat& format) {
  const Bound& bound = a.bound;
  if (bound.unlimited) return kInfinity;
  const double scale = scale_of(r);
  const double of_x = bound.ulps_per_x == 0 ? 0 : bound.ulps_per_x * a.x;
  const double units = bound.ulps + of_x;
  const double eps = std::ldexp(1.0, -format.mantissa_bits);
  const double normal = std::ldexp(scale, format.min_exponent());
  const double magnitude = std::fabs(r) * scale;
  const double relative =
      bound.eps == 0
          ? 0
          : product_upward(bound.eps * eps, std::max(magnitude, normal));
  const double in_place =
      units * (ulp(r, is_nearer, format) * scale) * (a.spans_binades ? 2 : 1);
  return std::max({in_place, relative, bound.absolute * scale,
                   bound.absolute_eps * eps * scale});
}

void clip(Places& range, const Limits& limits) {
  if (limits.least) range.low = std::max(range.low, *limits.least);
  if (limits.greatest) range.high = std::min(range.high, *limits.greatest);
}

/// No error makes a number of the other sign, but an absolute one.
void keep_sign(Places& range, int sign, ElementType type) {
  const Place zero = zero_place(sign < 0, type);
  if (sign > 0) range.low = std::max(range.low, zero);
  if (sign < 0) range.high = std::min(range.high, zero);
}

struct Found {
  Places range;
  bool beyond = false;  // infinity, or what stands for it, is admitted too
};

/// Codes within the real error bound of r.
Found within_error(const ExactValue& value, const Allowance& a,
                   const FloatFormat& format) {
  const Enclosure e = enclosure(value, format);
  const double most = numeric::decode(format.max_finite(), format);
  const bool is_nearer = e.base > 0 ? e.below < 0 : e.above > 0;
  const double error =
      error_of(a, std::clamp(e.base, -most, most), is_nearer, format);
  if (!std::isfinite(error)) {
    return {{largest(-1, format.type, format), largest(1, format.type, format)},
            true};
  }
  ExactSum low;
  low.add(e.base);
  low.add_product(e.below, 0.5);
  low.add_product(-error, 1 / scale_of(e.base));
  ExactSum high;
  high.add(e.base);
  high.add_product(e.above, 0.5);
  high.add_product(error, 1 / scale_of(e.base));
  const End first = inner_end(low, 1, !e.is_exact, format);
  const End last = inner_end(high, -1, !e.is_exact, format);
  const bool reaches = (first.beyond && first.place < 0) || last.beyond;
  return {{first.place, last.place}, reaches};
}

Places around_rounded(const ExactValue& value, const Allowance& a,
                      const FloatFormat& format) {
  const Place center = place_of(value.rounded.bits, format.type);
  Places range{center, center};
  if (a.bound.faithful) {
    if (value.rounded.side > 0) ++range.high;
    if (value.rounded.side < 0) --range.low;
  }
  range.low -= std::max(a.bound.steps, 0);
  range.high += std::max(a.bound.steps, 0);
  const Place last = greatest_place(format.type);
  range.low = std::max(range.low, least_place(format.type));
  range.high = std::min(range.high, last);
  return range;
}

/// Whether r lies beyond the largest number, which it is rounded to.
bool exceeds_largest(const ExactValue& value, int s,
                     const FloatFormat& format) {
  const Place center = place_of(value.rounded.bits, format.type);
  return s != 0 && value.rounded.side == s &&
         center == largest(s, format.type, format);
}

bool crosses_zero(const Bound& bound) {
  return bound.absolute > 0 || bound.absolute_eps > 0 || bound.unlimited;
}

/// Codes around a finite r of sign s, the rounded value among them.
Found around(const ExactValue& value, const Allowance& a, int s,
             const FloatFormat& format) {
  const bool by_codes = a.bound.faithful || a.bound.steps >= 0;
  const bool is_beyond = a.bound.faithful && exceeds_largest(value, s, format);
  Found found = by_codes ? Found{around_rounded(value, a, format), is_beyond}
                         : within_error(value, a, format);
  const Place center = place_of(value.rounded.bits, format.type);
  found.range.low = std::min(found.range.low, center);
  found.range.low = std::max(found.range.low, least_place(format.type));
  found.range.high = std::max(found.range.high, center);
  if (!crosses_zero(a.bound)) keep_sign(found.range, s, format.type);
  clip(found.range, a.limits);
  return found;
}

void add_beyond_code(ValueSet& set, int sign, const FloatFormat& format) {
  if (format.has_infinity()) {
    const Place place = greatest_place(format.type);
    const Place end = sign < 0 ? negated(place, format.type) : place;
    set.add(Places{end, end});
  } else if (format.has_nan()) {
    set.add_quiet_nan();
  }
}

int sign_of(const Rounded& rounded, const FloatFormat& format) {
  const double r = numeric::decode(rounded.bits, format);
  if (r != 0) return r < 0 ? -1 : 1;
  return rounded.side;
}

void add_flushed(ValueSet& set, const ExactValue& value, int sign,
                 const FloatFormat& format) {
  if (sign == 0 || !set.has_numbers()) return;
  const Place normal =
      place_of(uint64_t{1} << format.mantissa_bits, format.type);
  const auto magnitude = [&](Place place) {
    return sign > 0 ? place : negated(place, format.type);
  };
  const Place rounded = magnitude(place_of(value.rounded.bits, format.type));
  const Place nearest = magnitude(sign > 0 ? set.low() : set.high());
  const bool below =
      nearest < normal || (rounded == normal && value.rounded.side == -sign);
  if (!below || format.specials == numeric::Specials::kE8M0) return;
  const Place zero = zero_place(sign < 0, format.type);
  set.add(Places{zero, zero});
}

/// The error at the largest finite number; a distance of so many steps is an
/// error of half a unit more.
double error_at_end(Allowance a, double last, const FloatFormat& format) {
  if (a.bound.steps >= 0) a.bound.ulps = a.bound.steps + 0.5;
  if (a.bound.faithful) a.bound.ulps = 1;
  return error_of(a, last, /*is_nearer=*/false, format);
}

/// What tells an r that overflowed: in units of 2^kScaling of f64.
std::optional<Enclosure> enclosure_of_overflow(const ExactValue& value) {
  const auto& known = value.wide ? value.wide : value.scaled;
  const FloatFormat& f64 = numeric::format(ElementType::kF64);
  if (!known || !is_finite(known->bits, f64)) return std::nullopt;
  return enclosure({.rounded = *known}, f64);
}

/// Whether an r that overflowed exceeds a number, by its magnitude, by no more
/// than the error; by less, where codes are counted.
bool is_near(double number, const ExactValue& value, double error,
             const Allowance& a, const FloatFormat& format) {
  const auto r = enclosure_of_overflow(value);
  if (!r) return false;
  // Without zero and sign what is not positive is far from every number.
  const bool negative = r->base < 0;
  if (format.specials == numeric::Specials::kE8M0 && r->base <= 0) return false;
  if (!std::isfinite(error)) return true;
  const double scale = value.wide ? 1 : std::ldexp(1.0, -ExactValue::kScaling);
  ExactSum excess;  // less the error
  excess.add(std::fabs(r->base));
  excess.add_product(negative ? -r->above : r->below, 0.5);
  for (const double taken : {number, error}) excess.add_product(-taken, scale);
  const bool by_codes = a.bound.faithful || a.bound.steps >= 0;
  const int order = sign(excess);
  return order < 0 || (order == 0 && r->is_exact && !by_codes);
}

/// That of codes, which go on beyond the largest number M as far from each
/// other as M and the one below it.
std::optional<Place> least_in_steps(const ExactValue& value, Allowance a,
                                    const FloatFormat& format) {
  const double most = numeric::decode(format.max_finite(), format);
  std::optional<Place> found;
  Place next = largest(1, format.type, format);
  for (; a.bound.steps > 0; --a.bound.steps) {
    const double error = error_at_end(a, most, format);
    if (!is_near(most, value, error, a, format)) break;
    found = next--;
  }
  return found;
}

/// The least magnitude that an error lets an r down to that overflowed; nothing
/// where not even the largest number is near.
std::optional<Place> least_near(const ExactValue& value, const Allowance& a,
                                const FloatFormat& format) {
  const Place last = largest(1, format.type, format);
  const double most = numeric::decode(format.max_finite(), format);
  if (a.bound.steps >= 0 && !a.bound.faithful) {
    return least_in_steps(value, a, format);
  }
  const double error = error_at_end(a, most, format);
  const auto reaches = [&](Place place) {
    const double number = numeric::decode(code_at(place, format.type), format);
    return is_near(number, value, error, a, format);
  };
  if (!reaches(last)) return std::nullopt;
  Place low = zero_place(false, format.type);
  Place high = last;
  while (low < high) {
    const Place middle = low + (high - low) / 2;
    if (reaches(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

/// Every number: no bound is asked. What lies between two such results may be
/// a pole, and of some formats NaN has the place of infinity.
ValueSet any_number(const Allowance& a, const FloatFormat& format) {
  const ValueSet all = ValueSet::everything(format.type);
  return a.spans_binades || !format.has_infinity() ? all : all.numbers();
}

/// r overflowed: infinity, and the finite numbers that the error lets it down
/// to.
ValueSet overflowed(const ExactValue& value, const Allowance& a,
                    const FloatFormat& format) {
  ValueSet set = ValueSet::of(value.rounded.bits, format.type);
  if (set.has_nan()) set = ValueSet::any_quiet_nan();
  const bool is_exact = value.rounded.side == 0 && set.has_numbers();
  if (is_exact && !a.spans_binades) return set;
  if (a.bound.unlimited) return any_number(a, format);
  const double last = numeric::decode(format.max_finite(), format);
  const double error = error_at_end(a, last, format);
  // Finite values of the range may have an error that exceeds them.
  if (a.spans_binades && error >= last / 2) {
    return ValueSet::everything(format.type);
  }
  const auto least = is_exact ? std::nullopt : least_near(value, a, format);
  if (!least) return set;
  const Rounded& known = value.wide ? *value.wide : *value.scaled;
  const bool negative =
      numeric::sign_bit(known.bits, numeric::format(ElementType::kF64));
  Places range = {*least, largest(1, format.type, format)};
  if (negative) {
    range = {negated(range.high, format.type), negated(range.low, format.type)};
  }
  clip(range, a.limits);
  set.add(range);
  return set;
}

/// The code at or beyond a bound of a function's range.
std::optional<Place> outward(double value, int direction, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const uint64_t code = numeric::encode(value, format);
  if (!std::isfinite(value) || numeric::is_nan(code, format)) {
    return std::nullopt;
  }
  const double rounded = numeric::decode(code, format);
  const Place place = place_of(code, type);
  if (direction * (value - rounded) <= 0) return place;
  return std::clamp(place + direction, least_place(type), greatest_place(type));
}

}  // namespace

Limits limits(const ResultRange& range, ElementType type) {
  return {.least = outward(range.least, -1, type),
          .greatest = outward(range.greatest, 1, type)};
}

bool is_subnormal(uint64_t code, const FloatFormat& format) {
  if (format.specials == numeric::Specials::kE8M0) return false;
  const uint64_t magnitude = code & ~format.sign_mask();
  return magnitude != 0 && magnitude >> format.mantissa_bits == 0 &&
         !numeric::is_nan(code, format);
}

void add_zeros_of_subnormals(ValueSet& set, ElementType type) {
  const Place normal = Place{1} << numeric::format(type).mantissa_bits;
  const ValueSet numbers = set.numbers();
  for (const Places& range : numbers.ranges()) {
    if (range.low < normal && range.high > 0) {
      set.add(ValueSet::range(0, 0));
    }
    const Place zero = zero_place(true, type);
    if (range.high > negated(normal, type) && range.low < zero) {
      set.add(ValueSet::range(zero, zero));
    }
  }
}

ValueSet exactly(uint64_t code, bool ftz, const FloatFormat& format) {
  if (numeric::is_nan(code, format)) return ValueSet::any_quiet_nan();
  ValueSet set = ValueSet::of(code, format.type);
  if (!ftz || !is_subnormal(code, format)) return set;
  const Place zero = zero_place(numeric::sign_bit(code, format), format.type);
  set.add(Places{zero, zero});
  return set;
}

ValueSet admitted(const ExactValue& r, const Allowance& allowance,
                  const FloatFormat& format) {
  const uint64_t code = r.rounded.bits;
  if (!is_finite(code, format)) return overflowed(r, allowance, format);
  const int s = sign_of(r.rounded, format);
  // An exact zero is that zero, and an exact infinity its code.
  const bool is_special = allowance.bound.unlimited &&
                          !allowance.spans_binades && r.rounded.side == 0;
  const bool may_cross =
      allowance.spans_binades && crosses_zero(allowance.bound);
  const bool is_pole =
      r.wide && r.wide->side == 0 && !allowance.spans_binades &&
      numeric::is_infinity(r.wide->bits, numeric::format(ElementType::kF64));
  if (is_special || is_pole || (s == 0 && !may_cross)) {
    return exactly(code, false, format);
  }
  const Found found = around(r, allowance, s, format);
  const bool limited =
      (s > 0 ? allowance.limits.greatest : allowance.limits.least).has_value();
  const bool beyond = found.beyond && !limited;
  if (beyond && allowance.bound.unlimited) {
    return any_number(allowance, format);
  }
  ValueSet set = ValueSet::range(found.range.low, found.range.high);
  if (beyond) add_beyond_code(set, s == 0 ? 1 : s, format);
  if (allowance.ftz) add_flushed(set, r, s, format);
  return set;
}

}  // namespace hlo::conformance
