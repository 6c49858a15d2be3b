#pragma once

#include <cstdint>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/operations/parts/split.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The bytes that the order of a row takes while it is found, beside the row:
/// its place, and its key twice (bytes_of_sorting()).
inline constexpr int64_t kBytesOfSortedRow = 40;

/// The bytes of scratch memory that a part of the instruction takes: its
/// elements, the order of those that are sorted, and the registers that bring
/// and take them.
int64_t room_for_part(const Instruction& instruction, const Split& split);

/// The arrays of the instruction's result in these shapes: some parts of the
/// operands at a time are gathered into the scratch memory, which has room for
/// one at the least, and what they give is scattered to the tiles.
std::vector<TiledArray> by_parts(Machine& machine,
                                 const Instruction& instruction,
                                 const Split& split, const Values& operands,
                                 const std::vector<Shape>& shapes);

}  // namespace hlo::tpu
