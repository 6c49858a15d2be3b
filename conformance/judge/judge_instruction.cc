#include "conformance/judge/judge_instruction.h"

#include <algorithm>
#include <iterator>
#include <variant>

#include "backends/backend.h"
#include "conformance/expect/expect.h"
#include "interpreter/foreign/foreign_call.h"
#include "interpreter/rules/clone.h"

namespace hlo::conformance {

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
  for (const Literal& argument :
       sized_arguments(instruction, operands, Sizes::kAll)) {
    std::ranges::copy(array_leaves(argument), std::back_inserter(leaves));
  }
  return leaves;
}

Judgement judge_instruction(const Instruction& instruction, Operands operands,
                            const Literal& reference,
                            const Observation& observation,
                            const Profile& profile) {
  const auto* values = std::get_if<std::vector<Literal>>(&observation);
  return judge(expect(instruction, operands, reference, values, profile),
               observation);
}

}  // namespace hlo::conformance
