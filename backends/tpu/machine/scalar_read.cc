#include "backends/tpu/machine/scalar_read.h"

#include <algorithm>
#include <limits>

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {

int64_t integer_at(Machine& machine, const TiledArray& array, int64_t element) {
  record_step(machine, array, array.order->lane_of(element) / kLanes,
              /*is_store=*/false);
  const uint64_t value = element_at(machine, array, element)[0];
  const ElementType type = array.shape.element_type;
  if (is_signed(type)) {
    const int shift = 64 - bits(type);
    return static_cast<int64_t>(value << shift) >> shift;
  }
  constexpr auto kMost =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(std::min(value, kMost));
}

}  // namespace hlo::tpu
