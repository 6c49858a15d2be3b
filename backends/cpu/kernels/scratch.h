#pragma once

#include <cstddef>

namespace hlo::cpu {

/// What a thread keeps memory for, one piece each.
enum class Scratch : unsigned char { kTiles, kLeft, kCount };

/// Memory of this thread for that use, on a boundary of 64 bytes, zero at
/// first; valid until the next call for it.
std::byte* scratch_bytes(Scratch use, size_t size);

}  // namespace hlo::cpu
