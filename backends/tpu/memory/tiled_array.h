#pragma once

#include <memory>
#include <vector>

#include "backends/tpu/memory/hbm.h"
#include "backends/tpu/memory/tile_order.h"
#include "interpreter/model/shape.h"

namespace hlo::tpu {

/// An array in the machine's memory. Copies are the same array.
struct TiledArray {
  Shape shape;  // with its layout
  std::shared_ptr<const TileOrder> order;
  std::shared_ptr<Hbm::Piece> memory;
  /// Run-time sizes, where some dimension has fewer elements than its bound.
  std::vector<int64_t> sizes = {};

  /// The bits of a slot.
  int64_t slot_bits() const;
  /// The bytes in front of the first slot.
  int64_t prefix_bytes() const;
  /// What the layout asks for; the piece may be larger.
  int64_t buffer_bytes() const;
  /// How many registers hold the lanes.
  int64_t registers() const;
};

/// An array of that shape, poisoned. The shape's layout is row-major where it
/// has none.
TiledArray new_array(Hbm& memory, const Shape& shape,
                     std::shared_ptr<const TileOrder> order = nullptr);

}  // namespace hlo::tpu
