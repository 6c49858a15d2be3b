#include "interpreter/plans/linear/extended.h"

#include <gtest/gtest.h>

#include "interpreter/numeric/format/float_format.h"

namespace hlo {
namespace {

uint64_t over_root(double a, double v, double c, ElementType type) {
  return round_over_root(Extended::of(a), Extended::of(v), Extended::of(c),
                         numeric::format(type));
}

// sqrt 2 / 2 = 0.70710678118654752440084436210484903928...
TEST(Extended, NumbersOverRootsAreAddedToAnother) {
  using enum ElementType;
  EXPECT_EQ(over_root(1, 2, 0, kF32), 0x3f3504f3);
  EXPECT_EQ(over_root(1, 2, 1, kF32), 0x3fda827a);
  EXPECT_EQ(over_root(1, 2, -1, kF32), 0xbe95f61a);
  EXPECT_EQ(over_root(-1, 2, 1, kF32), 0x3e95f61a);
  EXPECT_EQ(over_root(3, 4, 0.5, kF32), 0x40000000);
}

}  // namespace
}  // namespace hlo
