#pragma once

#include <utility>

#include "backends/tpu/blocks/wide_numbers.h"
#include "interpreter/builder/xla_linear.h"

namespace hlo::tpu {

/// op(a) x = b, or x op(a) = b, of the matrices in the last two dimensions.
struct BlockSystem {
  bool is_left = false;
  bool is_lower = false;
  bool has_units = false;  // on the diagonal
  builder::TriangularTranspose transpose =
      builder::TriangularTranspose::kNoTranspose;
};

/// Two parts of n > most_rows rows, the first a multiple of most_rows.
std::pair<BlockRange, BlockRange> halves(int64_t n, int64_t most_rows);

/// The unknowns x, by systems of at most most_rows unknowns: of those that hang
/// on no others first, and then of the others.
builder::XlaOp solved(builder::XlaOp a, builder::XlaOp b,
                      const BlockSystem& system, int64_t most_rows);

}  // namespace hlo::tpu
