#pragma once

#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// A format without NaN has a zero in its place, and the sign of a NaN that an
/// operation computes is open: the reference with the other zero where
/// `observed` has it and an element-wise operation gives NaN in f32. Everything
/// else stays.
Literal with_open_zeros(const Instruction& instruction, Operands operands,
                        const Literal& reference, const Literal* observed);

}  // namespace hlo::conformance
