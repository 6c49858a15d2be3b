#pragma once

#include <cstdint>
#include <optional>

#include "backends/tpu/memory/fault.h"
#include "interpreter/builder/builder.h"

namespace hlo::tpu {

/// A program on the instruction's operands that gives its result by operations
/// on parts of at most `room` bytes, operands and results together, where the
/// instruction itself takes larger ones; nothing for operations that have none.
/// Sums and factors in between are f64 or c128.
std::optional<builder::XlaComputation> block_program(
    const Instruction& instruction, int64_t room, Fault fault = Fault::kNone);

}  // namespace hlo::tpu
