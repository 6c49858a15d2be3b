#pragma once

#include <span>
#include <string_view>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// An operation that takes the slow path, which reads elements alone from their
/// tiles where they are needed, and when.
struct SlowOperation {
  std::string_view name;
  std::string_view when;
};

/// All of them, in the order of their names: at most a tenth of the operations.
std::span<const SlowOperation> slow_operations();

/// The value's elements, read one by one, for whoever runs the program.
Literal read_value(Machine& machine, const Value& value);
/// Arrays for the literal in the layouts that the machine assigns, or that
/// `shape` asks for.
Value write_value(Machine& machine, const Literal& literal, const Shape& shape);

}  // namespace hlo::tpu
