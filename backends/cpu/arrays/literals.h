#pragma once

#include "backends/cpu/arrays/array.h"

namespace hlo::cpu {

/// A literal as an array, and an array as a literal, sizes at run time
/// included.
Array array_of(const Literal& literal);
Literal literal_of(const Array& array);

}  // namespace hlo::cpu
