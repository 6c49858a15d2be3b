#pragma once

#include <vector>

#include "conformance/sets/expectation.h"
#include "interpreter/plans/updates/updates.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What the leaves of a fold or of updates may be whose region is exact but no
/// known one, so that its result may depend on the order: where an element
/// joins few rows (any_order.h), all orders are tried. The sets are then the
/// member of all admitted results that lies nearest to `observed` (leaves of
/// the reference's shapes, or null). Else they are unspecified.
std::vector<Expectation> expect_any_order(const Instruction& fold,
                                          Operands operands,
                                          const std::vector<Literal>& reference,
                                          const std::vector<Literal>* observed);
std::vector<Expectation> expect_any_order(const Updating& updating,
                                          Operands operands,
                                          const std::vector<Literal>& reference,
                                          const std::vector<Literal>* observed);

}  // namespace hlo::conformance
