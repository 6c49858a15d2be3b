#include "backends/tpu/devices/member_slices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

/// Output `member` of two that send each other two slices of f32[9]: rows
/// 0, 1, ... and 0, -1, ... into outputs of 0, 2, 4, ...
std::vector<float> exchanged(size_t member) {
  return run_program(R"(HloModule m
    f {
      x = f32[9] parameter(0)
      o = f32[9] parameter(1)
      from = s32[4] constant({0, 3, 1, 2})
      sizes = s32[4] constant({3, 4, 3, 4})
      to = s32[4] constant({2, 1, 4, 3})
      ROOT r = f32[9] ragged-all-to-all(x, o, from, sizes, to, sizes),
                      replica_groups={{0,1}}
    }
    ENTRY main {
      x = f32[9] iota(), iota_dimension=0
      y = f32[9] negate(x)
      z = f32[9] add(x, x)
      ROOT r = (f32[9], f32[9]) custom-call(x, z, y, z),
               custom_call_target="interpreter.run_parallel",
               called_computations={f, f}, backend_config={"replicas":2}
    })",
                     "tpu:", member);
}

// Rows 3 to 6 of the second member are written last to rows 1 to 4.
TEST(TpuMemberSlices, LeaveWhatIsWrittenLast) {
  EXPECT_EQ(exchanged(0),
            (std::vector<float>{0, -3, -4, -5, -6, 10, 12, 14, 16}));
  EXPECT_EQ(exchanged(1),
            (std::vector<float>{0, 2, 4, -2, -3, -4, -5, 14, 16}));
}

}  // namespace
}  // namespace hlo::tpu
