#pragma once

#include "backends/gpu/operations/walk.h"

namespace hlo::gpu {

/// A walk over the products of two operands.
struct Products {
  Walk walk;
  WalkView rhs;

  void add_index(int64_t size, int64_t lhs_stride, int64_t rhs_stride);
  /// An index of the result before all others, along which nothing moves.
  void add_leading_index(int64_t size);
  void add_tap(int64_t size, int64_t lhs_stride, int64_t rhs_stride);
};

/// The products that an element of a dot's result sums; `left_out`: dimensions
/// of rhs that the result has not.
Products products_of_dot(const Instruction& dot, const Ints& left_out = {});

}  // namespace hlo::gpu
