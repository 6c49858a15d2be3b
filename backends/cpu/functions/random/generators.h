#pragma once

#include <array>
#include <cstdint>

#include "backends/cpu/functions/random/random_state.h"

namespace hlo::cpu {

/// Philox4x32-10 of the counter and the key (Salmon, Moraes, Dror and Shaw,
/// "Parallel random numbers: as easy as 1, 2, 3", 2011).
std::array<uint32_t, 4> philox(const Counter& counter, uint64_t key);
/// Threefry2x32-20, of the same paper.
std::array<uint32_t, 2> threefry(uint64_t counter, uint64_t key);

}  // namespace hlo::cpu
