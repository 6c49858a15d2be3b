#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo {

/// The elements of an integer literal as numbers; u64 values above INT64_MAX
/// saturate to it.
std::vector<int64_t> integers(const Literal& literal);
/// The start of a slice of `size` in a dimension of `dimension_size`, clamped
/// into [0, dimension_size - size] (semantics: dynamic-slice, gather). `start`
/// is element `position` of an integer literal of any type, u64 included.
int64_t clamped_start(const Literal& starts, int64_t position,
                      int64_t dimension_size, int64_t size);

}  // namespace hlo
