#include "conformance/sets/sum_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/literals/literal_bits.h"
#include "conformance/sets/accumulation.h"
#include "conformance/sets/exact_value.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;
using numeric::Rounded;

// A finer accumulator rounds twice, which adds less than this share; and the
// bound itself is computed in double.
constexpr double kSlack = 1 + 0x1p-6;

/// The code of a sum that left the range on that side.
uint64_t beyond(bool negative, const FloatFormat& format) {
  const double infinity = std::numeric_limits<double>::infinity();
  return numeric::encode(negative ? -infinity : infinity, format);
}

/// The next code up or down. -0 lies below +0, and NaN beyond the last number
/// where it has the place of infinity.
uint64_t neighbour(uint64_t code, int step, const FloatFormat& format) {
  const int64_t ordinal = numeric::ordinal(code, format);
  if (step > 0 && ordinal == -1 && format.has_negative_zero()) {
    return format.sign_mask();
  }
  const auto next = numeric::from_ordinal(ordinal + step, format);
  if (next) return *next;
  const bool has_sign = format.sign_mask() != 0;
  return step > 0 || has_sign ? beyond(step < 0, format) : code;
}

/// The least code that is not below the exact value, or the greatest that is
/// not above it: side 1 or -1.
uint64_t directed(const Rounded& rounded, int side, const FloatFormat& format) {
  if (numeric::is_nan(rounded.bits, format)) return rounded.bits;
  return rounded.side == side ? neighbour(rounded.bits, side, format)
                              : rounded.bits;
}

/// The sum and shift 2^unit, which may be beyond double.
ExactSum shifted(const ExactSum& sum, double shift, int unit) {
  ExactSum moved = sum;
  const int most = std::clamp(unit, -1000, 1023);
  moved.add_product(std::ldexp(shift, unit - most), std::ldexp(1.0, most));
  return moved;
}

uint64_t shifted_end(const ExactSum& sum, double shift, int unit, int side,
                     const FloatFormat& format) {
  return directed(shifted(sum, shift, unit).round(format), side, format);
}

/// The least finite number, or the greatest.
uint64_t last(bool lowest, const FloatFormat& format) {
  if (lowest && format.sign_mask() == 0) return 0;
  return format.max_finite() | (lowest ? format.sign_mask() : 0);
}

bool is_zero(uint64_t code, const FloatFormat& format) {
  return is_finite(code, format) && numeric::ordinal(code, format) == 0;
}

/// Products that underflow leave zeros of either sign; sums of -0 alone may
/// meet a +0 that an implementation starts with (spec/numerics.md, Sums).
void free_zero_signs(ComponentRange& range, const FloatFormat& format) {
  if (!format.has_negative_zero()) return;
  if (is_zero(range.low, format)) range.low = format.sign_mask();
  if (is_zero(range.high, format)) range.high = 0;
}

/// What the sum may be where its exact value is no number, or infinite because
/// a term is.
ComponentRange special_range(uint64_t value, bool nan) {
  return {.value = value, .low = value, .high = value, .nan = nan};
}

/// For formats without infinity, which have NaN beyond their last numbers: an
/// end that is NaN becomes the last number of its side, and NaN is admitted.
/// Where both ends are beyond one and the same last number no code lies between
/// them: there is the value alone, or NaN alone. `low` and `high` are the signs
/// of the ends; without zero and sign what is not positive is NaN too.
void open_ends(ComponentRange& range, int low, int high,
               const FloatFormat& format) {
  const bool no_low = numeric::is_nan(range.low, format);
  const bool no_high = numeric::is_nan(range.high, format);
  range.nan = range.nan || (no_low && no_high) || (no_low && low <= 0) ||
              (no_high && high > 0);
  if ((no_low && low > 0) || (no_high && high <= 0)) {
    range.low = range.high = range.value;
    return;
  }
  if (no_low) range.low = last(true, format);
  if (no_high) range.high = last(false, format);
}

bool is_below(uint64_t a, uint64_t b, const FloatFormat& format) {
  return numeric::ordinal(a, format) < numeric::ordinal(b, format);
}

/// The exact value itself is in the set, even where it overflowed.
void include_value(ComponentRange& range, const FloatFormat& format) {
  if (numeric::is_nan(range.value, format)) return;  // set_of() has it
  if (!numeric::is_nan(range.low, format) &&
      is_below(range.value, range.low, format)) {
    range.low = range.value;
  }
  if (!numeric::is_nan(range.high, format) &&
      is_below(range.high, range.value, format)) {
    range.high = range.value;
  }
}

/// Whether a term is an infinity or NaN: the sum is then one as well, exactly.
bool is_special(const ExactSum& sum) {
  const FloatFormat& f64 = numeric::format(ElementType::kF64);
  const Rounded rounded = sum.round(f64);
  return !is_finite(rounded.bits, f64) && rounded.side == 0;
}

ComponentRange single_value(uint64_t value, const FloatFormat& format,
                            const SumErrors& errors) {
  ComponentRange range = special_range(value, false);
  if (errors.products || numeric::sign_bit(value, format)) {
    free_zero_signs(range, format);
  }
  return range;
}

/// The unit 2^k in which errors of the sum are bounded: that of magnitudes
/// which add up to more than a double can be (2^40 products are below 2^2088),
/// and of such as are so small that the least doubles would round their errors,
/// where all of these are of that size.
int unit_of_errors(const ExactSum& sum, const FloatFormat& format,
                   const SumErrors& errors) {
  constexpr int kBeyondDouble = 1100;
  const double magnitude = sum.magnitude();
  if (!std::isfinite(magnitude)) return sum.is_finite() ? kBeyondDouble : 0;
  const bool are_small = magnitude < 0x1p-800 &&
                         format.type == ElementType::kF64 && !errors.flushes;
  return are_small ? -kBeyondDouble : 0;
}

/// The magnitude of a sum of that many units of 2^unit at most, which may be
/// more than a double can be: halved until it is known to 60 bits of `most`.
double size_of(const ExactSum& sum, double most, int unit) {
  constexpr int kBits = 60;
  const int s = sign(sum);
  if (s == 0) return 0;
  double below = 0;
  double above = most;
  for (int k = 0; k < kBits; ++k) {
    const double middle = below + (above - below) / 2;
    const bool is_larger = sign(shifted(sum, -s * middle, unit)) == s;
    (is_larger ? below : above) = middle;
  }
  return above;
}

/// In the unit of its errors.
Summation summation(const ExactSum& sum, const FloatFormat& format,
                    const SumErrors& errors) {
  const int unit = unit_of_errors(sum, format, errors);
  const uint64_t value = sum.round(numeric::format(ElementType::kF64)).bits;
  const double s =
      std::fabs(numeric::decode(value, numeric::format(ElementType::kF64)));
  const double magnitude = sum.magnitude(unit);
  return {.terms = static_cast<double>(sum.terms()),
          .magnitude = magnitude,
          .unit = unit,
          .sum = unit > 0 ? size_of(sum, magnitude, unit)
                          : std::ldexp(s * (1 + 0x1p-50) + 0x1p-1074, -unit),
          .of_terms = errors.of_terms,
          .products = errors.products,
          .operand = errors.operand,
          .result = format.type};
}

/// Each term, each partial sum and the result may be flushed where they are
/// subnormal.
double flush_error(const ExactSum& sum, const FloatFormat& format,
                   const SumErrors& errors) {
  if (!errors.flushes) return 0;
  const double normal = std::ldexp(1.0, format.min_exponent());
  return (3 * static_cast<double>(sum.terms()) + 1) * normal +
         errors.of_flushed_factors;
}

/// The bound of the error in units of the sum of the magnitudes.
double relative_bound(const ExactSum& sum, const FloatFormat& format,
                      const SumErrors& errors) {
  const double unit =
      std::max(std::ldexp(1.0, -format.precision()), errors.unit);
  const auto n = static_cast<double>(sum.terms());
  const double steps = errors.products ? n : std::max(n - 1, 0.0);
  return steps * unit + errors.of_terms * (1 + steps * unit);
}

double wide_error(const ExactSum& sum, const FloatFormat& format,
                  const SumErrors& errors) {
  const int unit = unit_of_errors(sum, format, errors);
  const double smallest =
      std::ldexp(1.0, format.min_exponent() - format.mantissa_bits - unit);
  double bound =
      relative_bound(sum, format, errors) * sum.magnitude(unit) * kSlack;
  if (errors.products) bound += static_cast<double>(sum.terms()) * smallest;
  return bound;
}

/// In the unit of errors, as all of them.
double error_bound(const ExactSum& sum, const FloatFormat& format,
                   const SumErrors& errors) {
  const double bound = errors.accumulation == Accumulation::kWideAny
                           ? wide_error(sum, format, errors)
                           : accumulated_error(errors.accumulation,
                                               summation(sum, format, errors));
  return bound + std::ldexp(flush_error(sum, format, errors) +
                                errors.of_subnormal_terms,
                            -unit_of_errors(sum, format, errors));
}

/// The error of ends that were chosen among products by their values rounded to
/// double.
double chosen_error(const ExactSum& magnitudes, const FloatFormat& format,
                    const SumErrors& errors) {
  const double underflow =
      format.type == ElementType::kF64
          ? static_cast<double>(magnitudes.terms()) * 0x1p-1074
          : 0;
  const int unit = unit_of_errors(magnitudes, format, errors);
  return std::ldexp(magnitudes.magnitude(unit), -51) +
         std::ldexp(underflow, -unit);
}

/// By which share partial sums may exceed exact ones: the page's g less 1,
/// which has more digits than a double.
double growth_bound(const ExactSum& sum, const FloatFormat& format,
                    const SumErrors& errors) {
  const double unit =
      std::max(std::ldexp(1.0, -format.precision()), errors.unit) +
      errors.of_terms;
  const double growth = static_cast<double>(sum.terms() + 1) * unit;
  if (errors.accumulation == Accumulation::kWideAny) return growth;
  const Summation s = summation(sum, format, errors);
  return (1 + growth) * accumulated_growth(errors.accumulation, s) - 1;
}

/// Whether the terms of one sign may add up to more than the limit on the way.
/// `sum`: of their magnitudes, rounded upward, which tells most.
bool exceeds(const ExactSum& terms, bool negative, double sum, double growth,
             double limit) {
  if (!(sum + sum * growth >= limit / 2)) return false;
  if (std::isinf(sum)) return true;
  const int side = negative ? -1 : 1;
  ExactSum excess = terms.of_sign(negative);
  excess.add_product(side * sum, growth);
  excess.add(-side * limit);
  return sign(excess) == side;
}

/// The sums of the positive and of the magnitudes of the negative terms, and
/// whether partial sums of them may leave the range.
struct Overflow {
  double positive;
  double negative;
  bool above;
  bool below;
};

/// Those of the positive terms of `up`, and of the negative ones of `down`.
Overflow overflow_of(const ExactSum& up, const ExactSum& down, double growth,
                     const FloatFormat& format) {
  const double limit = numeric::decode(format.max_finite(), format);
  const double positive = up.positive_sum();
  const double negative = down.negative_sum();
  return {.positive = positive,
          .negative = negative,
          .above = exceeds(up, false, positive, growth, limit),
          .below = exceeds(down, true, negative, growth, limit)};
}

/// Where overflow ends at the largest finite number, what follows is added to
/// that: no sum of any order is less than min(P, M) - N, nor more than
/// P - min(N, M), but for its roundings.
void widen_by_saturation(ComponentRange& range, const Overflow& overflow,
                         double error, int unit, const FloatFormat& format) {
  const double most = numeric::decode(format.max_finite(), format);
  ExactSum end;
  end.add(most);
  if (overflow.above && overflow.negative > 0) {
    end.add(-overflow.negative);
    const uint64_t low = shifted_end(end, -error, unit, 1, format);
    if (is_below(low, range.low, format)) range.low = low;
  }
  if (overflow.below && overflow.positive > 0) {
    end.clear();
    end.add(-most);
    end.add(overflow.positive);
    const uint64_t high = shifted_end(end, error, unit, -1, format);
    if (is_below(range.high, high, format)) range.high = high;
  }
}

/// What partial sums that leave the range bring into the set.
void add_overflow(ComponentRange& range, const Overflow& overflow, double error,
                  int unit, const FloatFormat& format) {
  if (format.has_infinity()) {
    range.below = overflow.below;
    range.above = overflow.above;
    range.nan = range.nan || (overflow.below && overflow.above);
  } else if (format.has_nan()) {
    range.nan = range.nan || overflow.below || overflow.above;
  } else {
    widen_by_saturation(range, overflow, error, unit, format);
  }
}

}  // namespace

SumErrors sum_errors(const Profile& profile, ElementType operand) {
  SumErrors errors;
  errors.accumulation = profile.accumulation;
  errors.operand = operand;
  errors.flushes = flushes(profile);
  return errors;
}

bool may_be_exact(const Profile& profile, int64_t quantum,
                  const FloatFormat& format) {
  const bool narrows = profile.accumulation != Accumulation::kWideAny &&
                       profile.accumulation != Accumulation::kStrictOut &&
                       profile.accumulation != Accumulation::kF32Rn;
  return !narrows && (!flushes(profile) || quantum >= format.min_exponent());
}

ComponentRange range_around(const ExactSum& sum, double error,
                            const FloatFormat& format, int unit) {
  ComponentRange range;
  range.value = sum.round(format).bits;
  range.low = std::isfinite(error) ? shifted_end(sum, -error, unit, 1, format)
                                   : beyond(true, format);
  range.high = std::isfinite(error) ? shifted_end(sum, error, unit, -1, format)
                                    : beyond(false, format);
  const bool is_open =
      numeric::is_nan(range.low, format) || numeric::is_nan(range.high, format);
  if (is_open && std::isfinite(error)) {
    open_ends(range, sign(shifted(sum, -error, unit)),
              sign(shifted(sum, error, unit)), format);
  } else if (is_open) {
    open_ends(range, -1, 1, format);
  }
  include_value(range, format);
  return range;
}

ComponentRange range_with_infinity(const ExactSum& sum, double error,
                                   const FloatFormat& format, int unit) {
  ComponentRange range = range_around(sum, error, format, unit);
  if (!format.has_infinity() || !std::isfinite(error)) return range;
  const auto reaches = [&](int side) {
    const ExactSum end = shifted(sum, side * error, unit);
    return sign(end) == side && compare_with_infinity(end, format) >= 0;
  };
  range.below = reaches(-1);
  range.above = reaches(1);
  return range;
}

ComponentRange sum_range(const ExactSum& sum, const FloatFormat& format,
                         const SumErrors& errors) {
  const uint64_t value = sum.round(format).bits;
  const Overflow overflow =
      overflow_of(sum, sum, growth_bound(sum, format, errors), format);
  if (is_special(sum)) {
    ComponentRange range = special_range(
        value, format.has_nan() && overflow.below && overflow.above);
    // A zero that stands for NaN has any sign.
    if (!format.has_nan()) free_zero_signs(range, format);
    return range;
  }
  const bool single = sum.terms() <= 1 && !errors.products && !errors.flushes;
  if (sum.terms() == 0 || errors.exact || (single && errors.of_terms == 0)) {
    return single_value(value, format, errors);
  }
  const double error = error_bound(sum, format, errors);
  const int unit = unit_of_errors(sum, format, errors);
  ComponentRange range = range_around(sum, error, format, unit);
  // NaN stands for what is not positive where nothing else does, and for what
  // overflows: not for what the error alone reaches.
  range.nan = !numeric::is_nan(value, format) && format.sign_mask() == 0 &&
              sign(shifted(sum, -error, unit)) <= 0;
  add_overflow(range, overflow, error, unit, format);
  range.empty = errors.accumulation == Accumulation::kWideAny
                    ? relative_bound(sum, format, errors) >= 1
                    : error >= sum.magnitude(unit);
  if (errors.products) free_zero_signs(range, format);
  return range;
}

ComponentRange sum_range(const ExactSum& low, const ExactSum& high,
                         const ExactSum& magnitudes, const FloatFormat& format,
                         const SumErrors& errors) {
  const double chosen =
      errors.products ? chosen_error(magnitudes, format, errors) : 0;
  const double error = error_bound(magnitudes, format, errors) + chosen;
  const int unit = unit_of_errors(magnitudes, format, errors);
  ComponentRange range = range_around(low, error, format, unit);
  const ComponentRange upper = range_around(high, error, format, unit);
  range.high = upper.high;
  range.nan = range.nan || upper.nan;
  open_ends(range, sign(low), sign(high), format);
  add_overflow(
      range,
      overflow_of(high, low, growth_bound(magnitudes, format, errors), format),
      error, unit, format);
  free_zero_signs(range, format);
  return range;
}

ComponentRange range_around(uint64_t value, double error,
                            const FloatFormat& format) {
  numeric::ExactSum sum;
  sum.add(numeric::decode(value, format));
  ComponentRange range = range_around(sum, error, format);
  range.value = value;
  return range;
}

ComponentRange whole_range(uint64_t value, const FloatFormat& format) {
  const double infinity = std::numeric_limits<double>::infinity();
  ComponentRange range{.value = value,
                       .low = numeric::encode(-infinity, format),
                       .high = numeric::encode(infinity, format),
                       .nan = format.has_nan(),
                       .empty = true};
  if (!format.has_infinity() && format.has_nan())
    range.low = last(true, format);
  return range;
}

}  // namespace hlo::conformance
