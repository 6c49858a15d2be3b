#include "backends/tpu/memory/hbm.h"

#include <algorithm>

#include "backends/tpu/memory/trap.h"
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

/// As many lines as hold the bytes, of one word.
std::vector<Hbm::Line> lines_of(int64_t bytes, uint64_t word) {
  constexpr int64_t kLine = Hbm::kLineBytes;
  Hbm::Line line;
  line.words.fill(word);
  return std::vector<Hbm::Line>(
      static_cast<size_t>((bytes + kLine - 1) / kLine), line);
}

std::span<std::byte> bytes_of(const std::vector<Hbm::Line>& lines,
                              int64_t size) {
  // A piece is a handle: who may write is the array's business.
  return std::as_writable_bytes(
             std::span(const_cast<Hbm::Line*>(lines.data()), lines.size()))
      .first(static_cast<size_t>(size));
}

}  // namespace

Hbm::Hbm(int64_t grain, uint64_t seed)
    : grain_(grain), seed_(seed), pattern_(pattern_of(seed, 0)) {}

Hbm::Piece::Piece(Hbm& memory, int64_t address, int64_t size)
    : memory_(memory), address_(address), size_(size) {
  hold(2 * size);
  bytes_ = lines_of(size, memory.pattern_);
  written_ = lines_of(size, 0);
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

void Hbm::Piece::fill_padding(uint64_t pattern) {
  for (size_t k = 0; k < bytes_.size(); ++k) {
    for (size_t w = 0; w < bytes_[k].words.size(); ++w) {
      const uint64_t written = written_[k].words[w];
      uint64_t& word = bytes_[k].words[w];
      word = (word & written) | (pattern & ~written);
    }
  }
}

void Hbm::Piece::poison() { fill_padding(memory_.pattern_); }

void Hbm::Piece::clear_padding() { fill_padding(0); }

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
