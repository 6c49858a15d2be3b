#pragma once

#include <array>
#include <cstdint>

#include "interpreter/definition/numbers/unbounded_integer.h"

// The generators of spec/numerics.md, Random numbers.
namespace hlo::definition {

/// The four words that Philox4x32-10 makes of the lowest 128 bits of a counter
/// and of a key.
std::array<uint32_t, 4> philox(const Integer& counter, uint64_t key);
/// The two words that Threefry2x32-20 makes of the lowest 64 bits of a counter
/// and of a key.
std::array<uint32_t, 2> threefry(const Integer& counter, uint64_t key);

}  // namespace hlo::definition
