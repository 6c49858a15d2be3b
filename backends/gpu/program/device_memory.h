#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "backends/gpu/device/device.h"
#include "backends/gpu/program/kernel_choice.h"

namespace hlo::gpu {

/// Bit for bit the reference, or within the sets of a level.
enum class Numerics : uint8_t { kExact, kFast };

/// Places of arrays are multiples of so many bytes, and what they take, too.
inline constexpr uint64_t kAlignment = 16;

/// What programs keep on a device: parts of its heap, which grows as needed;
/// and how they compute there.
class Memory {
 public:
  /// Takes at most `most` bytes of the device's memory.
  explicit Memory(Device& device, Numerics numerics = Numerics::kExact,
                  uint64_t most = UINT64_MAX,
                  Kernels kernels = Kernels::kByWork)
      : device_(device),
        numerics_(numerics),
        kernels_(device, kernels),
        limit_(std::min(most, device.memory())) {}

  Device& device() { return device_; }

  /// How many bytes there may be in all.
  uint64_t limit() const { return limit_; }

  /// What errors say of that many bytes: "5 bytes, and the device's memory has
  /// 4 bytes".
  std::string too_many(uint64_t bytes) const;

  /// Whether so many bytes may be taken beside all that is there: copies that a
  /// slower way does without. Nothing is asked of the device.
  bool has_room(int64_t bytes) const {
    return bytes >= 0 && static_cast<uint64_t>(bytes) <= limit_ - end_;
  }

  bool is_fast() const { return numerics_ == Numerics::kFast; }

  KernelChoice& kernels() { return kernels_; }

  const KernelChoice& kernels() const { return kernels_; }

  /// The offset of `bytes` free bytes, a multiple of 16. DeviceError where
  /// there is no such room; what was taken before stays.
  uint64_t take(uint64_t bytes);
  void give_back(uint64_t offset);

 private:
  void grow(uint64_t needed);

  Device& device_;
  Numerics numerics_;
  KernelChoice kernels_;
  uint64_t limit_;
  std::map<uint64_t, uint64_t> free_;   // size by offset, none touch
  std::map<uint64_t, uint64_t> taken_;  // size by offset
  uint64_t end_ = 0;                    // nothing is taken from here on
};

/// A part of the heap that is given back with its last owner. The memory
/// outlives it.
class Block {
 public:
  Block(Memory& memory, uint64_t bytes)
      : memory_(memory), offset_(memory.take(bytes)) {}

  ~Block() { memory_.give_back(offset_); }

  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  uint64_t offset() const { return offset_; }

 private:
  Memory& memory_;
  uint64_t offset_;
};

using Place = std::shared_ptr<const Block>;

}  // namespace hlo::gpu
