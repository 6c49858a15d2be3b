#include "backends/tpu/operations/sizes/fitted.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/tpu/operations/sizes/rearranged.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo::tpu {
namespace {

bool is_sized(const Value& value) {
  return !value.array.sizes.empty() ||
         std::ranges::any_of(value.elements, is_sized);
}

/// What the operation's own rule makes of those sizes.
Shape shape_at_sizes(const Instruction& instruction) {
  try {
    return instruction.op->infer(instruction);
  } catch (const Error& error) {
    throw Error(Phase::kEvaluate, "evaluate.sizes",
                std::string(instruction.op->name) +
                    " at the sizes of run time breaks " + error.rule() + ": " +
                    error.message());
  }
}

std::vector<Ints> sizes_at_run_time(const Instruction& instruction,
                                    const Values& operands) {
  std::vector<Ints> sizes;
  for (size_t k = 0; k < operands.size(); ++k) {
    sizes.push_back(instruction.operand_shape(k).is_array()
                        ? sizes_of(operands[k]->array)
                        : Ints());
  }
  return sizes;
}

}  // namespace

Values Fitted::pointers() const {
  Values values;
  for (const Value& operand : operands) values.push_back(&operand);
  return values;
}

bool are_sized(const Values& operands) {
  return std::ranges::any_of(
      operands, [](const Value* operand) { return is_sized(*operand); });
}

Fitted fitted(Machine& machine, const Instruction& instruction,
              const Values& operands) {
  const Op& op = *instruction.op;
  require_evaluable(
      op.fit != nullptr, "evaluate.sizes",
      {op.name, " has an operand that is smaller at run time than its bounds"},
      "the operation must say what it makes of such arrays");
  Fitted fitted{instruction, {}, {}};
  std::vector<Ints> sizes = sizes_at_run_time(instruction, operands);
  std::vector<Literal> unread(operands.size());
  op.fit({fitted.instruction, unread, sizes});
  for (size_t k = 0; k < operands.size(); ++k) {
    auto parameter = std::make_unique<Instruction>(*instruction.operands[k]);
    Value operand = *operands[k];
    if (operand.shape.is_array()) {
      operand.array = trimmed(machine, operand.array, sizes[k]);
      operand.shape = operand.array.shape;
      // The program's layout, not the machine's: it asks for none.
      parameter->shape = Shape::array(operand.shape.element_type, sizes[k]);
    }
    fitted.instruction.operands[k] = parameter.get();
    fitted.parameters.push_back(std::move(parameter));
    fitted.operands.push_back(std::move(operand));
  }
  fitted.instruction.shape =
      with_types(shape_at_sizes(fitted.instruction), instruction.shape);
  return fitted;
}

std::vector<int64_t> least_sizes(const Shape& result, const Values& operands) {
  std::vector<int64_t> least = result.dims;
  for (const Value* operand : operands) {
    if (!same_dims(operand->shape, result)) continue;
    std::ranges::transform(least, sizes_of(operand->array), least.begin(),
                           [](int64_t a, int64_t b) { return std::min(a, b); });
  }
  return least;
}

}  // namespace hlo::tpu
