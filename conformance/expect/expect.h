#pragma once

#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What each array leaf of the instruction's result may be, from its operands
/// and the reference's result (spec/conformance.md, Sets of operations). Where
/// `observed` is given, the sets are right at the elements where it differs
/// from the reference and need not be computed anywhere else.
std::vector<Expectation> expect(const Instruction& instruction,
                                Operands operands, const Literal& reference,
                                const std::vector<Literal>* observed = nullptr,
                                const Profile& profile = {});

}  // namespace hlo::conformance
