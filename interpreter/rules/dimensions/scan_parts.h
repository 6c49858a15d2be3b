#pragma once

#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// How a scan's operands and results are divided: its operands are inputs and
/// then carries, its results outputs and then carries.
struct ScanParts {
  ScanParts(const Instruction& scan, Operands operands);

  /// Which slices step `step` takes and gives.
  int64_t slice_of(int64_t step) const {
    return is_reverse ? steps - 1 - step : step;
  }

  /// The sizes of an output whose slices have these sizes at run time.
  Ints output_sizes(Ints slice) const;

  /// The outputs and carries in what the body returned, or in the result: a
  /// tuple of them, or the only one.
  static std::vector<Literal> values_of(const Literal& returned);
  /// The result of these outputs and carries.
  Literal result(std::vector<Literal> values) const;

  const Computation* body;
  int64_t d;  // the dimension of the slices
  int64_t steps;
  bool is_reverse;
  bool gives_tuple;
  size_t inputs;
  size_t carries;
  size_t outputs;
};

/// The shapes of outputs and carries: of a tuple, or the only one.
std::vector<Shape> scan_shapes(const Shape& result);

/// The outputs of a scan before any step, then the carries.
std::vector<Literal> first_values(const Instruction& scan, Operands operands,
                                  const ScanParts& parts);

}  // namespace hlo
