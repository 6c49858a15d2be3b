#include "backends/tpu/run/execution.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "backends/run_in_order.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/operations/bits/bitcasts.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/operations/one_by_one.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/operations/sizes/fitted.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "backends/tpu/operations/sizes/resize.h"
#include "backends/tpu/program/assign_layout.h"
#include "backends/tpu/run/laid_out.h"
#include "backends/tpu/run/lone_device.h"
#include "backends/tpu/run/on_tiles.h"
#include "backends/tpu/run/scan_slices.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kMostLevels = 100;

/// Runs computations that run others, one level below its own.
class Execution {
 public:
  Execution(Machine& machine, const LayoutPlan& plan, LoneDevice& device,
            int64_t level)
      : machine_(machine), plan_(plan), device_(device), level_(level) {
    if (level > kMostLevels) {
      throw Unsupported("does not run computations nested more than " +
                        std::to_string(kMostLevels) + " deep");
    }
  }

  Value run(const Computation& computation, const Values& arguments);

 private:
  Value called(const Computation& computation, const Values& arguments) {
    return Execution(machine_, plan_, device_, level_ + 1)
        .run(computation, arguments);
  }

  /// The value as the plan lays the instruction's out.
  Value planned(const Instruction& instruction, Value value) {
    return laid_out(machine_, std::move(value), plan_.leaves_of(instruction));
  }

  Values copied(const Instruction& instruction, const Values& operands);
  void forget_copies(const Instruction& instruction);
  Value value_of(const Instruction& instruction, const Values& operands);
  Value array_of(const Instruction& instruction, const Values& operands);
  void begin(const Values& operands);
  Value branch(const Instruction& instruction, const Values& operands);
  Value loop(const Instruction& instruction, const Values& operands);
  Value scan_of(const Instruction& instruction, const Values& operands);

  Machine& machine_;
  const LayoutPlan& plan_;
  LoneDevice& device_;
  int64_t level_;
  std::map<const LayoutCopy*, Value> copies_;  // that are still to be read
};

/// The trap with the instruction that it sprang in; that of the innermost
/// computation.
Trap named(const Trap& trap, const Instruction& instruction) {
  const std::string what = trap.what();
  if (what.starts_with('%')) return trap;
  return {trap.rule(), "%" + instruction.name + " (" +
                           std::string(instruction.op->name) + ") " + what};
}

void poison_padding(const Value& value) {
  if (value.shape.is_array()) value.array.memory->poison();
  for (const Value& element : value.elements) poison_padding(element);
}

/// Before each operation padding is another: what it takes from there is not
/// what any other left.
void Execution::begin(const Values& operands) {
  machine_.memory.begin_operation();
  if (machine_.has(Fault::kStalePadding)) return;
  for (const Value* operand : operands) poison_padding(*operand);
}

Value Execution::run(const Computation& computation, const Values& arguments) {
  std::vector<Value> own;
  for (size_t k = 0; k < arguments.size(); ++k) {
    own.push_back(planned(*computation.parameters[k], *arguments[k]));
  }
  Values pointers;
  for (const Value& value : own) pointers.push_back(&value);
  // What only hands values on costs something, too: no loop is for nothing.
  machine_.evaluator.budget().spend(kWorkOfInstruction *
                                    std::ssize(computation.instructions));
  return run_in_order<Value>(
      computation, pointers,
      [this](const Instruction& instruction, const Values& operands) {
        try {
          Value value = planned(instruction, value_of(instruction, operands));
          forget_copies(instruction);
          return value;
        } catch (const Trap& trap) {
          throw named(trap, instruction);
        }
      });
}

/// The operands of an element-wise operation as its lanes meet.
Values Execution::copied(const Instruction& instruction,
                         const Values& operands) {
  Values read = operands;
  for (size_t k = 0; k < operands.size(); ++k) {
    const LayoutCopy* const copy = plan_.copy_of(instruction, k);
    if (copy == nullptr) continue;
    Value& value = copies_[copy];
    if (value.array.memory == nullptr) {
      value = laid_out(machine_, *operands[k], {copy->to});
    }
    read[k] = &value;
  }
  return read;
}

void Execution::forget_copies(const Instruction& instruction) {
  std::erase_if(copies_, [&](const auto& copy) {
    return copy.first->last == &instruction;
  });
}

/// The integer in a scalar, signed as its type is.
int64_t scalar_integer(Machine& machine, const Value& value) {
  return read_elements(machine, value.array).integer(0);
}

Value Execution::branch(const Instruction& instruction,
                        const Values& operands) {
  const Computations choices = called_by(instruction);
  const int64_t last = std::ssize(choices) - 1;
  const int64_t selector = scalar_integer(machine_, *operands[0]);
  const bool two_way = operands[0]->shape.element_type == ElementType::kPred;
  int64_t chosen = two_way ? 1 - selector : selector;
  if (machine_.has(Fault::kBranchesSwapped) && two_way) chosen = selector;
  const bool is_first = machine_.has(Fault::kFirstBranchByDefault);
  if (chosen < 0 || chosen > last) chosen = is_first ? 0 : last;
  const auto at = static_cast<size_t>(chosen);
  return called(*choices[at], {operands[at + 1]});
}

Value Execution::loop(const Instruction& instruction, const Values& operands) {
  const auto& condition = *instruction.get<Computation*>("condition");
  const auto& body = *instruction.get<Computation*>("body");
  Value state = planned(instruction, *operands[0]);
  if (machine_.has(Fault::kBodyFirst)) {
    state = planned(instruction, called(body, {&state}));
  }
  while (scalar_integer(machine_, called(condition, {&state})) != 0) {
    state = planned(instruction, called(body, {&state}));
  }
  return state;
}

/// An array, or the tuple of several.
Value as_value(const Shape& shape, std::vector<TiledArray> arrays) {
  if (shape.is_array()) {
    return {.shape = arrays[0].shape, .array = std::move(arrays[0])};
  }
  Value tuple{.shape = shape};
  for (TiledArray& array : arrays) {
    tuple.elements.push_back({.shape = array.shape, .array = array});
  }
  return tuple;
}

/// Whether a custom-call marks its operand for a partitioner.
bool is_marker(const Instruction& instruction) {
  constexpr std::array kTargets = std::to_array<std::string_view>(
      {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"});
  return instruction.op->form == Form::kForeign &&
         instruction.operands.size() == 1 &&
         std::ranges::find(
             kTargets, instruction.get<std::string>("custom_call_target")) !=
             kTargets.end() &&
         compatible(instruction.operand_shape(0), instruction.shape,
                    /*ignore_dynamic=*/true);
}

bool is_as_it_is(const Instruction& instruction, const Values& operands) {
  return (instruction.op->form == Form::kIdentity || is_marker(instruction)) &&
         same_types(instruction.shape, operands[0]->shape);
}

/// Its literal, which the program has, is stored into tiles.
Value constant(Machine& machine, const Instruction& instruction,
               const Leaves& leaves) {
  require_evaluable(instruction.literal != nullptr, "constant.elided",
                    {"the elements of the constant are {...}"},
                    "the text must give those of a constant that is used");
  return write_value(machine, *instruction.literal,
                     with_leaves(instruction.shape, leaves));
}

/// The value of an operation whose operands have all elements of their bounds.
Value whole(Machine& machine, const Instruction& instruction,
            const Values& operands, const Leaves& leaves) {
  if (!operands.empty()) {
    if (auto value = reread_bits(machine, instruction, *operands[0])) {
      return *std::move(value);
    }
  }
  if (auto arrays = on_tiles(machine, instruction, operands, leaves)) {
    return as_value(instruction.shape, *std::move(arrays));
  }
  return one_by_one(machine, instruction, operands,
                    with_leaves(instruction.shape, leaves));
}

/// The arrays of the value within the bounds of `shape`.
Value bounded(Machine& machine, const Value& value, const Shape& shape) {
  Value result{.shape = shape};
  for (size_t k = 0; k < value.elements.size(); ++k) {
    result.elements.push_back(
        bounded(machine, value.elements[k], shape.tuple_shapes[k]));
  }
  if (shape.is_array()) result.array = in_bounds(machine, value.array, shape);
  return result;
}

Leaves placed_leaves(const Machine& machine, const Shape& shape) {
  Leaves placed_ones;
  for (const Shape* leaf : leaves(shape)) {
    placed_ones.push_back(leaf->is_array() ? placed(*machine.generation, *leaf)
                                           : *leaf);
  }
  return placed_ones;
}

/// The value of an operation on operands of which some have fewer elements.
Value sized(Machine& machine, const Instruction& instruction,
            const Values& operands, const Leaves& leaves) {
  if (instruction.op->element != nullptr) {
    Value value = whole(machine, instruction, operands, leaves);
    set_sizes(value.array, least_sizes(instruction.shape, operands));
    return value;
  }
  if (instruction.op->takes_sizes || instruction.op->name == "scaled-dot") {
    return one_by_one(machine, instruction, operands,
                      with_leaves(instruction.shape, leaves));
  }
  const Fitted run = fitted(machine, instruction, operands);
  return bounded(machine,
                 whole(machine, run.instruction, run.pointers(),
                       placed_leaves(machine, run.instruction.shape)),
                 instruction.shape);
}

Value Execution::array_of(const Instruction& instruction,
                          const Values& operands) {
  begin(operands);
  if (is_as_it_is(instruction, operands)) {
    return *operands[0];
  }
  const Op& op = *instruction.op;
  if (op.form == Form::kIdentity && op.element == nullptr) {
    return retyped(machine_, *operands[0], instruction.shape);
  }
  const Leaves& leaves = plan_.leaves_of(instruction);
  if (op.form == Form::kConstant) {
    return constant(machine_, instruction, leaves);
  }
  if (instruction.shape.is_token()) return {.shape = instruction.shape};
  if (auto array = resized(machine_, instruction, operands)) {
    return {.shape = array->shape, .array = *std::move(array)};
  }
  const Values read = copied(instruction, operands);
  if (!are_sized(operands)) return whole(machine_, instruction, read, leaves);
  return sized(machine_, instruction, read, leaves);
}

Value Execution::scan_of(const Instruction& instruction,
                         const Values& operands) {
  if (!has_plain_slices(instruction, operands)) {
    throw Unsupported("does not scan slices of other types");
  }
  begin(operands);
  return scan(machine_, instruction, operands,
              [this](const Computation& body, const Values& arguments) {
                return called(body, arguments);
              });
}

Value Execution::value_of(const Instruction& instruction,
                          const Values& operands) {
  if (instruction.op->communicate != nullptr) {
    return device_.run(instruction, operands,
                       [this](const Computation& begun, const Values& bound) {
                         return called(begun, bound);
                       });
  }
  switch (instruction.op->form) {
    case Form::kTuple: {
      Value tuple{.shape = instruction.shape};
      for (const Value* operand : operands) tuple.elements.push_back(*operand);
      return tuple;
    }
    case Form::kElement:
      return operands[0]->elements.at(
          static_cast<size_t>(instruction.get<int64_t>("index")));
    case Form::kCall:
      return called(callee_of(instruction), operands);
    case Form::kBranches:
      return branch(instruction, operands);
    case Form::kLoop:
      return loop(instruction, operands);
    case Form::kScan:
      return scan_of(instruction, operands);
    default:
      return array_of(instruction, operands);
  }
}

}  // namespace

Value execute(Machine& machine, const LayoutPlan& plan,
              const Computation& computation, const Values& arguments) {
  LoneDevice device(machine);
  return Execution(machine, plan, device, 0).run(computation, arguments);
}

}  // namespace hlo::tpu
