#include "backends/cpu/kernels/products/convolve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/testing/numbers.h"

// What is expected is computed here element by element, by chains of std::fma.
// Each test runs on all instruction sets of the machine.

namespace hlo::cpu {
namespace {

struct Plane {
  int64_t size, window, places, stride, low, dilation, base;
};

/// The element of a convolution in two dimensions, batch and feature fixed.
float convolved(const Convolution& c, const Plane& p, const Numbers& input,
                const Numbers& kernel, int64_t row, int64_t feature) {
  const int64_t features = c.groups * c.inputs;
  const int64_t batch = row / (p.places * p.places);
  float sum = 0;
  for (int64_t t = 0; t < p.window * p.window; ++t) {
    int64_t place[2] = {row / p.places % p.places, row % p.places};
    bool inside = true;
    for (int64_t d = 0; d < 2; ++d) {
      const int64_t tap = d == 0 ? t / p.window : t % p.window;
      const int64_t at = place[d] * p.stride - p.low + tap * p.dilation;
      inside = inside && at >= 0 && at % p.base == 0 && at / p.base < p.size;
      place[d] = at / p.base;
    }
    for (int64_t i = 0; inside && i < c.inputs; ++i) {
      const int64_t from =
          ((batch * p.size + place[0]) * p.size + place[1]) * features +
          feature / c.outputs * c.inputs + i;
      const int64_t weight =
          (t * c.inputs + i) * c.groups * c.outputs + feature;
      sum = std::fma(input[static_cast<size_t>(from)],
                     kernel[static_cast<size_t>(weight)], sum);
    }
  }
  return sum;
}

void test_convolution(const Plane& p, int64_t groups, int64_t inputs,
                      int64_t outputs, float weight) {
  const int64_t features = groups * inputs;
  const WindowLine line{p.size, p.window,   p.places, p.stride,
                        p.low,  p.dilation, p.base,   features};
  WindowLine first = line;
  first.step = p.size * features;
  const Numbers input = random_numbers(2 * p.size * p.size * features);
  Numbers kernel = random_numbers(p.window * p.window * features * outputs);
  kernel[0] = weight;
  const Convolution c{Windows({first, line}),
                      2,
                      p.size * p.size * features,
                      inputs,
                      outputs,
                      groups,
                      input.data(),
                      {kernel.data(), groups * outputs, 1},
                      kernel};
  Numbers expected;
  for (int64_t row = 0; row < 2 * p.places * p.places; ++row) {
    for (int64_t o = 0; o < groups * outputs; ++o) {
      expected.push_back(convolved(c, p, input, kernel, row, o));
    }
  }
  everywhere([&] {
    Numbers result(expected.size(), kNan);
    result.push_back(42);
    convolve(c, result.data());
    ASSERT_EQ(result.back(), 42);  // nothing is written there
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(result[i] == expected[i] ||
                  (std::isnan(result[i]) && std::isnan(expected[i])))
          << i;
    }
  });
}

TEST(Convolve, IsAChainOverTapsThenFeatures) {
  test_convolution({5, 3, 5, 1, 1, 1, 1}, 1, 3, 17, 0.5F);
  test_convolution({9, 3, 4, 2, 1, 1, 1}, 2, 4, 5, 0.5F);
  test_convolution({7, 2, 6, 1, 0, 1, 1}, 1, 300, 1, 0.5F);
  test_convolution({6, 3, 8, 1, 3, 2, 2}, 1, 2, 2, 0.5F);
}

TEST(Convolve, LeavesOutWhatAFewPlacesReadOutsideOfALine) {
  test_convolution({14, 3, 14, 1, 1, 1, 1}, 1, 16, 33, 0.5F);
  test_convolution({15, 3, 8, 2, 1, 1, 1}, 1, 20, 16, 0.5F);
  test_convolution({16, 3, 16, 1, 2, 2, 1}, 1, 16, 16, 0.5F);
  test_convolution({29, 3, 29, 1, 1, 1, 1}, 2, 16, 5, 0.5F);
  test_convolution({7, 2, 8, 1, 1, 1, 1}, 1, 17, 40, 0.5F);
}

TEST(Convolve, ReadsLinesWhereTheyLie) {
  test_convolution({20, 3, 8, 2, -1, 1, 1}, 1, 16, 7, 0.5F);
  test_convolution({16, 1, 15, 1, 0, 1, 1}, 3, 16, 7, 0.5F);
  test_convolution({17, 3, 13, 1, 0, 2, 1}, 1, 18, 34, 0.5F);
}

TEST(Convolve, CopiesLinesWithTheirPadding) {
  // Few features, far padding, at both ends, gaps, lines in sections, rows of
  // 4 KiB, more weights than a cache holds.
  test_convolution({20, 7, 10, 2, 3, 1, 1}, 1, 3, 40, 0.5F);
  test_convolution({12, 7, 12, 1, 3, 1, 1}, 1, 17, 9, 0.5F);
  test_convolution({8, 3, 14, 1, 4, 1, 1}, 2, 16, 9, 0.5F);
  test_convolution({6, 1, 8, 1, 1, 1, 1}, 1, 19, 9, 0.5F);
  test_convolution({6, 3, 12, 1, 1, 1, 2}, 1, 18, 9, 0.5F);
  test_convolution({230, 3, 230, 1, 1, 1, 1}, 1, 2, 1, 0.5F);
  test_convolution({14, 1, 14, 1, 0, 1, 1}, 1, 1024, 3, 0.5F);
  test_convolution({7, 3, 7, 1, 1, 1, 1}, 1, 1024, 34, 0.5F);
}

TEST(Convolve, OfOneFeatureEach) {
  test_convolution({6, 3, 6, 1, 1, 1, 1}, 19, 1, 1, kInf);
  test_convolution({6, 3, 6, 1, 1, 1, 1}, 19, 1, 1, 0.5F);
  test_convolution({6, 3, 3, 2, 1, 1, 1}, 70, 1, 1, 0.5F);
}

TEST(Convolve, OfOneFeatureEachAtPlacesTogether) {
  // Lines longer than a task, windows that reach beyond one end or both, gaps.
  test_convolution({130, 3, 130, 1, 1, 1, 1}, 33, 1, 1, 0.5F);
  test_convolution({24, 3, 9, 2, -1, 2, 1}, 32, 1, 1, 0.5F);
  test_convolution({12, 3, 4, 2, -1, 2, 1}, 32, 1, 1, 0.5F);
  test_convolution({6, 3, 8, 1, 3, 2, 2}, 20, 1, 1, 0.5F);
  test_convolution({4, 7, 6, 1, 4, 1, 1}, 3, 1, 1, 0.5F);
  test_convolution({4, 2, 3, 1, 9, 1, 1}, 3, 1, 1, 0.5F);
  test_convolution({9, 1, 3, 4, 1, 1, 1}, 40, 1, 1, 0.5F);
}

TEST(Convolve, CountsNothingOutsideOfTheInput) {
  test_convolution({5, 3, 5, 1, 1, 1, 1}, 1, 3, 17, kInf);
  test_convolution({5, 3, 5, 1, 1, 1, 1}, 1, 3, 17, kNan);
  test_convolution({8, 3, 8, 1, 1, 1, 1}, 1, 3, 17, kInf);
  test_convolution({8, 3, 8, 1, 1, 1, 1}, 1, 16, 17, kNan);
}

}  // namespace
}  // namespace hlo::cpu
