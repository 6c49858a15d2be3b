#pragma once

#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The sizes of an array at run time.
Ints sizes_of(const Array& array);
/// Gives the array these sizes.
void set_sizes(Array& array, Ints sizes);
/// The array of just the elements that exist.
Array cut(const Array& array);
/// The arrays of a value in the bounds of `shape`.
Array in_bounds(Array value, const Shape& shape);

/// Whether an operand has fewer elements at run time than its bounds say.
bool is_sized(Operands operands);
/// The value of an instruction with such an operand, by `run_whole`, which runs
/// instructions on whole arrays. Evaluate error "evaluate.sizes".
Array run_at_sizes(const Instruction& instruction, Operands operands,
                   const RunOne& run_whole);

}  // namespace hlo::cpu
