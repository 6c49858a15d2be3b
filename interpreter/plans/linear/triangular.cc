#include "interpreter/plans/linear/triangular.h"

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

std::complex<double> decoded(const Scalar& element) {
  const auto& format = numeric::format(component_type(element.type));
  return {numeric::decode(element.bits[0], format),
          is_complex(element.type) ? numeric::decode(element.bits[1], format)
                                   : 0.0};
}

}  // namespace

int64_t TriangularSystems::in_matrix(int64_t matrix, int64_t i,
                                     int64_t j) const {
  int64_t row = reversed ? n - 1 - i : i;
  int64_t column = reversed ? n - 1 - j : j;
  if (swapped) std::swap(row, column);
  return (matrix * n + row) * n + column;
}

int64_t TriangularSystems::in_side(int64_t matrix, int64_t side,
                                   int64_t i) const {
  const int64_t at = reversed ? n - 1 - i : i;
  return matrix * n * sides +
         (rows_are_sides ? side * n + at : at * sides + side);
}

TriangularSystems triangular_systems(const Instruction& solve) {
  const auto& b = solve.operand_shape(1).dims;
  const std::string transpose =
      solve.get_or<Word>("transpose_a", {"NO_TRANSPOSE"}).value;
  TriangularSystems systems;
  for (size_t d = 0; d + 2 < b.size(); ++d) systems.matrices *= b[d];
  systems.n = solve.operand_shape(0).dims.back();
  // x op(a) = b is op(a)^T x^T = b^T.
  systems.rows_are_sides = !solve.get_or("left_side", false);
  systems.sides = b[b.size() - (systems.rows_are_sides ? 2 : 1)];
  systems.swapped = (transpose != "NO_TRANSPOSE") != systems.rows_are_sides;
  systems.reversed = solve.get_or("lower", false) == systems.swapped;
  systems.conjugated = transpose == "ADJOINT";
  systems.unit_diagonal = solve.get_or("unit_diagonal", false);
  return systems;
}

Triangle read_triangle(const TriangularSystems& systems, const Literal& a,
                       int64_t matrix) {
  Triangle t{.n = systems.n, .values = {}};
  t.values.reserve(static_cast<size_t>(t.n * (t.n + 1) / 2));
  for (int64_t i = 0; i < t.n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      if (i == j && systems.unit_diagonal) {
        t.values.emplace_back(1);
        continue;
      }
      const auto value = decoded(a.at(systems.in_matrix(matrix, i, j)));
      t.values.push_back(systems.conjugated ? std::conj(value) : value);
    }
  }
  return t;
}

std::vector<std::complex<double>> read_side(const TriangularSystems& systems,
                                            const Literal& b, int64_t matrix,
                                            int64_t side) {
  std::vector<std::complex<double>> values;
  values.reserve(static_cast<size_t>(systems.n));
  for (int64_t i = 0; i < systems.n; ++i) {
    values.push_back(decoded(b.at(systems.in_side(matrix, side, i))));
  }
  return values;
}

}  // namespace hlo
