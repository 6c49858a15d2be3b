#include "interpreter/stablehlo/import/importer/closed_value.h"

#include <algorithm>

#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo::stablehlo {
namespace {

constexpr int kMostNodes = 64;
constexpr int64_t kMostElements = 1 << 16;

/// Whether the value follows from the operands, by a rule for its elements.
bool is_pure(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.name == "constant" || op.name == "iota" ||
         op.name == "concatenate" || op.element != nullptr ||
         (op.movement != nullptr && !instruction.operands.empty());
}

/// Whether the call is of a function of few such instructions.
bool is_pure_call(const Instruction& instruction, int& budget) {
  if (instruction.op->name != "call") return false;
  const auto& callee = *instruction.get<Computation*>("to_apply");
  budget -= static_cast<int>(
      std::min<size_t>(callee.instructions.size(), kMostNodes + 1));
  return std::ranges::all_of(callee.instructions, [](const auto& step) {
    return step->op->name == "parameter" || is_pure(*step);
  });
}

/// Whether it is closed; `budget` counts what has been looked at.
bool is_closed(const Instruction& instruction, int& budget) {
  if (--budget < 0) return false;
  if (!is_pure(instruction) && !is_pure_call(instruction, budget)) return false;
  return std::ranges::all_of(
      instruction.operands,
      [&](const Instruction* operand) { return is_closed(*operand, budget); });
}

/// Values are asked for before the program as a whole is verified. Errors are
/// those of verify().
void check_rules(const Instruction& instruction) {
  try {
    Instruction checked = instruction;
    check_operands(checked);
    check_attributes(checked);
    check_shape(checked);
  } catch (const Error& error) {
    throw error.location().line == 0 ? at(error, instruction) : error;
  }
  if (instruction.op->name != "call") return;
  const Computation& called = *instruction.get<Computation*>("to_apply");
  for (const auto& inner : called.instructions) check_rules(*inner);
}

}  // namespace

bool is_closed(const Instruction& instruction) {
  int budget = kMostNodes;
  return is_closed(instruction, budget);
}

std::optional<Literal> closed_value(const Instruction& instruction) {
  if (!is_closed(instruction) ||
      instruction.shape.element_count() > kMostElements) {
    return std::nullopt;
  }
  if (instruction.literal != nullptr) return *instruction.literal;
  std::vector<Literal> operands;
  for (const Instruction* operand : instruction.operands) {
    std::optional<Literal> value = closed_value(*operand);
    if (!value) return std::nullopt;
    operands.push_back(std::move(*value));
  }
  check_rules(instruction);
  Evaluator evaluator(kReference);
  if (instruction.op->name == "call") {
    return evaluator.run(*instruction.get<Computation*>("to_apply"),
                         std::move(operands));
  }
  return evaluate_instruction(instruction, operands, evaluator);
}

}  // namespace hlo::stablehlo
