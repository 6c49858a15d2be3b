#pragma once

#include <cstdint>

#include "backends/tpu/operations/contraction/contraction_map.h"
#include "backends/tpu/operations/contraction/scheme.h"

namespace hlo::tpu {

/// What part of a product of matrices is in the scratch memory at a time: the
/// accumulators of row_blocks by column_blocks blocks of rows by 128, and of
/// one block of the depth the operands' blocks.
struct Blocking {
  int64_t rows = kMatrixSize;   // of a block of lhs
  int64_t depth = kMatrixSize;  // of a block
  int64_t row_blocks = 1;
  int64_t column_blocks = 1;
};

/// The largest blocking that takes no more than `room` bytes, and not more than
/// the product needs; the smallest one where none does.
Blocking blocking_of(const Scheme& scheme,
                     const ContractionMap::Extents& extents, int64_t room);

}  // namespace hlo::tpu
