#include "backends/tpu/run/element_watch.h"

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/transfer.h"
#include "interpreter/rules/devices/parallel_programs.h"

namespace hlo::tpu {
namespace {

/// What they do is theirs.
bool runs_computations(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return instruction.op->communicate == nullptr &&
         (form == Form::kCall || form == Form::kBranches ||
          form == Form::kLoop || is_run_parallel(instruction));
}

}  // namespace

bool ElementWatch::is_on(const Device& device) const {
  const std::optional<Device>& wanted = asked_.device ? asked_.device : device_;
  return !wanted || (wanted->replica == device.replica &&
                     wanted->partition == device.partition);
}

void ElementWatch::begin(Machine& machine, const Device& device,
                         const Instruction& instruction) {
  if (!is_asked(instruction) || !is_on(device)) return;
  device_ = device;
  record_ = {.begin = work_of(machine)};
  if (runs_computations(instruction)) return;
  if (runs_ + 1 == asked_.run) machine.record = &record_;
}

void ElementWatch::end(Machine& machine, const Device& device,
                       const Instruction& instruction, const Value& value,
                       const std::vector<NamedArray>& read) {
  if (!is_asked(instruction) || !is_on(device)) return;
  machine.record = nullptr;
  if (++runs_ != asked_.run) return;
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
                                             .read = read})};
}

}  // namespace hlo::tpu
