#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo {

/// Position of the last instruction that reads each instruction's value, beyond
/// all of them for the root, -1 where none does.
inline std::vector<int64_t> last_uses(const Computation& computation) {
  std::vector<int64_t> last(computation.instructions.size(), -1);
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      last[static_cast<size_t>(operand->position)] = instruction->position;
    }
  }
  last[static_cast<size_t>(computation.root->position)] = INT64_MAX;
  return last;
}

/// The value of the computation's root. Runs its instructions in their order by
/// run_one(instruction, operands), parameters aside, and gives each value up
/// behind the last instruction that reads it.
template <typename Value, typename RunOne>
Value run_in_order(const Computation& computation,
                   std::span<const Value* const> arguments,
                   const RunOne& run_one) {
  const std::vector<int64_t> last = last_uses(computation);
  std::vector<Value> values(computation.instructions.size());
  std::vector<const Value*> places(values.size());
  for (const auto& instruction : computation.instructions) {
    const auto at = static_cast<size_t>(instruction->position);
    if (instruction->parameter_number >= 0) {
      places[at] =
          arguments[static_cast<size_t>(instruction->parameter_number)];
      continue;
    }
    std::vector<const Value*> operands;
    for (const Instruction* operand : instruction->operands) {
      operands.push_back(places[static_cast<size_t>(operand->position)]);
    }
    values[at] = run_one(*instruction, operands);
    places[at] = &values[at];
    for (const Instruction* operand : instruction->operands) {
      const auto used = static_cast<size_t>(operand->position);
      if (last[used] == instruction->position) values[used] = Value();
    }
  }
  return *places[static_cast<size_t>(computation.root->position)];
}

}  // namespace hlo
