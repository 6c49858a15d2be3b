#pragma once

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// The slow path of operations that have no tiles of their own: reads the
/// operands' elements one by one, asks the reference, writes one by one. The
/// result has the layouts of `shape`, as write_value() has them.
Value one_by_one(Machine& machine, const Instruction& instruction,
                 const Values& operands, const Shape& shape);

/// The value's elements, read one by one.
Literal read_value(Machine& machine, const Value& value);
/// Arrays for the literal in the layouts that the machine assigns, or that
/// `shape` asks for.
Value write_value(Machine& machine, const Literal& literal, const Shape& shape);

}  // namespace hlo::tpu
