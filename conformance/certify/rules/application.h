#pragma once

#include <span>

#include "conformance/certify/array/set_tree.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// An instruction and what its operands may be, none of them unknown.
struct Application {
  const Instruction& instruction;
  std::span<const SetTree* const> operands;
  std::span<const Literal> nominals;  // of the operands
  const Literal& nominal;             // what the reference makes of them
  const Profile& profile;
};

/// What is certified where there is no rule: nothing, and the reason names the
/// instruction.
SetTree unruled(const Application& a);
/// The set of a computed element with what the axes of the profile add to it.
ValueSet widened(ValueSet set, const Profile& profile, ElementType type);
/// The array with what the axes of the profile add to each of its sets.
SetTree widened(SetTree array, const Profile& profile);

}  // namespace hlo::conformance
