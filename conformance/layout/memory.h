#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/model/shape.h"
#include "interpreter/model/slot_map.h"

namespace hlo::conformance {

/// How an array lies in memory, read in both directions.
class Memory {
 public:
  /// Errors "layout.array" for what is no array, "layout.C1" ... where the
  /// layout is not one of the shape, "literal.unbounded".
  explicit Memory(const Shape& shape);

  const Shape& shape() const { return shape_; }

  /// Slots, those behind the last tile (tail padding) included.
  int64_t slots() const { return slots_; }

  int64_t bytes() const { return bytes_; }

  /// Bytes in front of slot 0.
  int64_t prefix_bytes() const {
    return layout_.dynamic_shape_metadata_prefix_bytes;
  }

  int64_t slot_bits() const;

  /// How many neighbouring slots the innermost tile takes; 1 without tiles.
  int64_t tile_slots() const;
  /// How many slots the tiles of the first level take; 1 without tiles.
  int64_t outer_tile_slots() const;

  /// The slot of an element. Error "layout.at" outside of the array.
  int64_t slot(const Index& index) const;
  /// The element in a slot, nothing for padding. Error "layout.offset".
  std::optional<Index> element(int64_t slot) const;

 private:
  Shape shape_;
  Layout layout_;
  SlotMap map_;
  int64_t slots_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace hlo::conformance
