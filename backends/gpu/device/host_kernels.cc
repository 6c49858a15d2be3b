#include "backends/gpu/device/host_kernels.h"

#include <array>

#include "backends/gpu/device/port_host.h"
#include "backends/gpu/device/work_group.h"

namespace hlo::gpu {

namespace {

// Not sorted: each stands on those before it.
// clang-format off
#include "backends/gpu/kernels/port_host.inc"
#include "backends/gpu/kernels/codes.inc"
#include "backends/gpu/kernels/numbers.inc"
#include "backends/gpu/kernels/scalar.inc"
#include "backends/gpu/kernels/pairs.inc"
#include "backends/gpu/kernels/functions.inc"
#include "backends/gpu/kernels/wide.inc"
#include "backends/gpu/kernels/wide_functions.inc"
#include "backends/gpu/kernels/function_values.inc"
#include "backends/gpu/kernels/exact_sum.inc"
#include "backends/gpu/kernels/complex.inc"
#include "backends/gpu/kernels/complex_values.inc"
#include "backends/gpu/kernels/tape.inc"
#include "backends/gpu/kernels/map.inc"
#include "backends/gpu/kernels/fold.inc"
#include "backends/gpu/kernels/order.inc"
#include "backends/gpu/kernels/scatter.inc"
#include "backends/gpu/kernels/random.inc"

// clang-format on

struct Entry {
  std::string_view name;
  HostKernel function;
};

/// In the order of Kernel.
constexpr std::array<Entry, kKernels> kEntries = {
    {{"gpu_map", gpu_map},
     {"gpu_fold", gpu_fold},
     {"gpu_sum", gpu_sum},
     {"gpu_merge", gpu_merge},
     {"gpu_take", gpu_take},
     {"gpu_scatter", gpu_scatter},
     {"gpu_choose", gpu_choose},
     {"gpu_receive", gpu_receive},
     {"gpu_sum_together", gpu_sum_together},
     {"gpu_random", gpu_random}}};

}  // namespace

std::string_view name_of(Kernel kernel) {
  return kEntries.at(static_cast<size_t>(kernel)).name;
}

int64_t group_size(Kernel kernel) {
  return kernel == Kernel::kSumTogether ? TOGETHER : 0;
}

HostKernel host_kernel(Kernel kernel) {
  return kEntries.at(static_cast<size_t>(kernel)).function;
}

}  // namespace hlo::gpu
