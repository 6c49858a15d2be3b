#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// Where the elements of a row, or a column, of one operand lie, as row-major
/// element positions. The depth is cut into `count` runs of `length` elements
/// that lie `stride` apart.
struct Runs {
  /// Fills starts[i] with the position of the first element of run i, or with
  /// -1 where the run has no elements (padding), which are then no terms.
  std::function<void(int64_t g, int64_t index, int64_t* starts)> starts;
  int64_t count = 1;
  int64_t length = 1;
  int64_t stride = 1;

  /// Fills positions[k] for all k in [0, count * length); -1 where there is no
  /// element.
  void operator()(int64_t g, int64_t index, int64_t* positions) const;
};

/// Sums of products of elements of two operands:
///   result(g, m, n) = sum over k of lhs(g, m, k) * rhs(g, n, k),
/// for groups g (batches, feature groups), rows m, columns n and depth k.
struct Contraction {
  int64_t groups = 1;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t depth = 1;
  Runs lhs;
  Runs rhs;
  /// The result's element lies at the sum of both.
  std::function<int64_t(int64_t g, int64_t m)> result_row;
  std::function<int64_t(int64_t g, int64_t n)> result_column;
  /// The (g, m, n) of the result element at a row-major position.
  std::function<void(int64_t position, int64_t gmn[3])> locate;
};

/// Where the elements along the chosen dimensions lie, the others at 0, in
/// row-major order of the dimensions as listed.
std::vector<int64_t> offsets_along(const Shape& shape, const Ints& dims);

}  // namespace hlo
