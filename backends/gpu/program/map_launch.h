#pragma once

#include "backends/gpu/program/map_views.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

void launch(Memory& memory, Map map);
/// The value as an array of that element type.
Value converted(Memory& memory, const Value& value, ElementType type);
/// Copies elements between views of one type over `sizes`.
void copy(Memory& memory, const Ints& sizes, const View& from, const View& to);

}  // namespace hlo::gpu
