#include "backends/tpu/machine/scalar_write.h"

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/slots.h"
#include "interpreter/model/storage.h"

namespace hlo::tpu {

void write_integer(Machine& machine, const TiledArray& array, int64_t element,
                   int64_t value) {
  const ElementType type = array.shape.element_type;
  const int64_t lane = array.order->lane_of(element);
  record_step(machine, array, lane / kLanes, /*is_store=*/true);
  alignas(uint64_t) std::byte stored[sizeof(ElementBits)];
  hlo::store(type, {static_cast<uint64_t>(value), 0}, stored);
  const Slots slots(array, machine.fault);
  slots.store(array.order->slot_of(lane), stored);
  machine.counters.elements_one_by_one += 1;
}

}  // namespace hlo::tpu
