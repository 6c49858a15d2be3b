#pragma once

#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo {

/// A deliberate bug in some operations of the reference.
struct Mutant {
  std::string_view name;
  std::string_view fault;       // what it does wrong
  std::string_view operations;  // their mnemonics, separated by spaces
  /// The value that it gives the instruction instead.
  Literal (*apply)(const Instruction&, Operands, Evaluator&) = nullptr;
};

/// The value that the reference gives the instruction.
Literal original(const Instruction& instruction, Operands operands,
                 Evaluator& evaluator);
/// The value that the reference gives the instruction with one attribute
/// changed.
Literal original_with(const Instruction& instruction,
                      std::string_view attribute, const AttributeValue& value,
                      Operands operands, Evaluator& evaluator);

}  // namespace hlo
