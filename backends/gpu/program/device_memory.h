#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {

/// Bit for bit the reference, or within the sets of a level.
enum class Numerics : uint8_t { kExact, kFast };

/// What programs keep on a device: parts of its heap, which grows as needed;
/// and how they compute there.
class Memory {
 public:
  explicit Memory(Device& device, Numerics numerics = Numerics::kExact)
      : device_(device), numerics_(numerics) {}

  Device& device() { return device_; }

  bool is_fast() const { return numerics_ == Numerics::kFast; }

  /// The offset of `bytes` free bytes, a multiple of 16. DeviceError where the
  /// device has no such room.
  uint64_t take(uint64_t bytes);
  void give_back(uint64_t offset);

 private:
  Device& device_;
  Numerics numerics_;
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
