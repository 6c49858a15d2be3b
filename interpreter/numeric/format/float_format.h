#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/model/element_type.h"
#include "interpreter/numeric/format/rounded_value.h"

namespace hlo::numeric {

/// What the codes at the top of a format mean.
enum class Specials : uint8_t {
  kIeee,    // all-ones exponent: infinities and NaNs
  kFn,      // no infinity; the all-ones code of each sign is NaN
  kFnuz,    // no infinity, no -0; the sign-bit-only code is the one NaN
  kFinite,  // neither infinity nor NaN
  kE8M0,    // unsigned powers of two; all ones is NaN; no zero
};

/// A binary floating-point format: the rows of spec/types.md.
struct FloatFormat {
  ElementType type;
  int exponent_bits;
  int mantissa_bits;  // stored ones, without the hidden bit
  int bias;
  Specials specials;

  int precision() const { return mantissa_bits + 1; }

  int width() const {
    return exponent_bits + mantissa_bits +
           (specials == Specials::kE8M0 ? 0 : 1);
  }

  /// Exponent e of the smallest normal 2^e, and of the largest finite binade.
  int min_exponent() const {
    return (specials == Specials::kE8M0 ? 0 : 1) - bias;
  }

  int max_exponent() const;

  bool has_infinity() const { return specials == Specials::kIeee; }

  bool has_nan() const { return specials != Specials::kFinite; }

  bool has_negative_zero() const {
    return specials != Specials::kFnuz && specials != Specials::kE8M0;
  }

  uint64_t sign_mask() const;  // 0 for e8m0
  uint64_t quiet_nan() const;  // canonical, sign +; has_nan() only
  uint64_t infinity() const;   // +inf; has_infinity() only
  uint64_t max_finite() const;
};

/// The format of a float type.
const FloatFormat& format(ElementType type);

/// Whether the code stands for NaN.
bool is_nan(uint64_t bits, const FloatFormat& format);
/// Whether the code stands for an infinity of either sign.
bool is_infinity(uint64_t bits, const FloatFormat& format);
/// Whether the code is NaN and signals (IEEE formats: top mantissa bit clear).
bool is_signaling_nan(uint64_t bits, const FloatFormat& format);
/// Whether the code is negative: never so for the one NaN of kFnuz.
bool sign_bit(uint64_t bits, const FloatFormat& format);

/// What a value beyond the largest finite one becomes: infinity where the
/// format has it, else NaN, else the largest finite code.
Rounded overflow(bool negative, const FloatFormat& format);
/// What NaN of that sign becomes: a zero in a format without NaN.
uint64_t nan_code(bool negative, const FloatFormat& format);
/// What zero of that sign becomes: NaN in a format without zero.
uint64_t zero_code(bool negative, const FloatFormat& format);

/// A total order of the codes without NaNs as integers that counts the steps
/// between neighbours: -0 and +0 are both 0. Infinities follow the largest
/// finite value.
int64_t ordinal(uint64_t bits, const FloatFormat& format);
/// The place of a code in the order of totalOrder (spec/ops/compare.md):
/// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. Neighbours are 1 apart.
int64_t total_order(uint64_t bits, const FloatFormat& format);
/// The code whose ordinal() this is; nothing beyond the largest.
std::optional<uint64_t> from_ordinal(int64_t ordinal,
                                     const FloatFormat& format);

}  // namespace hlo::numeric
