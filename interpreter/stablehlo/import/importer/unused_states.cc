#include "interpreter/stablehlo/import/importer/unused_states.h"

#include <set>

#include "interpreter/rules/op.h"

namespace hlo::stablehlo {
namespace {

/// Whether the value is what a start or a transfer began, or a part of it.
bool is_state(const Instruction& instruction) {
  const Instruction* source = &instruction;
  while (source->op->name == "get-tuple-element") source = source->operands[0];
  const std::string_view name = source->op->name;
  return name == "send" || name == "recv" || name.ends_with("-start");
}

/// Elements of states that nothing uses.
void drop_unused_elements(Computation& computation) {
  auto& instructions = computation.instructions;
  std::set<const Instruction*> used{computation.root};
  std::set<const Instruction*> unused;
  for (size_t i = instructions.size(); i-- > 0;) {
    const Instruction& instruction = *instructions[i];
    if (instruction.op->name == "get-tuple-element" &&
        !used.contains(&instruction) && is_state(instruction)) {
      unused.insert(&instruction);
    } else {
      used.insert(instruction.operands.begin(), instruction.operands.end());
    }
  }
  std::erase_if(instructions, [&](const auto& instruction) {
    return unused.contains(instruction.get());
  });
  int64_t position = 0;
  for (const auto& instruction : instructions) {
    instruction->position = position++;
  }
}

}  // namespace

void drop_unused_elements(Module& module) {
  for (const auto& computation : module.computations) {
    drop_unused_elements(*computation);
  }
}

}  // namespace hlo::stablehlo
