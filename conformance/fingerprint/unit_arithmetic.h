#pragma once

#include <cstdint>
#include <string_view>

// The arithmetic of a machine that is being fingerprinted
// (spec/fingerprint.md): any precision up to that of double, any rounding,
// underflow flushed or not. Overflow is not modelled.
namespace hlo::conformance {

/// Which neighbour a machine takes: the nearest, ties to even or away from
/// zero; the one toward zero; the lower; the upper.
enum class UnitRounding : uint8_t { kEven, kAway, kZero, kDown, kUp };

inline constexpr int kUnitRoundings = 5;

/// "to nearest, ties to even", ...
std::string_view name(UnitRounding rounding);

/// The numbers that a unit's results are rounded to.
struct UnitFormat {
  int precision = 24;       // bits of a significand, 2 to 53
  int min_exponent = -126;  // of the least normal number
  UnitRounding rounding = UnitRounding::kEven;
  bool flushes = false;  // results below the normal numbers become zeros
  /// Bits to which a result is rounded that is asked whether it is below them:
  /// those of binary32 where a narrow unit computes in it. 0: precision.
  int flushed_precision = 0;
  friend bool operator==(const UnitFormat&, const UnitFormat&) = default;
};

/// The exact number hi + lo, rounded. `hi` must be that sum rounded to double,
/// ties to even. Exact for precisions up to 51 and 53, and for those that end
/// in a subnormal number.
double round_unit(double hi, double lo, const UnitFormat& format);
/// The exact sum of both, rounded.
double add_unit(double x, double y, const UnitFormat& format);
/// The exact product, rounded; it must not be below 2^-900, but may be zero.
double multiply_unit(double a, double b, const UnitFormat& format);

/// The exponent e of 2^e <= |x| < 2^(e+1), for a finite x that is not zero.
int exponent_of(double x);

}  // namespace hlo::conformance
