#pragma once

#include <span>
#include <string_view>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// An operation that takes the slow path, and when.
struct SlowOperation {
  std::string_view name;
  std::string_view when;
};

/// All of them, in the order of their names: at most a tenth of the operations.
std::span<const SlowOperation> slow_operations();

/// The slow path of operations without tiles of their own: reads the operands'
/// elements one by one into the scratch memory, asks the reference, writes one
/// by one; what has no room there counts as untiled bytes. Unsupported where
/// slow_operations() has not the operation. The result has the layouts of
/// `shape`, as write_value() has them.
Value one_by_one(Machine& machine, const Instruction& instruction,
                 const Values& operands, const Shape& shape);

/// The value's elements, read one by one.
Literal read_value(Machine& machine, const Value& value);
/// Arrays for the literal in the layouts that the machine assigns, or that
/// `shape` asks for.
Value write_value(Machine& machine, const Literal& literal, const Shape& shape);

}  // namespace hlo::tpu
