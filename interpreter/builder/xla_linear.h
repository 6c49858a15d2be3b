#pragma once

#include "interpreter/builder/builder.h"

// Linear algebra, Fourier transforms and batch normalisation. Errors: the rules
// of the operation's page.

namespace hlo::builder {

XlaOp Cholesky(XlaOp a, bool lower);

enum class TriangularTranspose : uint8_t {
  kNoTranspose,
  kTranspose,
  kAdjoint,
};

/// Solves op(a) x = b, or x op(a) = b where not `left_side`.
XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower,
                      bool unit_diagonal, TriangularTranspose transpose_a);

enum class FftType : uint8_t { kFft, kIfft, kRfft, kIrfft };

XlaOp Fft(XlaOp operand, FftType fft_type, const Ints& fft_length);

/// (output, batch_mean, batch_var).
XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                        int64_t feature_index);
XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean,
                         XlaOp variance, float epsilon, int64_t feature_index);
/// (grad_operand, grad_scale, grad_offset).
XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp batch_mean,
                    XlaOp batch_var, XlaOp grad_output, float epsilon,
                    int64_t feature_index);

}  // namespace hlo::builder
