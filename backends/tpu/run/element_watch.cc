#include "backends/tpu/run/element_watch.h"

#include <string>
#include <utility>

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {
namespace {

void add_array(const TiledArray& array, std::string name,
               std::vector<RecordedArray>& arrays) {
  arrays.push_back({.memory = &array.memory->memory(),
                    .address = array.memory->address(),
                    .name = std::move(name)});
}

void add_results(const Value& value, const std::string& name,
                 std::vector<RecordedArray>& arrays) {
  if (value.shape.is_array()) add_array(value.array, name, arrays);
  for (size_t k = 0; k < value.elements.size(); ++k) {
    add_results(value.elements[k], name + "{" + std::to_string(k) + "}",
                arrays);
  }
}

}  // namespace

bool ElementWatch::is_on(const Device& device) const {
  const std::optional<Device>& wanted = asked_.device ? asked_.device : device_;
  return !wanted || (wanted->replica == device.replica &&
                     wanted->partition == device.partition);
}

int64_t ElementWatch::begin(Machine& machine, const Device& device,
                            const Instruction& instruction) {
  constexpr int64_t kNone = -1;
  machine.record = told_ ? nullptr : &record_;
  if (told_) return kNone;
  if (&instruction == asked_.instruction && is_on(device)) device_ = device;
  return record_.begin(instruction, machine.memory, work_of(machine));
}

void ElementWatch::resume(Machine& machine, int64_t run) {
  machine.record = told_ ? nullptr : &record_;
  if (!told_) record_.resume(run, work_of(machine));
}

void ElementWatch::end(Machine& machine, const Device& device,
                       const Instruction& instruction, int64_t run,
                       const Value& value,
                       const std::vector<NamedArray>& read) {
  if (told_) return;
  // A loop may have begun before all that the record has kept.
  if (RecordedRun* const ended = record_.run(run)) {
    add_results(value, "the result", ended->arrays);
    for (const NamedArray& named : read) {
      add_array(*named.array, named.name, ended->arrays);
    }
  }
  if (&instruction != asked_.instruction || !is_on(device)) return;
  if (++runs_ == asked_.run) tell(machine, device, run, value);
}

void ElementWatch::tell(Machine& machine, const Device& device, int64_t run,
                        const Value& value) {
  machine.record = nullptr;
  const Value* part = &value;
  for (const int64_t k : asked_.tuple_index) {
    part = &part->elements.at(static_cast<size_t>(k));
  }
  const TiledArray& array = part->array;
  const int64_t position = linearize(asked_.index, array.shape.dims);
  const Counters kept = machine.counters;
  const Scalar element{array.shape.element_type,
                       element_at(machine, array, position)};
  machine.counters = kept;  // to be told costs nothing
  told_ = ToldElement{element, told_element({.array = array,
                                             .position = position,
                                             .device = device,
                                             .record = record_,
                                             .run = run,
                                             .depth = asked_.depth})};
}

}  // namespace hlo::tpu
