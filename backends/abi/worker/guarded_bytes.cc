#include "backends/abi/worker/guarded_bytes.h"

#include <cstring>
#include <new>

#include "backends/process/frame.h"

namespace hlo::abi {
namespace {

constexpr auto kUnwritten = std::byte{0xa5};

/// No two that stand beside each other are the same, so that one that is
/// repeated is found.
std::byte guard_at(uint64_t i) { return static_cast<std::byte>(0x5a ^ i); }

}  // namespace

GuardedBytes::GuardedBytes(uint64_t size) : size_(size) {
  if (size > process::kMostBody) throw std::bad_alloc();
  whole_ = kGuard + (size + kGuard - 1) / kGuard * kGuard + kGuard;
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(kGuard, whole_)));
  if (!bytes_) throw std::bad_alloc();
  std::memset(data(), std::to_integer<int>(kUnwritten), size_);
  for (uint64_t i = 0; i < kGuard; ++i) bytes_.get()[i] = guard_at(i);
  for (uint64_t i = kGuard + size_; i < whole_; ++i) {
    bytes_.get()[i] = guard_at(i);
  }
}

GuardedBytes::GuardedBytes(std::string_view text)
    : GuardedBytes(uint64_t{text.size()}) {
  if (!text.empty()) std::memcpy(data(), text.data(), text.size());
}

bool GuardedBytes::is_intact() const {
  for (uint64_t i = 0; i < kGuard; ++i) {
    if (bytes_.get()[i] != guard_at(i)) return false;
  }
  for (uint64_t i = kGuard + size_; i < whole_; ++i) {
    if (bytes_.get()[i] != guard_at(i)) return false;
  }
  return true;
}

}  // namespace hlo::abi
