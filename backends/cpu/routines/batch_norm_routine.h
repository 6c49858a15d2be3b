#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/cpu/kernels/routine.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// batch-norm-training, batch-norm-inference and batch-norm-grad, of f64, or of
/// f32, bf16 and f16 as f32.
std::optional<Routine> batch_norm_routine(const Instruction& instruction);

/// Writes the results of one of them, whose operand has these dimensions; all
/// arrays are of f32 or all of f64.
void normalize_batch(const Instruction& instruction,
                     const std::vector<int64_t>& dims, ElementType type,
                     std::span<const std::byte* const> operands,
                     std::span<std::byte* const> results);

}  // namespace hlo::cpu
