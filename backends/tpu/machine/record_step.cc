#include "backends/tpu/machine/record_step.h"

namespace hlo::tpu {

TileWork work_of(const Machine& machine) {
  const Counters& counters = machine.counters;
  return {.operations = counters.vector_operations,
          .moves = counters.shifts,
          .passes = counters.matrix_passes};
}

void record_step(Machine& machine, const TiledArray& array, int64_t number,
                 bool is_store) {
  if (machine.record == nullptr) return;
  machine.record->add({.is_store = is_store,
                       .memory = &array.memory->memory(),
                       .address = array.memory->address(),
                       .number = number},
                      work_of(machine));
}

}  // namespace hlo::tpu
