#pragma once

#include <cstddef>

#include "backends/cpu/kernels/lanes/lane_op.h"

namespace hlo::cpu {

/// Whether it is one of run_bit_op's.
constexpr bool is_bit_op(Code code) {
  return (code >= Code::kShiftLeftS32 && code <= Code::kLeadingZerosS32) ||
         (code >= Code::kShiftLeftS64 && code <= Code::kLeadingZerosS64);
}

/// Computes the operation on n lanes of each register, rounded up to whole
/// vectors: a shift by a number without sign, which leaves only zeros or signs
/// where the lane has no more bits (HLO's shift-left and the others), or a
/// count of bits.
void run_bit_op(const LaneOp& op, const Register* registers, size_t n);

}  // namespace hlo::cpu
