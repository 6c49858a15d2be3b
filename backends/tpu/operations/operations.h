#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

// What the machine does for an instruction that runs no computation by itself.
// Operands are arrays; the result has the layout of `shape`.

namespace hlo::tpu {

/// An element-wise operation: registers of all operands side by side.
TiledArray elementwise(Machine& machine, const Instruction& instruction,
                       const Values& operands, const Shape& shape);

/// An operation that moves elements: each register of the result is gathered
/// from those of the operands.
TiledArray movement(Machine& machine, const Instruction& instruction,
                    const Values& operands, const Shape& shape);

/// Applies a computation to the elements of the operands, lane by lane.
TiledArray map_lanes(Machine& machine, const Instruction& map,
                     const Values& operands, const Shape& shape);

/// A fold (Op::cells): accumulators in lanes take the cells of each element of
/// the results in their order. An array for each of the shapes.
std::vector<TiledArray> fold(Machine& machine, const Instruction& instruction,
                             const Values& operands,
                             const std::vector<Shape>& shapes);

/// The array in another layout of the same dimensions and type.
TiledArray relayout(Machine& machine, const TiledArray& array,
                    const Shape& shape);

}  // namespace hlo::tpu
