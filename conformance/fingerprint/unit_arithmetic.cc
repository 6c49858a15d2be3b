#include "conformance/fingerprint/unit_arithmetic.h"

#include <algorithm>
#include <cmath>

namespace hlo::conformance {
namespace {

constexpr int kDoublePrecision = 53;

int sign_of(double x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

/// Whether the magnitude q units + rest goes up to q + 1 units. `half` compares
/// the rest, which is not zero, with half a unit.
bool goes_up(UnitRounding rounding, bool negative, double q, int half) {
  switch (rounding) {
    case UnitRounding::kZero:
      return false;
    case UnitRounding::kDown:
      return negative;
    case UnitRounding::kUp:
      return !negative;
    case UnitRounding::kAway:
      return half >= 0;
    case UnitRounding::kEven:
      break;
  }
  return half > 0 || (half == 0 && std::fmod(q, 2) != 0);
}

/// The magnitude hi + lo on the grid of multiples of 2^unit; hi >= 0, and lo
/// is too small to pass a multiple but at which hi lies.
double on_grid(double hi, double lo, int unit, UnitRounding rounding,
               bool negative) {
  double q = std::floor(std::ldexp(hi, -unit));
  double rest = hi - std::ldexp(q, unit);
  if (rest == 0 && lo == 0) return hi;
  if (rest == 0 && lo < 0) {
    q -= 1;
    rest = std::ldexp(1, unit);
  }
  const double beyond = rest - std::ldexp(1, unit - 1);
  const int half = beyond != 0 ? sign_of(beyond) : sign_of(lo);
  return std::ldexp(q + (goes_up(rounding, negative, q, half) ? 1 : 0), unit);
}

/// A double and what it lacks, rounded to a double in another way than ties to
/// even.
double to_double(double hi, double lo, UnitRounding rounding, bool negative) {
  const bool up = (rounding == UnitRounding::kUp && !negative) ||
                  (rounding == UnitRounding::kDown && negative);
  const bool down =
      !up && rounding != UnitRounding::kEven && rounding != UnitRounding::kAway;
  if (up && lo > 0) return std::nextafter(hi, HUGE_VAL);
  if (down && lo < 0) return std::nextafter(hi, 0);
  return hi;
}

double round_magnitude(double hi, double lo, const UnitFormat& format,
                       bool negative) {
  int exponent = exponent_of(hi);
  // Just below a power of two the binade is the lower one.
  if (lo < 0 && std::ldexp(1, exponent) == hi) --exponent;
  const double least = std::ldexp(1, format.min_exponent);
  const int free = exponent - format.precision + 1;
  const int unit = std::max(free, format.min_exponent - format.precision + 1);
  const int flushed =
      exponent - std::max(format.precision, format.flushed_precision) + 1;
  if (format.precision >= kDoublePrecision && unit == free) {
    return to_double(hi, lo, format.rounding, negative);
  }
  // What is below normal numbers after rounding with any exponent is flushed.
  const bool tiny = format.flushes && exponent < format.min_exponent &&
                    on_grid(hi, lo, flushed, format.rounding, negative) < least;
  return tiny ? 0 : on_grid(hi, lo, unit, format.rounding, negative);
}

}  // namespace

std::string_view name(UnitRounding rounding) {
  switch (rounding) {
    case UnitRounding::kEven:
      return "to nearest, ties to even";
    case UnitRounding::kAway:
      return "to nearest, ties away from zero";
    case UnitRounding::kZero:
      return "toward zero";
    case UnitRounding::kDown:
      return "downward";
    case UnitRounding::kUp:
      break;
  }
  return "upward";
}

int exponent_of(double x) { return std::ilogb(x); }

double round_unit(double hi, double lo, const UnitFormat& format) {
  if (hi == 0 || !std::isfinite(hi)) return hi;
  const bool negative = hi < 0;
  const double magnitude =
      round_magnitude(std::fabs(hi), negative ? -lo : lo, format, negative);
  return negative ? -magnitude : magnitude;
}

double add_unit(double x, double y, const UnitFormat& format) {
  const double sum = x + y;
  const double back = sum - x;
  const double error = (x - (sum - back)) + (y - back);
  if (sum == 0 && format.rounding == UnitRounding::kDown && x != y) return -0.0;
  return round_unit(sum, error, format);
}

double multiply_unit(double a, double b, const UnitFormat& format) {
  const double product = a * b;
  const double error = std::isfinite(product) ? std::fma(a, b, -product) : 0;
  return round_unit(product, error, format);
}

}  // namespace hlo::conformance
