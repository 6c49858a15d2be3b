#include "backends/tpu/devices/brought.h"

#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {
namespace {

TiledArray copied(Machine& machine, const TiledArray& array) {
  TiledArray own = new_array(machine.memory, array.shape, array.order);
  own.sizes = array.sizes;
  machine.evaluator.budget().spend(array.order->lanes());
  const int64_t left_out = machine.has(Fault::kLastRegisterNotBrought) ? 1 : 0;
  for (int64_t r = 0; r < own.registers() - left_out; ++r) {
    store_register(machine, load_register(machine, array, r), own, r);
  }
  return own;
}

}  // namespace

Value brought(Machine& machine, Value value) {
  for (Value& element : value.elements) {
    element = brought(machine, std::move(element));
  }
  if (value.shape.is_array() && !value.array.memory->is_in(machine.memory)) {
    value.array = copied(machine, value.array);
  }
  return value;
}

}  // namespace hlo::tpu
