#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

/// The parts in `narrow`, `count` to an element, of the numbers 0, 1000, 2000,
/// ... of type `wide`, as f32.
std::vector<float> parts(int64_t n, const std::string& wide,
                         const std::string& narrow, int64_t count,
                         const std::string& layout) {
  const std::string numbers = wide + "[" + std::to_string(n) + "]";
  const std::string split =
      "[" + std::to_string(n) + "," + std::to_string(count) + "]";
  return run_program("HloModule m\nENTRY main { i = " + numbers +
                     " iota(), iota_dimension=0\n k = " + wide +
                     "[] constant(1000)\n ks = " + numbers +
                     " broadcast(k), dimensions={}\n x = " + numbers +
                     " multiply(i, ks)\n b = " + narrow + split + layout +
                     " bitcast-convert(x)\n ROOT r = f32" + split +
                     " convert(b) }");
}

// The first part is the lowest.
TEST(TpuBitcasts, SplitsElementsIntoParts) {
  for (const char* layout : {"", "{0,1:T(8,128)}", "{1,0:T(8,128)(2,1)}"}) {
    for (const int64_t n : {7, 8, 9, 127, 128, 129, 1023, 1024, 1025}) {
      const auto halves = parts(n, "u32", "u16", 2, layout);
      for (int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<size_t>(2 * i);
        ASSERT_EQ(halves.at(at), static_cast<float>(1000 * i & 0xffff));
        ASSERT_EQ(halves.at(at + 1), static_cast<float>(1000 * i >> 16));
      }
    }
  }
}

TEST(TpuBitcasts, SplitsElementsIntoPackedOnes) {
  for (const char* layout : {"", "{1,0:T(8,128)E(4)}", "{0,1:T(2,128)E(4)}"}) {
    for (const int64_t n : {127, 128, 129}) {
      const auto nibbles = parts(n, "u16", "u4", 4, layout);
      for (int64_t k = 0; k < 4 * n; ++k) {
        const int64_t number = 1000 * (k / 4) & 0xffff;
        ASSERT_EQ(nibbles.at(static_cast<size_t>(k)),
                  static_cast<float>(number >> (4 * (k % 4)) & 0xf))
            << layout << " at " << k;
      }
    }
  }
}

TEST(TpuBitcasts, JoinsParts) {
  for (const int64_t n : {127, 128, 129}) {
    const std::string size = std::to_string(n);
    const auto joined = run_program(
        "HloModule m\nENTRY main { j = u8[" + size +
        ",2]{0,1:T(8,128)} iota(), iota_dimension=1\n w = u16[" + size +
        "] bitcast-convert(j)\n ROOT r = f32[" + size + "] convert(w) }");
    EXPECT_EQ(joined, std::vector<float>(static_cast<size_t>(n), 256));
  }
}

// The slots are those of the map in spec/layout.md, and padding is zeros.
TEST(TpuBitcasts, ReadsTheSlotsOfALayout) {
  const auto slots = run_program(R"(HloModule m
    ENTRY main {
      i = f32[3,5] iota(), iota_dimension=0
      j = f32[3,5] iota(), iota_dimension=1
      five = f32[] constant(5)
      fives = f32[3,5] broadcast(five), dimensions={}
      rows = f32[3,5] multiply(i, fives)
      x = f32[3,5]{1,0:T(2,2)} add(rows, j)
      y = f32[2,6]{1,0:T(4,6)} bitcast(x)
      ROOT r = f32[2,6] copy(y)
    })");
  const std::vector<int> map = {0, 1,  4,  5,  8,  2,  3, 6,
                                7, 10, 12, 13, 16, 17, 20};
  std::vector<float> expected(24, 0);
  for (size_t k = 0; k < map.size(); ++k) {
    expected.at(static_cast<size_t>(map[k])) = static_cast<float>(k);
  }
  expected.resize(12);  // the other 12 slots are padding of y
  EXPECT_EQ(slots, expected);
}

// M(8): a size of 32 bits, as many that say nothing, and two numbers.
constexpr const char* kNumbers = R"(HloModule m
    ENTRY main {
      numbers = s32[4] constant({2, 9, 30, 40})
      front = s32[<=2]{0:M(8)} bitcast(numbers)
    )";

TEST(TpuBitcasts, ReadSizesInFrontOfElements) {
  EXPECT_EQ(run_program(std::string(kNumbers) + R"(
      n = s32[] get-dimension-size(front), dimensions={0}
      ROOT r = f32[] convert(n) })"),
            (std::vector<float>{2}));
  EXPECT_EQ(run_program(std::string(kNumbers) + R"(
      c = f32[<=2]{0:M(8)} convert(front)
      two = s32[] constant(2)
      ROOT r = f32[2] set-dimension-size(c, two), dimensions={0} })"),
            (std::vector<float>{30, 40}));
}

// Tiles make the buffers as large as the operand's is with its sizes.
TEST(TpuBitcasts, HaveSizesInFrontAsBits) {
  EXPECT_EQ(run_program(std::string(kNumbers) + R"(
      b = u8[3]{0:T(16)} bitcast(front)
      ROOT r = f32[3] convert(b) })"),
            (std::vector<float>{2, 0, 0}));
  EXPECT_EQ(run_program(std::string(kNumbers) + R"(
      b = s32[2]{0:M(8)} bitcast(front)
      ROOT r = f32[2] convert(b) })"),
            (std::vector<float>{30, 40}));
}

TEST(TpuBitcasts, RefuseSizesAboveTheBounds) {
  try {
    run_program(R"(HloModule m
      ENTRY main { x = s32[4] constant({3, 0, 30, 40})
                   ROOT r = s32[<=2]{0:M(8)} bitcast(x) })");
    FAIL() << "a size of 3 is taken for one within 2";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "a buffer's prefix has the size 3 where the bound is 2, but it "
        "must be within the bound");
  }
}

}  // namespace
}  // namespace hlo::tpu
