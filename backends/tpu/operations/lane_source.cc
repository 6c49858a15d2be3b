#include "backends/tpu/operations/lane_source.h"

#include <cstring>

#include "backends/tpu/machine/transfer.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::tpu {

LaneSource::LaneSource(Machine& machine, const TiledArray& array,
                       const TiledArray& result)
    : machine_(machine),
      array_(array),
      order_(*result.order),
      is_splat_(!same_dims(array.shape, result.shape)) {
  constexpr int64_t kKeptRegisters = 16;
  if (!is_splat_ && !machine.has(Fault::kOrderIgnored) &&
      !order_.same_lanes(*array.order)) {
    gather_ = std::make_unique<LaneGather>(machine, array, kKeptRegisters);
  }
}

Register LaneSource::at(int64_t r) const {
  if (is_splat_) return splat();
  if (!gather_) return load_register(machine_, array_, r);
  Register into(machine_.scratch, array_.shape.element_type);
  gather_->gather(elements_of(order_, r), into);
  return into;
}

Register LaneSource::splat() const {
  Register lanes = load_register(machine_, array_, 0);
  if (machine_.has(Fault::kScalarFromLaneOne)) {
    std::memcpy(lanes.lane(0), lanes.lane(1),
                static_cast<size_t>(lanes.width()));
  }
  return lanes;
}

Register converted_lanes(Machine& machine, const Register& from,
                         ElementType type) {
  Register into(machine.scratch, type);
  into.valid() = from.valid();
  convert_elements(from.type(), from.bytes(), kLanes, type, into.bytes());
  machine.counters.vector_operations += 1;
  return into;
}

}  // namespace hlo::tpu
