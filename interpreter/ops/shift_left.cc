// spec/ops/shift_left.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftLeft {
  // The amount is read as an unsigned number of the type's width.
  static uint64_t integer(uint64_t x, uint64_t amount, IntegerType type) {
    const int unused = 64 - type.bits;
    const uint64_t shift = amount << unused >> unused;
    return shift < static_cast<uint64_t>(type.bits) ? x << shift : 0;
  }
};

}  // namespace

extern constinit const Op op_shift_left = elementwise<ShiftLeft>("shift-left");

}  // namespace hlo
