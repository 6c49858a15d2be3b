// spec/ops/popcnt.md
#include <bit>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct PopulationCount {
  static constexpr std::string_view kFormula = "how many bits of {0} are 1";

  static constexpr auto kReadAs = ReadAs::kUnsigned;

  template <class Integer>
  static Integer integer(Integer x, IntegerType) {
    Integer ones = 0;
    for (; x != 0; x = x >> 1) ones = ones + (x & 1);
    return ones;
  }

  static int fast_integer(uint64_t x, IntegerType) { return std::popcount(x); }
};

}  // namespace

extern constinit const Op op_popcnt = elementwise<PopulationCount>("popcnt");

}  // namespace hlo
