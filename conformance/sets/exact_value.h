#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What is known of the exact real result r of an operation at one point.
struct ExactValue {
  numeric::Rounded rounded;  // r rounded once to the format of the result
  /// r rounded once to f64, where the result is narrower: it tells r more
  /// closely.
  std::optional<numeric::Rounded> wide = std::nullopt;
  /// r 2^-kScaling rounded once to f64, of an r that is beyond f64.
  std::optional<numeric::Rounded> scaled = std::nullopt;

  static constexpr int kScaling = 64;
};

/// The exact value of an element-wise operation of floats: of real functions
/// and of the arithmetic of IEEE 754; nothing of the others, whose results are
/// exact. Operands are the values of their codes. The kernel's
/// result, `rounded`, is what the reference returns.
std::optional<ExactValue> exact_value(const Op& op,
                                      std::span<const double> operands,
                                      uint64_t rounded,
                                      const numeric::FloatFormat& format);

/// An open interval (low, high) that holds r, or the one number r = low = high
/// where is_exact: as sums of two doubles, for half units in the last place
/// are no doubles.
struct Enclosure {
  double base = 0;
  double below = 0;  // r > base + below / 2, which may be no double
  double above = 0;  // r < base + above / 2
  bool is_exact = true;
};

/// An interval that holds a finite r. For f64 it is half a unit in the last
/// place wide, for narrower formats one unit of f64; of an r beyond f64 it is
/// the largest double, from which no narrower format tells it.
Enclosure enclosure(const ExactValue& value,
                    const numeric::FloatFormat& format);

/// Whether the code is a number: neither NaN nor infinite.
bool is_finite(uint64_t code, const numeric::FloatFormat& format);
/// The sign of an exact sum: -1, 0 or 1; finite terms only.
int sign(const numeric::ExactSum& sum);
/// How the magnitude of a finite sum compares with what infinity counts as, one
/// step above the largest finite number, 2^(emax+1) for IEEE formats: -1, 0, 1.
int compare_with_infinity(const numeric::ExactSum& sum,
                          const numeric::FloatFormat& format);

}  // namespace hlo::conformance
