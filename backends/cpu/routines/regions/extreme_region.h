#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/model/module.h"

namespace hlo::cpu {

/// Which of two pairs of a number and a place a region selects.
enum class ExtremeRegion : uint8_t { kLargest, kLeast };

/// Whether the region selects the pair with the larger or smaller number, the
/// first NaN, and of equal numbers the lower place, as JAX writes it: from the
/// parameters x, i, y and j
///
///     by_number = x > y | x != x
///     (select(by_number, x, y),
///      select(by_number | (x == y & i < j), i, j))
std::optional<ExtremeRegion> extreme_region(const Computation& region);

}  // namespace hlo::cpu
