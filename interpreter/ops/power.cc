// spec/ops/power.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

// The exact power truncated towards zero, then wrapped.
uint64_t integer_power(uint64_t base, uint64_t exponent, IntegerType type) {
  if (type.is_signed && static_cast<int64_t>(exponent) < 0) {
    if (base == 1) return 1;
    if (base != ~uint64_t{0}) return 0;
    return (exponent & 1) == 0 ? 1 : base;
  }
  uint64_t result = 1;
  for (uint64_t factor = base; exponent != 0; exponent >>= 1) {
    // The factor or 1, without a branch that nobody can predict.
    result *= ((factor - 1) & -(exponent & 1)) + 1;
    factor *= factor;
  }
  return result;
}

struct Power {
  static uint64_t integer(uint64_t base, uint64_t exponent, IntegerType type) {
    return integer_power(base, exponent, type);
  }

  static constexpr numeric::Function2 kFunction2 = numeric::Function2::kPower;

  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kPower;
};

}  // namespace

extern constinit const Op op_power = elementwise<Power>("power", rounded());

}  // namespace hlo
