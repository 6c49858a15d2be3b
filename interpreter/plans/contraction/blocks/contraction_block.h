#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/plans/contraction/blocks/contraction_kernel.h"
#include "interpreter/plans/contraction/blocks/contraction_slices.h"
#include "interpreter/plans/contraction/blocks/vector_reader.h"

namespace hlo {

/// n rounded up to a multiple of step.
inline int64_t round_up(int64_t n, int64_t step) {
  return (n + step - 1) / step * step;
}

/// A contraction with its operands in the result's type. The kernel multiplies
/// plain rows with interleaved columns ("the panel"); where there are too few
/// columns to fill its lanes, rows and columns change places.
struct Job {
  const Contraction* contraction;
  Literal lhs;
  Literal rhs;
  ElementType type;
  bool swapped;
  int64_t parts;  // numbers per result element: 2 for complex types
  std::byte* result;

  const Literal& row_literal() const { return swapped ? rhs : lhs; }

  const Literal& panel_literal() const { return swapped ? lhs : rhs; }

  int64_t row_count() const {
    return swapped ? contraction->columns : contraction->rows;
  }

  int64_t panel_count() const {
    return swapped ? contraction->rows : contraction->columns;
  }

  VectorReader row_reader() const {
    return {row_literal(), swapped ? contraction->rhs : contraction->lhs};
  }

  VectorReader panel_reader() const {
    return {panel_literal(), swapped ? contraction->lhs : contraction->rhs};
  }

  int64_t length() const { return contraction->depth * parts; }

  /// The result's element lies at the sum of its row's and its column's place.
  int64_t row_place(int64_t g, int64_t row) const {
    return swapped ? contraction->result_column(g, row)
                   : contraction->result_row(g, row);
  }

  int64_t column_place(int64_t g, int64_t column) const {
    return swapped ? contraction->result_row(g, column)
                   : contraction->result_column(g, column);
  }
};

/// Vectors of a block of the panel side, interleaved by the kernel's lanes. A
/// complex column is two vectors, for the real and for the imaginary part of
/// products.
template <typename T>
struct Panel {
  int64_t group;
  int64_t first;
  int64_t count;
  int64_t vectors;  // count * parts, rounded up to whole tiles
  std::vector<T> numbers;
  std::vector<double> norms;    // an upper bound of each vector's 2-norm
  std::vector<int64_t> places;  // of the numbers in a row of the result
  std::shared_ptr<PanelSlices> slices = {};  // of double's panels

  const T* tile(int64_t vector, int64_t length) const {
    return numbers.data() + vector * length;
  }
};

/// Rows [first, first + count) of a group, and zeros behind them, as the kernel
/// takes several rows at once.
template <typename T>
struct PackedRows {
  int64_t first = 0;
  int64_t count = 0;
  std::vector<T> numbers;
  std::vector<double> norms;  // of each row, as of a panel's vectors
};

/// Some of the packed rows, and their sums with every vector of a panel; rows
/// and sums go on to a multiple of the kernel's rows.
template <typename T>
struct RowBlock {
  /// Lets it be rows [first, first + count).
  void look_at(const PackedRows<T>& rows, int64_t from, int64_t size,
               int64_t length) {
    first = from;
    count = size;
    const int64_t skipped = first - rows.first;
    numbers =
        std::span<const T>(rows.numbers)
            .subspan(static_cast<size_t>(skipped * length),
                     static_cast<size_t>(
                         round_up(count, best_kernel<T>().rows) * length));
    norms = rows.norms.data() + skipped;
  }

  int64_t first = 0;
  int64_t count = 0;
  std::span<const T> numbers;
  const double* norms = nullptr;
  std::vector<T> sums;

  const T* row(int64_t r, int64_t length) const {
    return numbers.data() + r * length;
  }
};

/// A sum of a block: of a row and a vector of the panel.
struct Cell {
  int64_t row;
  int64_t vector;
};

/// So many products are added to a sum at once: their own sum.
inline constexpr int64_t kBlockDepth = 256;

/// Packs columns [first, first + count) of group g (rows, where swapped).
template <typename T>
Panel<T> pack_panel(const Job& job, int64_t g, int64_t first, int64_t count);
/// Packs rows [rows.first, rows.first + rows.count) of group g.
template <typename T>
void pack_rows(const Job& job, int64_t g, PackedRows<T>& rows,
               VectorReader& reader);
/// sums[r * vectors + v] += row r times vector v, for whole tiles of vectors
/// and `count` rows, up to a multiple of the kernel's.
template <typename T>
void multiply(const T* rows, int64_t count, const T* tiles, int64_t vectors,
              int64_t length, T* sums);

}  // namespace hlo
