#include "backends/gpu/program/device_memory.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace hlo::gpu {
namespace {

constexpr uint64_t kAlignment = 16;
constexpr uint64_t kLeastHeap = uint64_t{1} << 20;

}  // namespace

uint64_t Memory::take(uint64_t bytes) {
  if (bytes > device_.memory()) {
    throw DeviceError("an array is larger than the device's memory");
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
    if (end_ + size > device_.memory()) {
      throw DeviceError("the program's arrays exceed the device's memory");
    }
    if (end_ + size > device_.heap()) {
      device_.grow(std::min(device_.memory(),
                            std::max({kLeastHeap, end_ + size, 2 * end_})));
    }
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
