#include "backends/tpu/memory/scratch_registers.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/tpu/memory/trap.h"
#include "interpreter/counted.h"

namespace hlo::tpu {
namespace {

constexpr std::byte kPoison{0xa5};

}  // namespace

Scratch::Scratch(int64_t bytes, Fault fault)
    : fault_(fault),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(
          static_cast<size_t>(bytes / kLanes * kLanes))),
      taken_(static_cast<size_t>(bytes / kLanes)) {
  // What a broken machine takes from here is no other run's value.
  if (fault != Fault::kNone) std::fill_n(bytes_.get(), size(), kPoison);
}

int64_t Scratch::room(ElementType type) const {
  const int64_t blocks = storage_bytes(type);
  int64_t room = 0;
  int64_t run = 0;
  for (const bool is_taken : taken_) {
    run = is_taken ? 0 : run + 1;
    if (run == blocks) {
      ++room;
      run = 0;
    }
  }
  return room;
}

/// How many of the blocks of a register are its own.
int64_t Scratch::reserved(int64_t blocks) const {
  return fault_ == Fault::kScratchOverrun && blocks > 1 ? blocks - 1 : blocks;
}

std::byte* Scratch::take(int64_t blocks) {
  int64_t run = 0;
  while (free_from_ < taken_.size() && taken_[free_from_]) ++free_from_;
  for (size_t k = free_from_; k < taken_.size(); ++k) {
    run = taken_[k] ? 0 : run + 1;
    if (run < blocks) continue;
    const auto first = static_cast<int64_t>(k) + 1 - blocks;
    std::fill_n(taken_.begin() + first, reserved(blocks), true);
    held_ += reserved(blocks) * kLanes;
    peak_ = std::max(peak_, held_);
    return bytes_.get() + first * kLanes;
  }
  throw Trap("tpu.scratch",
             "needs a register of " + counted(blocks * kLanes, "byte") +
                 ", but the scratch memory must have room for it: " +
                 counted(held_, "byte") + " of " + std::to_string(size()) +
                 " are taken");
}

void Scratch::give_back(const std::byte* place, int64_t blocks) {
  if (fault_ == Fault::kScratchNotGivenBack) return;
  const int64_t first = (place - bytes_.get()) / kLanes;
  std::fill_n(taken_.begin() + first, reserved(blocks), false);
  free_from_ = std::min(free_from_, static_cast<size_t>(first));
  held_ -= reserved(blocks) * kLanes;
}

Register::Register(Scratch& scratch, ElementType type)
    : scratch_(&scratch),
      type_(type),
      width_(storage_bytes(type)),
      bytes_(scratch.take(width_)) {}

Register::Register(Register&& other) noexcept
    : scratch_(other.scratch_),
      type_(other.type_),
      width_(other.width_),
      bytes_(std::exchange(other.bytes_, nullptr)),
      valid_(other.valid_) {}

Register& Register::operator=(Register&& other) noexcept {
  std::swap(scratch_, other.scratch_);
  std::swap(type_, other.type_);
  std::swap(width_, other.width_);
  std::swap(bytes_, other.bytes_);
  std::swap(valid_, other.valid_);
  return *this;
}

Register::~Register() {
  if (bytes_ != nullptr) scratch_->give_back(bytes_, width_);
}

}  // namespace hlo::tpu
