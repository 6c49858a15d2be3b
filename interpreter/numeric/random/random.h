#pragma once

#include <array>
#include <cstdint>

namespace hlo::numeric {

/// The block of random words that Philox4x32-10 makes of a counter and a key,
/// lowest words first (Salmon et al., SC 2011).
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);
/// The block of Philox4x32-10 for a counter and a key of 64-bit words, lowest
/// first.
std::array<uint32_t, 4> philox4x32(std::array<uint64_t, 2> counter,
                                   uint64_t key);
/// The words that Threefry2x32-20 (Salmon et al., SC 2011) makes of a counter
/// and a key, lowest words first.
std::array<uint32_t, 2> threefry2x32(uint64_t counter, uint64_t key);
/// A counter of 128 bits, lowest word first, plus n.
std::array<uint64_t, 2> advance(std::array<uint64_t, 2> counter, uint64_t n);

}  // namespace hlo::numeric
