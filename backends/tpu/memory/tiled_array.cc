#include "backends/tpu/memory/tiled_array.h"

#include <utility>

#include "backends/tpu/memory/scratch_registers.h"

namespace hlo::tpu {

int64_t TiledArray::slot_bits() const {
  constexpr int64_t kBitsOfByte = 8;
  const int64_t asked = shape.layout->element_size_in_bits;
  return asked != 0 ? asked : storage_bytes(shape.element_type) * kBitsOfByte;
}

int64_t TiledArray::prefix_bytes() const {
  return shape.layout->dynamic_shape_metadata_prefix_bytes;
}

int64_t TiledArray::buffer_bytes() const {
  constexpr int64_t kBitsOfByte = 8;
  const int64_t bits = order->slots() * slot_bits();
  return prefix_bytes() + (bits + kBitsOfByte - 1) / kBitsOfByte;
}

int64_t TiledArray::registers() const {
  return (order->lanes() + kLanes - 1) / kLanes;
}

TiledArray new_array(Hbm& memory, const Shape& shape,
                     std::shared_ptr<const TileOrder> order) {
  TiledArray array{.shape = shape, .order = std::move(order), .memory = {}};
  if (!array.shape.layout) array.shape.layout = default_layout(shape.rank());
  if (!array.order) array.order = order_of(array.shape);
  array.memory = memory.allocate(array.buffer_bytes());
  return array;
}

}  // namespace hlo::tpu
