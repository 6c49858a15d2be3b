#pragma once

#include "conformance/certify/array/set_tree.h"
#include "conformance/sets/expectation.h"

namespace hlo::conformance {

/// The set of an instruction whose operands are known, as an array of sets.
SetTree from_expectation(const Expectation& set, const Literal& nominal);

}  // namespace hlo::conformance
