#include "backends/cpu/kernels/fold.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"

// What is expected is said number by number: NaN wins, and -0 lies below +0.

namespace hlo::cpu {
namespace {

bool is_before(float x, float y) {
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

float extreme(Fold fold, const Numbers& line, float init) {
  float best = init;
  for (const float x : line) {
    if (std::isnan(best)) return best;
    const bool wins =
        fold == Fold::kMaximum ? is_before(best, x) : is_before(x, best);
    if (wins || std::isnan(x)) best = x;
  }
  return best;
}

void expect_extremes(const Numbers& line, float init) {
  const auto count = static_cast<int64_t>(line.size());
  for (const Fold fold : {Fold::kMaximum, Fold::kMinimum}) {
    const float expected = extreme(fold, line, init);
    const float found = fold_line(fold, line.data(), count, init);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << found << " of " << count;
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(found),
                std::bit_cast<uint32_t>(expected))
          << found << " for " << expected << " of " << count;
    }
  }
}

constexpr int64_t kLengths[] = {0, 1, 15, 16, 63, 64, 65, 127, 128, 200};

TEST(FoldLine, FindsExtremesOfAnyNumbers) {
  on_each_target([] {
    for (const int64_t length : kLengths) {
      const Numbers line = random_numbers(length);
      for (const float init : {-kInf, kInf, 0.0F, -0.0F, kNan}) {
        expect_extremes(line, init);
      }
    }
  });
}

TEST(FoldLine, FindsOneNumberAtEachPlace) {
  on_each_target([] {
    for (const float odd : {kNan, 2.0F, -2.0F, kInf, -kInf}) {
      for (size_t place = 0; place < 130; ++place) {
        Numbers line(130, 1.0F);
        line[place] = odd;
        expect_extremes(line, 1.5F);
      }
    }
  });
}

TEST(FoldLine, KnowsZerosByTheirSigns) {
  on_each_target([] {
    for (const float others : {0.0F, -0.0F}) {
      for (size_t place = 0; place < 130; ++place) {
        Numbers line(130, others);
        line[place] = -others;
        expect_extremes(line, -kInf);
        expect_extremes(line, kInf);
        expect_extremes(line, -others);
      }
    }
  });
}

TEST(FoldLine, FindsExtremesBetweenInfinities) {
  on_each_target([] {
    Numbers line(100, 3.0F);
    line[7] = kInf;
    line[70] = -kInf;
    expect_extremes(line, 0.0F);
    line[99] = kNan;
    expect_extremes(line, 0.0F);
    expect_extremes(Numbers(64, -kInf), -kInf);
    expect_extremes(Numbers(64, std::numeric_limits<float>::max()), 0.0F);
  });
}

}  // namespace
}  // namespace hlo::cpu
