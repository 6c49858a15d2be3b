#include "conformance/judge/judge_instruction.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include "backends/backend.h"
#include "conformance/expect/expect.h"
#include "interpreter/foreign/foreign_call.h"
#include "interpreter/rules/clone.h"

namespace hlo::conformance {
namespace {

/// Whether an operand has fewer elements at run time than the dimensions that
/// its shape does not mark (spec/dynamic_sizes.md).
bool has_untold_sizes(const Instruction& instruction, Operands operands) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const Shape& shape = instruction.operand_shape(k);
    const std::vector<int64_t>& sizes = operands[k].dynamic_sizes();
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] < shape.dims[d] &&
          !shape.is_dynamic(static_cast<int64_t>(d)))
        return true;
    }
  }
  return false;
}

}  // namespace

bool is_compared(const Instruction& instruction) {
  return instruction.parameter_number < 0 &&
         instruction.op->control == nullptr &&
         instruction.op->communicate == nullptr &&
         !is_foreign_call(instruction) &&
         instruction.op->form != Form::kTuple &&
         instruction.op->form != Form::kElement;
}

std::vector<Literal> arguments_of_one(const Instruction& instruction,
                                      Operands operands) {
  std::vector<Literal> leaves;
  for (const Literal& argument : sized_arguments(instruction, operands)) {
    std::ranges::copy(array_leaves(argument), std::back_inserter(leaves));
  }
  return leaves;
}

Judgement judge_instruction(const Instruction& instruction, Operands operands,
                            const Literal& reference,
                            const Observation& observation,
                            const Profile& profile) {
  if (has_untold_sizes(instruction, operands)) {
    Judgement judgement;  // unjudged
    judgement.message =
        "an operand has fewer elements than its shape tells of, and the "
        "instruction alone has all";
    return judgement;
  }
  const auto* values = std::get_if<std::vector<Literal>>(&observation);
  return judge(expect(instruction, operands, reference, values, profile),
               observation);
}

}  // namespace hlo::conformance
