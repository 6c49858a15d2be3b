#pragma once

#include <cstdint>
#include <functional>

#include "interpreter/fold.h"
#include "interpreter/numeric/float_format.h"

namespace hlo {

/// Folds of operations whose order does not matter: the wrapping ones of
/// integers, maximum and minimum, and, or, xor; for pred, integers and (maximum
/// and minimum only) floats. `operand` and `init` have the result's type.
Literal fold_typed(const Fold& fold, Reducer reducer, const Shape& shape,
                   const Literal& operand, const Literal& init,
                   const Evaluator& evaluator);

/// The exact sums of floats or complex numbers, rounded once. `operand` and
/// `init` have the result's type.
Literal fold_sum(const Fold& fold, const Shape& shape, const Literal& operand,
                 const Literal& init, const Evaluator& evaluator);

/// The exact products of floats, rounded once. `operand` and `init` have the
/// result's type.
Literal fold_product(const Fold& fold, const Shape& shape,
                     const Literal& operand, const Literal& init,
                     const Evaluator& evaluator);

/// Whether wide windows slide along one axis, as in running sums.
bool slides(const Fold& fold);

/// The terms of sums under windows: one component of each operand element, and
/// of the init value.
struct SlidingTerms {
  const double* numbers;
  double init;
  const numeric::FloatFormat& format;
};

/// The sums of a fold that slides(), each rounded once: store(position, code).
/// A term is added when a window reaches it and taken off when it leaves.
void sum_sliding(const Fold& fold, const SlidingTerms& terms,
                 const std::function<void(int64_t, uint64_t)>& store,
                 const Evaluator& evaluator);

/// Any other reducer, in order: init first, then the cells. `operands` have the
/// types of the reducer's parameters.
Literal fold_in_order(const Fold& fold, const Shape& shape, Operands operands,
                      const Evaluator& evaluator);

/// Elements worth a thread.
inline constexpr int64_t kFoldGrain = int64_t{1} << 15;

/// How many positions of the axis to do at once, so that a piece has about
/// `elements` elements, of which `total` are shared by result_size positions.
inline int64_t piece_size(const FoldAxis& axis, int64_t total,
                          int64_t elements) {
  const int64_t each = total / (axis.result_size > 0 ? axis.result_size : 1);
  return each == 0 ? elements : elements / each + 1;
}

}  // namespace hlo
