#pragma once

#include "backends/tpu/memory/fault.h"
#include "interpreter/builder/builder.h"

namespace hlo::tpu {

/// What an operation's blocks are written from.
struct BlockTask {
  builder::XlaBuilder& builder;
  const Instruction& instruction;
  builder::XlaOps operands;
  int64_t room = 0;  // bytes that a part may take
  Fault fault = Fault::kNone;
};

// The result of the task: its root.

/// Normalises by sums that are folded over all elements of a feature.
builder::XlaOp batch_norm_grad_by_sums(const BlockTask& task);
builder::XlaOp batch_norm_training_by_sums(const BlockTask& task);
/// Factors one half of the rows, and then what that leaves of the other.
builder::XlaOp cholesky_by_halves(const BlockTask& task);
/// Transforms along one dimension after the other, and a long line in passes.
builder::XlaOp fft_by_passes(const BlockTask& task);
/// Sorts elements with their places.
builder::XlaOp topk_by_sorting(const BlockTask& task);
/// Solves for one half of the unknowns, and then for the other.
builder::XlaOp triangular_solve_by_halves(const BlockTask& task);

}  // namespace hlo::tpu
