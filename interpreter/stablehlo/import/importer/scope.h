#pragma once

#include <unordered_map>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// What the values of the text are in one computation.
class Scope {
 public:
  explicit Scope(Computation& computation, Scope* outer = nullptr)
      : builder(computation), outer_(outer) {}

  InstructionBuilder builder;

  void bind(const Value& value, Instruction* instruction) {
    values_[&value] = instruction;
  }

  /// The value's instruction in this computation. What is constant outside is
  /// copied into it. Error "stablehlo.capture" where the value is not known.
  Instruction* find(const Value& value);
  /// Whether a computation inside can have a copy of what the value is here.
  bool is_constant(const Value& value);

 private:
  const Instruction* find_outside(const Value& value) const;
  Instruction* copy(const Instruction& source);

  Scope* outer_;
  std::unordered_map<const Value*, Instruction*> values_;
  std::unordered_map<const Instruction*, Instruction*> copies_;
};

/// What `blocks` and the regions in them use of outside, in that order; without
/// what is constant in `scope`.
std::vector<const Value*> captures(const std::vector<const Block*>& blocks,
                                   Scope& scope);

}  // namespace hlo::stablehlo
