#pragma once

#include <utility>

#include "backends/tpu/blocks/wide_matrices.h"
#include "backends/tpu/memory/fault.h"
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

/// How matrices are split.
struct Halving {
  int64_t most_rows = 1;  // of what is split no more
  Fault fault = Fault::kNone;
};

/// Two parts of more rows than that, the first a multiple of these.
std::pair<BlockRange, BlockRange> halves(int64_t n, const Halving& halving);
/// What one half leaves of the other: the product of known numbers subtracted.
builder::XlaOp rest_of(builder::XlaOp other, builder::XlaOp product,
                       const Halving& halving);

/// The unknowns x, by systems of at most halving.most_rows unknowns: of those
/// that hang on no others first, and then of the others.
builder::XlaOp solved(builder::XlaOp a, builder::XlaOp b,
                      const BlockSystem& system, const Halving& halving);

}  // namespace hlo::tpu
