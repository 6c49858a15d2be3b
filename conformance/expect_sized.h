#pragma once

#include <vector>

#include "conformance/expect.h"
#include "interpreter/sized.h"

namespace hlo::conformance {

/// The sets of an instruction whose operands have fewer elements at run time
/// than their bounds say: those of the same instruction on arrays of just these
/// sizes, laid into the bounds.
std::vector<Expectation> expect_at_sizes(const Instruction& instruction,
                                         Operands operands,
                                         const Literal& reference,
                                         const std::vector<Literal>* observed,
                                         const Profile& profile);

}  // namespace hlo::conformance
