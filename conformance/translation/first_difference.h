#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/translation/agreement.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Where two programs part.
struct FirstDifference {
  const Instruction* after = nullptr;
  /// What it should agree with; null where nothing is like it.
  const Instruction* before = nullptr;
  std::optional<Outside> outside = {};
  /// The change that makes the result right, in words; empty without any.
  std::string mend = {};
};

/// The first instruction of the program after that no longer agrees, of those
/// that its result is made of; null where all of them do.
/// `is_right` runs that module again, as it is, and judges its result.
std::optional<FirstDifference> first_difference(
    const Module& before, Module& after, const Agreement& agreement,
    const std::function<bool()>& is_right);

}  // namespace hlo::conformance
