#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/tpu/memory/fault.h"
#include "backends/tpu/memory/tiled_array.h"

namespace hlo::tpu {

/// How the elements of an array lie in slots: as literals store them, or in
/// slots of other widths, which may be parts of bytes (spec/layout.md).
class Slots {
 public:
  /// Trap "tpu.bounds" where the array's memory is smaller than its layout.
  explicit Slots(const TiledArray& array, Fault fault = Fault::kNone);

  /// Whether slots are what a literal stores.
  bool are_plain() const { return is_plain_; }

  /// The bytes of a slot of plain ones.
  std::byte* plain(int64_t slot) const { return bytes_ + slot * width_; }

  void load(int64_t slot, std::byte* into) const;
  /// Elements are there from then on.
  void store(int64_t slot, const std::byte* from) const;
  void store_plain(int64_t slot, int64_t count, const std::byte* from) const;

  /// Says that slots hold elements.
  void mark(int64_t slot, int64_t count) const;
  /// Whether all of these slots hold elements.
  bool are_written(int64_t slot, int64_t count) const;

 private:
  void store_wide(int64_t slot, const std::byte* from) const;

  ElementType type_;
  int64_t bits_;
  int64_t width_;
  bool is_plain_;
  bool is_swapped_;  // pairs of slots are read in the opposite order
  Fault fault_;
  std::byte* bytes_;
  std::byte* written_;
};

}  // namespace hlo::tpu
