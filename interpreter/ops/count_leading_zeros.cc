// spec/ops/count_leading_zeros.md
#include <algorithm>
#include <bit>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct CountLeadingZeros {
  static uint64_t integer(uint64_t x, IntegerType type) {
    const int unused = 64 - type.bits;
    const int zeros = std::countl_zero(x << unused);
    return static_cast<uint64_t>(std::min(zeros, type.bits));
  }
};

}  // namespace

extern constinit const Op op_count_leading_zeros =
    elementwise<CountLeadingZeros>("count-leading-zeros");

}  // namespace hlo
