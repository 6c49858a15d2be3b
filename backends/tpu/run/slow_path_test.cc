#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "backends/tpu/operations/one_by_one.h"
#include "backends/tpu/run/grid_run.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify.h"

namespace hlo::tpu {
namespace {

/// The bytes that a program without parameters has outside of tiles on a
/// machine with so much scratch memory.
int64_t untiled_bytes(const std::string& body, int64_t scratch) {
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
  execute(machine, LayoutPlan(module, generations().front()), *module.entry,
          {});
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

// What says where others are has room in the scratch memory, or is counted:
// 40,000 indices of eight bytes.
TEST(TpuSlowPath, CountsIndicesThatHaveNoRoom) {
  constexpr int64_t kIndices = 8 * 40000;
  const std::string gather =
      "y = f32[40000] iota(), iota_dimension=0 "
      "i = s64[40000,1] iota(), iota_dimension=0 "
      "ROOT r = f32[40000] gather(y, i), offset_dims={}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1}";
  const std::string scatter =
      "y = f32[40000] iota(), iota_dimension=0 "
      "i = s64[40000,1] iota(), iota_dimension=0 "
      "ROOT r = f32[40000] scatter(y, i, y), update_window_dims={}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=add";
  for (const std::string& body : {gather, scatter}) {
    EXPECT_EQ(untiled_bytes(body, kScratch), 0) << body;
    EXPECT_EQ(untiled_bytes(body, 2 * kIndices + 2048), 0) << body;
    EXPECT_EQ(untiled_bytes(body, kIndices), kIndices) << body;
  }
}

// A bitcast of a layout with sizes in front reads and writes 9 by 1025 numbers.
TEST(TpuSlowPath, CountsWhatItHasNoRoomFor) {
  constexpr int64_t kArray = 4 * 9 * 1025;
  const std::string bitcast =
      "n = s32[] constant(7)  y = f32[<=9,1025] set-dimension-size(x, n), "
      "dimensions={0}  ROOT r = s32[9,1025]{1,0:M(8)} bitcast(x)";
  EXPECT_EQ(untiled_bytes(bitcast, kScratch), 0);
  EXPECT_EQ(untiled_bytes(bitcast, kArray), 2 * kArray);
}

}  // namespace
}  // namespace hlo::tpu
