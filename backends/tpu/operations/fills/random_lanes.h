#pragma once

#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of rng: random numbers are drawn a register at a time, in the
/// order of the elements, and scattered to the tiles.
TiledArray random_numbers(Machine& machine, const Instruction& rng,
                          const Values& operands, const Shape& shape);

/// The value of rng-bit-generator, the new state and the bits: the words of
/// each lane are those of its counter. Evaluate errors
/// "rng-bit-generator.state" and "rng-bit-generator.bits".
std::vector<TiledArray> random_bits(Machine& machine,
                                    const Instruction& generator,
                                    const Values& operands,
                                    const std::vector<Shape>& shapes);

/// The value of rng-get-and-update-state: the state of the machine before it
/// moves on.
TiledArray random_state(Machine& machine, const Instruction& instruction,
                        const Shape& shape);

}  // namespace hlo::tpu
