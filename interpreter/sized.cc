#include "interpreter/sized.h"

#include <algorithm>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The shape that the operation's own rule gives to those sizes.
Shape infer_at_sizes(const Instruction& instruction) {
  try {
    return instruction.op->infer(instruction);
  } catch (const Error& error) {
    std::string sizes;
    for (const Instruction* operand : instruction.operands) {
      sizes += (sizes.empty() ? "" : ", ") + sizes_text(operand->shape.dims);
    }
    throw Error(Phase::kEvaluate, "evaluate.sizes",
                std::string(instruction.op->name) + " of arrays that are " +
                    sizes + " at run time breaks " + error.rule() + ": " +
                    error.message());
  }
}

}  // namespace

bool runs_at_sizes(const Instruction& instruction, Operands operands) {
  const Op& op = *instruction.op;
  return op.element == nullptr && op.control == nullptr &&
         op.communicate == nullptr && !op.takes_sizes &&
         std::ranges::any_of(operands, is_sized);
}

SizedRun at_sizes(const Instruction& instruction, Operands operands) {
  const Op& op = *instruction.op;
  require_evaluable(
      op.fit != nullptr, "evaluate.sizes",
      {op.name, " has an operand that is smaller at run time than its bounds"},
      "the operation must say what it makes of such arrays");
  SizedRun run{instruction, {operands.begin(), operands.end()}, {}};
  std::vector<Ints> sizes;
  for (const Literal& operand : operands) sizes.push_back(sizes_of(operand));
  op.fit({run.instruction, run.operands, sizes});
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto parameter = std::make_unique<Instruction>(*instruction.operands[i]);
    if (operands[i].shape().is_array()) {
      parameter->shape = Shape::array(operands[i].type(), sizes[i]);
      run.operands[i] = trimmed(run.operands[i], sizes[i]);
    }
    run.instruction.operands[i] = parameter.get();
    run.parameters.push_back(std::move(parameter));
  }
  run.instruction.shape =
      with_types(infer_at_sizes(run.instruction), instruction.shape);
  return run;
}

Literal evaluate_at_sizes(const Instruction& instruction, Operands operands,
                          Evaluator& evaluator) {
  SizedRun run = at_sizes(instruction, operands);
  return in_bounds(evaluator.value(run.instruction, run.operands),
                   instruction.shape);
}

void inherit_sizes(Literal& result, Operands operands) {
  Ints least = result.shape().dims;
  for (const Literal& operand : operands) {
    if (!is_sized(operand)) continue;
    if (!same_dims(operand.shape(), result.shape())) continue;
    std::ranges::transform(least, operand.dynamic_sizes(), least.begin(),
                           [](int64_t a, int64_t b) { return std::min(a, b); });
  }
  result.set_dynamic_sizes(std::move(least));
}

}  // namespace hlo
