#pragma once

#include <type_traits>
#include <vector>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/function.h"

namespace hlo::cpu {

/// The operand in the result's element type, as host numbers.
template <typename T>
std::vector<T> operand_values(const Array& operand, ElementType type) {
  if (operand.shape.element_type == type) return load<T>(operand);
  return load<T>(converted(operand, type));
}

/// x * y + sum, integers wrapping; each part of complex numbers is a sum of
/// real products, and no infinity is recovered (spec/ops/dot.md).
template <typename T>
T accumulate(T sum, T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(sum) +
                          static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  } else if constexpr (std::is_floating_point_v<T>) {
    return sum + x * y;
  } else {
    return {sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
            sum.imag() + (x.real() * y.imag() + x.imag() * y.real())};
  }
}

/// Rows of T that lie `step` apart.
template <typename T>
struct Rows {
  T* first;
  size_t step;

  T* row(size_t i) const { return first + i * step; }
};

/// sums[m][n] += sum over k of x[m][k] * y[k][n], for a tile of constant size,
/// which the compiler keeps in vector registers.
template <size_t kRows, size_t kColumns, typename T>
void add_tile(Rows<const T> x, size_t depth, Rows<const T> y, Rows<T> sums) {
  T tile[kRows][kColumns];
  for (size_t m = 0; m < kRows; ++m) {
    for (size_t n = 0; n < kColumns; ++n) tile[m][n] = sums.row(m)[n];
  }
  for (size_t k = 0; k < depth; ++k) {
    const T* right = y.row(k);
    for (size_t m = 0; m < kRows; ++m) {
      const T left = x.row(m)[k];
      for (size_t n = 0; n < kColumns; ++n) {
        tile[m][n] = accumulate(tile[m][n], left, right[n]);
      }
    }
  }
  for (size_t m = 0; m < kRows; ++m) {
    for (size_t n = 0; n < kColumns; ++n) sums.row(m)[n] = tile[m][n];
  }
}

template <size_t kRows, typename T>
void add_rows(Rows<const T> x, size_t depth, Rows<const T> y, size_t columns,
              Rows<T> sums) {
  constexpr size_t kWide = 8;
  size_t n = 0;
  for (; n + kWide <= columns; n += kWide) {
    add_tile<kRows, kWide, T>(x, depth, {y.first + n, y.step},
                              {sums.first + n, sums.step});
  }
  for (; n < columns; ++n) {
    add_tile<kRows, 1, T>(x, depth, {y.first + n, y.step},
                          {sums.first + n, sums.step});
  }
}

/// sums += x * y, as matrices.
template <typename T>
void add_product(Rows<const T> x, size_t rows, size_t depth, Rows<const T> y,
                 size_t columns, Rows<T> sums) {
  if (depth == 0) return;  // there is nothing to point into
  size_t m = 0;
  for (; m + 4 <= rows; m += 4) {
    add_rows<4, T>({x.row(m), x.step}, depth, y, columns,
                   {sums.row(m), sums.step});
  }
  for (; m < rows; ++m) {
    add_rows<1, T>({x.row(m), x.step}, depth, y, columns,
                   {sums.row(m), sums.step});
  }
}

}  // namespace hlo::cpu
