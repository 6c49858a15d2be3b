#include "backends/cpu/kernels/scratch.h"

#include <array>
#include <cstring>

#include "backends/cpu/arrays/block_pool.h"

namespace hlo::cpu {
namespace {

/// Memory of one use, which grows: what was too small is kept for nobody.
class Piece {
 public:
  Piece() = default;
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  ~Piece() { free(); }

  std::byte* bytes(size_t size) {
    if (size_ < size) {
      free();
      bytes_ = take_block(size);
      size_ = size;
      std::memset(bytes_, 0, size);
    }
    return bytes_;
  }

 private:
  void free() {
    if (bytes_ != nullptr) free_block(bytes_, size_);
    bytes_ = nullptr;
    size_ = 0;
  }

  std::byte* bytes_ = nullptr;
  size_t size_ = 0;
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
  return pieces.at(static_cast<size_t>(use)).bytes(size);
}

}  // namespace hlo::cpu
