// What an execution does at the instructions that talk to others.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "backends/tpu/counts/instruction_counts.h"
#include "backends/tpu/devices/tiled_collectives.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/run/execution.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/devices/transfer_rules.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

using devices::at_once;
using Pending = devices::Pending<Value>;

/// The state of a copy that has begun, and has ended, too.
Value copied_state(Machine& machine, const Instruction& start,
                   const Value& operand) {
  Value state{.shape = start.shape, .elements = {operand, operand}};
  if (wraps_copy(start.shape, start.operand_shape(0))) {
    state.elements[0] = {.shape = Shape::tuple({operand.shape}),
                         .elements = {operand}};
  }
  for (size_t k = 2; k < start.shape.tuple_shapes.size(); ++k) {
    state.elements.push_back(zeros(machine, start.shape.tuple_shapes[k]));
  }
  return state;
}

const Value& copied_by(const Instruction& done, const Value& state) {
  return state.elements.at(wraps_copy(done.operand_shape(0), done.shape) ? 1
                                                                         : 0);
}

bool has_arrays(const Shape& shape) {
  return std::ranges::any_of(
      leaves(shape), [](const Shape* leaf) { return leaf->is_array(); });
}

uint32_t number_in(Machine& machine, const Value& word) {
  return static_cast<uint32_t>(element_at(machine, word.array, 0)[0]);
}

Value token() { return {.shape = Shape::token()}; }

/// The state of a send or recv, with the number of what it has begun.
Value transfer_state(Machine& machine, Value data, uint32_t number,
                     const Value& token) {
  return tuple_of(
      {std::move(data), word(machine, ElementType::kU32, number), token});
}

/// What the machines of the group have counted is the collective's.
void give_counts(const Group& group) {
  for (Machine* const machine : group.machines) {
    tpu::give_counts(*machine, group.meeting.collective);
  }
}

}  // namespace

Pending Execution::communicate(const Instruction& instruction,
                               const Values& operands) {
  const std::string_view name = instruction.op->name;
  if (is_collective(instruction)) {
    Pending pending = meet(instruction, operands);
    return name.ends_with("-start") ? begin(instruction, std::move(pending))
                                    : pending;
  }
  if (name == "copy-start") {
    return at_once(copied_state(machine_, instruction, *operands[0]));
  }
  if (name == "copy-done") {
    return at_once(copied_by(instruction, *operands[0]));
  }
  if (name == "async-start" || name == "async-update") {
    return bind(instruction, operands);
  }
  if (name == "async-done") return end_async(instruction, *operands[0]);
  if (name == "send") return send(instruction, operands);
  if (name == "recv") return receive(instruction, operands);
  if (name == "send-done" || name == "recv-done") {
    return end_transfer(*operands[0]);
  }
  if (name.ends_with("-done")) return begun_.end(instruction);
  if (name == "infeed") return infed(instruction, *operands[0]);
  if (name == "outfeed") {
    put_outfeed(machine_, around_.host, device_, *operands[0]);
    return at_once(*operands[1]);
  }
  return at_once(id_of_device(instruction));
}

Value Execution::id_of_device(const Instruction& instruction) {
  const bool is_replica = instruction.op->name == "replica-id";
  if (!is_replica && instruction.op->name != "partition-id") {
    throw Unsupported("does not run " + std::string(instruction.op->name));
  }
  const bool takes_replica =
      is_replica || machine_.has(Fault::kReplicaForPartition);
  const int64_t id = takes_replica ? device_.replica : device_.partition;
  return word(machine_, ElementType::kU32, static_cast<uint64_t>(id));
}

Pending Execution::meet(const Instruction& collective, const Values& operands) {
  require_whole(collective, operands);
  machine_.evaluator.budget().spend(work_of(collective));
  const auto rule = [this](const devices::Meeting<Value>& meeting) {
    Group group{.meeting = meeting, .machines = {}};
    for (const int64_t device : meeting.devices) {
      group.machines.push_back(around_.machines[static_cast<size_t>(device)]);
    }
    group.run = [this, &group](int64_t device, const Computation& combiner,
                               const Values& arguments) {
      give_counts(group);
      return Execution(around_, device_of(device, around_.network.grid()))
          .ended(around_.plan, combiner, arguments);
    };
    MemberResults results = results_of(group);
    give_counts(group);
    return results;
  };
  auto pending = around_.network.meet(collective, operands, device_, rule);
  if (pending) return *std::move(pending);
  std::optional<Value> outside = outside_of(machine_, collective, operands);
  devices::require_member(outside.has_value(), device_);
  return at_once(*std::move(outside));
}

Pending Execution::begin(const Instruction& start, Pending pending) {
  begun_.add(start, std::move(pending));
  return at_once(zeros(machine_, start.shape));
}

Pending Execution::send(const Instruction& send, const Values& operands) {
  const size_t at = send.operand_shape(1).is_token() ? 0 : 1;
  const Value& data = *operands[at];
  const Value& token = *operands[1 - at];
  std::optional<Pending> pending;
  if (is_host_transfer(send)) {
    put_outfeed(machine_, around_.host, device_, data);
  } else {
    pending = around_.network.send(send, tuple_of({data, token}), device_);
  }
  const uint32_t number =
      around_.network.keep(pending ? *std::move(pending) : at_once(token));
  return at_once(transfer_state(machine_, data, number, token));
}

Pending Execution::receive(const Instruction& recv, const Values& operands) {
  const Shape& data = recv.shape.tuple_shapes.at(0);
  std::optional<Pending> pending;
  if (is_host_transfer(recv)) {
    pending = at_once(
        tuple_of({take_infeed(machine_, around_.host, data), *operands[0]}));
  } else {
    pending = around_.network.receive(recv, data, device_);
  }
  Value nothing = zeros(machine_, data);
  if (!pending) pending = at_once(tuple_of({nothing, token()}));
  const uint32_t number = around_.network.keep(*std::move(pending));
  return at_once(
      transfer_state(machine_, std::move(nothing), number, *operands[0]));
}

Pending Execution::end_transfer(const Value& state) {
  const Value& context = state.elements.at(1);
  require_evaluable(
      context.shape.is_scalar() && is_integer(context.shape.element_type),
      "channel.state",
      {"the context in the state of a transfer is ", context.shape},
      "it must be an integer");
  return around_.network.redeem(number_in(machine_, context));
}

Pending Execution::infed(const Instruction& infeed, const Value& token) {
  const Shape& data = infeed.shape.tuple_shapes.at(0);
  return at_once(
      tuple_of({has_arrays(data) ? take_infeed(machine_, around_.host, data)
                                 : zeros(machine_, data),
                token}));
}

std::optional<Pending> Execution::begun(const Instruction& later,
                                        const Value& state) {
  const auto context = context_of(state.shape);
  const uint32_t number =
      context ? number_in(machine_, state.elements.at(*context)) : 0;
  if (number != 0) return around_.network.redeem(number);
  return begun_.take(later);
}

/// Binds operands to what the instruction's state wraps; it begins where they
/// are all there.
Pending Execution::bind(const Instruction& instruction,
                        const Values& operands) {
  const bool is_first = instruction.op->name == "async-start";
  std::vector<Value> values;
  if (!is_first) values = operands[0]->elements.at(0).elements;
  for (size_t k = is_first ? 0 : 1; k < operands.size(); ++k) {
    values.push_back(*operands[k]);
  }
  std::optional<Pending> pending;
  if (!is_first) pending = begun(instruction, *operands[0]);
  const Computation* wrapped = wrapped_computation(instruction);
  if (!pending && wrapped != nullptr &&
      wrapped->parameters.size() == values.size()) {
    pending = run_beside(*wrapped, values);
  }
  return at_once(bound(instruction, std::move(values), std::move(pending)));
}

/// The state with these operands, and the number of what has begun, if it has a
/// place for that.
Value Execution::bound(const Instruction& instruction,
                       std::vector<Value> operands,
                       std::optional<Pending> pending) {
  std::vector<Value> state;
  state.push_back(tuple_of(std::move(operands)));
  const std::vector<Shape>& parts = instruction.shape.tuple_shapes;
  for (size_t k = 1; k < parts.size(); ++k) {
    state.push_back(zeros(machine_, parts[k]));
  }
  if (!pending) return tuple_of(std::move(state));
  if (const auto context = context_of(instruction.shape)) {
    const uint32_t number = around_.network.keep(*std::move(pending));
    state[*context] = word(machine_, parts[*context].element_type, number);
  } else {
    begun_.add(instruction, *std::move(pending));
  }
  return tuple_of(std::move(state));
}

Pending Execution::end_async(const Instruction& done, const Value& state) {
  if (auto pending = begun(done, state)) {
    return devices::with_shape_of(done, *std::move(pending));
  }
  const Computation* wrapped = wrapped_computation(done);
  require_evaluable(
      wrapped != nullptr, "async.calls",
      {"the state comes out of a tuple or a loop and has no context"},
      "calls= must name the computation");
  return devices::with_shape_of(
      done, run_beside(*wrapped, state.elements.at(0).elements));
}

}  // namespace hlo::tpu
