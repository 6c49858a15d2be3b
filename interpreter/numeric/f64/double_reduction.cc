#include "interpreter/numeric/f64/double_reduction.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/numeric/f64/double_tables.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::numeric {
namespace {

__extension__ using Wide = unsigned __int128;

/// A fraction below 1 of 256 bits, most significant word first.
using Fraction = std::array<uint64_t, 4>;

uint64_t shifted_left(uint64_t word, uint64_t next, int bits) {
  return bits == 0 ? word : word << bits | next >> (64 - bits);
}

/// The bits of 1 / (2 pi) worth 2^(-first - 1) and less, times 2^first.
Fraction turns_from(int first) {
  const auto& words = circle_table().turns_per_radian;
  const auto start = static_cast<size_t>(first) + 64;
  const int bits = static_cast<int>(start % 64);
  Fraction fraction{};
  for (size_t i = 0; i < fraction.size(); ++i) {
    const size_t word = start / 64 + i;
    fraction[i] = shifted_left(words[word], words[word + 1], bits);
  }
  return fraction;
}

/// The product without its integer part.
Fraction multiply(const Fraction& fraction, uint64_t factor) {
  Fraction product{};
  uint64_t carry = 0;
  for (size_t i = fraction.size(); i-- > 0;) {
    const Wide sum = Wide{fraction[i]} * factor + carry;
    product[i] = static_cast<uint64_t>(sum);
    carry = static_cast<uint64_t>(sum >> 64);
  }
  return product;
}

Fraction negated(const Fraction& fraction) {
  Fraction result{};
  uint64_t carry = 1;
  for (size_t i = fraction.size(); i-- > 0;) {
    result[i] = ~fraction[i] + carry;
    carry = carry != 0 && result[i] == 0 ? 1 : 0;
  }
  return result;
}

/// The leading 106 bits of a fraction that is not 0; no 128 bits of it are.
HiLo leading(const Fraction& fraction) {
  const bool skip = fraction[0] == 0;
  const uint64_t first = skip ? fraction[1] : fraction[0];
  const uint64_t second = skip ? fraction[2] : fraction[1];
  const uint64_t third = skip ? fraction[3] : fraction[2];
  const int zeros = std::countl_zero(first);
  const uint64_t top = shifted_left(first, second, zeros);
  const uint64_t next = shifted_left(second, third, zeros);
  const uint64_t low = (top & 0x7ff) << 42 | next >> 22;
  const int exponent = -zeros - (skip ? 64 : 0) - 53;
  const double hi = std::ldexp(static_cast<double>(top >> 11), exponent);
  const double lo = std::ldexp(static_cast<double>(low), exponent - 53);
  return fast_two_sum(hi, lo);
}

}  // namespace

// |x| = m 2^e with an integer m of 53 bits: bits of 1 / (2 pi) worth 2^-e or
// more make whole turns. The others, cut after 256, make a fraction of a turn
// that is off by less than 2^(53 - 256). Doubles that are not 0 do not come
// nearer than 2^-65 turns to a multiple of 1/128 (tests search for the nearest
// ones), so that this is below 2^-138 of the rest, which is then cut after 106
// bits and multiplied by 2 pi.
ReducedAngle reduce_exactly(double x) {
  using Pair = DoubleDouble<Product::kSplit>;
  constexpr int kStepBits = 7;
  constexpr int kShift = 64 - kStepBits;
  constexpr uint64_t kHalf = uint64_t{1} << (kShift - 1);
  const Scaled number = split(x);
  Fraction turn = multiply(turns_from(static_cast<int>(number.exponent)),
                           number.significand);
  const uint64_t step = (turn[0] + kHalf) >> kShift;
  turn[0] -= step << kShift;
  const bool negative = turn[0] >> 63 != 0;
  const Pair part(leading(negative ? negated(turn) : turn));
  const Pair rest = part * Pair(circle_table().whole_step) *
                    static_cast<double>(CircleTable::kSteps);
  const bool flip = negative != number.negative;
  const uint64_t steps = number.negative ? -step : step;
  return {static_cast<size_t>(steps % CircleTable::kSteps),
          flip ? HiLo{-rest.hi, -rest.lo} : HiLo{rest.hi, rest.lo}};
}

}  // namespace hlo::numeric
