#include "interpreter/stablehlo/import/importer/scope.h"

#include <unordered_set>

#include "interpreter/stablehlo/import/importer/closed_value.h"

namespace hlo::stablehlo {
namespace {

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

}  // namespace

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
