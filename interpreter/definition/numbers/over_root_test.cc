#include "interpreter/definition/numbers/over_root.h"

#include <gtest/gtest.h>

#include <bit>

#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

double in_double(const Real& x) {
  return std::bit_cast<double>(encode(x, ElementType::kF64));
}

TEST(OverRoot, RationalRootsAreExact) {
  EXPECT_EQ(over_root(3, 4, 0), 1.5);
  EXPECT_EQ(over_root(-3, 0.25, 7), 1);
}

TEST(OverRoot, IrrationalRootsAreRoundedOnce) {
  EXPECT_EQ(in_double(over_root(1, 2, 0)), 0x1.6a09e667f3bcdp-1);
  EXPECT_EQ(in_double(over_root(-1, 2, 0)), -0x1.6a09e667f3bcdp-1);
  EXPECT_EQ(in_double(over_root(1, 2, -0x1.6a09e667f3bcdp-1)),
            -0x1.bdd3413b26456p-55);
}

TEST(OverRoot, RootsOfWhatIsNotPositive) {
  EXPECT_TRUE(isnan(over_root(1, -1, 0)));
  EXPECT_TRUE(isnan(over_root(0, 0, 1)));
  EXPECT_EQ(over_root(-1, 0, 5), Real::infinity(true));
  EXPECT_EQ(over_root(1, Real::infinity(false), 5), 5);
}

}  // namespace
}  // namespace hlo::definition
