#pragma once

#include <array>
#include <cstdint>

namespace hlo::numeric {

/// The block of random words that Philox4x32-10 makes of a counter and a key,
/// lowest words first (Salmon et al., SC 2011).
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

}  // namespace hlo::numeric
