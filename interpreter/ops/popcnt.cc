// spec/ops/popcnt.md
#include <bit>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct PopulationCount {
  static uint64_t integer(uint64_t x, IntegerType type) {
    const int unused = 64 - type.bits;  // copies of the sign do not count
    return static_cast<uint64_t>(std::popcount(x << unused));
  }
};

}  // namespace

extern constinit const Op op_popcnt = elementwise<PopulationCount>("popcnt");

}  // namespace hlo
