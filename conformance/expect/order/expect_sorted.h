#pragma once

#include <vector>

#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What the leaves of an unstable sort may be: the rows (an element of each
/// operand) of a line in any order that the comparator allows, that is, rows
/// of which neither comes before the other in any order. A comparator that
/// orders no line consistently (a < b and b ~ c but a ~ c, as with NaN) asks
/// for no more than the same rows. `reference` holds the stable order.
///
/// Where `observed` is given (leaves of the same shapes), each set is the
/// member of all admitted results that lies nearest to it. Where it is null,
/// the sets are single where only one order is admitted, else unspecified.
std::vector<Expectation> expect_sorted(const Instruction& sort,
                                       const std::vector<Literal>& reference,
                                       const std::vector<Literal>* observed);

}  // namespace hlo::conformance
