#include "backends/cpu/engine.h"

#include "interpreter/op.h"

namespace hlo::cpu {
namespace {

const std::unordered_map<std::string_view, Function>& table() {
  static const std::unordered_map<std::string_view, Function> kTable = [] {
    std::unordered_map<std::string_view, Function> functions;
    for (const Functions& some :
         {unary_functions(), binary_functions(), movement_functions(),
          indexed_functions(), fold_functions(), contraction_functions(),
          control_functions()}) {
      functions.insert(some.begin(), some.end());
    }
    return functions;
  }();
  return kTable;
}

Array run_one(const Instruction& instruction, Operands operands) {
  const auto found = table().find(instruction.op->name);
  if (found == table().end()) {
    throw Unsupported("cpu: does not run " + std::string(instruction.op->name));
  }
  return found->second(instruction, operands);
}

/// Position of the last instruction that reads each instruction's value.
std::vector<int64_t> last_uses(const Computation& computation) {
  std::vector<int64_t> last(computation.instructions.size(), -1);
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      last[static_cast<size_t>(operand->position)] = instruction->position;
    }
  }
  last[static_cast<size_t>(computation.root->position)] = INT64_MAX;
  return last;
}

}  // namespace

Array run(const Computation& computation, Operands arguments) {
  const std::vector<int64_t> last = last_uses(computation);
  std::vector<Array> values(computation.instructions.size());
  std::vector<const Array*> places(values.size());
  for (const auto& instruction : computation.instructions) {
    const auto at = static_cast<size_t>(instruction->position);
    if (instruction->parameter_number >= 0) {
      places[at] =
          arguments[static_cast<size_t>(instruction->parameter_number)];
      continue;
    }
    std::vector<const Array*> operands;
    for (const Instruction* operand : instruction->operands) {
      operands.push_back(places[static_cast<size_t>(operand->position)]);
    }
    values[at] = run_one(*instruction, operands);
    places[at] = &values[at];
    for (const Instruction* operand : instruction->operands) {
      const auto used = static_cast<size_t>(operand->position);
      if (last[used] == instruction->position) values[used] = Array();
    }
  }
  return *places[static_cast<size_t>(computation.root->position)];
}

}  // namespace hlo::cpu
