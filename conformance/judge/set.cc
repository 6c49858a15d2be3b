#include "conformance/judge/set.h"

#include <memory>

#include "conformance/expect/expect.h"
#include "conformance/judge/judge.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/forms.h"

namespace hlo::conformance {

std::vector<Expectation> set(const Op& op, const Attributes& attributes,
                             const Shape& result,
                             std::span<const Literal> inputs,
                             const Profile& profile) {
  std::vector<std::unique_ptr<Instruction>> parameters;
  Instruction instruction;
  instruction.name = "r";
  instruction.op = &op;
  instruction.attributes = attributes;
  instruction.shape = result;
  for (const Literal& input : inputs) {
    parameters.push_back(std::make_unique<Instruction>());
    parameters.back()->op = &op_of(Form::kParameter);
    parameters.back()->shape = input.shape();
    instruction.operands.push_back(parameters.back().get());
  }
  Evaluator evaluator(kReference);
  const Literal reference =
      evaluate_instruction(instruction, inputs, evaluator);
  return expect(instruction, inputs, reference, nullptr, profile);
}

bool contains(std::span<const Expectation> sets,
              const std::vector<Literal>& leaves) {
  return judge(sets, leaves).verdict == Verdict::kConforms;
}

}  // namespace hlo::conformance
