#pragma once

#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Each component of an element-wise operation of complex operands within
/// `units` half units in the last place of the modulus of its element, where it
/// differs from `observed`, if that is given.
Expectation expect_normwise(double units, const Instruction& instruction,
                            Operands operands, const Literal& reference,
                            const Literal* observed);

}  // namespace hlo::conformance
