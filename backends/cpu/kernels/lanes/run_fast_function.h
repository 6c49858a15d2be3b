#pragma once

#include <cstddef>
#include <optional>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// The cheaper operation in the place of one of f32; nullopt where there is
/// none.
std::optional<Code> fast_code(Code code);

/// Whether it is one of run_fast_function's.
constexpr bool is_fast_function(Code code) {
  return code >= Code::kFastDivideF32 && code <= Code::kFastErfF32;
}

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors, in f32 alone: within the units in the last place of the level
/// opencl-full (conformance/levels) of the exact value, and of operands and
/// results that are subnormal maybe zero. A quotient by y is a product with
/// 1 / y, so that many by one number take one division.
void run_fast_function(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
