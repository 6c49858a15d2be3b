#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The exact parts of element i of an element-wise operation of complex
/// operands, where operands and parts are finite: to 80 bits, whether or not
/// the result's type has such numbers. A real result is the magnitude of the
/// operand. Nothing of operations without a function of complex numbers.
std::optional<std::vector<definition::Real>> exact_parts(
    const Instruction& instruction, Operands operands, int64_t i);

}  // namespace hlo::conformance
