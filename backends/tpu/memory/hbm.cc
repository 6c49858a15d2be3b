#include "backends/tpu/memory/hbm.h"

#include <algorithm>

#include "backends/tpu/memory/trap.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kWord = sizeof(uint64_t);

/// Counted among all arrays of the process.
void hold(int64_t bytes) {
  if (hold_memory(bytes)) return;
  throw Error(Phase::kEvaluate, "evaluate.memory",
              "an array of " + counted(bytes, "byte") +
                  " in tiles is more than the memory that is left");
}

/// Far apart for numbers that follow each other: the finalizer of splitmix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
uint64_t mixed(uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

uint64_t pattern_of(uint64_t seed, uint64_t operation) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
  return mixed(mixed(seed + kGolden) + operation * kGolden);
}

size_t words(int64_t bytes) {
  return static_cast<size_t>((bytes + kWord - 1) / kWord);
}

std::span<std::byte> bytes_of(const std::vector<uint64_t>& words,
                              int64_t size) {
  // A piece is a handle: who may write is the array's business.
  return std::as_writable_bytes(
             std::span(const_cast<uint64_t*>(words.data()), words.size()))
      .first(static_cast<size_t>(size));
}

}  // namespace

Hbm::Hbm(int64_t grain, uint64_t seed)
    : grain_(grain), seed_(seed), pattern_(pattern_of(seed, 0)) {}

Hbm::Piece::Piece(Hbm& memory, int64_t address, int64_t size)
    : memory_(memory), address_(address), size_(size) {
  hold(2 * size);
  bytes_.assign(words(size), memory.pattern_);
  written_.assign(words(size), 0);
  memory_.pieces_.emplace(address, address + size);
  memory_.held_ += size;
  memory_.peak_ = std::max(memory_.peak_, memory_.held_);
}

Hbm::Piece::~Piece() {
  memory_.pieces_.erase(address_);
  memory_.held_ -= size_;
  release_memory(2 * size_);
}

std::span<std::byte> Hbm::Piece::bytes() const {
  return bytes_of(bytes_, size_);
}

std::span<std::byte> Hbm::Piece::written() const {
  return bytes_of(written_, size_);
}

void Hbm::Piece::stop_beyond(int64_t bytes) const {
  if (bytes <= size_) return;
  throw Trap("tpu.bounds", "reaches the address " +
                               hexadecimal(address_ + bytes - 1) +
                               ", but the array must end before " +
                               hexadecimal(address_ + size_));
}

void Hbm::Piece::poison() {
  const uint64_t pattern = memory_.pattern_;
  for (size_t k = 0; k < bytes_.size(); ++k) {
    bytes_[k] = (bytes_[k] & written_[k]) | (pattern & ~written_[k]);
  }
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

Hbm Hbm::another() {
  others_ += 1;
  return Hbm(grain_, mixed(seed_ + others_));
}

void Hbm::begin_operation() {
  operation_ += 1;
  pattern_ = pattern_of(seed_, operation_);
}

}  // namespace hlo::tpu
