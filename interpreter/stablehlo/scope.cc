#include <algorithm>
#include <unordered_set>

#include "interpreter/evaluate.h"
#include "interpreter/op.h"
#include "interpreter/stablehlo/importer.h"
#include "interpreter/verify_rules.h"

namespace hlo::stablehlo {
namespace {

constexpr int kMostNodes = 64;
constexpr int64_t kMostElements = 1 << 16;

/// Whether the value follows from the operands, by a rule for its elements.
bool is_pure(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.name == "constant" || op.name == "iota" ||
         op.name == "concatenate" || op.kernel != nullptr ||
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

/// The operands of all operations in `block`, depth first, that are defined in
/// none of `inside`.
void collect(const Block& block, std::unordered_set<const Block*>& inside,
             std::vector<const Value*>& found) {
  inside.insert(&block);
  for (const auto& operation : block.operations) {
    for (const Value* operand : operation->operands) {
      if (!inside.contains(operand->block)) found.push_back(operand);
    }
    for (const auto& region : operation->regions) {
      collect(*region, inside, found);
    }
  }
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

std::optional<Literal> fold(const Instruction& instruction) {
  if (!is_closed(instruction) ||
      instruction.shape.element_count() > kMostElements) {
    return std::nullopt;
  }
  if (instruction.literal != nullptr) return *instruction.literal;
  std::vector<Literal> operands;
  for (const Instruction* operand : instruction.operands) {
    std::optional<Literal> value = fold(*operand);
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

const Instruction* Scope::find_outside(const Value& value) const {
  for (const Scope* scope = outer_; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->values_.find(&value);
    if (found != scope->values_.end()) return found->second;
  }
  return nullptr;
}

Instruction* Scope::copy(const Instruction& source) {
  const auto found = copies_.find(&source);
  if (found != copies_.end()) return found->second;
  Values operands;
  for (const Instruction* operand : source.operands) {
    operands.push_back(copy(*operand));
  }
  return copies_[&source] = builder.copy(source, std::move(operands));
}

Instruction* Scope::find(const Value& value) {
  const auto found = values_.find(&value);
  if (found != values_.end()) return found->second;
  const Instruction* outside = find_outside(value);
  if (outside == nullptr || !is_closed(*outside)) {
    throw Error(Phase::kVerify, "stablehlo.capture",
                "%" + value.name + " cannot be used in this region",
                builder.location);
  }
  return copy(*outside);
}

bool Scope::is_constant(const Value& value) {
  const auto found = values_.find(&value);
  const Instruction* instruction =
      found != values_.end() ? found->second : find_outside(value);
  return instruction != nullptr && is_closed(*instruction);
}

std::vector<const Value*> captures(const std::vector<const Block*>& blocks,
                                   Scope& scope) {
  std::unordered_set<const Block*> inside;
  std::vector<const Value*> used;
  for (const Block* block : blocks) collect(*block, inside, used);
  std::unordered_set<const Value*> seen;
  std::vector<const Value*> passed;
  for (const Value* value : used) {
    if (!seen.insert(value).second || scope.is_constant(*value)) continue;
    passed.push_back(value);
  }
  return passed;
}

}  // namespace hlo::stablehlo
