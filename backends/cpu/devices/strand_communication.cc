// What a strand does at the instructions that talk to others.
#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/cpu/devices/collectives.h"
#include "backends/cpu/devices/strand.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::cpu {
namespace {

Array copy_state(const Instruction& start, const Array& operand) {
  std::vector<Array> state{operand, operand};
  if (wraps_copy(start.shape, start.operand_shape(0))) {
    state[0] = tuple_of({operand});
  }
  for (size_t i = 2; i < start.shape.tuple_shapes.size(); ++i) {
    state.push_back(zeros(start.shape.tuple_shapes[i]));
  }
  return tuple_of(std::move(state));
}

Array copied(const Instruction& done, const Array& state) {
  return wraps_copy(done.operand_shape(0), done.shape) ? state.elements.at(1)
                                                       : state.elements.at(0);
}

Array word(ElementType type, uint32_t value) {
  Array array(Shape::scalar(type));
  std::memcpy(array.bytes.data(), &value, sizeof(value));
  return array;
}

uint32_t number_of(const Array& word) {
  uint32_t number = 0;
  std::memcpy(&number, word.bytes.data(), sizeof(number));
  return number;
}

bool has_arrays(const Shape& shape) {
  return std::ranges::any_of(
      leaves(shape), [](const Shape* leaf) { return leaf->is_array(); });
}

/// The place of the data beside the token.
size_t data_operand(const Instruction& send) {
  return send.operand_shape(1).is_token() ? 0 : 1;
}

}  // namespace

Pending Strand::meet(const Instruction& collective, Operands operands) {
  require_whole(collective, operands);
  const EngineCalls calls = around_.calls;
  const auto rule = [calls](const Meeting& meeting) {
    return results_of(meeting, calls);
  };
  auto pending = around_.network.meet(collective, operands, device_, rule);
  if (pending) return *std::move(pending);
  std::optional<Array> outside = outside_of(collective, operands);
  devices::require_member(outside.has_value(), device_);
  return at_once(*std::move(outside));
}

Pending Strand::begin(const Instruction& start, Pending pending) {
  begun_.add(start, std::move(pending));
  return at_once(zeros(start.shape));
}

Pending Strand::send(const Instruction& send, Operands operands) {
  const size_t data = data_operand(send);
  const Array& value = *operands[data];
  const Array& token = *operands[1 - data];
  const bool to_host = send.get_or<bool>("is_host_transfer", false);
  if (to_host) around_.network.put_outfeed(device_, value);
  std::optional<Pending> pending;
  if (!to_host) {
    pending = around_.network.send(send, tuple_of({value, token}), device_);
  }
  const uint32_t number =
      around_.network.keep(pending ? *std::move(pending) : at_once(token));
  return at_once(tuple_of({value, word(ElementType::kU32, number), token}));
}

Pending Strand::receive(const Instruction& recv, Operands operands) {
  const Shape& data = recv.shape.tuple_shapes.at(0);
  Network& network = around_.network;
  std::optional<Pending> pending;
  if (recv.get_or<bool>("is_host_transfer", false)) {
    pending = at_once(tuple_of({network.take_infeed(data), *operands[0]}));
  } else {
    pending = network.receive(recv, data, device_);
  }
  if (!pending) {  // nobody sends to it
    pending = at_once(tuple_of({zeros(data), Array(Shape::token())}));
  }
  const uint32_t number = network.keep(*std::move(pending));
  return at_once(
      tuple_of({zeros(data), word(ElementType::kU32, number), *operands[0]}));
}

Pending Strand::transfer_done(const Array& state) {
  const Array& context = state.elements.at(1);
  require_evaluable(
      context.shape.is_scalar() && is_integer(context.shape.element_type),
      "channel.state",
      {"the context in the state of a transfer is ", context.shape},
      "it must be an integer");
  return around_.network.redeem(static_cast<uint32_t>(integer(context, 0)));
}

std::optional<Pending> Strand::begun(const Instruction& later,
                                     const Array& state) {
  const auto context = context_of(state.shape);
  const uint32_t number = context ? number_of(state.elements[*context]) : 0;
  if (number != 0) return around_.network.redeem(number);
  return begun_.take(later);
}

/// The state with these operands bound, after `before`: what it wraps begins to
/// run where they are all.
Array Strand::bound(const Instruction& instruction, std::vector<Array> operands,
                    const Array* before) {
  std::optional<Pending> pending;
  if (before != nullptr) pending = begun(instruction, *before);
  const Computation* wrapped = wrapped_computation(instruction);
  if (!pending && wrapped != nullptr &&
      wrapped->parameters.size() == operands.size()) {
    pending = run_beside(*wrapped, operands);
  }
  std::vector<Array> state;
  state.push_back(tuple_of(std::move(operands)));
  const std::vector<Shape>& parts = instruction.shape.tuple_shapes;
  for (size_t i = 1; i < parts.size(); ++i) state.push_back(zeros(parts[i]));
  if (pending) {
    if (const auto context = context_of(instruction.shape)) {
      const uint32_t number = around_.network.keep(*std::move(pending));
      state[*context] = word(parts[*context].element_type, number);
    } else {
      begun_.add(instruction, *std::move(pending));
    }
  }
  return tuple_of(std::move(state));
}

Pending Strand::bind(const Instruction& instruction, Operands operands) {
  const bool first = instruction.op->name == "async-start";
  std::vector<Array> values;
  if (!first) values = operands[0]->elements.at(0).elements;
  for (const Array* operand : operands.subspan(first ? 0 : 1)) {
    values.push_back(*operand);
  }
  return at_once(
      bound(instruction, std::move(values), first ? nullptr : operands[0]));
}

Pending Strand::async_done(const Instruction& done, Operands operands) {
  if (auto pending = begun(done, *operands[0])) {
    return devices::with_shape_of(done, *std::move(pending));
  }
  const Computation* wrapped = wrapped_computation(done);
  require_evaluable(
      wrapped != nullptr, "async.calls",
      {"the state comes out of a tuple or a loop and has no context"},
      "calls= must name the computation");
  return devices::with_shape_of(
      done, run_beside(*wrapped, operands[0]->elements.at(0).elements));
}

Pending Strand::communicate(const Instruction& instruction, Operands operands) {
  const std::string_view name = instruction.op->name;
  if (is_collective(name)) {
    Pending pending = meet(instruction, operands);
    return name.ends_with("-start") ? begin(instruction, std::move(pending))
                                    : pending;
  }
  if (name == "copy-start") {
    return at_once(copy_state(instruction, *operands[0]));
  }
  if (name == "copy-done") return at_once(copied(instruction, *operands[0]));
  if (name == "async-start" || name == "async-update") {
    return bind(instruction, operands);
  }
  if (name == "async-done") return async_done(instruction, operands);
  if (name == "send") return send(instruction, operands);
  if (name == "recv") return receive(instruction, operands);
  if (name == "send-done" || name == "recv-done") {
    return transfer_done(*operands[0]);
  }
  if (name.ends_with("-done")) return begun_.end(instruction);
  if (name == "infeed") {
    const Shape& data = instruction.shape.tuple_shapes.at(0);
    return at_once(tuple_of(
        {has_arrays(data) ? around_.network.take_infeed(data) : zeros(data),
         *operands[0]}));
  }
  if (name == "outfeed") {
    around_.network.put_outfeed(device_, *operands[0]);
    return at_once(Array(Shape::token()));
  }
  const bool replica = name == "replica-id";
  if (!replica && name != "partition-id") {
    throw Unsupported("does not run " + std::string(name));
  }
  const int64_t id = replica ? device_.replica : device_.partition;
  return at_once(word(ElementType::kU32, static_cast<uint32_t>(id)));
}

}  // namespace hlo::cpu
