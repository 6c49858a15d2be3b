#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"
#include "backends/tpu/testing/tile_edges.h"

namespace hlo::tpu {
namespace {

/// The indices along dimension `d`, counted in `type` and converted to f32.
std::vector<float> indices(const std::string& type, const std::string& shape,
                           const std::string& layout, int d) {
  return run_program("HloModule m\nENTRY main { i = " + type + shape + layout +
                     " iota(), iota_dimension=" + std::to_string(d) +
                     "\n ROOT r = f32" + shape + " convert(i) }");
}

TEST(TpuFill, CountsAlongEachDimension) {
  for (const char* layout : kLayouts) {
    for (const int64_t rows : {7, 8, 9}) {
      for (const int64_t columns : {127, 128, 129}) {
        const std::string shape = dims(rows, columns);
        const auto down = indices("s32", shape, layout, 0);
        const auto across = indices("f32", shape, layout, 1);
        for (int64_t k = 0; k < rows * columns; ++k) {
          const auto at = static_cast<size_t>(k);
          ASSERT_EQ(down.at(at), static_cast<float>(k / columns)) << layout;
          ASSERT_EQ(across.at(at), static_cast<float>(k % columns)) << layout;
        }
      }
    }
  }
}

// Indices of s4 wrap at 8; they lie two to a byte.
TEST(TpuFill, CountsInPackedTypes) {
  for (const int64_t n : {1023, 1024, 1025}) {
    const std::string shape = "[" + std::to_string(n) + "]";
    const auto wrapped = indices("s4", shape, "{0:T(1024)E(4)}", 0);
    for (int64_t k = 0; k < n; ++k) {
      ASSERT_EQ(wrapped.at(static_cast<size_t>(k)),
                static_cast<float>(k % 16 < 8 ? k % 16 : k % 16 - 16));
    }
  }
}

/// Numbers from 0 to 1 that rng draws.
std::string drawn(const std::string& shape) {
  return R"(HloModule m
    ENTRY main {
      zero = f32[] constant(0)
      one = f32[] constant(1)
      x = )" +
         shape + R"( rng(zero, one), distribution=rng_uniform
      ROOT r = f32[9,129] copy(x)
    })";
}

// Which number an element is does not depend on where it lies, and no number is
// drawn twice.
TEST(TpuFill, DrawsNumbersInTheOrderOfTheElements) {
  const auto plain = run_program(drawn("f32[9,129]"));
  for (const char* layout : kLayouts) {
    EXPECT_EQ(run_program(drawn("f32[9,129]" + std::string(layout))), plain);
  }
  EXPECT_GT(std::set<float>(plain.begin(), plain.end()).size(), 1150U);
}

// Two arrays take the numbers that one takes which has as many elements.
TEST(TpuFill, DrawsOneNumberForEachElement) {
  const std::string two = R"(HloModule m
    ENTRY main {
      zero = f32[] constant(0)
      one = f32[] constant(1)
      x = f32[100] rng(zero, one), distribution=rng_uniform
      y = f32[1061] rng(zero, one), distribution=rng_uniform
      ROOT r = f32[1161] concatenate(x, y), dimensions={0}
    })";
  EXPECT_EQ(run_program(two), run_program(drawn("f32[9,129]")));
}

}  // namespace
}  // namespace hlo::tpu
