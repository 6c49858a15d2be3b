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
  static uint64_t integer(uint64_t a, uint64_t b, IntegerType type) {
    if (type.bits < 64 && type.is_signed) {
      return static_cast<uint64_t>(
          (static_cast<int64_t>(a) * static_cast<int64_t>(b)) >> type.bits);
    }
    if (type.bits < 64) return (a * b) >> type.bits;
    uint64_t high = high_product(a, b);
    // A negative operand -m was read as 2^64 - m.
    if (type.is_signed && static_cast<int64_t>(a) < 0) high -= b;
    if (type.is_signed && static_cast<int64_t>(b) < 0) high -= a;
    return high;
  }
};

}  // namespace

extern constinit const Op op_mulhi = elementwise<Mulhi>("mulhi");

}  // namespace hlo
