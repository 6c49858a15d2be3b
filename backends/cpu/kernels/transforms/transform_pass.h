#pragma once

#include <cstddef>

#include "backends/cpu/kernels/transforms/parts_apart.h"

namespace hlo::cpu {

/// One pass of a transform of `length` numbers (Stockham's). With f for the
/// factor, m for parts and s for beside, which is length / (f m) for one line:
/// of the numbers x[j m + k], j from 0 to f - 1, bin t of a transform of f
/// numbers, times exp(-2 pi i k t / (f m)), becomes y[k f + t]; where number i
/// stands for s numbers that lie side by side.
struct TransformPass {
  size_t factor;
  size_t parts;
  size_t beside;
  const double* re;  // roots of the length
  const double* im;
  size_t length;
  ComplexParts from;
  ComplexParts to;
};

void transform_pass(const TransformPass& pass);

}  // namespace hlo::cpu
