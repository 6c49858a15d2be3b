#pragma once

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// Whether the regions that the instruction applies (a scan's, a comparator, a
/// selection) may meet or make subnormal numbers that the profile lets a
/// backend take for zeros, and no rule says what follows from that: sums,
/// products, the greatest and the least have rules. `result` is the
/// reference's.
bool may_flush_in_regions(const Instruction& instruction, Operands operands,
                          const Literal& result, const Profile& profile);

/// Whether it is a fold that picks one of several floats.
bool picks_one(const Instruction& instruction);
/// The greatest or least of numbers that may be flushed is that of the exact
/// ones, or its zero: flushing is monotone.
Expectation expect_flushed(const Literal& reference, const Literal* observed);

}  // namespace hlo::conformance
