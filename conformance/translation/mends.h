#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What the program before has that may be missing, or another, in the program
/// after.
struct Replacements {
  std::vector<const Instruction*> constants;
  std::vector<const Op*> operations;  // of one operand, element by element
};

Replacements replacements_of(const Module& before);
/// The first small change of the instruction after which `is_right` holds, in
/// words: "its operands exchanged"; nothing where none is found. The
/// instruction is left as it was.
std::optional<std::string> mend(Instruction& instruction,
                                const Replacements& replacements,
                                const std::function<bool()>& is_right);
/// As mend(), for what chooses among computations: two of them exchanged.
std::optional<std::string> mend_choice(Instruction& instruction,
                                       const std::function<bool()>& is_right);
/// Whether `is_right` holds where the instruction has that value, in its shape.
bool is_right_with(Instruction& instruction, const Literal& value,
                   const std::function<bool()>& is_right);

}  // namespace hlo::conformance
