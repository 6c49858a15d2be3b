#include <set>
#include <utility>

#include "interpreter/rules/devices/buffers.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

bool passes_through(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return form == Form::kTuple || form == Form::kElement;
}

/// What made the buffer, and where it stands in the result of that.
std::pair<const Instruction*, Index> origin_of(const Instruction* instruction,
                                               Index index) {
  while (passes_through(*instruction)) {
    if (instruction->op->form == Form::kTuple) {
      instruction = instruction->operands[static_cast<size_t>(index[0])];
      index.erase(index.begin());
    } else {
      index.insert(index.begin(), instruction->get<int64_t>("index"));
      instruction = instruction->operands[0];
    }
  }
  return {instruction, index};
}

}  // namespace

void BufferRules::write(const Instruction& instruction) {
  for (const Index& index : buffers_in(instruction.shape)) {
    require(written_.insert(origin_of(&instruction, index)).second,
            "buffers.writers",
            {"the buffer at ", index, " of %", instruction.name,
             " is written or returned again"},
            "it must be so once");
  }
}

void BufferRules::check(const Surroundings& around) {
  const Instruction& instruction = around.instruction;
  const Op& op = *instruction.op;
  if (holds_buffer(instruction.shape)) {
    require(
        op.holds_buffers && !(around.is_entry && op.form == Form::kParameter),
        "buffers.place",
        {"%", instruction.name, " of shape ", instruction.shape,
         " holds a buffer"},
        "parameters of the program and operations on values can hold none");
  }
  if (!passes_through(instruction)) {
    // The branches of a conditional share an operand: one of them writes it.
    const std::set<const Instruction*> operands(instruction.operands.begin(),
                                                instruction.operands.end());
    for (const Instruction* operand : operands) write(*operand);
  }
  if (&instruction == instruction.parent->root) write(instruction);
}

}  // namespace hlo
