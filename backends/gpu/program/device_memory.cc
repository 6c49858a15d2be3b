#include "backends/gpu/program/device_memory.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "interpreter/counted.h"

namespace hlo::gpu {
namespace {

constexpr uint64_t kLeastHeap = uint64_t{1} << 20;

}  // namespace

std::string Memory::too_many(uint64_t bytes) const {
  return counted(static_cast<int64_t>(bytes), "byte") +
         ", and the device's memory has " +
         counted(static_cast<int64_t>(limit_), "byte");
}

/// To more than is needed, so that the heap moves rarely; where the device has
/// no room for that, to what is needed.
void Memory::grow(uint64_t needed) {
  const uint64_t more = std::min(limit_, std::max({kLeastHeap, 2 * end_}));
  if (more > needed) {
    try {
      device_.grow(more);
      return;
    } catch (const DeviceError&) {
      // The old heap is still there.
    }
  }
  device_.grow(needed);
}

uint64_t Memory::take(uint64_t bytes) {
  if (bytes > limit_) {
    throw DeviceError("an array takes " + too_many(bytes));
  }
  const uint64_t size =
      std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  const auto fits = std::ranges::find_if(
      free_, [&](const auto& part) { return part.second >= size; });
  uint64_t offset = end_;
  if (fits != free_.end()) {
    offset = fits->first;
    const uint64_t rest = fits->second - size;
    free_.erase(fits);
    if (rest > 0) free_.emplace(offset + size, rest);
  } else {
    if (size > limit_ - end_) {
      throw DeviceError("the program's arrays take " + too_many(end_ + size));
    }
    if (end_ + size > device_.heap()) grow(end_ + size);
    end_ += size;
  }
  taken_.emplace(offset, size);
  return offset;
}

void Memory::give_back(uint64_t offset) {
  const auto taken = taken_.find(offset);
  if (taken == taken_.end()) return;
  uint64_t size = taken->second;
  taken_.erase(taken);
  const auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + size) {
    size += next->second;
    free_.erase(next);
  }
  const auto after = free_.lower_bound(offset);
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      offset = before->first;
      size += before->second;
      free_.erase(before);
    }
  }
  if (offset + size == end_) {
    end_ = offset;
  } else {
    free_.emplace(offset, size);
  }
}

}  // namespace hlo::gpu
