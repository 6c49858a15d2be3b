#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/numeric/exact_sum.h"
#include "interpreter/op.h"

namespace hlo {

/// Sums of products of elements of two operands:
///   result(g, m, n) = sum over k of lhs(g, m, k) * rhs(g, n, k),
/// for groups g (batches, feature groups), rows m, columns n and depth k.
/// Positions are row-major element positions; -1 means that there is no such
/// element (padding) and no such term.
struct Contraction {
  int64_t groups = 1;
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t depth = 1;
  /// Fills positions[k] for all k in [0, depth).
  std::function<void(int64_t g, int64_t m, int64_t* positions)> lhs;
  std::function<void(int64_t g, int64_t n, int64_t* positions)> rhs;
  std::function<int64_t(int64_t g, int64_t m, int64_t n)> result;
  /// The (g, m, n) of the result element at a row-major position.
  std::function<void(int64_t position, int64_t gmn[3])> locate;
};

/// The result of type instruction.shape: operands are converted to its element
/// type first, then integers wrap, floats and complex components are exact
/// sums rounded once.
Literal apply(const Contraction& contraction, const Instruction& instruction,
              Operands operands, const Evaluator& evaluator);

/// The exact sum of one result element (of its real part, or its imaginary
/// part): what a backend's result is judged against.
numeric::ExactSum exact_element(const Contraction& contraction,
                                const Instruction& instruction,
                                Operands operands, int64_t position,
                                bool imaginary);

}  // namespace hlo
