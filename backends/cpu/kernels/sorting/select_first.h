#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/kernels/sorting/sort_key.h"

namespace hlo::cpu {

/// The places of the elements of a line that come first by the key, in their
/// order; of equal ones the lower place is first. No more than there are.
void select_first(const SortKey& key, const std::byte* line, int64_t length,
                  std::span<uint32_t> places);

}  // namespace hlo::cpu
