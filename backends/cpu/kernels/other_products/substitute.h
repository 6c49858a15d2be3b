#pragma once

#include <cstddef>

namespace hlo::cpu {

/// How many right-hand sides are solved together: few, or many.
inline constexpr size_t kFewSides = 8;
inline constexpr size_t kManySides = 32;

/// A dense triangular matrix of n rows; what is not of the triangle is not
/// read.
struct Triangle {
  const double* first = nullptr;
  size_t n = 0;
  bool is_lower = true;
  bool has_unit_diagonal = false;
};

/// Makes the unknowns of right-hand sides: number c of row i is x[i * sides +
/// c], of kFewSides or kManySides. From each the products with those before it
/// are taken one after the other, each rounded.
void substitute(const Triangle& a, size_t sides, double* x);

}  // namespace hlo::cpu
