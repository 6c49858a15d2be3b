#include <gtest/gtest.h>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/port_host.h"
#include "backends/gpu/device/work_group.h"

// The kernels without their barriers: what runs on this machine tells.

namespace hlo::gpu {
namespace {

// clang-format off
#include "backends/gpu/kernels/port_host.inc"
#undef CALLED
#define CALLED [[maybe_unused]] static
#undef KERNEL
#define KERNEL(name) [[maybe_unused]] void name(u8* heap, const i64* p)
#undef BARRIER
#define BARRIER static_cast<void>(0)
#include "backends/gpu/kernels/all_kernels.inc"

// clang-format on

TEST(GpuKernels, AreCaughtWithoutTheirBarriers) {
  // One element, the sum of 64 of type f32 that begin at 0; no initial value,
  // no scales and no groups.
  const i64 parameters[] = {1, 0,     1,  0, 64, 64,  0,  1, 0,  0, T_F32,
                            0, T_F32, -1, 0, -1, 256, -1, 0, -1, 0, -1};
  u8 heap[260] = {};
  std::string said;
  try {
    run_group(0, 1, TOGETHER, [&] { gpu_sum_together(heap, parameters); });
  } catch (const DeviceError& error) {
    said = error.what();
  }
  EXPECT_TRUE(said.find("shared memory") != std::string::npos) << said;
}

}  // namespace
}  // namespace hlo::gpu
