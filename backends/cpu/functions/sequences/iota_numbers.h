#pragma once

#include <cstddef>

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// The array of such a shape whose elements are their indices in dimension d
/// (iota): integers that wrap, or rounded once.
Array iota_numbers(const Shape& shape, size_t d);

}  // namespace hlo::cpu
