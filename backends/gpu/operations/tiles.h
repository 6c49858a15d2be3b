#pragma once

#include "backends/gpu/operations/walk.h"

namespace hlo::gpu {

/// The sums of products of two operands of floats up to f32, as products of
/// matrices by tiles: exact ones rounded once, or in chains of f32 (fast).
/// False, and nothing done, where they are not such, or too small or large for
/// it to pay.
bool launch_tiles(Memory& memory, const Walk& walk, const Value& lhs,
                  const Value& rhs, const WalkView& rhs_view,
                  const Value& result);

}  // namespace hlo::gpu
