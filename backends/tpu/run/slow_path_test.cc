#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "backends/tpu/operations/one_by_one.h"
#include "backends/tpu/run/grid_run.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/array_memory.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify.h"

namespace hlo::tpu {
namespace {

/// The bytes that a program without parameters has outside of tiles on a
/// machine with so much scratch memory. The arrays of the reference, which are
/// counted here by the reference, hold no more than the scratch memory.
int64_t untiled_bytes(const std::string& body, int64_t scratch,
                      const std::string& computations = "") {
  const Module module = verified_module(R"(HloModule m
    less { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = pred[] compare(a, b), direction=LT }
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
    )" + computations + R"(
    ENTRY main {
      x = f32[9,1025] iota(), iota_dimension=1
      one = f32[] constant(1) )" + body +
                                        " }");
  constexpr int64_t kGrain = 512;
  Evaluator evaluator(kReference);
  Scratch memory(scratch);
  Machine machine{
      .memory = Hbm(kGrain), .scratch = memory, .evaluator = evaluator};
  const LayoutPlan plan(module, generations().front());
  const ArrayAllowanceScope scope(std::make_shared<ArrayAllowance>(scratch));
  execute(machine, plan, *module.entry, {});
  return machine.counters.untiled_bytes;
}

constexpr int64_t kScratch = int64_t{16} << 20;
constexpr int64_t kTiny = int64_t{64} << 10;
constexpr const char* kSort =
    "ROOT r = f32[9,1025] sort(x), dimensions={1}, to_apply=less";

TEST(TpuSlowPath, IsTakenByATenthOfTheOperations) {
  constexpr size_t kTenth = 10;
  EXPECT_LE(slow_operations().size() * kTenth, all_ops().size());
  for (const SlowOperation& slow : slow_operations()) {
    EXPECT_NE(find_op(slow.name), nullptr) << slow.name;
    EXPECT_FALSE(slow.when.empty()) << slow.name;
  }
  EXPECT_TRUE(
      std::ranges::is_sorted(slow_operations(), {}, &SlowOperation::name));
}

TEST(TpuSlowPath, IsNotTakenWhereTilesAreEnough) {
  for (const char* body :
       {kSort, "ROOT r = (f32[9,3], s32[9,3]) topk(x), k=3, largest=true",
        "ROOT r = c64[9,513] fft(x), fft_type=RFFT, fft_length={1025}",
        "at = s32[2] constant({6, 6})  u = f32[2,1025] slice(x), "
        "slice={[0:2], [0:1025]}  ROOT r = f32[9,1025] scatter(x, at, u), "
        "update_window_dims={1}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
        "ROOT r = u16[9,1025,2] bitcast-convert(x)",
        "ROOT r = f32[1025,9] bitcast(x)",
        "ROOT r = f32[9,1025] custom-call(x), custom_call_target=\"Sharding\"",
        "n = s32[] constant(7)  y = f32[<=9,1025] set-dimension-size(x, n), "
        "dimensions={0}  ROOT r = f32[1025] reduce(y, one), dimensions={0}, "
        "to_apply=add",
        "ROOT r = f32[9,1025] rng(one, one), distribution=rng_uniform"}) {
    EXPECT_EQ(untiled_bytes(body, kScratch), 0) << body;
  }
}

// A line of 160,000 bytes, a matrix and a feature of as many.
TEST(TpuSlowPath, IsNotTakenWhereAPartIsLargerThanTheScratchMemory) {
  constexpr int64_t kSmall = int64_t{256} << 10;
  const std::string line = "y = f32[40000] iota(), iota_dimension=0 ";
  const std::string matrix =
      "y = f32[200,200] broadcast(one), dimensions={} "
      "f = f32[1] broadcast(one), dimensions={} z = f32[1,200,200] reshape(y) ";
  for (const std::string& body :
       {line + "ROOT r = f32[40000] sort(y), dimensions={0}, to_apply=less",
        line + "ROOT r = (f32[30000], s32[30000]) topk(y), k=30000",
        line + "ROOT r = c64[20001] fft(y), fft_type=RFFT, fft_length={40000}",
        matrix + "ROOT r = f32[200,200] cholesky(y), lower=true",
        matrix + "ROOT r = f32[200,200] triangular-solve(y, y), "
                 "left_side=true, lower=true, unit_diagonal=true, "
                 "transpose_a=NO_TRANSPOSE",
        matrix + "ROOT r = (f32[1,200,200], f32[1], f32[1]) "
                 "batch-norm-training(z, f, f), epsilon=1, feature_index=0",
        matrix + "ROOT r = (f32[1,200,200], f32[1], f32[1]) "
                 "batch-norm-grad(z, f, f, f, z), epsilon=1, "
                 "feature_index=0"}) {
    EXPECT_EQ(untiled_bytes(body, kSmall), 0) << body;
  }
}

// 320,000 bytes of indices, and as many updates, in 65,536 bytes.
TEST(TpuSlowPath, ReadsIndicesFromTheirTiles) {
  const std::string arrays =
      "y = f32[40000] iota(), iota_dimension=0 "
      "i = s64[40000,1] iota(), iota_dimension=0 ";
  for (const std::string& body :
       {arrays + "ROOT r = f32[40000] gather(y, i), offset_dims={}, "
                 "collapsed_slice_dims={0}, start_index_map={0}, "
                 "index_vector_dim=1, slice_sizes={1}",
        arrays + "ROOT r = f32[40000] scatter(y, i, y), "
                 "update_window_dims={}, inserted_window_dims={0}, "
                 "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                 "to_apply=add",
        arrays + "z = f32[20000] slice(y), slice={[0:20000]} "
                 "ROOT r = f32[40000] select-and-scatter(y, z, one), "
                 "window={size=2 stride=2}, select=less, scatter=add"}) {
    EXPECT_EQ(untiled_bytes(body, kTiny), 0) << body;
  }
}

// 40,000 groups of a row, or of three until none are left.
TEST(TpuSlowPath, AddsGroupsUpInTheirTiles) {
  const std::string dot =
      "l = f32[40000,1] iota(), iota_dimension=0 "
      "m = f32[40000,1,1] broadcast(one), dimensions={} "
      "g = s32[40000] broadcast(o), dimensions={} "
      "ROOT r = f32[40000,1] ragged-dot(l, m, g), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}";
  EXPECT_EQ(untiled_bytes("o = s32[] constant(1) " + dot, kTiny), 0);
  EXPECT_EQ(untiled_bytes("o = s32[] constant(3) " + dot, kTiny), 0);
}

// Bits of layouts that have sizes in front, of 9 by 1025 numbers and more.
TEST(TpuSlowPath, ReadsBitsFromTheirTiles) {
  EXPECT_EQ(untiled_bytes("n = s32[] constant(7)  y = f32[<=9,1025] "
                          "set-dimension-size(x, n), dimensions={0}  "
                          "ROOT r = s32[9,1025]{1,0:M(8)} bitcast(x)",
                          kTiny),
            0);
  EXPECT_EQ(untiled_bytes("y = f32[40000] iota(), iota_dimension=0  "
                          "ROOT r = s32[39998]{0:M(8)} bitcast(y)",
                          kTiny),
            0);
}

// 160,000 bytes each.
TEST(TpuSlowPath, ComparesArraysInTheirTiles) {
  EXPECT_EQ(untiled_bytes("y = f32[40000] iota(), iota_dimension=0  "
                          "z = f32[40000] negate(y)  ROOT r = pred[] "
                          "custom-call(y, z), custom_call_target=\"check.eq\"",
                          kTiny),
            0);
}

// Scales of blocks of two, of which some are cut.
TEST(TpuSlowPath, ScalesSizedArraysInTheirTiles) {
  EXPECT_EQ(untiled_bytes("n = s32[] constant(1023)  w = f32[9,1024] slice(x), "
                          "slice={[0:9], [0:1024]}  y = f32[9,<=1024] "
                          "set-dimension-size(w, n), dimensions={1}  "
                          "s = f32[9,512] broadcast(one), dimensions={}  "
                          "ROOT r = f32[9,9] scaled-dot(y, w, s, s), "
                          "lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                          kTiny),
            0);
}

/// A sort of so many columns of 97 rows by the last of them.
std::string sort_of(int columns) {
  std::string type;
  std::string names;
  for (int k = 0; k < columns; ++k) {
    type += (k == 0 ? "" : ", ") + std::string("f32[97]");
    names += k == 0 ? "y" : ", y";
  }
  return "y = f32[97] iota(), iota_dimension=0  ROOT r = (" + type + ") sort(" +
         names + "), dimensions={0}, to_apply=last_less";
}

std::string last_less(int columns) {
  std::string text = "last_less {";
  for (int k = 0; k < 2 * columns; ++k) {
    const std::string number = std::to_string(k);
    text += " p" + number + " = f32[] parameter(" + number + ")";
  }
  return text + " ROOT r = pred[] compare(p" + std::to_string(2 * columns - 2) +
         ", p" + std::to_string(2 * columns - 1) + "), direction=LT }";
}

// Registers of 20 arrays take 6 * 20 * 4096 bytes.
TEST(TpuSlowPath, OrdersNumbersOfRowsInTheirTiles) {
  constexpr int kColumns = 20;
  EXPECT_EQ(untiled_bytes(sort_of(kColumns), kTiny, last_less(kColumns)), 0);
}

}  // namespace
}  // namespace hlo::tpu
