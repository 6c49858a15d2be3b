#pragma once

#include <cstddef>
#include <memory>

namespace hlo::cpu {

struct FreeAligned {
  size_t size = 0;
  void operator()(std::byte* bytes) const;
};

/// Bytes on a boundary of 64.
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

/// So many of them, of any value.
AlignedBytes aligned_bytes(size_t size);

/// What a thread keeps memory for, one piece each.
enum class Scratch : unsigned char {
  kTiles,
  kLeft,
  kRight,
  kLines,
  kPart,
  kCount
};

/// Memory of this thread for that use, on a boundary of 64 bytes, zero at
/// first; valid until the next call for it.
std::byte* scratch_bytes(Scratch use, size_t size);

}  // namespace hlo::cpu
