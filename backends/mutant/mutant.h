#pragma once

#include <span>
#include <string_view>

#include "interpreter/op.h"

namespace hlo {

/// A deliberate bug in some operations of the reference.
struct Mutant {
  std::string_view name;
  std::string_view fault;       // what it does wrong
  std::string_view operations;  // their mnemonics, separated by spaces
  /// The value that it gives the instruction instead.
  Literal (*apply)(const Instruction&, Operands, Evaluator&) = nullptr;
};

/// Bugs in numbers, in where elements come from, in solves and random numbers.
std::span<const Mutant> number_mutants();
std::span<const Mutant> movement_mutants();
std::span<const Mutant> linear_mutants();

/// What the reference gives the instruction.
Literal original(const Instruction& instruction, Operands operands,
                 Evaluator& evaluator);
/// The same with one attribute changed.
Literal original_with(const Instruction& instruction,
                      std::string_view attribute, const AttributeValue& value,
                      Operands operands, Evaluator& evaluator);

}  // namespace hlo
