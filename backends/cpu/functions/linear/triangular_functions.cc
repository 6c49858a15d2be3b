#include "backends/cpu/functions/linear/triangular_functions.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/cpu/arrays/wide_numbers.h"

namespace hlo::cpu {
namespace {

using Complex = std::complex<double>;

double conjugate(double x) { return x; }

Complex conjugate(const Complex& z) { return std::conj(z); }

double real_part(double x) { return x; }

double real_part(const Complex& z) { return z.real(); }

template <typename T>
std::vector<T> wide(const Array& array) {
  if constexpr (std::is_same_v<T, double>) {
    return wide_reals(array);
  } else {
    return wide_complexes(array);
  }
}

/// Calls visitor(T{}) with double or with its complex numbers.
template <typename Visitor>
Array with_wide_type(ElementType type, Visitor visitor) {
  return is_complex(type) ? visitor(Complex{}) : visitor(double{});
}

/// A square matrix in memory, read as its transpose or conjugate where asked.
template <typename T>
struct Matrix {
  const T* first;
  size_t size;
  bool is_transposed = false;
  bool is_conjugated = false;

  T at(size_t i, size_t j) const {
    const T value = is_transposed ? first[j * size + i] : first[i * size + j];
    return is_conjugated ? conjugate(value) : value;
  }
};

/// The lower factor of the matrix, of which the lower triangle is read; false
/// where it is not positive definite.
template <typename T>
bool factor(const Matrix<T>& a, std::vector<T>& lower) {
  const size_t n = a.size;
  for (size_t j = 0; j < n; ++j) {
    double pivot = real_part(a.at(j, j));
    for (size_t k = 0; k < j; ++k) pivot -= std::norm(lower[j * n + k]);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    lower[j * n + j] = root;
    for (size_t i = j + 1; i < n; ++i) {
      T sum = a.at(i, j);
      for (size_t k = 0; k < j; ++k) {
        sum -= lower[i * n + k] * conjugate(lower[j * n + k]);
      }
      lower[i * n + j] = sum / root;
    }
  }
  return true;
}

template <typename T>
bool all_finite(const std::vector<T>& values) {
  for (const T& value : values) {
    if (!std::isfinite(std::abs(value))) return false;
  }
  return true;
}

template <typename T>
Array factors(const Instruction& instruction, const Array& operand,
              bool is_lower) {
  const std::vector<T> a = wide<T>(operand);
  const auto n = static_cast<size_t>(operand.shape.dims.back());
  std::vector<T> result(a.size());
  for (size_t at = 0; at < a.size(); at += n * n) {
    // An upper triangle is the conjugate transpose of a lower one.
    const Matrix<T> matrix{a.data() + at, n, !is_lower, !is_lower};
    std::vector<T> lower(n * n);
    if (!factor(matrix, lower) || !all_finite(lower)) {
      lower.assign(n * n, std::numeric_limits<double>::quiet_NaN());
    }
    const Matrix<T> factor{lower.data(), n, !is_lower, !is_lower};
    for (size_t i = 0; i < n * n; ++i) {
      result[at + i] = factor.at(i / n, i % n);
    }
  }
  return rounded(instruction.shape, result);
}

Array cholesky(const Instruction& instruction, Operands operands) {
  const bool is_lower = instruction.get_or<bool>("lower", false);
  return with_wide_type(instruction.shape.element_type, [&](auto tag) {
    return factors<decltype(tag)>(instruction, *operands[0], is_lower);
  });
}

/// The unknowns of one right-hand side, whose numbers lie `step` apart.
template <typename T>
void substitute(const Matrix<T>& a, bool is_lower, bool has_unit_diagonal, T* x,
                size_t step) {
  const size_t n = a.size;
  for (size_t k = 0; k < n; ++k) {
    const size_t i = is_lower ? k : n - 1 - k;
    T sum = x[i * step];
    for (size_t m = 0; m < k; ++m) {
      const size_t j = is_lower ? m : n - 1 - m;
      sum -= a.at(i, j) * x[j * step];
    }
    x[i * step] = has_unit_diagonal ? sum : sum / a.at(i, i);
  }
}

template <typename T>
Array solutions(const Instruction& instruction, Operands operands) {
  const std::vector<T> a = wide<T>(*operands[0]);
  std::vector<T> b = wide<T>(*operands[1]);
  const std::string& op =
      instruction.get_or<Word>("transpose_a", {"NO_TRANSPOSE"}).value;
  const bool is_left = instruction.get_or<bool>("left_side", false);
  const bool is_unit = instruction.get_or<bool>("unit_diagonal", false);
  const bool transposes = op == "TRANSPOSE" || op == "ADJOINT";
  // x op(a) = b is op(a)^T x^T = b^T, whose columns are the rows of b.
  const bool is_transposed = transposes == is_left;
  const bool is_lower =
      instruction.get_or<bool>("lower", false) != is_transposed;
  const std::vector<int64_t>& dims = operands[1]->shape.dims;
  const auto rows = static_cast<size_t>(dims[dims.size() - 2]);
  const auto columns = static_cast<size_t>(dims.back());
  const size_t n = is_left ? rows : columns;
  for (size_t at = 0; at < b.size(); at += rows * columns) {
    const Matrix<T> matrix{a.data() + at / (rows * columns) * n * n, n,
                           is_transposed, op == "ADJOINT"};
    for (size_t k = 0; k < (is_left ? columns : rows); ++k) {
      substitute(matrix, is_lower, is_unit,
                 b.data() + at + (is_left ? k : k * columns),
                 is_left ? columns : size_t{1});
    }
  }
  return rounded(instruction.shape, b);
}

Array triangular_solve(const Instruction& instruction, Operands operands) {
  return with_wide_type(instruction.shape.element_type, [&](auto tag) {
    return solutions<decltype(tag)>(instruction, operands);
  });
}

}  // namespace

Functions triangular_functions() {
  return {{"cholesky", cholesky}, {"triangular-solve", triangular_solve}};
}

}  // namespace hlo::cpu
