// spec/ops/shift_right_arithmetic.md
#include <algorithm>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftRightArithmetic {
  // The amount is read as an unsigned number of the type's width, the operand
  // as a signed one whatever its type.
  static uint64_t integer(uint64_t x, uint64_t amount, IntegerType type) {
    const int unused = 64 - type.bits;
    const uint64_t shift = amount << unused >> unused;
    const int64_t value = static_cast<int64_t>(x << unused) >> unused;
    return static_cast<uint64_t>(value >> std::min<uint64_t>(shift, 63));
  }
};

}  // namespace

extern constinit const Op op_shift_right_arithmetic =
    elementwise<ShiftRightArithmetic>("shift-right-arithmetic");

}  // namespace hlo
