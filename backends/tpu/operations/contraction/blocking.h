#pragma once

#include <cstdint>

#include "backends/tpu/operations/contraction/contraction_map.h"
#include "backends/tpu/operations/contraction/scheme.h"

namespace hlo::tpu {

/// What part of a product of matrices is in the scratch memory at a time: the
/// accumulators of row_blocks by column_blocks blocks of rows by columns, and
/// of one block of the depth the operands' blocks.
struct Blocking {
  int64_t rows = 0;     // of a block of lhs
  int64_t depth = 0;    // of a block
  int64_t columns = 0;  // of a block of rhs: those of the matrix unit
  int64_t row_blocks = 1;
  int64_t column_blocks = 1;
};

/// The largest blocking that takes no more than `room` bytes, and not more than
/// the product needs; the smallest one where none does. No block is larger than
/// a matrix unit of size by size cells.
Blocking blocking_of(const Scheme& scheme,
                     const ContractionMap::Extents& extents, int64_t size,
                     int64_t room);

}  // namespace hlo::tpu
