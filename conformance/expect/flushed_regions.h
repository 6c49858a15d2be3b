#pragma once

#include "conformance/levels/profile.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether the regions that the instruction applies (a scan's, a comparator, a
/// selection) may meet or make subnormal numbers that the profile lets a
/// backend take for zeros, and no rule says what follows from that: sums,
/// products, the greatest and the least have rules. `result` is the
/// reference's.
bool may_flush_in_regions(const Instruction& instruction, Operands operands,
                          const Literal& result, const Profile& profile);

}  // namespace hlo::conformance
