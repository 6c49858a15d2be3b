#include "interpreter/model/array_memory.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <utility>

#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr int64_t kSmall =
    4096;  // whose counting would cost more than it tells

std::atomic<int64_t> limit{0};  // 0: the machine's
std::atomic<int64_t> held{0};
std::atomic<void (*)()> spare{nullptr};
// Points into the scope that is innermost; null outside of all.
constinit thread_local const std::shared_ptr<ArrayAllowance>* current = nullptr;

bool is_counted(int64_t bytes) { return bytes >= kSmall; }

bool hold(int64_t bytes) noexcept {
  if ((held += bytes) <= most_memory()) return true;
  held -= bytes;
  return false;
}

/// Whether somebody could keep memory, which is free now.
bool has_freed_spare() noexcept {
  void (*const free_spare)() = spare;
  if (free_spare == nullptr) return false;
  free_spare();
  return true;
}

}  // namespace

int64_t machine_memory() {
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

int64_t most_memory() {
  if (limit == 0) limit = machine_memory() / 4 * 3;
  return limit;
}

void set_most_memory(int64_t bytes) { limit = bytes; }

int64_t held_memory() { return held; }

bool hold_memory(int64_t bytes) noexcept {
  if (!is_counted(bytes) || hold(bytes)) return true;
  return has_freed_spare() && hold(bytes);
}

void release_memory(int64_t bytes) noexcept {
  if (is_counted(bytes)) held -= bytes;
}

void set_spare_memory(void (*free_spare)()) noexcept { spare = free_spare; }

void* allocate_array(int64_t bytes, bool zero) noexcept {
  if (!hold_memory(bytes)) return nullptr;
  const auto size = static_cast<size_t>(std::max(bytes, int64_t{1}));
  const auto allocate = [&] {
    return zero ? std::calloc(size, 1) : std::malloc(size);
  };
  void* memory = allocate();
  if (memory == nullptr && has_freed_spare()) memory = allocate();
  if (memory == nullptr) release_memory(bytes);
  return memory;
}

void release_array(void* memory, int64_t bytes) noexcept {
  std::free(memory);
  release_memory(bytes);
}

bool ArrayAllowance::take(int64_t bytes) noexcept {
  if (!is_counted(bytes) || (held_ += bytes) <= most_) return true;
  held_ -= bytes;
  return false;
}

void ArrayAllowance::give_back(int64_t bytes) noexcept {
  if (is_counted(bytes)) held_ -= bytes;
}

std::shared_ptr<ArrayAllowance> array_allowance() {
  return current == nullptr ? nullptr : *current;
}

ArrayAllowanceScope::ArrayAllowanceScope(
    std::shared_ptr<ArrayAllowance> allowance)
    : allowance_(std::move(allowance)), outer_(current) {
  current = allowance_ == nullptr ? nullptr : &allowance_;
}

ArrayAllowanceScope::~ArrayAllowanceScope() { current = outer_; }

ScratchMemory::ScratchMemory(int64_t bytes)
    : bytes_(bytes), allowance_(array_allowance()) {
  const bool allowed = allowance_ == nullptr || allowance_->take(bytes);
  if (allowed && hold_memory(bytes)) return;
  if (allowed && allowance_ != nullptr) allowance_->give_back(bytes);
  refuse(Phase::kEvaluate, "evaluate.memory",
         {"it would take ", Count{bytes, "byte"}, " beside ",
          allowed ? held_memory() : allowance_->held(), " that are in use"},
         "all arrays together can take at most " +
             std::to_string(allowed ? most_memory() : allowance_->most()) +
             " (--max-memory)");
}

ScratchMemory::~ScratchMemory() {
  release_memory(bytes_);
  if (allowance_ != nullptr) allowance_->give_back(bytes_);
}

}  // namespace hlo
