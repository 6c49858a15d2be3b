#include "backends/gpu/device/host_kernels.h"

#include "backends/gpu/device/port_host.h"

namespace hlo::gpu {

WorkItem& work_item() {
  static thread_local WorkItem item;
  return item;
}

namespace {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;
using f32 = float;
using f64 = double;

// Not sorted: each stands on those before it.
// clang-format off
#include "backends/gpu/kernels/port_host.inc"
#include "backends/gpu/kernels/codes.inc"
#include "backends/gpu/kernels/numbers.inc"
#include "backends/gpu/kernels/scalar.inc"
#include "backends/gpu/kernels/exact_sum.inc"
#include "backends/gpu/kernels/map.inc"
#include "backends/gpu/kernels/fold.inc"
// clang-format on

}  // namespace

HostKernel host_kernel(Kernel kernel) {
  switch (kernel) {
    case Kernel::kMap:
      return gpu_map;
    case Kernel::kFold:
      return gpu_fold;
    default:
      return gpu_sum;
  }
}

}  // namespace hlo::gpu
