#include "backends/cpu/kernels/scratch.h"

#include <array>
#include <cstring>
#include <new>

#include "backends/cpu/arrays/huge_pages.h"

namespace hlo::cpu {
namespace {

constexpr std::align_val_t kBoundary{64};

struct Piece {
  AlignedBytes bytes;
  size_t size = 0;
};

}  // namespace

void FreeAligned::operator()(std::byte* bytes) const {
  operator delete[](bytes, kBoundary);
}

AlignedBytes aligned_bytes(size_t size) {
  AlignedBytes bytes(new (kBoundary) std::byte[size]);
  prefer_huge_pages(bytes.get(), size);
  return bytes;
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
