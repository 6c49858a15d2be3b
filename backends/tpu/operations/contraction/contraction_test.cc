#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/contraction/blocking.h"
#include "backends/tpu/run/grid_run.h"
#include "backends/tpu/testing/run_tpu.h"
#include "interpreter/evaluate.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using Floats = std::vector<float>;

/// The one result of an entry without parameters, of type f32.
Floats run(const std::string& lines, const std::string& uri = "tpu:") {
  return tpu::run_program("ENTRY main {\n" + lines + "}\n", uri);
}

/// A convolution of {1, 2, 3, 4} with {1, 10, 100}.
Floats convolved(const std::string& window, int64_t places) {
  return run(fmt::format(R"(
    x = f32[1,4,1] constant({{{{{{1}},{{2}},{{3}},{{4}}}}}})
    k = f32[3,1,1] constant({{{{{{1}}}},{{{{10}}}},{{{{100}}}}}})
    c = f32[1,{0},1] convolution(x, k), window={{size=3 {1}}}, dim_labels=b0f_0io->b0f
    ROOT r = f32[{0}] reshape(c)
  )",
                         places, window));
}

/// The one element of the dot of two vectors of f32.
float dot(const std::string& x, const std::string& y, int64_t terms,
          const std::string& mode, const std::string& type = "f32") {
  return run(fmt::format(R"(
    x = {2}[{3}] constant({{{0}}})
    y = {2}[{3}] constant({{{1}}})
    ROOT r = f32[] dot(x, y), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}
  )",
                         x, y, type, terms),
             "tpu:?matrix=" + mode)
      .at(0);
}

/// x[m,k] = m + k times y[k,n] = k - n, both in some layout.
std::string polynomial(int64_t rows, int64_t depth, int64_t columns,
                       const std::string& left, const std::string& right) {
  return fmt::format(R"(
    m = f32[{0},{1}]{3} iota(), iota_dimension=0
    k = f32[{0},{1}]{3} iota(), iota_dimension=1
    x = f32[{0},{1}]{3} add(m, k)
    i = f32[{1},{2}]{4} iota(), iota_dimension=0
    n = f32[{1},{2}]{4} iota(), iota_dimension=1
    y = f32[{1},{2}]{4} subtract(i, n)
    ROOT r = f32[{0},{2}] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  )",
                     rows, depth, columns, left, right);
}

/// The sum over k of (m + k) (k - n).
int64_t polynomial_sum(int64_t depth, int64_t m, int64_t n) {
  const int64_t first = depth * (depth - 1) / 2;
  const int64_t second = (depth - 1) * depth * (2 * depth - 1) / 6;
  return second + (m - n) * first - m * n * depth;
}

TEST(TpuContraction, TakesOperandsFromAnyLayout) {
  for (const std::string left :
       {"", "{0,1}", "{1,0:T(8,128)}", "{0,1:T(8,128)(2,1)}", "{1,0:T(3,5)}"}) {
    for (const std::string right : {"", "{0,1:T(2,128)}"}) {
      const Floats sums = run(polynomial(129, 130, 131, left, right));
      for (int64_t m = 0; m < 129; ++m) {
        for (int64_t n = 0; n < 131; ++n) {
          ASSERT_EQ(sums[static_cast<size_t>(m * 131 + n)],
                    static_cast<float>(polynomial_sum(130, m, n)))
              << left << right << " at " << m << ", " << n;
        }
      }
    }
  }
}

TEST(TpuContraction, SplitsWhatTheScratchMemoryCannotHold) {
  constexpr int64_t kBytes = 192 << 10;
  const Module module = verified_module(
      "ENTRY main {\n" + polynomial(129, 130, 131, "", "") + "}\n");
  Evaluator evaluator(kReference);
  tpu::Scratch scratch(kBytes);
  tpu::Machine machine{
      .memory = tpu::Hbm(512), .scratch = scratch, .evaluator = evaluator};
  const tpu::LayoutPlan plan(module, *machine.generation);
  const tpu::Value result = tpu::execute(machine, plan, *module.entry, {});
  const Literal sums = tpu::read_elements(machine, result.array);
  for (int64_t i = 0; i < 129 * 131; ++i) {
    ASSERT_EQ(sums.data<float>()[static_cast<size_t>(i)],
              static_cast<float>(polynomial_sum(130, i / 131, i % 131)));
  }
  EXPECT_GT(machine.counters.matrix_passes, 2 * 2 * 2);
  EXPECT_LE(machine.scratch.peak(), kBytes);
  EXPECT_EQ(machine.scratch.held(), 0);
}

TEST(TpuContraction, HasNoTermsWithoutADepth) {
  const Floats sums = run(R"(
    o = f32[] constant(-1)
    x = f32[2,0] broadcast(o), dimensions={}
    y = f32[0,3] broadcast(o), dimensions={}
    ROOT r = f32[2,3] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  )");
  EXPECT_EQ(sums, Floats(6, 0.0F));
  for (const float sum : sums) EXPECT_FALSE(std::signbit(sum));
}

TEST(TpuContraction, SlidesWindows) {
  EXPECT_EQ(convolved("", 2), (Floats{321, 432}));
  EXPECT_EQ(convolved("rhs_reversal=1", 2), (Floats{123, 234}));
  EXPECT_EQ(convolved("pad=1_1", 4), (Floats{210, 321, 432, 43}));
  EXPECT_EQ(convolved("pad=-1_0", 1), (Floats{432}));
  EXPECT_EQ(convolved("stride=2 pad=1_1", 2), (Floats{210, 432}));
  EXPECT_EQ(convolved("lhs_dilate=2", 5), (Floats{201, 20, 302, 30, 403}));
  EXPECT_EQ(convolved("pad=1_0 rhs_dilate=2", 1), (Floats{420}));
}

TEST(TpuContraction, MultipliesNothingInPadding) {
  EXPECT_EQ(run(R"(
    x = f32[1,1,1] constant({{{3}}})
    k = f32[3,1,1] constant({{{inf}},{{2}},{{nan}}})
    c = f32[1,1,1] convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f
    ROOT r = f32[1] reshape(c)
  )"),
            (Floats{6}));
}

// The weights of the cells are inf, 1 and 1/2, of 64 features each: so many
// that the matrix unit has fewer cycles. The first place has its first cell in
// padding.
TEST(TpuContraction, MultipliesNothingInPaddingOnTheMatrixUnit) {
  const Floats sums = run(R"(
    o = f32[] constant(1)
    x = f32[1,2,64] broadcast(o), dimensions={}
    cell = f32[3,64,64] iota(), iota_dimension=0
    ones = f32[3,64,64] broadcast(o), dimensions={}
    k = f32[3,64,64] divide(ones, cell)
    ROOT r = f32[1,2,64] convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f
  )");
  for (size_t feature = 0; feature < 64; ++feature) {
    EXPECT_EQ(sums.at(feature), 96);
    EXPECT_EQ(sums.at(64 + feature), std::numeric_limits<float>::infinity());
  }
}

TEST(TpuContraction, KeepsGroupsApart) {
  EXPECT_EQ(run(R"(
    x = f32[1,4] constant({{1, 2, 3, 4}})
    k = f32[2,2] constant({{1, 10}, {100, 1000}})
    ROOT r = f32[1,2] convolution(x, k), dim_labels=bf_io->bf, feature_group_count=2
  )"),
            (Floats{201, 4030}));
  EXPECT_EQ(run(R"(
    x = f32[2,2] constant({{1, 2}, {3, 4}})
    k = f32[2,2] constant({{1, 10}, {100, 1000}})
    ROOT r = f32[1,2] convolution(x, k), dim_labels=bf_io->bf, batch_group_count=2
  )"),
            (Floats{201, 4030}));
}

// A feature group for each feature: place + (place + 1) + (place + 2), times
// the feature's weight.
TEST(TpuContraction, HasAFeatureGroupForEachFeature) {
  const Floats sums = run(R"(
    x = f32[1,202,3] iota(), iota_dimension=1
    one = f32[] constant(1)
    ones = f32[3,1,3] broadcast(one), dimensions={}
    i = f32[3,1,3] iota(), iota_dimension=2
    k = f32[3,1,3] add(i, ones)
    ROOT r = f32[1,200,3] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=3
  )");
  for (int64_t place = 0; place < 200; ++place) {
    for (int64_t feature = 0; feature < 3; ++feature) {
      EXPECT_EQ(sums.at(static_cast<size_t>(place * 3 + feature)),
                static_cast<float>((3 * place + 3) * (feature + 1)));
    }
  }
}

// 1 + 2^-8 is a tie of bf16, which goes to 1; of two numbers of bf16 it is the
// sum, as it is for 1 + 2^-20.
TEST(TpuContraction, RoundsF32AsTheModeSays) {
  const std::string near = "1.00000095367431640625";
  EXPECT_EQ(dot("1.00390625", "256", 1, "exact"), 257);
  EXPECT_EQ(dot("1.00390625", "256", 1, "bf16"), 256);
  EXPECT_EQ(dot("1.00390625", "256", 1, "bf16x3"), 257);
  // Pieces of 1 + 2^-8 + 2^-16 + 2^-23 end in the third one.
  const std::string long_one = "1.00392162799835205078125";
  EXPECT_EQ(dot(long_one, "1", 1, "bf16x6"), 1 + 0x1p-8F + 0x1p-16F + 0x1p-23F);
  EXPECT_EQ(dot(near, "1048576", 1, "bf16x3"), 0x1p20F + 1);
  // (2^-8)^2 is a product of second pieces, which 6 passes have and 3 do not.
  const std::string both = "1.00390625";
  EXPECT_EQ(dot(both, both, 1, "bf16x3"), 1 + 0x1p-7F);
  EXPECT_EQ(dot(both, both, 1, "bf16x6"), 1 + 0x1p-7F + 0x1p-16F);
  EXPECT_EQ(dot(both, both, 1, "exact"), 1 + 0x1p-7F + 0x1p-16F);
}

TEST(TpuContraction, MultipliesNarrowTypesAsTheyAre) {
  for (const std::string mode : {"exact", "bf16", "bf16x3"}) {
    EXPECT_EQ(dot("1.0009765625", "1024", 1, mode, "f16"), 1025) << mode;
    EXPECT_EQ(dot("1.0078125", "128", 1, mode, "bf16"), 129) << mode;
  }
}

// f32 sums lose the ones behind 2^24, those of f64 do not.
TEST(TpuContraction, AddsInF32WhereTheModeSaysSo) {
  EXPECT_EQ(dot("16777216, 1, 1", "1, 1, 1", 3, "exact"), 16777218.0F);
  EXPECT_EQ(dot("16777216, 1, 1", "1, 1, 1", 3, "bf16"), 16777216.0F);
}

TEST(TpuContraction, KeepsInfinitiesAndLargeNumbersInPieces) {
  const float inf = std::numeric_limits<float>::infinity();
  const float most = std::numeric_limits<float>::max();
  for (const std::string mode : {"bf16", "bf16x3", "bf16x6", "bf16x9"}) {
    EXPECT_EQ(dot("inf", "1.00390625", 1, mode), inf) << mode;
    EXPECT_TRUE(std::isnan(dot("inf", "0", 1, mode))) << mode;
    EXPECT_TRUE(std::isnan(dot("nan", "1", 1, mode))) << mode;
  }
  EXPECT_EQ(dot("3.4028234663852886e38", "1", 1, "bf16"), 0x1.fep127F);
  EXPECT_EQ(dot("3.4028234663852886e38", "1", 1, "bf16x6"), most);
  EXPECT_EQ(dot("3.4028234663852886e38", "1", 1, "bf16x9"), most);
}

// One more than the unit of 256 rows and columns, which two registers hold.
TEST(TpuContraction, FillsTheMatrixUnitOfItsGeneration) {
  for (const int64_t size : {200, 256, 257}) {
    const Floats sums = run(polynomial(size, size + 1, size + 2, "", ""),
                            "tpu:?generation=v6e");
    for (int64_t i = 0; i < size * (size + 2); ++i) {
      ASSERT_EQ(sums[static_cast<size_t>(i)],
                static_cast<float>(
                    polynomial_sum(size + 1, i / (size + 2), i % (size + 2))))
          << size << ", at " << i;
    }
  }
}

TEST(TpuContraction, ShrinksBlocksToTheRoom) {
  const Module module =
      verified_module("ENTRY main {\n" + polynomial(9, 9, 9, "", "") + "}\n");
  const tpu::Scheme scheme =
      tpu::scheme_of(*module.entry->root, tpu::MatrixMode::kExact);
  const tpu::ContractionMap::Extents large{5000, 5000, 5000};
  const tpu::Blocking most = tpu::blocking_of(scheme, large, 128, INT64_MAX);
  EXPECT_EQ(most.row_blocks, 8);
  EXPECT_EQ(most.column_blocks, 8);
  EXPECT_EQ(most.rows, 128);
  // Accumulators, rows and weights of one block, 128 KiB each.
  const tpu::Blocking one = tpu::blocking_of(scheme, large, 128, 3 << 17);
  EXPECT_EQ(one.row_blocks * one.column_blocks, 1);
  EXPECT_EQ(one.rows, 128);
  // Blocks of 256 rows and columns take 512 KiB each.
  const tpu::Blocking wide = tpu::blocking_of(scheme, large, 256, 3 << 19);
  EXPECT_EQ(wide.row_blocks * wide.column_blocks, 1);
  EXPECT_EQ(wide.rows, 256);
  EXPECT_EQ(tpu::blocking_of(scheme, large, 256, (3 << 19) - 1).rows, 128);
  const tpu::Blocking least = tpu::blocking_of(scheme, large, 128, 0);
  EXPECT_EQ(least.rows, 8);
  EXPECT_EQ(least.depth, 8);
  const tpu::Blocking small =
      tpu::blocking_of(scheme, {9, 9, 9}, 128, INT64_MAX);
  EXPECT_EQ(small.rows, 16);
  EXPECT_EQ(small.depth, 16);
  EXPECT_EQ(small.row_blocks, 1);
}

}  // namespace
}  // namespace hlo
