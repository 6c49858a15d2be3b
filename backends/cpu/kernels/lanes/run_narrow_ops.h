#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Whether it is one of run_narrow_op's.
bool is_narrow_op(Code code);

/// Computes an operation on lanes of 32 bits on n lanes of 8 or of 16 of each
/// register, rounded up to whole vectors: modulo as many values as they have.
/// Which of both signs maxima, minima and orders take is that of the code.
void run_narrow_op(const LaneOp& op, size_t lane_bytes,
                   const Register* registers, size_t n);

}  // namespace hlo::cpu
