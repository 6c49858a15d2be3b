#pragma once

#include "conformance/certify/array/set_array.h"
#include "conformance/sets/expectation.h"

namespace hlo::conformance {

/// The set of an instruction whose operands are known, as an array of sets.
SetArray from_expectation(const Expectation& set, const Literal& nominal);

}  // namespace hlo::conformance
