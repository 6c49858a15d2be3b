#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// The matrices of a cholesky, brought to one form: the lower triangle of a
/// Hermitian matrix A, whose factor L has L L^H = A.
struct CholeskyMatrices {
  int64_t matrices = 1;
  int64_t n = 0;
  bool lower = false;  // else element (i, j) is the array's (j, i)

  int64_t at(int64_t matrix, int64_t i, int64_t j) const {
    const int64_t row = lower ? i : j;
    const int64_t column = lower ? j : i;
    return (matrix * n + row) * n + column;
  }
};

CholeskyMatrices cholesky_matrices(const Instruction& cholesky);

/// The lower triangle, row after row; the diagonal is real.
std::vector<std::complex<double>> read_lower(const CholeskyMatrices& matrices,
                                             const Literal& literal,
                                             int64_t matrix);

/// L, row after row: each part exact and rounded once to `format`. Nothing
/// where A is not positive definite, or not finite.
std::optional<std::vector<numeric::ComplexBits>> factor_exactly(
    const std::vector<std::complex<double>>& lower, int64_t n,
    const numeric::FloatFormat& format);

}  // namespace hlo
