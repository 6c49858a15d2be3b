#pragma once

#include <span>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What each array leaf of an operation's result may be under the profile, for
/// inputs that are given by their literals (which have their types). `result`
/// is the shape of the result. Not of operations that run computations through
/// Op::control.
std::vector<Expectation> set(const Op& op, const Attributes& attributes,
                             const Shape& result,
                             std::span<const Literal> inputs,
                             const Profile& profile = {});

/// Whether the leaves of a result, bit by bit, are in the sets.
bool contains(std::span<const Expectation> sets,
              const std::vector<Literal>& leaves);

}  // namespace hlo::conformance
