#pragma once

#include <optional>
#include <string>

#include "interpreter/model/module.h"

namespace hlo {

/// How far a component may lie from the expected one (spec/ops/custom_call.md,
/// Checks).
struct CheckTolerance {
  double absolute = 0;
  uint64_t steps = 0;        // between neighbouring codes of a float type
  uint64_t least_steps = 0;  // the same, which must be reached
};

/// The value that a probe of this name met for the n-th time, from 0 on.
struct ProbedValue {
  std::string name;
  uint64_t iteration = 0;
};

/// Whether the instruction is a custom-call of a target that compares its first
/// operand, a computed value, with its second one, the expected value; or its
/// only one, the expected value, with what a probe has met.
bool is_declared_check(const Instruction& instruction);
/// Verify errors "check.operands" and "check.config".
void verify_declared_check(const Instruction& check);
/// What a verified check tolerates.
CheckTolerance tolerance_of(const Instruction& check);
/// What a verified check of one operand compares it with; nothing for others.
std::optional<ProbedValue> probed_value(const Instruction& check);
/// The name of a probe, which is a custom-call of the target interpreter.probe
/// and gives its operand; nothing for other instructions.
std::optional<std::string> probe_name(const Instruction& instruction);

}  // namespace hlo
