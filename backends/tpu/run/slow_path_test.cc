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
/// counted here by the reference, hold no more than both together.
int64_t untiled_bytes(const std::string& body, int64_t scratch,
                      int64_t outside = 0) {
  const Module module = verified_module(R"(HloModule m
    less { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = pred[] compare(a, b), direction=LT }
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
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
  const ArrayAllowanceScope scope(
      std::make_shared<ArrayAllowance>(scratch + outside));
  execute(machine, plan, *module.entry, {});
  return machine.counters.untiled_bytes;
}

constexpr int64_t kScratch = int64_t{16} << 20;
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
  constexpr int64_t kTiny = int64_t{64} << 10;
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

// A number of eight bytes for each of 40,000 rows, twice: which group has it,
// and which rows a group has.
TEST(TpuSlowPath, CountsTheRowsOfGroupsThatHaveNoRoom) {
  constexpr int64_t kRows = 8 * 40000;
  const std::string dot =
      "l = f32[40000,1] iota(), iota_dimension=0 "
      "m = f32[3,1,1] broadcast(one), dimensions={} "
      "g = s32[3] constant({10000, 0, 20000}) "
      "ROOT r = f32[40000,1] ragged-dot(l, m, g), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}";
  EXPECT_EQ(untiled_bytes(dot, kScratch), 0);
  EXPECT_EQ(untiled_bytes(dot, kRows, 2 * kRows), 2 * kRows);
}

// A bitcast of a layout with sizes in front reads and writes 9 by 1025 numbers.
TEST(TpuSlowPath, CountsWhatItHasNoRoomFor) {
  constexpr int64_t kArray = 4 * 9 * 1025;
  const std::string bitcast =
      "n = s32[] constant(7)  y = f32[<=9,1025] set-dimension-size(x, n), "
      "dimensions={0}  ROOT r = s32[9,1025]{1,0:M(8)} bitcast(x)";
  EXPECT_EQ(untiled_bytes(bitcast, kScratch), 0);
  EXPECT_EQ(untiled_bytes(bitcast, kArray, 2 * kArray), 2 * kArray);
}

}  // namespace
}  // namespace hlo::tpu
