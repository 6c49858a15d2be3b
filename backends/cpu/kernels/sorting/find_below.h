#pragma once

#include <cstdint>

#include "backends/cpu/kernels/sorting/sort_key.h"

namespace hlo::cpu {

/// How many elements find_below looks at together.
inline constexpr int64_t kLookedAt = 64;

/// The first of some blocks of kLookedAt elements of 32 bits that has one whose
/// number by the key is below the limit; `blocks` where none has.
int64_t find_below(const KeyOf<uint32_t>& key, const uint32_t* line,
                   int64_t blocks, uint32_t limit);

}  // namespace hlo::cpu
