#include "conformance/sets/exact_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;
using numeric::Real;
using numeric::Rounded;

constexpr mpfr_prec_t kPrecision = 64;

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

Rounded scaled_down(Real& truncated, int ternary) {
  mpfr_div_2ui(truncated.get(), truncated.get(), ExactValue::kScaling,
               MPFR_RNDZ);
  return numeric::round_truncated(truncated, ternary, f64());
}

/// r 2^-kScaling rounded to f64, of an r that overflows there; sums and
/// products are correctly rounded on all levels, and roots do not.
std::optional<Rounded> round_scaled(const Op& op, std::span<const double> x) {
  Real r(kPrecision);
  if (op.accuracy.function) {
    const int ternary = numeric::evaluate(*op.accuracy.function, x[0], r);
    return scaled_down(r, ternary);
  }
  if (op.accuracy.function2) {
    const int ternary =
        numeric::evaluate(*op.accuracy.function2, x[0], x[1], r);
    return scaled_down(r, ternary);
  }
  if (op.facts.arithmetic != Arithmetic::kQuotient) return std::nullopt;
  // The dividend of such a quotient is above 2^-51.
  const std::array scaled = {std::ldexp(x[0], -ExactValue::kScaling), x[1]};
  return by_residual(Arithmetic::kQuotient, scaled, f64());
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

int compare_with_infinity(const ExactSum& sum, const FloatFormat& format) {
  const int s = sign(sum);
  if (s == 0) return -1;
  const double last = numeric::decode(format.max_finite(), format);
  // For f64 the number is no double, but its two parts are.
  ExactSum rest = sum;
  rest.add(-s * last);
  rest.add(std::ldexp(-s, std::ilogb(last) - format.mantissa_bits));
  return s < 0 ? -sign(rest) : sign(rest);
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
  ExactValue value{.rounded = {rounded, own->side}};
  if (format.type != ElementType::kF64) {
    value.wide = real;
  } else if (numeric::is_infinity(real->bits, format) && real->side != 0) {
    value.scaled = round_scaled(op, operands);
  }
  return value;
}

Enclosure enclosure(const ExactValue& value, const FloatFormat& format) {
  const Rounded& r = value.wide ? *value.wide : value.rounded;
  const FloatFormat& own = value.wide ? f64() : format;
  Enclosure e;
  e.base = numeric::decode(r.bits, own);
  if (value.wide && std::isinf(e.base)) {
    const double most = std::numeric_limits<double>::max();
    return {.base = std::copysign(most, e.base)};
  }
  e.is_exact = r.side == 0;
  if (e.is_exact) return e;
  // The nearest code is at most half of this away.
  const double other = next(e.base, r.side);
  const double reach =
      std::fabs((std::isinf(other) ? next(e.base, -r.side) : other) - e.base);
  e.below = r.side > 0 ? 0 : -reach;
  e.above = r.side > 0 ? reach : 0;
  return e;
}

}  // namespace hlo::conformance
