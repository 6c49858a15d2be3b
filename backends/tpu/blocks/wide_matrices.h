#pragma once

#include <cstdint>

#include "interpreter/builder/builder.h"

namespace hlo::tpu {

/// f64, or c128 for complex types: what numbers are between blocks.
ElementType wide_type(ElementType type);
builder::XlaOp widened(builder::XlaOp x);
/// Elements of the type that are nearest to wide numbers.
builder::XlaOp narrowed(builder::XlaOp x, ElementType type);
/// The conjugates of complex numbers; others as they are.
builder::XlaOp conjugated(builder::XlaOp x);

/// The block [rows, columns] of the matrices in the last two dimensions.
struct BlockRange {
  int64_t first;
  int64_t end;

  int64_t size() const { return end - first; }
};

builder::XlaOp block_of(builder::XlaOp x, BlockRange rows, BlockRange columns);
/// Transposes the last two dimensions.
builder::XlaOp matrices_transposed(builder::XlaOp x);
/// The product of the matrices in the last two dimensions.
builder::XlaOp matrices_multiplied(builder::XlaOp lhs, builder::XlaOp rhs);

/// So many rows that two square matrices of wide numbers take `room` bytes at
/// most, and systems of that many unknowns little time.
int64_t rows_of_blocks(ElementType type, int64_t room);

}  // namespace hlo::tpu
