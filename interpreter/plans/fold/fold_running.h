#pragma once

#include <cstdint>
#include <functional>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// Whether wide windows slide along one axis, as in running sums and products.
bool slides(const Fold& fold);

/// What is summed, or multiplied, under windows: one component of each operand
/// element, and of the init value.
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

/// The products of a fold that slides(), each rounded once.
void multiply_sliding(const Fold& fold, const SlidingTerms& factors,
                      const std::function<void(int64_t, uint64_t)>& store,
                      const Evaluator& evaluator);

}  // namespace hlo
