#pragma once

#include <optional>
#include <span>

#include "conformance/certify/rules/application.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::conformance {

/// Sets that are joined in any order, by any tree.
struct Join {
  Reducer reducer = Reducer::kOther;
  std::span<const ValueSet> terms;
  ElementType operand;  // of the terms
  Scalar nominal;       // what the reference gives
};

/// What the join may give; nothing where there is no rule.
std::optional<ValueSet> joined(const Join& join, const Profile& profile);

/// The sets of a reduce or reduce-window.
SetTree certify_fold(const Application& a);
/// The sets of a scatter or select-and-scatter: elements without updates keep
/// their own.
SetTree certify_updates(const Application& a);

}  // namespace hlo::conformance
