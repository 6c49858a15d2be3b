#pragma once

#include "interpreter/model/module.h"

namespace hlo {

/// How far a component may lie from the expected one (spec/ops/custom_call.md,
/// Checks).
struct CheckTolerance {
  double absolute = 0;
  uint64_t steps = 0;        // between neighbouring codes of a float type
  uint64_t least_steps = 0;  // the same, which must be reached
};

/// Whether the instruction is a custom-call of a target that compares its first
/// operand, a computed value, with its second one, the expected value.
bool is_declared_check(const Instruction& instruction);
/// Verify errors "check.operands" and "check.config".
void verify_declared_check(const Instruction& check);
/// Of a verified check.
CheckTolerance tolerance_of(const Instruction& check);

}  // namespace hlo
