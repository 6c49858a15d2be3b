#include "backends/tpu/run/lone_device.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/run/lone_collectives.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/async_state.h"
#include "interpreter/rules/devices/channel_pairs.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::tpu {
namespace {

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

const Value& copied(const Instruction& done, const Value& state) {
  return state.elements.at(wraps_copy(done.operand_shape(0), done.shape) ? 1
                                                                         : 0);
}

bool has_arrays(const Shape& shape) {
  return std::ranges::any_of(
      leaves(shape), [](const Shape* leaf) { return leaf->is_array(); });
}

/// The value of the infeed, whose queue is empty.
Value infed(const Instruction& infeed, const Value& token) {
  const Shape& data = infeed.shape.tuple_shapes.at(0);
  require_evaluable(!has_arrays(data), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  return {.shape = infeed.shape, .elements = {{.shape = data}, token}};
}

uint32_t number_in(Machine& machine, const Value& word) {
  return static_cast<uint32_t>(element_at(machine, word.array, 0)[0]);
}

Value tuple_of(std::vector<Value> values) {
  Value tuple{.shape = Shape::tuple({})};
  for (const Value& value : values) {
    tuple.shape.tuple_shapes.push_back(value.shape);
  }
  tuple.elements = std::move(values);
  return tuple;
}

/// The oldest of those that wait, or a new one that does.
template <typename Queue>
auto met(Queue& others, Queue& own) {
  if (others.empty()) {
    own.push_back(std::make_shared<typename Queue::value_type::element_type>());
    return own.back();
  }
  const auto transfer = others.front();
  others.pop_front();
  return transfer;
}

void check_shapes(const std::optional<Value>& sent,
                  const std::optional<Shape>& wanted) {
  if (!sent || !wanted) return;
  require_evaluable(compatible(sent->elements.at(0).shape, *wanted, true),
                    "channel.shape",
                    {"what was sent is ", sent->elements.at(0).shape,
                     " and what is received ", *wanted},
                    "they must have one shape");
}

/// Whether the computation, or one that it runs, talks to others.
bool may_wait(const Computation& computation) {
  return std::ranges::any_of(
      computation.instructions, [](const auto& instruction) {
        return instruction->op->communicate != nullptr ||
               std::ranges::any_of(
                   called_by(*instruction),
                   [](const auto* called) { return may_wait(*called); });
      });
}

bool is_host_transfer(const Instruction& transfer) {
  return transfer.get_or<bool>("is_host_transfer", false);
}

}  // namespace

Value LoneDevice::run(const Instruction& instruction, const Values& operands,
                      const Call& call) {
  if (is_collective(instruction)) {
    Value value = meet_alone(machine_, instruction, operands);
    return instruction.op->name.ends_with("-start")
               ? begin(instruction, std::move(value))
               : value;
  }
  return communicate(instruction, operands, call);
}

Value LoneDevice::communicate(const Instruction& instruction,
                              const Values& operands, const Call& call) {
  const std::string_view name = instruction.op->name;
  if (name == "copy-start") {
    return copied_state(machine_, instruction, *operands[0]);
  }
  if (name == "copy-done") return copied(instruction, *operands[0]);
  if (name == "async-start" || name == "async-update") {
    return bind(instruction, operands, call);
  }
  if (name == "async-done") return end_async(instruction, *operands[0], call);
  if (name == "send") return send(instruction, operands);
  if (name == "recv") return receive(instruction, *operands[0]);
  if (name == "send-done" || name == "recv-done") {
    return end_transfer(*operands[0], call);
  }
  if (name.ends_with("-done")) return end(instruction);
  if (name == "infeed") return infed(instruction, *operands[0]);
  // What a program writes for the host goes nowhere.
  if (name == "outfeed") return *operands[1];
  if (name == "replica-id" || name == "partition-id") {
    return word(machine_, ElementType::kU32, 0);
  }
  throw Unsupported("does not run " + std::string(name));
}

Value LoneDevice::begin(const Instruction& start, Value value) {
  begun_.insert_or_assign(&start, [value] { return &value; });
  return zeros(machine_, start.shape);
}

Value LoneDevice::end(const Instruction& done) {
  auto node = begun_.extract(done.operands[0]);
  require_evaluable(
      !node.empty(), "async.pair",
      {"%", done.name, " ends what has been ended or never begun"},
      "a start must have one done");
  return *node.mapped()();
}

Value LoneDevice::transfer_state(Value data, Pending pending,
                                 const Value& token) {
  const uint32_t number = keep(std::move(pending));
  return tuple_of(
      {std::move(data), word(machine_, ElementType::kU32, number), token});
}

Value LoneDevice::send(const Instruction& send, const Values& operands) {
  const size_t at = send.operand_shape(1).is_token() ? 0 : 1;
  const Value& data = *operands[at];
  const Value& token = *operands[1 - at];
  const Pending is_done = [token] { return &token; };
  if (is_host_transfer(send)) return transfer_state(data, is_done, token);
  const ChannelEnds ends = channel_ends(send, Device{}, Grid{});
  if (ends.has_pairs && ends.target < 0) {
    return transfer_state(data, is_done, token);
  }
  Channel& channel = channels_[{ends.channel, ends.has_pairs}];
  const auto transfer = met(channel.wanted, channel.sent);
  transfer->sent = tuple_of({data, token});
  check_shapes(transfer->sent, transfer->wanted);
  return transfer_state(
      data,
      [transfer] {
        return transfer->wanted ? &transfer->sent->elements.at(1) : nullptr;
      },
      token);
}

Value LoneDevice::receive(const Instruction& recv, const Value& token) {
  const Shape& data = recv.shape.tuple_shapes.at(0);
  require_evaluable(!is_host_transfer(recv), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  const ChannelEnds ends = channel_ends(recv, Device{}, Grid{});
  const Value nothing = zeros(machine_, data);
  if (ends.has_pairs && ends.source < 0) {
    const Value received = tuple_of({nothing, {.shape = Shape::token()}});
    return transfer_state(
        nothing, [received] { return &received; }, token);
  }
  Channel& channel = channels_[{ends.channel, ends.has_pairs}];
  const auto transfer = met(channel.sent, channel.wanted);
  transfer->wanted = data;
  check_shapes(transfer->sent, transfer->wanted);
  return transfer_state(
      nothing,
      [transfer] { return transfer->sent ? &*transfer->sent : nullptr; },
      token);
}

Value LoneDevice::end_transfer(const Value& state, const Call& call) {
  const Value& context = state.elements.at(1);
  require_evaluable(
      context.shape.is_scalar() && is_integer(context.shape.element_type),
      "channel.state",
      {"the context in the state of a transfer is ", context.shape},
      "it must be an integer");
  return awaited(redeem(number_in(machine_, context)), call);
}

std::optional<LoneDevice::Pending> LoneDevice::begun(const Instruction& later,
                                                     const Value& state) {
  const auto context = context_of(state.shape);
  const uint32_t number =
      context ? number_in(machine_, state.elements.at(*context)) : 0;
  if (number != 0) return redeem(number);
  auto node = begun_.extract(later.operands[0]);
  if (node.empty()) return std::nullopt;
  Pending pending = std::move(node.mapped());
  return pending;
}

/// Binds operands to what the instruction's state wraps; it begins where they
/// are all there.
Value LoneDevice::bind(const Instruction& instruction, const Values& operands,
                       const Call& call) {
  const bool is_first = instruction.op->name == "async-start";
  std::vector<Value> bound;
  if (!is_first) bound = operands[0]->elements.at(0).elements;
  for (size_t k = is_first ? 0 : 1; k < operands.size(); ++k) {
    bound.push_back(*operands[k]);
  }
  std::optional<Pending> pending;
  if (!is_first) pending = begun(instruction, *operands[0]);
  const Computation* wrapped = wrapped_computation(instruction);
  if (!pending && wrapped != nullptr &&
      wrapped->parameters.size() == bound.size()) {
    pending = run_beside(*wrapped, bound, call);
  }
  std::vector<Value> state{tuple_of(std::move(bound))};
  const std::vector<Shape>& parts = instruction.shape.tuple_shapes;
  const auto context = context_of(instruction.shape);
  for (size_t k = 1; k < parts.size(); ++k) {
    const bool is_context = pending && context == k;
    state.push_back(is_context
                        ? word(machine_, parts[k].element_type, keep(*pending))
                        : zeros(machine_, parts[k]));
  }
  if (pending && !context) begun_.insert_or_assign(&instruction, *pending);
  return tuple_of(std::move(state));
}

Value LoneDevice::end_async(const Instruction& done, const Value& state,
                            const Call& call) {
  auto pending = begun(done, state);
  if (!pending) {
    const Computation* wrapped = wrapped_computation(done);
    require_evaluable(
        wrapped != nullptr, "async.calls",
        {"the state comes out of a tuple or a loop and has no context"},
        "calls= must name the computation");
    pending = run_beside(*wrapped, state.elements.at(0).elements, call);
  }
  const Value value = awaited(*pending, call);
  require_evaluable(is_same_but_for_precision(value.shape, done.shape),
                    "async-done.C2",
                    {"what ran has another shape than ", done.shape},
                    "they must have the same shapes");
  return retyped(machine_, value, done.shape);
}

/// It runs at once, as far as that is known to end.
LoneDevice::Pending LoneDevice::run_beside(const Computation& computation,
                                           std::vector<Value> arguments,
                                           const Call& call) {
  const auto one =
      std::make_shared<Beside>(Beside{&computation, std::move(arguments)});
  if (may_wait(computation)) {
    beside_.push_back(one);
  } else {
    finish(*one, call);
  }
  return [one] { return one->result ? &*one->result : nullptr; };
}

void LoneDevice::finish(Beside& one, const Call& call) {
  Values arguments;
  for (const Value& argument : one.arguments) arguments.push_back(&argument);
  one.result = call(*one.computation, arguments);
}

/// Runs what was begun beside, one after the other, until the value is there.
Value LoneDevice::awaited(const Pending& pending, const Call& call) {
  while (pending() == nullptr && !beside_.empty()) {
    const std::shared_ptr<Beside> next = beside_.front();
    beside_.pop_front();
    ++running_beside_;
    finish(*next, call);
    --running_beside_;
  }
  const Value* value = pending();
  if (value == nullptr && running_beside_ > 0) {
    throw Unsupported("does not run computations that wait for each other");
  }
  require_evaluable(value != nullptr, "evaluate.deadlock",
                    {"the device waits for what never comes"},
                    "a value must be sent for each that is received");
  return *value;
}

uint32_t LoneDevice::keep(Pending pending) {
  const uint32_t number = ++last_number_;
  kept_.insert_or_assign(number, std::move(pending));
  return number;
}

LoneDevice::Pending LoneDevice::redeem(uint32_t number) {
  auto node = kept_.extract(number);
  require_evaluable(!node.empty(), "channel.state",
                    {"a done ends what has been ended or never begun"},
                    "it must end each send, recv or start once");
  Pending pending = std::move(node.mapped());
  return pending;
}

}  // namespace hlo::tpu
