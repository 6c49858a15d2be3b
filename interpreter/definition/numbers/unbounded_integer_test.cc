#include "interpreter/definition/numbers/unbounded_integer.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <vector>

#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/extended_real.h"

namespace hlo::definition {
namespace {

using boost::multiprecision::cpp_int;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

cpp_int rival(const Integer& x) { return cpp_int(whole(x).str()); }

TEST(UnboundedInteger, HoldsEveryType) {
  EXPECT_EQ(whole(Integer(kLeast)).str(), "-9223372036854775808");
  EXPECT_EQ(whole(Integer(~uint64_t{0})).str(), "18446744073709551615");
  EXPECT_EQ(Integer(int8_t{-1}), -1);
  EXPECT_EQ(Integer(uint8_t{255}), 255);
  EXPECT_EQ(Integer(true), 1);
  EXPECT_LT(Integer(-1), Integer(uint32_t{0}));
}

// Arithmetic without GMP. Squares leave 64 bits.
TEST(UnboundedInteger, AgreesWithRival) {
  std::vector<Integer> numbers;
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{3}, int64_t{-1},
                          int64_t{-7}, int64_t{1000}, kLeast, kMost}) {
    numbers.insert(numbers.end(), {n, Integer(n) * n, -(Integer(n) * n)});
  }
  for (const Integer& x : numbers) {
    for (const Integer& y : numbers) {
      EXPECT_EQ(rival(x + y), rival(x) + rival(y));
      EXPECT_EQ(rival(x - y), rival(x) - rival(y));
      EXPECT_EQ(rival(x * y), rival(x) * rival(y));
      EXPECT_EQ(x < y, rival(x) < rival(y));
      EXPECT_EQ(x == y, rival(x) == rival(y));
      if (y == 0) continue;
      EXPECT_EQ(rival(x / y), rival(x) / rival(y));
      EXPECT_EQ(rival(x % y), rival(x) % rival(y));
    }
  }
}

TEST(UnboundedInteger, HasTheBitsOfTwosComplement) {
  for (const int64_t x : {0, 1, -1, 6, -6, 1'000'003, -1'000'003}) {
    EXPECT_EQ(~Integer(x), ~x);
    EXPECT_EQ(abs(Integer(x)), std::abs(x));
    EXPECT_EQ(sign(Integer(x)), (x > 0) - (x < 0));
    for (const int64_t y : {0, 1, -1, 5, -5, 77'777, -77'777}) {
      EXPECT_EQ(Integer(x) & y, x & y);
      EXPECT_EQ(Integer(x) | y, x | y);
      EXPECT_EQ(Integer(x) ^ y, x ^ y);
    }
  }
}

TEST(UnboundedInteger, Shifts) {
  EXPECT_EQ(Integer(-3) << 5, -96);
  EXPECT_EQ(Integer(1) << 100 >> 98, 4);
  EXPECT_EQ(Integer(-7) >> 1, -4);
  EXPECT_EQ(Integer(7) >> 1, 3);
  EXPECT_EQ(Integer(-7) >> Integer(~uint64_t{0}), -1);
  EXPECT_EQ(Integer(7) >> (Integer(1) << 100), 0);
}

TEST(UnboundedInteger, IsAReal) {
  EXPECT_EQ(Real(Integer(-3)), -3);
  EXPECT_FALSE(signbit(Real(Integer(0))));
  EXPECT_EQ(integer_part(-3.75), -3);
  EXPECT_EQ(integer_part(0x1p100), Integer(1) << 100);
}

}  // namespace
}  // namespace hlo::definition
