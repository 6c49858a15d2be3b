#include "backends/gpu/device/host_kernels.h"

#include <array>

#include "backends/gpu/device/port_host.h"
#include "backends/gpu/device/work_group.h"

namespace hlo::gpu {

namespace {

#include "backends/gpu/kernels/port_host.inc"
//
#include "backends/gpu/kernels/all_kernels.inc"

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
     {"gpu_random", gpu_random},
     {"gpu_solve", gpu_solve},
     {"gpu_factor", gpu_factor},
     {"gpu_feature", gpu_feature},
     {"gpu_normalize", gpu_normalize},
     {"gpu_cosines", gpu_cosines},
     {"gpu_transform", gpu_transform},
     {"gpu_roots", gpu_roots},
     {"gpu_measure", gpu_measure},
     {"gpu_points", gpu_points},
     {"gpu_turn", gpu_turn},
     {"gpu_spectrum", gpu_spectrum},
     {"gpu_residues", gpu_residues},
     {"gpu_turn_residues", gpu_turn_residues},
     {"gpu_fixed", gpu_fixed},
     {"gpu_orbit", gpu_orbit},
     {"gpu_match", gpu_match},
     {"gpu_accept", gpu_accept},
     {"gpu_product", gpu_product},
     {"gpu_fast_sum", gpu_fast_sum},
     {"gpu_patches", gpu_patches},
     {"gpu_tiles", gpu_tiles},
     {"gpu_sure_tiles", gpu_sure_tiles},
     {"gpu_running", gpu_running},
     {"gpu_count_keys", gpu_count_keys},
     {"gpu_sum_counts", gpu_sum_counts},
     {"gpu_sum_digits", gpu_sum_digits},
     {"gpu_move_keys", gpu_move_keys},
     {"gpu_targets", gpu_targets},
     {"gpu_probe", gpu_probe}}};

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
