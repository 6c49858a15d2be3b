#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// The elements of an integer literal as numbers; u64 values above INT64_MAX
/// saturate to it.
std::vector<int64_t> integers(const Literal& literal);
/// The start of a slice of `size` in a dimension of `dimension_size`, clamped
/// into [0, dimension_size - size] (semantics: dynamic-slice, gather). `start`
/// is element `position` of an integer literal of any type, u64 included.
int64_t clamped_start(const Literal& starts, int64_t position,
                      int64_t dimension_size, int64_t size);

/// Demands that the operands from `first` on are start indices of one integer
/// type, as of dynamic-slice and dynamic-update-slice: a scalar for each of
/// `rank` dimensions, or one vector of them. Error `rule`.
void check_starts(const Instruction& instruction, size_t first, int64_t rank,
                  std::string_view rule);
/// These start indices of a box of `sizes` in an array of `dims`, each clamped
/// so that the box fits.
Index clamped_starts(Operands operands, size_t first, const Index& dims,
                     const Index& sizes);

}  // namespace hlo
