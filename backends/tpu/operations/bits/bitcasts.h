#pragma once

#include <optional>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The value of bitcast, or of bitcast-convert: an array, or a tuple of arrays,
/// in the layouts of `placed`. Nothing for other operations. Evaluate error
/// "literal.prefix" where the bits that stand for sizes at run time are more
/// than a bound, "evaluate.sizes" where arrays of a tuple have sizes.
std::optional<Value> reread_bits(Machine& machine,
                                 const Instruction& instruction,
                                 const Value& operand, const Shape& placed);

}  // namespace hlo::tpu
