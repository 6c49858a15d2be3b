// spec/ops/mulhi.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

/// The high 64 bits of the product of unsigned numbers.
uint64_t high_product(uint64_t a, uint64_t b) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (a & kLow) * (b & kLow);
  const uint64_t middle = (a >> 32) * (b & kLow) + (low >> 32);
  const uint64_t carry = (a & kLow) * (b >> 32) + (middle & kLow);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (carry >> 32);
}

struct Mulhi {
  static constexpr std::string_view kFormula =
      "the upper half of the bits of {0} * {1}";

  template <class Integer>
  static Integer integer(Integer a, Integer b, IntegerType type) {
    return (a * b) >> type.bits;
  }

  // The product of integers of 64 bits takes more of them.
  template <class Integer>
  static Integer fast_integer(Integer a, Integer b, IntegerType type) {
    if (type.bits < 64) return integer(a, b, type);
    const auto high = static_cast<Integer>(
        high_product(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
    // A negative operand -m was read as 2^64 - m.
    return high - (a < 0 ? b : 0) - (b < 0 ? a : 0);
  }
};

}  // namespace

extern constinit const Op op_mulhi = elementwise<Mulhi>("mulhi");

}  // namespace hlo
