#include "backends/cpu/functions/linear/triangular_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/kernels/other_products/substitute.h"
#include "backends/cpu/threads/share_loop.h"

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

/// The sum of x[k] times the conjugate of y[k], in four chains: one would wait
/// for each of its sums.
template <typename T>
T product_of_rows(const T* x, const T* y, size_t n) {
  constexpr size_t kChains = 4;
  T sums[kChains] = {};
  size_t k = 0;
  for (; k + kChains <= n; k += kChains) {
    for (size_t i = 0; i < kChains; ++i) {
      sums[i] += x[k + i] * conjugate(y[k + i]);
    }
  }
  for (size_t i = 0; k + i < n; ++i) sums[i] += x[k + i] * conjugate(y[k + i]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The lower factor of the matrix, of which the lower triangle is read; false
/// where it is not positive definite.
template <typename T>
bool factor(const Matrix<T>& a, std::vector<T>& lower) {
  const size_t n = a.size;
  for (size_t j = 0; j < n; ++j) {
    const double pivot =
        real_part(a.at(j, j)) -
        real_part(product_of_rows(&lower[j * n], &lower[j * n], j));
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    lower[j * n + j] = root;
    for (size_t i = j + 1; i < n; ++i) {
      const T known = product_of_rows(&lower[i * n], &lower[j * n], j);
      lower[i * n + j] = (a.at(i, j) - known) / root;
    }
  }
  return true;
}

template <typename T>
bool all_finite(const std::vector<T>& values) {
  return std::ranges::all_of(
      values, [](const T& value) { return std::isfinite(std::abs(value)); });
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

/// How many right-hand sides of so many are solved together; the rest is zeros.
template <typename T>
size_t sides_together(size_t count) {
  if constexpr (std::is_same_v<T, double>) {
    return count > kFewSides ? kManySides : kFewSides;
  }
  return count >= 16 ? 16 : count >= 4 ? 4 : 1;
}

/// As substitute, of complex numbers.
template <size_t kSides>
void substitute_complex(const Matrix<Complex>& a, bool is_lower, bool is_unit,
                        Complex* x) {
  const size_t n = a.size;
  const auto place = [&](size_t k) { return is_lower ? k : n - 1 - k; };
  for (size_t k = 0; k < n; ++k) {
    const size_t i = place(k);
    Complex sums[kSides];
    std::copy_n(x + i * kSides, kSides, sums);
    for (size_t m = 0; m < k; ++m) {
      const size_t j = place(m);
      const Complex factor = a.first[i * n + j];
      for (size_t c = 0; c < kSides; ++c) sums[c] -= factor * x[j * kSides + c];
    }
    const Complex diagonal = a.first[i * n + i];
    for (size_t c = 0; c < kSides; ++c) {
      x[i * kSides + c] = is_unit ? sums[c] : sums[c] / diagonal;
    }
  }
}

void substitute_sides(const Matrix<double>& a, bool is_lower, bool is_unit,
                      size_t sides, double* x) {
  substitute({a.first, a.size, is_lower, is_unit}, sides, x);
}

void substitute_sides(const Matrix<Complex>& a, bool is_lower, bool is_unit,
                      size_t sides, Complex* x) {
  if (sides == 16) return substitute_complex<16>(a, is_lower, is_unit, x);
  if (sides == 4) return substitute_complex<4>(a, is_lower, is_unit, x);
  substitute_complex<1>(a, is_lower, is_unit, x);
}

/// The matrices as they are read, transposed or conjugated where asked.
template <typename T>
std::vector<T> dense(std::vector<T> a, size_t n, bool is_transposed,
                     bool is_conjugated) {
  if (!is_transposed && !is_conjugated) return a;
  std::vector<T> result(a.size());
  for (size_t at = 0; at < a.size(); at += n * n) {
    const Matrix<T> matrix{a.data() + at, n, is_transposed, is_conjugated};
    for (size_t i = 0; i < n * n; ++i) {
      result[at + i] = matrix.at(i / n, i % n);
    }
  }
  return result;
}

/// The right-hand sides of a matrix: number i of side c lies i * step + c *
/// side_step behind `first`.
template <typename T>
class Sides {
 public:
  Sides(T* first, size_t step, size_t side_step)
      : first_(first), step_(step), side_step_(side_step) {}

  /// Solves for sides first ... last - 1.
  void solve(const Matrix<T>& a, bool is_lower, bool is_unit, size_t first_side,
             size_t last) const {
    while (first_side < last) {
      const size_t together = sides_together<T>(last - first_side);
      const size_t some = std::min(together, last - first_side);
      std::vector<T> x(a.size * together);
      for (size_t i = 0; i < a.size; ++i) {
        for (size_t c = 0; c < some; ++c) {
          x[i * together + c] = at(i, first_side + c);
        }
      }
      substitute_sides(a, is_lower, is_unit, together, x.data());
      for (size_t i = 0; i < a.size; ++i) {
        for (size_t c = 0; c < some; ++c) {
          at(i, first_side + c) = x[i * together + c];
        }
      }
      first_side += some;
    }
  }

 private:
  T& at(size_t i, size_t side) const {
    return first_[i * step_ + side * side_step_];
  }

  T* first_;
  size_t step_;
  size_t side_step_;
};

template <typename T>
Array solutions(const Instruction& instruction, Operands operands) {
  std::vector<T> b = wide<T>(*operands[1]);
  if (b.empty()) return rounded(instruction.shape, b);
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
  const size_t count = is_left ? columns : rows;
  const std::vector<T> a =
      dense(wide<T>(*operands[0]), n, is_transposed, op == "ADJOINT");
  const size_t blocks = (count + kManySides - 1) / kManySides;
  share_loop(static_cast<int64_t>(b.size() / (rows * columns) * blocks),
             [&](int64_t task) {
               const size_t which = static_cast<size_t>(task) / blocks;
               const size_t begin =
                   static_cast<size_t>(task) % blocks * kManySides;
               const Sides<T> sides(b.data() + which * rows * columns,
                                    is_left ? columns : 1, is_left ? 1 : n);
               sides.solve({a.data() + which * n * n, n}, is_lower, is_unit,
                           begin, std::min(count, begin + kManySides));
             });
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
