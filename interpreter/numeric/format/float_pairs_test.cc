#include <gtest/gtest.h>

#include <array>

namespace hlo::numeric {
namespace {

using Pair = std::array<double, 2>;

/// Both numbers rounded to float and back.
[[gnu::noinline]] void round_both(const Pair& from, Pair& to) {
  const double first = static_cast<float>(from[0]);
  const double second = static_cast<float>(from[1]);
  to[0] = first;
  to[1] = second;
}

// g++ 12.2 with -O2 makes one vector of both, and rounds neither.
TEST(FloatPairs, AreRounded) {
  const volatile double little = 0x1p-30;
  Pair rounded{};
  round_both({1 + little, 1 - little}, rounded);
  EXPECT_EQ(rounded, (Pair{1, 1}));
}

}  // namespace
}  // namespace hlo::numeric
