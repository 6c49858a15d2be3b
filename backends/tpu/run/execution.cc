#include "backends/tpu/run/execution.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "backends/run_in_order.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/operations/contraction/contract.h"
#include "backends/tpu/operations/one_by_one.h"
#include "backends/tpu/operations/operations.h"
#include "backends/tpu/run/laid_out.h"
#include "backends/tpu/run/scan_slices.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kMostLevels = 100;

/// Runs computations that run others, one level below its own.
class Execution {
 public:
  Execution(Machine& machine, const LayoutPlan& plan, int64_t level)
      : machine_(machine), plan_(plan), level_(level) {
    if (level > kMostLevels) {
      throw Unsupported("does not run computations nested more than " +
                        std::to_string(kMostLevels) + " deep");
    }
  }

  Value run(const Computation& computation, const Values& arguments);

 private:
  Value called(const Computation& computation, const Values& arguments) {
    return Execution(machine_, plan_, level_ + 1).run(computation, arguments);
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

bool has_sizes(const Value& value) {
  return !value.array.sizes.empty() ||
         std::ranges::any_of(value.elements, has_sizes);
}

/// Whether tiles of bounded sizes are all there is.
bool is_static(const Instruction& instruction, const Values& operands) {
  return !instruction.shape.has_dynamic_dimensions() &&
         std::ranges::none_of(operands, [](const Value* operand) {
           return operand->shape.has_dynamic_dimensions() ||
                  has_sizes(*operand);
         });
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

/// Whether the operation has a tile algorithm of its own.
bool has_tiles(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.cells != nullptr || op.element != nullptr || op.source != nullptr ||
         op.form == Form::kMap || is_contraction(instruction);
}

std::vector<TiledArray> on_tiles(Machine& machine,
                                 const Instruction& instruction,
                                 const Values& operands, const Leaves& shapes) {
  const Op& op = *instruction.op;
  if (op.cells != nullptr) return fold(machine, instruction, operands, shapes);
  const Shape& shape = shapes.at(0);
  if (is_contraction(instruction)) {
    return {contract(machine, instruction, operands, shape)};
  }
  if (op.element != nullptr) {
    return {elementwise(machine, instruction, operands, shape)};
  }
  if (op.source != nullptr) {
    return {movement(machine, instruction, operands, shape)};
  }
  return {map_lanes(machine, instruction, operands, shape)};
}

bool is_as_it_is(const Instruction& instruction, const Values& operands) {
  return instruction.op->form == Form::kIdentity &&
         same_types(instruction.shape, operands[0]->shape);
}

Value Execution::array_of(const Instruction& instruction,
                          const Values& operands) {
  begin(operands);
  if (is_as_it_is(instruction, operands)) {
    return *operands[0];
  }
  if (has_tiles(instruction) && is_static(instruction, operands)) {
    machine_.evaluator.budget().spend(work_of(instruction));
    return as_value(instruction.shape, on_tiles(machine_, instruction,
                                                copied(instruction, operands),
                                                plan_.leaves_of(instruction)));
  }
  return one_by_one(
      machine_, instruction, operands,
      with_leaves(instruction.shape, plan_.leaves_of(instruction)));
}

Value Execution::scan_of(const Instruction& instruction,
                         const Values& operands) {
  if (!is_static(instruction, operands) ||
      !has_plain_slices(instruction, operands)) {
    throw Unsupported(
        "does not scan slices of other types or of sizes at run "
        "time");
  }
  begin(operands);
  return scan(machine_, instruction, operands,
              [this](const Computation& body, const Values& arguments) {
                return called(body, arguments);
              });
}

/// The state of a copy that has begun, and has ended, too: its result and its
/// operand, and what else the shape has.
Value copied_state(Machine& machine, const Instruction& start,
                   const Value& operand) {
  Value state{.shape = start.shape, .elements = {operand, operand}};
  const std::vector<Shape>& shapes = start.shape.tuple_shapes;
  if (shapes.at(0).is_tuple()) {
    state.elements[0] = {.shape = shapes[0], .elements = {operand}};
  }
  for (size_t k = 2; k < shapes.size(); ++k) {
    state.elements.push_back(
        write_value(machine, Literal(shapes[k]), shapes[k]));
  }
  return state;
}

/// An operation between devices that one device has to itself; none where it
/// is not done yet.
std::optional<Value> alone(Machine& machine, const Instruction& instruction,
                           const Values& operands) {
  const std::string_view name = instruction.op->name;
  if (name == "copy-start") {
    return copied_state(machine, instruction, *operands[0]);
  }
  if (name == "copy-done") return operands[0]->elements.at(1);
  // What a program writes for the host goes nowhere.
  if (name == "outfeed") return Value{.shape = instruction.shape};
  return std::nullopt;
}

Value Execution::value_of(const Instruction& instruction,
                          const Values& operands) {
  if (instruction.op->communicate != nullptr) {
    if (auto value = alone(machine_, instruction, operands)) return *value;
    throw Unsupported("does not run " + std::string(instruction.op->name));
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
  return Execution(machine, plan, 0).run(computation, arguments);
}

}  // namespace hlo::tpu
