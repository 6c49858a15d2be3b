#pragma once

#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// Turns what an instruction says about sizes into what it says about those of
/// run time: `sizes`, one list for each operand, of which paired dimensions
/// become the lesser one, and attributes and a given shape that hold sizes.
/// Evaluate error "evaluate.sizes" where a dimension has to be whole.
void fit(Instruction& instruction, std::vector<Literal>& operands,
         std::vector<Ints>& sizes);

/// The sizes of a reshape's result: those of `bounds` in each part of the
/// dimensions that has all its elements; where it has fewer, the one dimension
/// that `result` leaves open is shorter. Evaluate error "evaluate.sizes".
Ints reshaped_sizes(const Instruction& reshape, const Ints& sizes);

}  // namespace hlo
