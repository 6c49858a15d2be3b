#include "backends/tpu/memory/hbm.h"

#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"

namespace hlo::tpu {
namespace {

/// Counted among all arrays of the process.
void hold(int64_t bytes) {
  if (hold_memory(bytes)) return;
  throw Error(Phase::kEvaluate, "evaluate.memory",
              "an array of " + counted(bytes, "byte") +
                  " in tiles is more than the memory that is left");
}

}  // namespace

Hbm::Piece::Piece(Hbm& memory, int64_t address, int64_t size)
    : memory_(memory), address_(address), size_(size) {
  hold(size);
  bytes_.assign(static_cast<size_t>(size), memory.next_poison());
  memory_.pieces_.emplace(address, address + size);
  memory_.held_ += size;
  memory_.peak_ = std::max(memory_.peak_, memory_.held_);
}

Hbm::Piece::~Piece() {
  memory_.pieces_.erase(address_);
  memory_.held_ -= size_;
  release_memory(size_);
}

std::span<std::byte> Hbm::Piece::bytes() const {
  // A piece is a handle: who may write is the array's business.
  return {const_cast<std::byte*>(bytes_.data()), bytes_.size()};
}

std::shared_ptr<Hbm::Piece> Hbm::allocate(int64_t bytes) {
  const int64_t size = std::max(grain_, (bytes + grain_ - 1) / grain_ * grain_);
  int64_t address = 0;  // the first gap that is large enough
  for (const auto& [begin, end] : pieces_) {
    if (begin - address >= size) break;
    address = end;
  }
  return std::make_shared<Piece>(*this, address, size);
}

std::byte Hbm::next_poison() {
  // Any odd step walks through all patterns; 0 and what is stored for padding
  // elsewhere come up as rarely as others.
  constexpr uint64_t kStep = 0x6d;
  pattern_ += kStep;
  return static_cast<std::byte>(pattern_ & 0xff);
}

}  // namespace hlo::tpu
