#pragma once

#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo {

/// The start indices of dynamic-slice and dynamic-update-slice are its operands
/// from `first` on: a scalar for each of `rank` dimensions, or one vector of
/// them. Error `rule` unless they are of one integer type.
void check_starts(const Instruction& instruction, size_t first, int64_t rank,
                  std::string_view rule);
/// The row-major position in an array of `dims` of the box of `sizes` that
/// begins at those start indices, each clamped so that the box fits.
int64_t start_position(Operands operands, size_t first, const Index& dims,
                       const Index& sizes);

}  // namespace hlo
