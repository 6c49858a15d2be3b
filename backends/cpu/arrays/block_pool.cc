#include "backends/cpu/arrays/block_pool.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

#include "backends/cpu/arrays/huge_pages.h"
#include "interpreter/model/array_memory.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HLO_CPU_HAS_POISON 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HLO_CPU_HAS_POISON 1
#endif
#if defined(HLO_CPU_HAS_POISON)
#include <sanitizer/asan_interface.h>
#endif

namespace hlo::cpu {
namespace {

constexpr size_t kLeast = size_t{64} << 10;  // of a block that is kept
constexpr size_t kMost = size_t{256} << 20;  // of all that are
constexpr size_t kMostBlocks = 64;
constexpr std::align_val_t kBoundary{64};

bool is_kept(size_t size) { return size >= kLeast && size <= kMost; }

/// What a block of so many bytes takes: the next of sixteen sizes between two
/// powers of two, so that arrays of nearly one size take each other's memory.
size_t size_class(size_t size) {
  const size_t step = std::bit_floor(size) / 16;
  return (size + step - 1) / step * step;
}

/// Nobody may read or write these bytes; a sanitizer tells who does.
void forbid([[maybe_unused]] std::byte* first, [[maybe_unused]] size_t size) {
#if defined(HLO_CPU_HAS_POISON)
  ASAN_POISON_MEMORY_REGION(first, size);
#endif
}

void allow([[maybe_unused]] std::byte* first, [[maybe_unused]] size_t size) {
#if defined(HLO_CPU_HAS_POISON)
  ASAN_UNPOISON_MEMORY_REGION(first, size);
#endif
}

struct Block {
  std::byte* first = nullptr;
  size_t size = 0;  // a size class
};

/// The blocks that are kept, those last that came last.
class BlockPool {
 public:
  static BlockPool& shared() {
    // Never destroyed: arrays may live longer than anything else.
    static BlockPool* const pool = new BlockPool;
    return *pool;
  }

  /// A block of that size class; null if none is kept.
  std::byte* take(size_t size) {
    const std::lock_guard lock(mutex_);
    const auto at =
        std::find_if(blocks_.rbegin(), blocks_.rend(),
                     [&](const Block& block) { return block.size == size; });
    if (at == blocks_.rend()) return nullptr;
    std::byte* const found = at->first;
    forget(std::next(at).base());
    return found;
  }

  void keep(const Block& block) {
    // May free what is kept here, so without the lock.
    if (!hold_memory(static_cast<int64_t>(block.size))) return free(block);
    const std::lock_guard lock(mutex_);
    blocks_.push_back(block);
    kept_ += block.size;
    while (kept_ > kMost || blocks_.size() > kMostBlocks) free_first();
  }

  void free_all() {
    const std::lock_guard lock(mutex_);
    while (!blocks_.empty()) free_first();
  }

  size_t kept() {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  BlockPool() {
    blocks_.reserve(kMostBlocks + 1);
    set_spare_memory([] { shared().free_all(); });
  }

  static void free(const Block& block) {
    allow(block.first, block.size);
    operator delete[](block.first, kBoundary);
  }

  void free_first() {
    free(blocks_.front());
    forget(blocks_.begin());
  }

  void forget(std::vector<Block>::iterator at) {
    kept_ -= at->size;
    release_memory(static_cast<int64_t>(at->size));
    blocks_.erase(at);
  }

  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t kept_ = 0;  // bytes of all
};

std::byte* fresh_block(size_t size) {
  void* block = operator new[](size, kBoundary, std::nothrow);
  if (block == nullptr) {
    BlockPool::shared().free_all();
    block = operator new[](size, kBoundary);
  }
  prefer_huge_pages(block, size);
  return static_cast<std::byte*>(block);
}

}  // namespace

std::byte* take_block(size_t size) {
  if (!is_kept(size)) return fresh_block(size);
  const size_t whole = size_class(size);
  std::byte* block = BlockPool::shared().take(whole);
  if (block == nullptr) block = fresh_block(whole);
  allow(block, size);
  forbid(block + size, whole - size);
  return block;
}

void give_block(std::byte* block, size_t size) noexcept {
  if (!is_kept(size)) return operator delete[](block, kBoundary);
  const size_t whole = size_class(size);
  forbid(block, whole);
  BlockPool::shared().keep({block, whole});
}

void free_block(std::byte* block, size_t size) noexcept {
  if (is_kept(size)) allow(block, size_class(size));
  operator delete[](block, kBoundary);
}

int64_t kept_bytes() {
  return static_cast<int64_t>(BlockPool::shared().kept());
}

}  // namespace hlo::cpu
