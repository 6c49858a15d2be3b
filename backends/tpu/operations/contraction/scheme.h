#pragma once

#include <cstdint>
#include <vector>

#include "backends/tpu/machine/matrix_mode.h"
#include "backends/tpu/machine/matrix_unit.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// What becomes of an operand: for each component of its elements (real and
/// imaginary ones, or one) the planes that it is taken apart to. Of several the
/// first is the element rounded to bf16, each further one what is left by then,
/// rounded again.
struct Planes {
  int64_t components = 1;
  int64_t pieces = 1;
  bool is_rounded = false;

  int64_t count() const { return components * pieces; }
};

/// A product of planes, with accumulators of its own.
struct PlanePair {
  int64_t lhs = 0;
  int64_t rhs = 0;
  /// Whether infinities and NaN are left to other pairs.
  bool is_finite = false;
};

/// How the numbers of a contraction are multiplied: decided by its types and by
/// the mode of the matrix unit.
struct Scheme {
  ElementType element;  // what operands are converted to first
  bool is_scaled;       // but not those that have scales
  Sums sums;
  Planes lhs;
  Planes rhs;
  /// Pairs for real times real, imaginary times imaginary, real times
  /// imaginary, imaginary times real; in each the smallest products first.
  std::vector<PlanePair> pairs;

  /// How many pairs one product of components has.
  int64_t pairs_of_component() const {
    return std::ssize(pairs) / (lhs.components * rhs.components);
  }
};

Scheme scheme_of(const Instruction& instruction, MatrixMode mode);

}  // namespace hlo::tpu
