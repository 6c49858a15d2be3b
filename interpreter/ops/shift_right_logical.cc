// spec/ops/shift_right_logical.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftRightLogical {
  // Operand and amount are read as unsigned numbers of the type's width.
  static uint64_t integer(uint64_t x, uint64_t amount, IntegerType type) {
    const int unused = 64 - type.bits;
    const uint64_t shift = amount << unused >> unused;
    const uint64_t value = x << unused >> unused;
    return shift < static_cast<uint64_t>(type.bits) ? value >> shift : 0;
  }
};

}  // namespace

extern constinit const Op op_shift_right_logical =
    elementwise<ShiftRightLogical>("shift-right-logical");

}  // namespace hlo
