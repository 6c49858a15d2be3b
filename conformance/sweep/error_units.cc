#include "conformance/sweep/error_units.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::Real;
using numeric::Rounded;

constexpr int kUnitBits = 10;
static_assert(kUnitsPerUlp == 1 << kUnitBits);

/// The exponent of ulp(r) of an r with this exponent.
int ulp_exponent(int64_t exponent, const FloatFormat& format) {
  const int64_t last = format.min_exponent();
  return static_cast<int>(std::max(exponent, last)) - format.mantissa_bits;
}

/// By a double, where y is so near that the difference is exact, and the
/// borders between y and r are doubles: they are multiples of a 1024th of
/// ulp(r), or of the lowest bit of y, and the format has at most 40 bits.
std::optional<int64_t> units_by_double(const Rounded& wide, double y,
                                       const FloatFormat& format) {
  const double r =
      numeric::decode(wide.bits, numeric::format(ElementType::kF64));
  const bool near = y / 2 <= r && r <= y * 2;
  const bool negative_near = y / 2 >= r && r >= y * 2;
  if (!(near || negative_near) || std::fabs(r) < 0x1p-900) return std::nullopt;
  const int outward = r < 0 ? -1 : 1;
  int exponent = std::ilogb(r);
  const bool is_power = std::ldexp(1.0, exponent) == std::fabs(r);
  if (is_power && wide.side == -outward) --exponent;
  const double units =
      std::ldexp(std::fabs(y - r), kUnitBits - ulp_exponent(exponent, format));
  if (units >= static_cast<double>(kMostUnits)) return kMostUnits;
  const double whole = std::floor(units);
  const auto count = static_cast<int64_t>(whole);
  const bool towards_y = y != r && (y > r ? 1 : -1) == wide.side;
  return units == whole && towards_y ? count - 1 : count;
}

/// Sets `r` to the result, rounded toward zero; MPFR's ternary value.
std::optional<int> set_exact(const Op& op, std::span<const double> x, Real& r) {
  if (op.accuracy.function) {
    return numeric::evaluate(*op.accuracy.function, x[0], r);
  }
  if (op.accuracy.function2) {
    return numeric::evaluate(*op.accuracy.function2, x[0], x[1], r);
  }
  const Arithmetic arithmetic = op.facts.arithmetic;
  if (arithmetic == Arithmetic::kNone || arithmetic == Arithmetic::kCopy) {
    return std::nullopt;
  }
  constexpr mpfr_prec_t kDouble = 53;
  Real a(kDouble);
  numeric::set(a, x[0]);
  if (arithmetic == Arithmetic::kRoot) {
    return mpfr_sqrt(r.get(), a.get(), MPFR_RNDZ);
  }
  Real b(kDouble);
  numeric::set(b, x[1]);
  switch (arithmetic) {
    case Arithmetic::kSum:
      return mpfr_add(r.get(), a.get(), b.get(), MPFR_RNDZ);
    case Arithmetic::kDifference:
      return mpfr_sub(r.get(), a.get(), b.get(), MPFR_RNDZ);
    case Arithmetic::kProduct:
      return mpfr_mul(r.get(), a.get(), b.get(), MPFR_RNDZ);
    default:
      return mpfr_div(r.get(), a.get(), b.get(), MPFR_RNDZ);
  }
}

/// The units between y and the number r, which was rounded toward zero from the
/// exact value unless `ternary` is 0; the exact value is less than a unit of
/// the last bit of r further out.
int64_t units_between(const Real& r, int ternary, double y,
                      const FloatFormat& format) {
  constexpr mpfr_prec_t kAll = 4400;  // two numbers of any exponents of f64
  if (mpfr_number_p(r.get()) == 0) return kMostUnits;
  const bool is_zero = mpfr_zero_p(r.get()) != 0;
  const int64_t exponent =
      is_zero ? format.min_exponent() : mpfr_get_exp(r.get()) - 1;
  Real d(kAll);
  mpfr_d_sub(d.get(), y, r.get(), MPFR_RNDZ);
  const bool outside = mpfr_sgn(d.get()) * mpfr_sgn(r.get()) > 0;
  mpfr_abs(d.get(), d.get(), MPFR_RNDZ);
  mpfr_mul_2si(d.get(), d.get(), kUnitBits - ulp_exponent(exponent, format),
               MPFR_RNDZ);
  if (mpfr_cmp_si(d.get(), kMostUnits) >= 0) return kMostUnits;
  const int64_t count = mpfr_get_si(d.get(), MPFR_RNDZ);
  const bool on_border = mpfr_integer_p(d.get()) != 0;
  return on_border && ternary != 0 && outside ? count - 1 : count;
}

/// The exponent of the lowest bit that is set in a number that is not 0.
int64_t lowest_exponent(double y) {
  const double magnitude = std::fabs(y);
  const int exponent = std::max(std::ilogb(magnitude), -1022);
  const auto code = std::bit_cast<uint64_t>(magnitude);
  const int zeros = std::countr_zero(code);
  constexpr int kMantissa = 52;
  return exponent - kMantissa + std::min(zeros, kMantissa);
}

/// By as many bits as are below the borders: r is on the grid of y then.
int64_t units_by_mpfr(const Op& op, std::span<const double> operands,
                      uint64_t reference, double y, const FloatFormat& format) {
  constexpr mpfr_prec_t kFew = 128;
  Real r(kFew);
  const auto ternary = set_exact(op, operands, r);
  if (!ternary) {
    numeric::set(r, numeric::decode(reference, format));
    return units_between(r, 0, y, format);
  }
  const bool near_zero = y == 0 || mpfr_regular_p(r.get()) == 0;
  const int64_t needed =
      near_zero ? 0 : mpfr_get_exp(r.get()) - lowest_exponent(y) + 2;
  if (*ternary == 0 || needed <= kFew) {
    return units_between(r, *ternary, y, format);
  }
  Real more(needed);
  const int again = *set_exact(op, operands, more);
  return units_between(more, again, y, format);
}

}  // namespace

int64_t error_units(const Op& op, std::span<const double> operands,
                    uint64_t reference, uint64_t actual,
                    const FloatFormat& format) {
  const double y = numeric::decode(actual, format);
  if (format.type != ElementType::kF64 && op.accuracy.function) {
    const Rounded wide = numeric::round_function(
        *op.accuracy.function, std::bit_cast<uint64_t>(operands[0]),
        numeric::format(ElementType::kF64));
    const auto units = units_by_double(wide, y, format);
    if (units) return *units;
  }
  return units_by_mpfr(op, operands, reference, y, format);
}

}  // namespace hlo::conformance
