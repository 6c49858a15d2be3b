#pragma once

#include <cstddef>

#include "backends/cpu/kernels/transforms/parts_apart.h"

namespace hlo::cpu {

/// One pass of a transform of `length` numbers (Stockham's). Let f be the
/// factor, m the parts, and s what lies beside, which is length / (f m) for one
/// line; each number here stands for s of them that lie side by side. The pass
/// transforms x[k], x[m + k], ... x[(f - 1) m + k] for each k below m: their
/// bin t, times exp(-2 pi i k t / (f m)), becomes y[k f + t].
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
