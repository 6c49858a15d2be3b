#include "conformance/sets/exact_value.h"

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;
using numeric::Rounded;

const FloatFormat& f64() { return numeric::format(ElementType::kF64); }

/// A number, or what +, - and * make of two, as an exact sum.
ExactSum exact_sum(Arithmetic arithmetic, std::span<const double> x) {
  ExactSum sum;
  if (arithmetic == Arithmetic::kProduct) {
    sum.add_product(x[0], x[1]);
    return sum;
  }
  sum.add(x[0]);
  if (arithmetic == Arithmetic::kSum) sum.add(x[1]);
  if (arithmetic == Arithmetic::kDifference) sum.add(-x[1]);
  return sum;
}

/// The sign of a / b - q, or of sqrt(a) - q.
int residual_sign(Arithmetic arithmetic, std::span<const double> x, double q) {
  ExactSum sum;
  sum.add(x[0]);
  if (arithmetic == Arithmetic::kRoot) {
    sum.add_product(-q, q);
    return sign(sum);
  }
  sum.add_product(-q, x[1]);
  return x[1] < 0 ? -sign(sum) : sign(sum);
}

double next(double value, int direction) {
  return std::nextafter(value, direction * HUGE_VAL);
}

/// A quotient or root as the double beside it that has an odd significand:
/// rounded once more, to a narrower format, that is correctly rounded.
double rounded_to_odd(double nearest, int side) {
  const bool is_odd = (std::bit_cast<uint64_t>(nearest) & 1) != 0;
  return side == 0 || is_odd ? nearest : next(nearest, side);
}

/// A quotient of numbers or a root, rounded.
Rounded by_residual(Arithmetic arithmetic, std::span<const double> x,
                    const FloatFormat& format) {
  const bool is_root = arithmetic == Arithmetic::kRoot;
  const double nearest = is_root ? std::sqrt(x[0]) : x[0] / x[1];
  const bool is_finite_result =
      std::isfinite(x[0]) && (is_root || (std::isfinite(x[1]) && x[1] != 0));
  // Infinities and poles, and the zeros of a quotient by infinity.
  if (!is_finite_result || std::isnan(nearest)) {
    return {numeric::encode(nearest, format), 0};
  }
  const int sign = std::signbit(nearest) ? -1 : 1;
  const int side =
      std::isinf(nearest) ? -sign : residual_sign(arithmetic, x, nearest);
  const bool is_f64 = format.type == ElementType::kF64;
  const double value = is_f64 ? nearest : rounded_to_odd(nearest, side);
  const uint64_t code = numeric::encode(value, format);
  if (is_f64) return {code, side};
  if (!is_finite(code, format)) return {code, -sign};
  return {code, residual_sign(arithmetic, x, numeric::decode(code, format))};
}

/// r rounded to `format`; nothing where the operation has no such r.
std::optional<Rounded> round_to(const Op& op, std::span<const double> x,
                                const FloatFormat& format) {
  if (op.accuracy.function) {
    return numeric::evaluate(*op.accuracy.function, x[0], format);
  }
  if (op.accuracy.function2) {
    return numeric::evaluate(*op.accuracy.function2, x[0], x[1], format);
  }
  const Arithmetic arithmetic = op.facts.arithmetic;
  switch (arithmetic) {
    case Arithmetic::kCopy:
    case Arithmetic::kSum:
    case Arithmetic::kDifference:
    case Arithmetic::kProduct:
      return exact_sum(arithmetic, x).round(format);
    case Arithmetic::kQuotient:
    case Arithmetic::kRoot:
      return by_residual(arithmetic, x, format);
    case Arithmetic::kNone:
      break;
  }
  return std::nullopt;
}

/// Sets r, toward zero, and returns the sign of its error; nothing where no
/// error is granted to the operation.
std::optional<int> truncate(const Op& op, std::span<const double> x,
                            numeric::Real& r) {
  if (op.accuracy.function) {
    return numeric::evaluate(*op.accuracy.function, x[0], r);
  }
  if (op.accuracy.function2) {
    return numeric::evaluate(*op.accuracy.function2, x[0], x[1], r);
  }
  if (op.facts.arithmetic != Arithmetic::kQuotient) return std::nullopt;
  mpfr_set_d(r.get(), x[0], MPFR_RNDZ);
  return mpfr_div_d(r.get(), r.get(), x[1], MPFR_RNDZ);
}

/// A quarter of an r that overflowed f64.
std::optional<Quarter> quarter_of(const Op& op, std::span<const double> x) {
  constexpr mpfr_prec_t kBits = 64;
  constexpr mpfr_exp_t kTwiceLargest = 1025;
  numeric::Real r(kBits);
  const std::optional<int> error = truncate(op, x, r);
  if (!error || mpfr_regular_p(r.get()) == 0) return std::nullopt;
  if (mpfr_get_exp(r.get()) > kTwiceLargest) return std::nullopt;
  mpfr_abs(r.get(), r.get(), MPFR_RNDZ);
  mpfr_div_2ui(r.get(), r.get(), 2, MPFR_RNDZ);
  Quarter quarter{.high = mpfr_get_d(r.get(), MPFR_RNDZ),
                  .is_exact = *error == 0};
  mpfr_sub_d(r.get(), r.get(), quarter.high, MPFR_RNDZ);
  quarter.low = mpfr_get_d(r.get(), MPFR_RNDZ);
  return quarter;
}

}  // namespace

bool is_finite(uint64_t code, const FloatFormat& format) {
  return !numeric::is_nan(code, format) && !numeric::is_infinity(code, format);
}

int sign(const ExactSum& sum) {
  const Rounded rounded = sum.round(f64());
  const double value = numeric::decode(rounded.bits, f64());
  if (value != 0) return value < 0 ? -1 : 1;
  return rounded.side;
}

bool reaches_infinity(const ExactSum& sum, const FloatFormat& format) {
  const int s = sign(sum);
  const double last = numeric::decode(format.max_finite(), format);
  // For f64 the number is no double, but its two parts are.
  ExactSum rest = sum;
  rest.add(-s * last);
  rest.add(std::ldexp(-s, std::ilogb(last) - format.mantissa_bits));
  return sign(rest) * s >= 0;
}

std::optional<ExactValue> exact_value(const Op& op,
                                      std::span<const double> operands,
                                      uint64_t rounded,
                                      const FloatFormat& format) {
  if (std::ranges::any_of(operands, [](double x) { return std::isnan(x); })) {
    return std::nullopt;
  }
  const auto own = round_to(op, operands, format);
  // An overflow may be NaN in the format, but the exact value is none.
  const auto real = own ? round_to(op, operands, f64()) : own;
  if (!real || numeric::is_nan(real->bits, f64())) return std::nullopt;
  ExactValue value{.rounded = {rounded, own->side}, .wide = std::nullopt};
  if (format.type != ElementType::kF64) {
    value.wide = real;
  } else if (numeric::is_infinity(rounded, format) && own->side != 0) {
    value.quarter = quarter_of(op, operands);
  }
  return value;
}

Enclosure enclosure(const ExactValue& value, const FloatFormat& format) {
  const Rounded& r = value.wide ? *value.wide : value.rounded;
  const FloatFormat& own = value.wide ? f64() : format;
  Enclosure e;
  e.base = numeric::decode(r.bits, own);
  e.is_exact = r.side == 0;
  if (e.is_exact) return e;
  // The nearest code is at most half of this away.
  const double reach = std::fabs(next(e.base, r.side) - e.base);
  e.below = r.side > 0 ? 0 : -reach;
  e.above = r.side > 0 ? reach : 0;
  return e;
}

}  // namespace hlo::conformance
