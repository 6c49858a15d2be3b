#include "backends/tpu/machine/whole_array.h"

#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {

std::optional<ScratchRoom> room_for_whole(Machine& machine, int64_t bytes) {
  const int64_t free = machine.scratch.size() - machine.scratch.held();
  if (bytes <= free / 2) return ScratchRoom(machine.scratch, bytes);
  machine.counters.untiled_bytes += bytes;
  return std::nullopt;
}

WholeArray read_whole(Machine& machine, const TiledArray& array) {
  const Shape& shape = array.shape;
  auto room = room_for_whole(
      machine, shape.element_count() * storage_bytes(shape.element_type));
  return {std::move(room), read_elements(machine, array)};
}

}  // namespace hlo::tpu
