#include "interpreter/definition/numbers/cosine_sum.h"

#include <gtest/gtest.h>

#include <bit>

#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

double in_double(const Real& x) {
  return std::bit_cast<double>(encode(x, ElementType::kF64));
}

TEST(CosineSums, RationalSumsAreExact) {
  CosineSums sums(20);
  sums.add(4, 3);
  sums.add(8, 3);
  EXPECT_EQ(sums.times(5), -7.5);
  sums.clear();
  sums.add(1, 1);
  sums.add(9, 1);
  EXPECT_EQ(sums.times(1), 0);
}

// The cosines of k and -k are one number, and those of 1, 2, 3 and 4 of order 5
// add up to -1.
TEST(CosineSums, PlacesAreTakenModuloTheOrder) {
  CosineSums sums(60);
  for (const int64_t k : {-48, -36, 36, 48}) sums.add(k, 1);
  EXPECT_EQ(sums.times(1), -1);
}

TEST(CosineSums, IrrationalSumsAreRoundedOnce) {
  CosineSums sums(28);
  sums.add(4, 1);
  EXPECT_EQ(in_double(sums.times(1)), 0x1.3f3a0e28bedd1p-1);
  sums.clear();
  sums.add(4, int64_t{1} << 53);
  sums.add(0, -0x13f3a0e28bedd1);
  EXPECT_EQ(in_double(sums.times(1)), 0x1.b2fbc2cf229dcp-2);
}

}  // namespace
}  // namespace hlo::definition
