#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hlo::cpu {

/// A piece of a block of memory, which is in use during some steps.
struct Piece {
  size_t bytes = 0;
  size_t first = 0;  // the step that takes it
  size_t last = 0;   // the step behind which it is given back
};

/// The most bytes of pieces that are in use at one step: no block has fewer.
size_t least_bytes_of(std::span<const Piece> pieces);

/// Where pieces begin in a block.
struct Packing {
  std::vector<size_t> offsets;  // of each piece
  size_t bytes = 0;             // of the block
};

/// Places for the pieces so that those in use at one step lie apart: for one
/// after the other, the largest first, the first gap that has room for it.
Packing packed(std::span<const Piece> pieces);

}  // namespace hlo::cpu
