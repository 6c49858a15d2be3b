#pragma once

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// The array in another element type, rounded to nearest even.
Array converted(const Array& array, ElementType type);
/// The value with the floats of its arrays in the types of `shape`.
Array with_float_types(Array value, const Shape& shape);

}  // namespace hlo::cpu
