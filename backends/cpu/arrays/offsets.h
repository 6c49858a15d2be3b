#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/model/attribute.h"
#include "interpreter/model/shape.h"

namespace hlo::cpu {

/// Offsets of all indices over some dimensions of an array of that shape, the
/// last dimension fastest.
std::vector<int64_t> offsets(const Shape& shape, const Ints& dimensions);

}  // namespace hlo::cpu
