#pragma once

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// The array in another element type, rounded to nearest even.
Array converted(const Array& array, ElementType type);

}  // namespace hlo::cpu
