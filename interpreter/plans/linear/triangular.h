#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

/// The systems of a triangular-solve, brought to one form: T x = b with a lower
/// triangular T, for each matrix and each of its right-hand sides.
struct TriangularSystems {
  int64_t matrices = 1;
  int64_t n = 0;                // rows and columns of T
  int64_t sides = 0;            // right-hand sides of a matrix
  bool rows_are_sides = false;  // of b; else its columns
  bool reversed = false;        // T's first row is a's last
  bool swapped = false;         // T's rows are a's columns
  bool conjugated = false;
  bool unit_diagonal = false;

  /// Row-major positions of T(i, j) in `a` and of b(i) in `b`.
  int64_t in_matrix(int64_t matrix, int64_t i, int64_t j) const;
  int64_t in_side(int64_t matrix, int64_t side, int64_t i) const;
};

TriangularSystems triangular_systems(const Instruction& solve);

/// The lower triangle of a matrix, row after row: exact values.
struct Triangle {
  int64_t n = 0;
  std::vector<std::complex<double>> values;

  const std::complex<double>& at(int64_t i, int64_t j) const {
    return values[static_cast<size_t>(i * (i + 1) / 2 + j)];
  }
};

/// T of one matrix of `a`; nothing above it is read, and no diagonal that is
/// taken to be 1.
Triangle read_triangle(const TriangularSystems& systems, const Literal& a,
                       int64_t matrix);
/// One right-hand side, or one solution, of `b`.
std::vector<std::complex<double>> read_side(const TriangularSystems& systems,
                                            const Literal& b, int64_t matrix,
                                            int64_t side);

/// The x with T x = b: each part exact and rounded once to `format`. Zero
/// diagonals, infinities and NaN as spec/ops/triangular_solve.md says.
std::vector<numeric::ComplexBits> solve_exactly(
    const Triangle& t, std::span<const std::complex<double>> b, bool is_complex,
    const numeric::FloatFormat& format);

}  // namespace hlo
