#include "backends/cpu/kernels/scratch.h"

#include <array>
#include <cstring>

#include "backends/cpu/arrays/block_pool.h"

namespace hlo::cpu {
namespace {

struct Piece {
  AlignedBytes bytes;
  size_t size = 0;
};

}  // namespace

void FreeAligned::operator()(std::byte* bytes) const {
  give_block(bytes, size);
}

AlignedBytes aligned_bytes(size_t size) {
  return {take_block(size), FreeAligned{size}};
}

std::byte* scratch_bytes(Scratch use, size_t size) {
  thread_local std::array<Piece, static_cast<size_t>(Scratch::kCount)> pieces;
  Piece& piece = pieces.at(static_cast<size_t>(use));
  if (piece.size < size) {
    piece.bytes.reset();
    piece.bytes = aligned_bytes(size);
    std::memset(piece.bytes.get(), 0, size);
    piece.size = size;
  }
  return piece.bytes.get();
}

}  // namespace hlo::cpu
