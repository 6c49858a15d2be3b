#include "interpreter/definition/numbers/scalar_codes.h"

#include <algorithm>
#include <optional>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::definition {
namespace {

using numeric::FloatFormat;
using enum numeric::Specials;

uint64_t ones(int count) { return ~uint64_t{0} >> (64 - count); }

// The codes of positive numbers, but for the ones that are something else, in
// the columns of spec/types.md.
struct Codes {
  explicit Codes(const FloatFormat& format);

  uint64_t sign;  // the bit of the sign, or 0
  uint64_t largest;
  std::optional<uint64_t> infinity;
  std::optional<uint64_t> nan;  // in kIeee every larger one is one, too
};

Codes::Codes(const FloatFormat& format) {
  const int bits = format.exponent_bits + format.mantissa_bits;
  const uint64_t top = ones(bits);
  sign = uint64_t{1} << bits;
  largest = top;
  if (format.specials == kIeee) {
    infinity = top - ones(format.mantissa_bits);
    nan = *infinity + (uint64_t{1} << (format.mantissa_bits - 1));
    largest = *infinity - 1;
  }
  if (format.specials == kFn || format.specials == kE8M0) {
    nan = top;
    largest = top - 1;
  }
  if (format.specials == kFnuz) nan = sign;
  if (format.specials == kE8M0) sign = 0;
}

// (1 + M / 2^m) 2^(E - b), or (M / 2^m) 2^(1 - b) for E = 0.
Rational value_of(uint64_t magnitude, const FloatFormat& format) {
  const uint64_t hidden = uint64_t{1} << format.mantissa_bits;
  const auto field = static_cast<int64_t>(magnitude >> format.mantissa_bits);
  const uint64_t fraction = magnitude & (hidden - 1);
  const int64_t bias = format.bias + format.mantissa_bits;
  if (field == 0 && format.specials != kE8M0) {
    return fraction * power_of_two(1 - bias);
  }
  return (hidden + fraction) * power_of_two(field - bias);
}

// The code of a positive number as if there were no largest one: the number in
// steps of its binade, after all the codes of the binades below.
Whole nearest_code(const Rational& x, const FloatFormat& format) {
  const bool normal_only = format.specials == kE8M0;
  const int64_t least = (normal_only ? 0 : 1) - format.bias;
  const int64_t e = std::max(binary_exponent(x), least);
  const Rational step = power_of_two(e - format.mantissa_bits);
  const Whole code = nearest_even(Rational(x / step)) +
                     (Whole(e - least) << format.mantissa_bits);
  return normal_only ? Whole(code > 0 ? code - 1 : 0) : code;
}

uint64_t encode_nan(bool negative, const FloatFormat& format,
                    const Codes& codes) {
  if (format.specials == kFinite) return negative ? 0 : codes.sign;
  return *codes.nan | (negative ? codes.sign : 0);
}

uint64_t encode_zero(bool negative, const FloatFormat& format,
                     const Codes& codes) {
  if (format.specials == kE8M0) return *codes.nan;
  return negative && format.specials != kFnuz ? codes.sign : 0;
}

uint64_t encode_overflow(bool negative, const FloatFormat& format,
                         const Codes& codes) {
  if (format.specials == kFinite) {
    return codes.largest | (negative ? codes.sign : 0);
  }
  if (!codes.infinity) return encode_nan(negative, format, codes);
  return *codes.infinity | (negative ? codes.sign : 0);
}

}  // namespace

Real decode(uint64_t code, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const Codes codes(format);
  if (format.specials == kFnuz && code == codes.nan) return Real::nan();
  const bool negative = (code & codes.sign) != 0;
  const uint64_t magnitude = code & ~codes.sign;
  if (magnitude == codes.infinity) return Real::infinity(negative);
  if (magnitude > codes.largest) return Real::nan(negative);
  const Real x = Real(value_of(magnitude, format));
  return negative ? -x : x;
}

uint64_t encode(const Real& x, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const Codes codes(format);
  const bool negative = signbit(x);
  if (isnan(x)) return encode_nan(negative, format, codes);
  if (is_zero(x)) return encode_zero(negative, format, codes);
  if (negative && format.specials == kE8M0) return *codes.nan;
  if (isinf(x)) return encode_overflow(negative, format, codes);
  const Whole code = nearest_code(abs(rational(x)), format);
  if (code > codes.largest) return encode_overflow(negative, format, codes);
  if (code == 0 && format.specials != kE8M0) {
    return encode_zero(negative, format, codes);
  }
  return static_cast<uint64_t>(code) | (negative ? codes.sign : 0);
}

uint64_t encode_down(const Real& x, ElementType type) {
  const uint64_t nearest = encode(x, type);
  if (decode(nearest, type) <= x) return nearest;
  if (x > 0) return nearest - 1;
  const uint64_t sign = uint64_t{1} << (bits(type) - 1);
  return (nearest | sign) + 1;
}

int precision(ElementType type) { return numeric::format(type).precision(); }

Integer decode_integer(uint64_t code, int bits, bool is_signed) {
  const Whole x = code & ones(bits);
  return is_signed && bit_test(x, static_cast<unsigned>(bits - 1))
             ? Integer(x - (Whole(1) << bits))
             : Integer(x);
}

uint64_t wrap(const Integer& x, int bits) {
  const Whole modulus = Whole(1) << bits;
  const Whole rest = whole(x) % modulus;
  return static_cast<uint64_t>(rest < 0 ? Whole(rest + modulus) : rest);
}

}  // namespace hlo::definition
