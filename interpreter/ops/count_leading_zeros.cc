// spec/ops/count_leading_zeros.md
#include <bit>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct CountLeadingZeros {
  static constexpr std::string_view kFormula =
      "how many bits of {0} are 0 before its first 1";

  static constexpr auto kReadAs = ReadAs::kUnsigned;

  template <class Integer>
  static Integer integer(Integer x, IntegerType type) {
    Integer zeros = type.bits;
    for (; x != 0; x = x >> 1) zeros = zeros - 1;
    return zeros;
  }

  static int fast_integer(uint64_t x, IntegerType type) {
    return std::countl_zero(x) - (64 - type.bits);
  }
};

}  // namespace

extern constinit const Op op_count_leading_zeros =
    elementwise<CountLeadingZeros>("count-leading-zeros");

}  // namespace hlo
